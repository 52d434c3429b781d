/** The capability `resources.subscribe`: without it no listen for updates is honoured (T11). */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { literalBehind } from '../../src/analysis/constants.js';
import { findOption } from '../../src/analysis/option-values.js';
import {
  clientCapability,
  SUBSCRIBE_CAPABILITY,
  subscribeCapabilityOf,
} from '../../src/analysis/server-capabilities.js';
import type { ServerCreation, ServerGroup } from '../../src/analysis/server-group.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';
import { peel } from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { CLIENT_OPTION, SERVER_MEMBER } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { outcomeByServer } from './group-outcome.js';
import { loneServer, serverSite, type ServerSite } from './server-site.js';
import { publishesUpdates } from './update-publishing.js';

/** The codemod for the capability: missing, misplaced (N), or without a handler (F9). */
export const capabilities: Codemod<ServerGroup> = {
  name: 'server/capabilities',
  removes: 'publish',
  tokens: [CLIENT_OPTION.capabilities, SERVER_MEMBER.sendResourceUpdated],

  find(facts) {
    return [...facts.servers.flatMap((group) => sitesOf(group, facts)), ...onClients(facts)];
  },

  rewrite(site, facts, target) {
    if (site.group.creations.length === 0) return ON_CLIENT;
    const { misplaced, declared, state } = subscribeCapabilityOf(facts.world, site.group);
    if (misplaced.includes(site.node)) return MISPLACED;
    if (declared.includes(site.node))
      return state === 'off' ? withheld(site, facts, target) : withoutHandler(site, facts, target);
    return outcomeByServer(site, facts, target) ?? rewriteMissing(site, facts);
  },
};

function sitesOf(group: ServerGroup, facts: Facts): ServerSite[] {
  // Who serves it is out of sight, and so may be who publishes for it, or who answers its subscribers.
  if (group.entries.length === 0) return [];
  const { state, declared, misplaced } = subscribeCapabilityOf(facts.world, group);
  const sites = misplaced.map((node) => serverSite(node, 'N', group, facts));
  if (state === 'absent' && publishesUpdates(group, facts) && misplaced.length === 0)
    sites.push(...group.creations.map(({ node }) => serverSite(node, 'N', group, facts)));
  if (state === 'off' && publishesUpdates(group, facts))
    sites.push(...declared.map((node) => serverSite(node, 'N', group, facts)));
  if (state === 'on' && subscribeHandlersOf(facts.world, group).length === 0)
    sites.push(...declared.map((node) => serverSite(node, 'F9', group, facts)));
  return sites;
}

/** A capability of servers where a client declares it. */
function onClients(facts: Facts): ServerSite[] {
  return facts.clients.flatMap((client) =>
    client.creations.flatMap(({ node }): ServerSite[] => {
      const [, options] = ts.isNewExpression(node) ? (node.arguments ?? []) : [];
      const found = options === undefined ? undefined : clientCapability(options, facts.world.checker);
      if (found === undefined) return [];
      const group = { ...loneServer(client.home), nodes: [found] };
      return [{ ...serverSite(found, 'N', group, facts), confidence: 'certain' }];
    }),
  );
}

const ON_CLIENT: Outcome = {
  kind: 'marked',
  text: `${SUBSCRIBE_CAPABILITY.group}.${SUBSCRIBE_CAPABILITY.member} is a capability of servers and means nothing on a client: take it out`,
  blocks: false,
};

const MISPLACED: Outcome = {
  kind: 'marked',
  text: `capabilities beside name and version are never advertised: move them into the second argument`,
  blocks: false,
};

/** `subscribe: false` on a server that publishes updates is either one a mistake. */
function withheld(site: ServerSite, facts: Facts, target: Target): Outcome {
  return (
    outcomeByServer(site, facts, target) ?? {
      kind: 'marked',
      text: 'updates are published, but no listen for them is honoured as long as this is false',
      blocks: false,
    }
  );
}

function withoutHandler(site: ServerSite, facts: Facts, target: Target): Outcome {
  const byServer = outcomeByServer(site, facts, target);
  if (byServer?.kind === 'reported') return byServer;
  if (publishesUpdates(site.group, facts))
    return {
      kind: 'kept',
      reason:
        'listens for updates are honoured by it; clients of 2025 that subscribe are refused, for there is no handler',
    };
  return {
    kind: 'marked',
    text: `clients may listen for updates, but nothing publishes any: publish them, or take ${SUBSCRIBE_CAPABILITY.group}.${SUBSCRIBE_CAPABILITY.member} out`,
    blocks: false,
  };
}

function rewriteMissing(site: ServerSite, facts: Facts): Outcome {
  const creation = site.group.creations.find(({ node }) => node === site.node);
  if (creation === undefined) throw new Error('a site of another codemod');
  const edit = insertion(creation, site, facts);
  if (edit === undefined)
    return {
      kind: 'marked',
      text: `updates are published, but no listen for them is honoured: add ${SUBSCRIBE_CAPABILITY.group}: { ${SUBSCRIBE_CAPABILITY.member}: true } to the capabilities`,
      blocks: false,
    };
  return {
    kind: 'rewritten',
    edits: [edit],
    reason: 'advertised: without it no listen for updates is honoured',
  };
}

/** Where the options are written out, the capability goes into them. */
function insertion(
  { node }: ServerCreation,
  { unit }: ServerSite,
  { world: { checker } }: Facts,
): FileEdit | undefined {
  const [info, options] = node.arguments ?? [];
  if (info === undefined) return undefined;
  const reason = 'advertises updates';
  const flag = `${SUBSCRIBE_CAPABILITY.member}: true`;
  const member = `${SUBSCRIBE_CAPABILITY.group}: { ${flag} }`;
  const whole = `${CLIENT_OPTION.capabilities}: { ${member} }`;
  if (options === undefined)
    return { file: unit.file, start: info.end, end: info.end, text: `, { ${whole} }`, reason };
  let holder = literalBehind(options, checker);
  let text = whole;
  for (const [name, next] of [
    [CLIENT_OPTION.capabilities, member],
    [SUBSCRIBE_CAPABILITY.group, flag],
  ] as const) {
    if (holder?.getSourceFile() !== unit.tree) return undefined;
    const found = findOption(holder, name, checker);
    if (found === 'absent') break;
    if (found === 'unknown' || !ts.isPropertyAssignment(found) || found.parent !== holder) return undefined;
    const value = peel(found.initializer);
    if (!ts.isObjectLiteralExpression(value)) return undefined;
    holder = value;
    text = next;
  }
  return holder === undefined ? undefined : prepended(holder, text, unit);
}

/** A new first property, on a line of its own where the others have one. */
function prepended(
  object: ts.ObjectLiteralExpression,
  text: string,
  { file, text: source, tree, style }: ServerSite['unit'],
): FileEdit | undefined {
  const reason = 'advertises updates';
  const [first] = object.properties;
  const start = object.getStart(tree);
  if (first === undefined)
    return /^\{\s*\}$/.test(object.getText(tree))
      ? { file, start, end: object.end, text: `{ ${text} }`, reason }
      : undefined;
  const at = first.getStart(tree);
  const isOnOwnLine = source.slice(start, at).includes('\n');
  const gap = isOnOwnLine ? style.eol + indentAt(source, at) : ' ';
  return { file, start: at, end: at, text: `${text},${gap}`, reason };
}
