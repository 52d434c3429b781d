/** `listen()` on a client that never opts in always rejects (T1). */
import { CLIENT_MEMBER, CLIENT_OPTION, ERA_NEGOTIATION } from '../../../src/protocol/index.js';
import { clientCalls } from '../detection/clients.js';
import { eraAt } from '../detection/era.js';
import { createRule } from '../rule.js';
import { negotiationFixes } from '../suggestions/negotiation.js';

export const requireModernEra = createRule({
  name: 'require-modern-era',
  docs: {
    description: 'Require that a client which listens opts in to the 2026-07-28 era',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [`.${CLIENT_MEMBER.listen}`, `'${CLIENT_MEMBER.listen}'`, `"${CLIENT_MEMBER.listen}"`],
  messages: {
    neverOptsIn: `This client never opts in to the modern era, so listen() always rejects with ${ERA_NEGOTIATION.methodNotSupported}. Add \`${CLIENT_OPTION.versionNegotiation}: { ${CLIENT_OPTION.mode}: '${CLIENT_OPTION.auto}' }\` to its options, and listen only where getProtocolEra() is 'modern'.`,
    versionOne:
      'Version 1 of the SDK has no listen(): npx mcp-listen migrate --sdk-upgrade moves this client to version 2.',
    addNegotiation: "Add `versionNegotiation: { mode: 'auto' }` to the client's options.",
  },
  check({ sourceCode, report }) {
    for (const { call, callee, client } of clientCalls(sourceCode, CLIENT_MEMBER.listen)) {
      if (client.era !== 'legacy' || client.creation === undefined || eraAt(sourceCode, call) !== undefined)
        continue;
      if (client.generation === 'v1') report({ node: callee.property, messageId: 'versionOne' });
      else
        report({
          node: callee.property,
          messageId: 'neverOptsIn',
          suggest: negotiationFixes(sourceCode, client, 'auto').map((fix) => ({
            messageId: 'addNegotiation',
            fix,
          })),
        });
    }
  },
});
