/** A hand-written client that leads notifications of several listens to one place, by their method alone (C3). */
import { META, METHOD } from '../../../src/protocol/index.js';
import { enclosingFunction, type Node } from '../ast.js';
import { mayRunAgain } from '../detection/repetition.js';
import { isTestCode } from '../detection/test-code.js';
import { listenBranches } from '../detection/wire-branches.js';
import { changeTests } from '../detection/wire-dispatch.js';
import { listenRequests } from '../detection/wire-requests.js';
import { createRule } from '../rule.js';

interface Options {
  readonly http: boolean;
}

export const checkSubscriptionId = createRule<'byMethodAlone', Options>({
  name: 'check-subscription-id',
  docs: {
    description: 'Require that a hand-written client leads notifications to their listen by its id',
    level: 'MUST',
    recommended: 'error',
    strict: { http: true },
  },
  type: 'problem',
  options: {
    http: {
      type: 'boolean',
      default: false,
      description: 'Also clients over HTTP, where each listen has a stream of its own.',
    },
  },
  tokens: [METHOD.subscriptionsListen],
  messages: {
    byMethodAlone: `Notifications of all listens arrive here, and the method does not say of which: what belongs to another one, or to one that has ended, is taken for this one's. Look up \`params._meta['${META.subscriptionId}']\` among the ids of the open listens first, and drop what is not there.`,
  },
  check({ sourceCode, filename, options, report }) {
    if (/subscription_?id/i.test(sourceCode.text) || listenBranches(sourceCode).length > 0) return;
    const requests = listenRequests(sourceCode).filter(
      ({ object, post, pipe }) =>
        !isTestCode(filename, object) && (pipe !== undefined || (options.http && post !== undefined)),
    );
    if (requests.length < 2 && !requests.some(({ object }) => mayRunAgain(sourceCode, object))) return;
    const functions = new Set<Node | undefined>();
    for (const test of changeTests(sourceCode)) {
      const around = enclosingFunction(test);
      if (functions.has(around)) continue;
      functions.add(around);
      report({ node: test.type === 'SwitchCase' ? (test.test ?? test) : test, messageId: 'byMethodAlone' });
    }
  },
});
