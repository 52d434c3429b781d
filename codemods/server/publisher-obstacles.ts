/** Publishers that keep their server where it is: one that stays behind reaches no modern listener (T42). */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { serverEmitsOf } from '../../src/analysis/server-publishers.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';
import { NO_HANDLER, planOfPublisher, publishersIn } from './publisher-plan.js';
import { shortText } from '../../src/analysis/short-text.js';

/** Whoever serves it decides how it has to publish (T4, T7). */
export function servedOutOfSight(group: ServerGroup, facts: Facts): Obstacle | undefined {
  const entries = group.entries.filter(({ kind }) => kind !== 'test');
  const unknown = entries.find(({ kind }) => kind === 'unknown');
  if (unknown === undefined && entries.length > 0) return undefined;
  const at = unknown?.call ?? group.creations[0]?.node ?? group.nodes[0];
  if (at === undefined) return undefined;
  const { path } = facts.unitOf(at);
  return {
    text:
      unknown === undefined
        ? `what serves the server in ${path} is out of sight, and over stdio it publishes in another way than over HTTP`
        : unknownTransport(unknown.call, path, facts),
    at,
  };
}

function unknownTransport(call: ts.CallExpression, path: string, { world }: Facts): string {
  const [transport] = call.arguments;
  const symbol = transport === undefined ? undefined : world.checker.getTypeAtLocation(transport).getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  const isOwn = declaration !== undefined && ts.isClassLike(declaration) && !world.isOurs(declaration);
  return symbol !== undefined && isOwn
    ? `the server is connected to a transport of the code's own in ${path}, ${symbol.name}, and nothing says how its messages travel`
    : `which transport the server is connected to in ${path} is out of sight`;
}

/** Stdio and HTTP want two ways of publishing (T7). */
export function reachedByBoth(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  if (to !== 'http') return undefined;
  const stdio = group.entries.find(({ transport }) => transport === 'stdio');
  const [publisher] = publishersIn(group, facts);
  if (stdio === undefined || publisher === undefined) return undefined;
  const { path } = facts.unitOf(publisher.node);
  return {
    text: `${shortText(publisher.node.expression, 50)}() in ${path} is reached by an entry over stdio and by one over HTTP, which publish in two ways: hand the factory a function that publishes`,
    at: publisher.node,
  };
}

/** The first publisher that cannot be published on a listen stream as it stands. */
export function publisherLeftBehind(
  group: ServerGroup,
  facts: Facts,
  to: Destination,
  target: Target,
): Obstacle | undefined {
  if (to !== 'http') return undefined;
  const [taken] = serverEmitsOf(facts.world, group).taken;
  if (taken !== undefined) {
    return {
      text: `${shortText(taken, 50)} in ${facts.unitOf(taken).path} is taken without being called, so that what it sends cannot be followed`,
      at: taken,
    };
  }
  return firstProblem(group, facts, target, (text) => text !== NO_HANDLER);
}

/** The same where nothing is wrong but that its handler cannot be found. */
export function publisherWithoutHandler(
  group: ServerGroup,
  facts: Facts,
  to: Destination,
  target: Target,
): Obstacle | undefined {
  return to === 'http' ? firstProblem(group, facts, target, (text) => text === NO_HANDLER) : undefined;
}

function firstProblem(
  group: ServerGroup,
  facts: Facts,
  target: Target,
  counts: (text: string) => boolean,
): Obstacle | undefined {
  for (const publisher of publishersIn(group, facts)) {
    const plan = planOfPublisher(publisher, group, facts, target);
    if (plan.kind !== 'problem' || !counts(plan.text)) continue;
    const { path, tree } = facts.unitOf(publisher.node);
    const line = tree.getLineAndCharacterOfPosition(publisher.node.getStart(tree)).line + 1;
    const what = `${shortText(publisher.node.expression, 50)}()`;
    return {
      text: `${what} in ${path}: ${plan.text}`,
      reason: `${what} in ${path}:${String(line)}: ${plan.text}`,
      at: publisher.node,
    };
  }
  return undefined;
}
