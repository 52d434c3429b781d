/** A message of a subscription without the id of its listen request, or with another value for it (C1, C2, D6). */
import { META, METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { contains, type Node, type SourceCode } from '../ast.js';
import { eraAt } from '../detection/era.js';
import { nodesOf } from '../detection/nodes.js';
import { isTestCode } from '../detection/test-code.js';
import { acknowledges } from '../detection/wire-acknowledgment.js';
import { listenBranches } from '../detection/wire-branches.js';
import { goesOutAsSpelt } from '../detection/wire-exits.js';
import { wrongId } from '../detection/wire-identifiers.js';
import { deliveriesOf } from '../detection/wire-registries.js';
import { entryAt, entryOf, wireKey } from '../detection/wire-values.js';
import { messagesOf, type WireMessage } from '../detection/wire.js';
import { createRule } from '../rule.js';

/** The key without its prefix: what people write who put it elsewhere. */
const PLAIN_NAME = 'subscriptionId';

export const tagSubscriptionId = createRule({
  name: 'tag-subscription-id',
  docs: {
    description:
      'Require the id of the listen request in each message that a hand-written server puts on its stream',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen, NOTIFICATION.acknowledged],
  messages: {
    missing: `Clients cannot tell to which subscription this {{kind}} belongs. Put \`_meta: { '${META.subscriptionId}': id }\` into its {{member}}, with the id of the listen request.`,
    misplaced: `Clients look for the subscription of this {{kind}} in \`{{member}}._meta['${META.subscriptionId}']\` and nowhere else. Put the id of the listen request there.`,
    random: `A subscription has no id of its own: the value must be the id of the listen request, or clients drop what comes under this one. Use \`id\` of the request.`,
    stringified: `The value must be the id of the listen request as it came: a client that sent the number 1 does not know '1'. Use it without a conversion.`,
  },
  check({ sourceCode, filename, report }) {
    const reported = new Set<Node>();
    const isReported = (message: WireMessage): boolean =>
      [...reported].some((node) => contains(message.object, node));
    for (const [value, fault] of wrongValues(sourceCode)) {
      if (isTestCode(filename, value)) continue;
      reported.add(value);
      report({ node: value, messageId: fault });
    }
    for (const message of untagged(sourceCode)) {
      if (isTestCode(filename, message.object) || isReported(message)) continue;
      const member = message.kind === 'result' ? 'result' : 'params';
      report({
        node: message.object,
        messageId: isElsewhere(sourceCode, message, member) ? 'misplaced' : 'missing',
        data: { member, kind: WORDS[message.kind] ?? 'notification' },
      });
    }
  },
});

const WORDS: Partial<Record<WireMessage['kind'], string>> = {
  acknowledgment: 'acknowledgment',
  result: 'result',
};

/** Values of the key, or of its plain name in what a listen branch writes, that cannot be the id. */
function wrongValues(sourceCode: SourceCode): [Node, 'random' | 'stringified'][] {
  const bodies = listenBranches(sourceCode).flatMap(({ body }) => body);
  const messages = messagesOf(sourceCode);
  return nodesOf(sourceCode)
    .of('Property')
    .flatMap((property): [Node, 'random' | 'stringified'][] => {
      if (property.parent.type !== 'ObjectExpression') return [];
      const key = wireKey(sourceCode, property);
      const isMeant =
        key === META.subscriptionId ||
        (key === PLAIN_NAME &&
          bodies.some((body) => contains(body, property)) &&
          messages.some(({ object }) => contains(object, property)));
      const fault = isMeant ? wrongId(sourceCode, property.value) : undefined;
      return fault === undefined ? [] : [[property.value, fault]];
    });
}

/** The messages of subscriptions that certainly go out without the key. */
function untagged(sourceCode: SourceCode): WireMessage[] {
  const branches = listenBranches(sourceCode);
  const delivered = deliveriesOf(sourceCode).map(({ message }) => message.object);
  return messagesOf(sourceCode).filter((message) => {
    const { kind, object } = message;
    const around = branches.filter(({ body }) => body.some((one) => contains(one, object)));
    const isOfSubscription =
      kind === 'acknowledgment' ||
      (kind === 'change' && (around.length > 0 || delivered.includes(object))) ||
      (kind === 'result' && around.some((branch) => acknowledges(sourceCode, branch)));
    if (!isOfSubscription || eraAt(sourceCode, object) === 'legacy') return false;
    const member = kind === 'result' ? 'result' : 'params';
    return (
      entryAt(sourceCode, object, member, '_meta', META.subscriptionId) === undefined &&
      goesOutAsSpelt(sourceCode, object)
    );
  });
}

/** Whether the id stands beside its place. */
function isElsewhere(sourceCode: SourceCode, { object }: WireMessage, member: string): boolean {
  const names = [PLAIN_NAME, META.subscriptionId, 'subscription_id'];
  const isGiven = (...path: readonly string[]): boolean => {
    const value = entryAt(sourceCode, object, ...path);
    return value !== undefined && value !== 'unknown';
  };
  return (
    isGiven('_meta') ||
    names.some((name) => entryOf(sourceCode, object, name) !== undefined) ||
    names.some((name) => isGiven(member, name) || isGiven(member, '_meta', name))
  );
}
