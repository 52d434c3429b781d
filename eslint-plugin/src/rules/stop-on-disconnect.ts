/** A hand-written server that keeps a listen after its client has gone (D3, D4). */
import { METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { isTestCode } from '../detection/test-code.js';
import { acknowledges } from '../detection/wire-acknowledgment.js';
import { listenBranches, type ListenBranch } from '../detection/wire-branches.js';
import { keepingsOf } from '../detection/wire-registries.js';
import { handsOnResponse, keepsTimer } from '../detection/wire-lifetime.js';
import {
  isOwnContainer,
  servesHttp,
  servesStdio,
  surroundings,
  wordsOf,
} from '../detection/wire-transport.js';
import { createRule } from '../rule.js';

export const stopOnDisconnect = createRule({
  name: 'stop-on-disconnect',
  docs: {
    description: 'Require that a hand-written server forgets a listen when its client has gone',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    http: `Nothing ends this subscription when the client closes its stream, so it is written to, and kept, for ever. Remove it in \`res.on('close', …)\`, with the signal of the request, or in \`cancel()\` of the ReadableStream.`,
    stdio: `A client on stdio ends a listen by ${NOTIFICATION.cancelled} with its id, which this server never reads: it goes on sending. Handle that method: remove the subscription under \`params.requestId\`.`,
  },
  check({ sourceCode, filename, report }) {
    for (const branch of listenBranches(sourceCode)) {
      if (isTestCode(filename, branch.chosenBy) || !isKept(sourceCode, branch)) continue;
      if (servesHttp(sourceCode)) {
        if (
          !ENDING.test(wordsOf(sourceCode, ...surroundings(branch))) &&
          !handsOnResponse(sourceCode, branch)
        )
          report({ node: branch.chosenBy, messageId: 'http' });
      } else if (servesStdio(sourceCode.text) && !/cancel/i.test(sourceCode.text))
        report({ node: branch.chosenBy, messageId: 'stdio' });
    }
  },
});

/** Words by which code learns that somebody has gone. */
const ENDING = /abort|clos|cancel|disconnect|finish|signal|destroy|writable|dispos|cleanup|teardown/i;

/** Whether a branch serves the subscription itself, and for longer than it runs. */
function isKept(sourceCode: SourceCode, branch: ListenBranch): boolean {
  return (
    acknowledges(sourceCode, branch) &&
    (keepsTimer(sourceCode, branch) ||
      keepingsOf(sourceCode).some(
        (keeping) => keeping.branch === branch && isOwnContainer(sourceCode, keeping.container),
      ))
  );
}
