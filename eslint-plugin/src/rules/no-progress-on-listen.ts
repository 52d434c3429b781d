/** Progress and log messages belong on the stream of their request, never on one that listens. */
import { CLIENT_MEMBER, HANDLER_MEMBER, META, METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import {
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { clientCalls } from '../detection/clients.js';
import { find, nodesOf } from '../detection/nodes.js';
import { methodNamed } from '../detection/notifications.js';
import { busOf } from '../detection/notifier.js';
import { functionOf } from '../detection/origins.js';
import { objectOf, propertyOf, stringOf } from '../detection/values.js';
import { createRule } from '../rule.js';

/** What never travels on a listen stream. */
const OF_REQUESTS: readonly string[] = [NOTIFICATION.progress, NOTIFICATION.message];

/** What people call such an event on a bus that has none. */
const EVENT_NAMES = new Set(['progress', 'message', 'log', 'logging', ...OF_REQUESTS]);

const ITS_REQUEST =
  'send it on the stream of the request that it belongs to, with ctx.mcpReq.notify() or ctx.mcpReq.log()';

export const noProgressOnListen = createRule({
  name: 'no-progress-on-listen',
  docs: {
    description: 'Disallow progress and log notifications on a listen stream',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [...OF_REQUESTS, HANDLER_MEMBER.bus, 'publish'],
  messages: {
    stamped: `'{{method}}' is stamped with a subscription's id, but a listen stream never carries it: ${ITS_REQUEST}.`,
    written: `'{{method}}' is written to a listen stream, which never carries it: ${ITS_REQUEST}.`,
    onBus: `The bus feeds listen streams, and they carry no '{{method}}': nobody gets this. Instead ${ITS_REQUEST}.`,
    awaited: `'{{method}}' never arrives with a subscription's id, so nothing here ever runs: it comes on the stream of its request (in the SDK: the onprogress option of the call).`,
  },
  check({ sourceCode, report }) {
    for (const object of nodesOf(sourceCode).of('ObjectExpression')) {
      const method = methodOf(sourceCode, object);
      if (method === undefined || !OF_REQUESTS.includes(method)) continue;
      const data = { method };
      if (isStamped(sourceCode, object)) report({ node: object, messageId: 'stamped', data });
      else if (isInListenBranch(sourceCode, object)) report({ node: object, messageId: 'written', data });
    }
    for (const call of nodesOf(sourceCode).of('CallExpression')) {
      const kind = publishedKind(sourceCode, call);
      if (kind !== undefined && EVENT_NAMES.has(kind))
        report({ node: call, messageId: 'onBus', data: { method: kind } });
    }
    for (const { call, method } of handlersWaiting(sourceCode))
      report({ node: call, messageId: 'awaited', data: { method } });
  },
});

function methodOf(sourceCode: SourceCode, object: TSESTree.ObjectExpression): string | undefined {
  const method = propertyOf(object, 'method');
  return method === undefined || method === 'unknown' ? undefined : stringOf(sourceCode, method.value);
}

/** Whether the `_meta` of a message, spelt in place or by a constant, has the id of a subscription. */
function isStamped(sourceCode: SourceCode, message: TSESTree.ObjectExpression): boolean {
  return find(sourceCode, message, (node): node is TSESTree.Property => node.type === 'Property').some(
    (property) =>
      !isIdless(property) &&
      (property.computed ? stringOf(sourceCode, property.key) : keyName(property)) === META.subscriptionId,
  );
}

function isIdless({ value }: TSESTree.Property): boolean {
  return value.type === 'Identifier' && value.name === 'undefined';
}

/** Whether a message is made where `subscriptions/listen` alone is answered, and not in a branch for another method. */
function isInListenBranch(sourceCode: SourceCode, message: Node): boolean {
  for (
    let at = message, parent = parentOf(at);
    parent !== undefined;
    at = parent, parent = parentOf(parent)
  ) {
    const method = methodAsked(sourceCode, at, parent);
    if (method !== undefined) return method === METHOD.subscriptionsListen;
  }
  return false;
}

/** The method that a branch is for. */
function methodAsked(sourceCode: SourceCode, node: Node, parent: Node): string | undefined {
  if (parent.type === 'SwitchCase' && node !== parent.test && parent.test !== null)
    return spelt(sourceCode, parent.test);
  if (parent.type === 'IfStatement' && node === parent.consequent) {
    const test = peel(parent.test);
    if (test.type !== 'BinaryExpression' || !['===', '=='].includes(test.operator)) return undefined;
    return spelt(sourceCode, test.right) ?? spelt(sourceCode, test.left);
  }
  return undefined;
}

function spelt(sourceCode: SourceCode, node: Node): string | undefined {
  const text = stringOf(sourceCode, node);
  return text?.includes('/') === true ? text : undefined;
}

/** The kind of event that a call publishes on the bus of a handler. */
function publishedKind(sourceCode: SourceCode, call: TSESTree.CallExpression): string | undefined {
  const called = memberCall(call);
  if (called?.name !== 'publish' || busOf(sourceCode, called.receiver) === undefined) return undefined;
  const event = objectOf(sourceCode, call.arguments[0]);
  if (event === undefined) return undefined;
  for (const name of ['kind', 'method']) {
    const property = propertyOf(event, name);
    if (property !== undefined && property !== 'unknown') return stringOf(sourceCode, property.value);
  }
  return undefined;
}

/** Handlers of progress and log messages on an SDK client that look for the id of a subscription. */
function handlersWaiting(sourceCode: SourceCode): { call: Node; method: string }[] {
  return clientCalls(sourceCode, CLIENT_MEMBER.setNotificationHandler).flatMap(({ call }) => {
    const method = methodNamed(sourceCode, call.arguments[0]);
    const last = call.arguments.at(-1);
    const handler = last === undefined ? undefined : functionOf(sourceCode, last);
    return method !== undefined &&
      OF_REQUESTS.includes(method) &&
      handler !== undefined &&
      readsSubscriptionId(sourceCode, handler)
      ? [{ call: call.arguments[0] ?? call, method }]
      : [];
  });
}

function readsSubscriptionId(sourceCode: SourceCode, handler: Node): boolean {
  return find(
    sourceCode,
    handler,
    (node): node is TSESTree.MemberExpression => node.type === 'MemberExpression',
  ).some(
    (member) =>
      memberName(member) === META.subscriptionId ||
      (member.computed && stringOf(sourceCode, member.property) === META.subscriptionId),
  );
}
