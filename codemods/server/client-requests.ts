/** What a server asks its clients for: a modern client is asked for nothing (T42). */
import { ts } from 'ts-morph';
import { methodsOf } from '../../src/analysis/method-names.js';
import { nodesOfInterest } from '../../src/analysis/nodes-of-interest.js';
import type { Facts } from '../../src/analysis/facts.js';
import { parameterBehind, requestContextsOf } from '../../src/analysis/request-handlers.js';
import { isTestFile } from '../../src/analysis/server-emits.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';
import { accessedMember, contains, dressed } from '../../src/analysis/syntax.js';
import {
  CONTEXT_REQUESTS,
  MODERN_REVISION,
  REQUEST_CONTEXT,
  SERVER_MEMBER,
  SERVER_REQUESTS,
} from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/** The first thing that a server asks of a client, or of a session; its tool would fail on a modern connection. */
export function asksClients(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  if (to === 'served') return undefined;
  const found = onServer(group, facts) ?? inHandler(group, facts, to);
  if (found === undefined) return undefined;
  const { path, tree } = facts.unitOf(found.node);
  const line = tree.getLineAndCharacterOfPosition(found.node.getStart(tree)).line + 1;
  return {
    text: `it ${found.does} in ${path}, ${found.why}`,
    reason: `it ${found.does} in ${path}:${String(line)}, ${found.why}`,
    at: found.node,
  };
}

interface Asked {
  readonly node: ts.Node;
  readonly does: string;
  readonly why: string;
}

const NOT_ASKED = `and a ${MODERN_REVISION} client is asked for nothing`;
const NO_SESSION = `and a ${MODERN_REVISION} request has no session`;

const MEMBERS: ReadonlySet<string> = new Set(SERVER_REQUESTS.map((row) => row.member));
const METHODS: ReadonlySet<string> = new Set(SERVER_REQUESTS.map((row) => row.method));
const IN_CONTEXT: ReadonlySet<string> = new Set(CONTEXT_REQUESTS);

function onServer(group: ServerGroup, { world }: Facts): Asked | undefined {
  for (const { access, member } of group.members) {
    if (isTestFile(access)) continue;
    const callee = dressed(access);
    const call =
      ts.isCallExpression(callee.parent) && callee.parent.expression === callee ? callee.parent : undefined;
    if (MEMBERS.has(member) && !isQuestion(access)) return asks(access, `${member}()`);
    if (member === SERVER_MEMBER.request && call?.arguments[0] !== undefined) {
      const methods = methodsOf(call.arguments[0], world);
      if (methods?.every((method) => !METHODS.has(method)) !== true)
        return asks(access, `request '${methods?.join("', '") ?? '…'}'`);
    }
  }
  return undefined;
}

function asks(node: ts.Node, what: string): Asked {
  return { node, does: `asks its client for something (${what})`, why: NOT_ASKED };
}

/** `if (server.elicitInput)` asks nothing. */
function isQuestion(access: ts.Node): boolean {
  const value = dressed(access);
  return ts.isIfStatement(value.parent) || ts.isTypeOfExpression(value.parent);
}

/** By what a handler is given: `ctx.mcpReq.elicitInput()`, `extra.sendRequest(…)`, `extra.sessionId`. */
function inHandler(group: ServerGroup, facts: Facts, to: Destination): Asked | undefined {
  const { world } = facts;
  const contexts = requestContextsOf(world, group);
  const files = new Set([...contexts].map((context) => context.getSourceFile()));
  for (const file of files) {
    if (isTestFile(file)) continue;
    for (const node of nodesOfInterest(file).operations) {
      const asked = askedOf(node, facts, to);
      if (asked === undefined) continue;
      const parameter = parameterBehind(asked.context, world);
      if (parameter === undefined || !contexts.has(parameter)) continue;
      if (asked.found.why === NO_SESSION && isBookkeeping(parameter, group, facts)) continue;
      return asked.found;
    }
  }
  return undefined;
}

function askedOf(
  node: ts.Node,
  { world }: Facts,
  to: Destination,
): { readonly context: ts.Expression; readonly found: Asked } | undefined {
  const accessed = accessedMember(node);
  if (accessed === undefined) return undefined;
  const { access, member } = accessed;
  const context = access.expression;
  if (member === 'sessionId')
    return to === 'http' ? { context, found: { node, does: 'reads sessionId', why: NO_SESSION } } : undefined;
  if (IN_CONTEXT.has(member)) return { context, found: asks(node, `${member}()`) };
  if (member !== REQUEST_CONTEXT.send && member !== REQUEST_CONTEXT.sendRequest) return undefined;
  const callee = dressed(access);
  const [request] = ts.isCallExpression(callee.parent) ? callee.parent.arguments : [];
  if (request === undefined) return undefined;
  const methods = methodsOf(request, world);
  const isHarmless = methods?.every((method) => !METHODS.has(method)) === true;
  return isHarmless ? undefined : { context, found: asks(node, methods?.join("', '") ?? `${member}()`) };
}

/** Subscribe handlers serve clients of 2025 alone: whose sessions they note down is their business. */
function isBookkeeping(parameter: ts.Node, group: ServerGroup, { world }: Facts): boolean {
  return subscribeHandlersOf(world, group).some(({ node, functions }) =>
    [node, ...functions].some((one) => contains(one, parameter)),
  );
}
