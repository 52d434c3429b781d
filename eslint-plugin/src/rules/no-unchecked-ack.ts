/** An acknowledgment that nobody reads may have declined everything that was asked for (T22, B5). */
import { CLIENT_MEMBER, SUBSCRIPTION_MEMBER } from '../../../src/protocol/index.js';
import { enclosingStatement, parentOf } from '../ast.js';
import { canBeAnswered, LISTEN_TOKENS, listensOf, reads, type Listen } from '../detection/listens.js';
import { isTestFile } from '../detection/test-files.js';
import { callsOf } from '../detection/uses.js';
import { createRule } from '../rule.js';
import { acknowledgmentFixes } from '../suggestions/acknowledgment.js';

const HONORED = SUBSCRIPTION_MEMBER.honoredFilter;

export const noUncheckedAck = createRule({
  name: 'no-unchecked-ack',
  docs: {
    description: 'Require that what a server agreed to send is compared with what was asked for',
    level: 'SHOULD',
    recommended: 'warn',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: LISTEN_TOKENS,
  messages: {
    unread: `Nobody reads what the server agreed to send: ${CLIENT_MEMBER.listen}() resolves even where it declined some or all of the filter, and those changes never arrive. Compare the subscription's \`${HONORED}\` with what was asked for, and fail or fall back where something is missing.`,
    insist: `Close the stream and throw where \`${HONORED}\` lacks something that was asked for.`,
  },
  check({ sourceCode, filename, report }) {
    // A test fails by itself where what it expects does not arrive.
    if (isTestFile(sourceCode, filename)) return;
    for (const listen of listensOf(sourceCode)) {
      if (!canBeAnswered(sourceCode, listen)) continue;
      if (listen.subscription.escapes.length > 0 || reads(listen, HONORED)) continue;
      if (isClosedAtOnce(listen)) continue;
      report({
        node: listen.callee.property,
        messageId: 'unread',
        suggest: acknowledgmentFixes(sourceCode, listen).map((fix) => ({ messageId: 'insist', fix })),
      });
    }
  },
});

/** Opened and closed again in the next statement: nobody waits for anything. */
function isClosedAtOnce({ call, subscription }: Listen): boolean {
  const statement = enclosingStatement(call);
  const [close, ...others] = callsOf(subscription, SUBSCRIPTION_MEMBER.close);
  if (statement === undefined || close === undefined || others.length > 0) return false;
  const block = parentOf(statement);
  if (block?.type !== 'BlockStatement' && block?.type !== 'Program') return false;
  return block.body.at([...block.body].indexOf(statement) + 1) === enclosingStatement(close);
}
