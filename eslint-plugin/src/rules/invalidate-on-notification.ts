/** A notification makes what a client has stale at once, however fresh its time to live says it is (G1, G3). */
import { CLIENT_MEMBER, NOTIFICATION } from '../../../src/protocol/index.js';
import { contains, memberCall, type FunctionNode, type SourceCode, type TSESTree } from '../ast.js';
import { clientCalls } from '../detection/clients.js';
import { eraAt } from '../detection/era.js';
import { handlersOf } from '../detection/handlers.js';
import { cachedReads, dropsEntry } from '../detection/own-caches.js';
import { nodesOf } from '../detection/nodes.js';
import { functionOf } from '../detection/origins.js';
import { refetchesOf } from '../detection/refetches.js';
import { createRule } from '../rule.js';

export const invalidateOnNotification = createRule({
  name: 'invalidate-on-notification',
  docs: {
    description: 'Require that a change notification drops what a cache of one’s own holds',
    level: 'MUST',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: ['list_changed', NOTIFICATION.resourceUpdated, 'setInterval'],
  messages: {
    stale:
      '`{{name}}()` answers from its own cache while that is fresh, and this handler does not drop the entry: the change stays unseen until the time to live is over. Drop the entry before you read, or read past the cache.',
    poll: 'A time to live is no polling interval: all clients ask at the same moment, also when nothing changed. Let notifications invalidate and fetch when it is needed; where you must poll, use `setTimeout` with jitter and backoff.',
  },
  check({ sourceCode, report }) {
    for (const { handler, fields, client } of handlersOf(sourceCode)) {
      if (handler === undefined || fields.length === 0 || client.era === 'legacy') continue;
      if (dropsEntry(sourceCode, handler)) continue;
      for (const { call, name } of cachedReads(sourceCode, handler)) {
        if (eraAt(sourceCode, call) !== 'legacy') report({ node: call, messageId: 'stale', data: { name } });
      }
    }
    for (const call of pollsOf(sourceCode)) report({ node: call, messageId: 'poll' });
  },
});

/** `setInterval(() => client.listTools(), ttlMs)` */
function pollsOf(sourceCode: SourceCode): TSESTree.CallExpression[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => {
      if (call.callee.type !== 'Identifier' || call.callee.name !== 'setInterval') return false;
      const [callback, interval] = call.arguments;
      if (callback === undefined || interval === undefined) return false;
      const polled = functionOf(sourceCode, callback);
      return polled !== undefined && isTimeToLive(sourceCode, interval) && fetches(sourceCode, polled);
    });
}

/** By its name: nothing else tells what a number of milliseconds is. */
function isTimeToLive(sourceCode: SourceCode, interval: TSESTree.CallExpressionArgument): boolean {
  return memberCall(interval) === undefined && /ttl/i.test(sourceCode.getText(interval));
}

function fetches(sourceCode: SourceCode, polled: FunctionNode): boolean {
  return clientCalls(
    sourceCode,
    CLIENT_MEMBER.listTools,
    CLIENT_MEMBER.listPrompts,
    CLIENT_MEMBER.listResources,
    CLIENT_MEMBER.readResource,
  ).some(
    ({ call, client }) =>
      contains(polled, call) &&
      client.era !== 'legacy' &&
      refetchesOf(sourceCode, client).some((one) => one.call === call),
  );
}
