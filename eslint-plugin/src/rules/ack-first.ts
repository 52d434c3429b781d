/** A listen answered with a result, or with anything else in front of its acknowledgment (B1, B2). */
import { METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { isTestCode } from '../detection/test-code.js';
import { listenBranches } from '../detection/wire-branches.js';
import { acknowledges } from '../detection/wire-acknowledgment.js';
import { stepsOf, type Step } from '../detection/wire-steps.js';
import { createRule } from '../rule.js';

export const ackFirst = createRule({
  name: 'ack-first',
  docs: {
    description:
      'Require that a hand-written server acknowledges a listen before it writes anything else to it',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    result: `A result ends a ${METHOD.subscriptionsListen}: the client takes the subscription for over before it began. Open an event stream and write ${NOTIFICATION.acknowledged} with the honored filter first; the result comes when the server ends the subscription. \`createMcpHandler\` of @modelcontextprotocol/server does all of it.`,
    before: `This goes out before ${NOTIFICATION.acknowledged}, which must be the first message of a subscription: clients drop or refuse what comes earlier. Write the acknowledgment above it.`,
  },
  check({ sourceCode, filename, report }) {
    for (const branch of listenBranches(sourceCode)) {
      if (isTestCode(filename, branch.chosenBy)) continue;
      const steps = stepsOf(sourceCode, branch);
      const at = steps.findIndex(isAcknowledgment);
      if (at === -1) {
        const [first] = steps.filter((step) => step.kind === 'unknown' || !step.isConditional);
        if (first?.kind === 'write' && first.message === 'result' && !acknowledges(sourceCode, branch))
          report({ node: first.node, messageId: 'result' });
        continue;
      }
      const acknowledgment = steps[at];
      const early = steps
        .slice(0, at)
        .find((step) => step.kind === 'write' && isEarly(step) && isSameWriter(step, acknowledgment));
      if (early !== undefined) report({ node: early.node, messageId: 'before' });
    }
  },
});

function isAcknowledgment(step: Step): boolean {
  return step.kind === 'write' && step.message === 'acknowledgment';
}

function isEarly(step: Step): boolean {
  return (
    step.kind === 'write' &&
    !step.isConditional &&
    ['change', 'notification', 'result'].includes(step.message)
  );
}

/** Two calls of one function write to one stream; other calls may write to another. */
function isSameWriter(one: Step, other: Step | undefined): boolean {
  return one.kind === 'write' && other?.kind === 'write' && one.through === other.through;
}
