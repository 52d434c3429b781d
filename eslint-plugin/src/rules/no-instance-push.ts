/** A server instance of `createMcpHandler` lives for one request: what it pushes reaches nobody (T6, T9). */
import {
  HANDLER_MEMBER,
  PUBLISHERS,
  REGISTERING,
  REGISTRATION_MEMBERS,
  SERVER_MEMBER,
  SERVER_SYMBOL,
  type PublisherRow,
} from '../../../src/protocol/index.js';
import { contains, memberCall, parentOf, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from '../detection/bindings.js';
import { collectionBehind } from '../detection/collections.js';
import { eraAt } from '../detection/era.js';
import { runsLaterThan } from '../detection/later.js';
import { nodesOf } from '../detection/nodes.js';
import { publishersOf, type Publisher } from '../detection/publishers.js';
import { entriesAt, factoryAround, serverOf, type Entry } from '../detection/servers.js';
import { createRule } from '../rule.js';
import { notifyFix, notifyReplacement } from '../suggestions/notify.js';

const PER_REQUEST = `\`${SERVER_SYMBOL.createMcpHandler}\` builds one server per request`;

const PUBLISH = `handler.${HANDLER_MEMBER.notify}`;

export const noInstancePush = createRule({
  name: 'no-instance-push',
  docs: {
    description: 'Disallow pushing changes on a server instance that lives for one request',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  fixable: true,
  tokens: [
    ...PUBLISHERS.map(({ member }) => member),
    ...REGISTERING.map(({ member }) => member),
    ...REGISTRATION_MEMBERS.map((member) => `.${member}(`),
    SERVER_MEMBER.notification,
    SERVER_MEMBER.isConnected,
  ],
  messages: {
    reachesNobody: `${PER_REQUEST}, so '{{member}}' on it reaches nobody. Publish with \`{{publish}}\`.`,
    reachesNobodyOnHttp: `${PER_REQUEST}, so '{{member}}' on it reaches nobody there; served by the other entry it does. Publish through one notifier: \`{{publish}}\` for the HTTP handler, the instance's method elsewhere.`,
    doesNotStay: `${PER_REQUEST}: what '{{member}}' changes here is gone with it, and nobody is told. Keep the catalog outside the factory, change it there, and publish with \`{{publish}}\`.`,
    neverConnected: `${PER_REQUEST}, so isConnected() is false outside of that request and nothing is published. Publish without asking, with ${PUBLISH}.toolsChanged() and its kin.`,
  },
  check({ sourceCode, report }) {
    const gates = connectedGates(sourceCode);
    for (const { call } of gates) report({ node: call, messageId: 'neverConnected' });
    for (const publisher of publishersOf(sourceCode)) {
      const { call, how, change, server } = publisher;
      if (how !== 'instance' && how !== 'registration') continue;
      if (change === undefined || eraAt(sourceCode, call) === 'legacy') continue;
      if (isOfOthers(sourceCode, call)) continue;
      const entries = entriesAt(sourceCode, call, server);
      if (!entries.has('http') || gates.some(({ behind }) => contains(behind, call))) continue;
      const data = { member: memberCall(call)?.name ?? '', publish: notifyReplacement(change) };
      if (how === 'registration') {
        if (isLate(sourceCode, publisher) && entries.size === 1)
          report({ node: call, messageId: 'doesNotStay', data });
        continue;
      }
      const isNotified = notifies(sourceCode, change);
      if (entries.size > 1) {
        // Right for the other entry, as long as the HTTP handler's listeners are told as well.
        if (!isNotified) report({ node: call, messageId: 'reachesNobodyOnHttp', data });
        continue;
      }
      report({
        node: call,
        messageId: 'reachesNobody',
        data,
        fix: isNotified ? null : (notifyFix(sourceCode, publisher) ?? null),
      });
    }
  },
});

/** Whether the file publishes the same kind of change through a notifier or a bus. */
function notifies(sourceCode: SourceCode, change: PublisherRow): boolean {
  return publishersOf(sourceCode).some(
    (one) =>
      (one.how === 'notifier' || one.how === 'bus') && (one.change === undefined || one.change === change),
  );
}

/** Whether something is registered or changed after the factory has built its server. */
function isLate(sourceCode: SourceCode, { call, server }: Publisher): boolean {
  const factory =
    factoryAround(sourceCode, call) ?? (server && factoryAround(sourceCode, server.origin.node));
  if (factory === undefined) return false;
  return contains(factory, call)
    ? runsLaterThan(sourceCode, factory, call)
    : runsLaterThan(sourceCode, undefined, call);
}

/**
 * Whether a call is made on one out of a collection that the factory around it has not made for this instance: those are
 * the servers of sessions, which are told while they last.
 */
function isOfOthers(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const called = memberCall(call);
  const collection = called === undefined ? undefined : collectionBehind(sourceCode, called.receiver);
  if (collection === undefined) return false;
  const factory = factoryAround(sourceCode, call);
  const made = rootOf(collection);
  const declared = made.type === 'Identifier' ? definitionOf(variableOf(sourceCode, made))?.node : undefined;
  return factory === undefined || declared === undefined || !contains(factory, declared);
}

/** What a path begins with: `all` of `all.values()`, of `Object.values(all)`, of `[...all]`. */
function rootOf(path: Node): Node {
  const node = peel(path);
  if (node.type === 'MemberExpression') return rootOf(node.object);
  if (node.type === 'ArrayExpression') {
    const [only] = node.elements;
    return only?.type === 'SpreadElement' ? rootOf(only.argument) : node;
  }
  if (node.type !== 'CallExpression') return node;
  const [first] = node.arguments;
  const callee = memberCall(node);
  const isCopy = callee?.receiver.type === 'Identifier' && ['Object', 'Array'].includes(callee.receiver.name);
  if (isCopy && first !== undefined) return rootOf(first);
  return callee === undefined ? node : rootOf(callee.receiver);
}

interface ConnectedGate {
  readonly call: TSESTree.CallExpression;
  /** What runs only where the answer is yes. */
  readonly behind: Node;
}

/** `if (server.isConnected()) …` around a publisher, for a server that HTTP alone serves. */
function connectedGates(sourceCode: SourceCode): ConnectedGate[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): ConnectedGate[] => {
      const called = memberCall(call);
      if (called?.name !== SERVER_MEMBER.isConnected) return [];
      const server = serverOf(sourceCode, called.receiver);
      const behind = behindTest(call);
      if (server === undefined || behind === undefined || isOfOthers(sourceCode, call)) return [];
      const entries: ReadonlySet<Entry> = entriesAt(sourceCode, call, server);
      const gates = publishersOf(sourceCode).some((one) => contains(behind, one.call));
      return entries.size === 1 && entries.has('http') && gates ? [{ call, behind }] : [];
    });
}

/** What a condition of a call alone, or of it and more, lets run. */
function behindTest(call: TSESTree.CallExpression): Node | undefined {
  let at: Node = call;
  for (let parent = parentOf(at); parent !== undefined; parent = parentOf(parent)) {
    if (parent.type === 'IfStatement') return at === parent.test ? parent.consequent : undefined;
    if (parent.type === 'LogicalExpression') {
      if (parent.operator !== '&&') return undefined;
      if (at === parent.left && parentOf(parent)?.type === 'ExpressionStatement') return parent.right;
    } else if (peel(parent) !== peel(at)) return undefined;
    at = parent;
  }
  return undefined;
}
