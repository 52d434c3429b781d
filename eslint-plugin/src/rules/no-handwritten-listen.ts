/** The serving entry answers `subscriptions/listen` itself: a handler of one's own never runs. */
import { METHOD, SERVER_MEMBER, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { methodNamed } from '../detection/notifications.js';
import { registrationsOf } from '../detection/server-handlers.js';
import { createRule } from '../rule.js';

export const noHandwrittenListen = createRule({
  name: 'no-handwritten-listen',
  docs: {
    description: "Disallow a server's own handler of `subscriptions/listen`",
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [SERVER_MEMBER.setRequestHandler],
  messages: {
    neverRuns: `This handler never runs: ${SERVER_SYMBOL.createMcpHandler} and ${SERVER_SYMBOL.serveStdio} answer '${METHOD.subscriptionsListen}' themselves (acknowledgment, filter, subscription id). Remove it, and publish with handler.notify.toolsChanged(), handler.notify.resourceUpdated(uri) and their kin, or on stdio with the server's send methods.`,
  },
  check({ sourceCode, report }) {
    for (const { call, server } of registrationsOf(sourceCode)) {
      const [method] = call.arguments;
      if (method === undefined || server.generation === 'v1') continue;
      if (methodNamed(sourceCode, method) === METHOD.subscriptionsListen)
        report({ node: method, messageId: 'neverRuns' });
    }
  },
});
