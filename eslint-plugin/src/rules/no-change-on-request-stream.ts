/** A change that is sent on the stream of one request reaches its caller alone, and no listener (T10). */
import { REQUEST_CONTEXT } from '../../../src/protocol/index.js';
import { eraAt } from '../detection/era.js';
import { entriesFor } from '../detection/modern-path.js';
import { publishersOf, type Publisher } from '../detection/publishers.js';
import { registrationsOf } from '../detection/server-handlers.js';
import { entriesAt, type SdkServer } from '../detection/servers.js';
import { contains, type SourceCode } from '../ast.js';
import { createRule } from '../rule.js';
import { notifyFix, notifyReplacement } from '../suggestions/notify.js';

export const noChangeOnRequestStream = createRule({
  name: 'no-change-on-request-stream',
  docs: {
    description: 'Disallow change notifications on the stream of a request',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [REQUEST_CONTEXT.mcpReq, REQUEST_CONTEXT.sendNotification, REQUEST_CONTEXT.relatedRequestId],
  messages: {
    callerAlone:
      "'{{method}}' goes out on the stream of this request: its caller gets it unstamped, and no client that listens does. Publish it with `{{publish}}`.",
    useNotifier: 'Publish with `{{publish}}`.',
  },
  check(file) {
    const { sourceCode, report } = file;
    for (const publisher of publishersOf(sourceCode)) {
      const { how, change, call } = publisher;
      if (how !== 'request' || change === undefined || eraAt(sourceCode, call) === 'legacy') continue;
      const server = publisher.server ?? serverAnswering(sourceCode, publisher);
      const entries = entriesFor(file, call, server);
      const isTold = entriesAt(sourceCode, call, server).size > 0;
      // Where the file does not tell, a package that serves both may serve this by stdio, where it is right.
      if (!entries.has('http') || (!isTold && entries.size > 1)) continue;
      const publish = notifyReplacement(change);
      const fix = entries.size === 1 ? notifyFix(sourceCode, publisher) : undefined;
      report({
        node: call,
        messageId: 'callerAlone',
        data: { method: change.notification, publish },
        suggest: fix === undefined ? [] : [{ messageId: 'useNotifier', data: { publish }, fix }],
      });
    }
  },
});

/** The server whose handler a call stands in. */
function serverAnswering(sourceCode: SourceCode, { call }: Publisher): SdkServer | undefined {
  return registrationsOf(sourceCode).find(({ handler }) => handler !== undefined && contains(handler, call))
    ?.server;
}
