/** A listen client that goes on before it has read the acknowledgment, or never reads it (B5, B6). */
import { METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { isTestCode } from '../detection/test-code.js';
import { actsBeforeReading } from '../detection/wire-continuation.js';
import { namesChange } from '../detection/wire-dispatch.js';
import { listenRequests } from '../detection/wire-requests.js';
import { createRule } from '../rule.js';

export const waitForAck = createRule({
  name: 'wait-for-ack',
  docs: {
    description: 'Require that a hand-written listen client reads the acknowledgment before it goes on',
    level: 'SHOULD',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    tooEarly: `This runs before ${NOTIFICATION.acknowledged} is read: HTTP 200 is no success yet, and what changes before the acknowledgment is never notified. Read the stream up to the acknowledgment, check the filter that it honors, and go on then.`,
    neverRead: `Nobody reads the acknowledgment of this ${METHOD.subscriptionsListen}: a server honors less than was asked for, or nothing, and this code waits for notifications that never come. Read ${NOTIFICATION.acknowledged} first and compare its filter with this one.`,
  },
  check({ sourceCode, filename, report }) {
    for (const request of listenRequests(sourceCode)) {
      if (isTestCode(filename, request.object)) continue;
      const early = actsBeforeReading(sourceCode, request);
      if (early !== undefined) report({ node: early, messageId: 'tooEarly' });
      else if (
        request.post !== undefined &&
        !/acknowledg/i.test(sourceCode.text) &&
        namesChange(sourceCode, request.post.call)
      )
        report({ node: request.object, messageId: 'neverRead' });
    }
  },
});
