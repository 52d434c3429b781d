/** Calls of 2025 where it is known that the connection is a modern one: they always reject (T2, T41). */
import {
  CLIENT_MEMBER,
  ERA_NEGOTIATION,
  LEGACY_ONLY_CALLS,
  type LegacyOnlyCall,
} from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { clientCalls, type ClientCall } from '../detection/clients.js';
import { isExpectedToReject } from '../detection/expectations.js';
import { eraReaching } from '../detection/raw-era.js';
import { objectOf, stringOf, valueAt } from '../detection/values.js';
import { createRule } from '../rule.js';

export const noEraConfusion = createRule({
  name: 'no-era-confusion',
  docs: {
    description: 'Disallow calls of the 2025 era where the connection is known to be a modern one',
    level: 'MUST',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: LEGACY_ONLY_CALLS.flatMap(({ member, method }) => [member, method]),
  messages: {
    onModernBranch: `\`{{what}}\` always rejects with ${ERA_NEGOTIATION.methodNotSupported} here: this branch runs on a modern connection, where \`{{method}}\` does not exist. Move it to the legacy branch{{instead}}.`,
    onPinnedClient: `\`{{what}}\` always rejects with ${ERA_NEGOTIATION.methodNotSupported} on this client: it is pinned to the modern era, where \`{{method}}\` does not exist. Remove it{{instead}}.`,
  },
  check({ sourceCode, report }) {
    for (const called of clientCalls(sourceCode)) {
      const legacy = legacyCall(sourceCode, called);
      if (legacy === undefined || called.client.generation === 'v1') continue;
      const era = eraReaching(sourceCode, called.call);
      // What is left of subscribing on a pinned client is for `no-resource-subscribe`.
      const isPinned = called.client.era === 'modern' && legacy.role === 'blocker' && era === undefined;
      if ((era !== 'modern' && !isPinned) || isExpectedToReject(called.call)) continue;
      report({
        node: called.callee.property,
        messageId: isPinned ? 'onPinnedClient' : 'onModernBranch',
        data: {
          what: called.name === legacy.member ? `${called.name}()` : legacy.method,
          method: legacy.method,
          instead:
            legacy.role === 'subscription' ? `, and open a stream with ${CLIENT_MEMBER.listen}() here` : '',
        },
      });
    }
  },
});

/** `client.ping()`, `client.request({ method: 'ping' })`, `client.notification({ method: … })` */
function legacyCall(sourceCode: SourceCode, { name, call }: ClientCall): LegacyOnlyCall | undefined {
  const direct = LEGACY_ONLY_CALLS.find(({ member }) => member === name);
  if (direct !== undefined) return direct;
  if (name !== CLIENT_MEMBER.request && name !== CLIENT_MEMBER.notification) return undefined;
  const message = objectOf(sourceCode, call.arguments[0]);
  const method = message === undefined ? undefined : valueAt(sourceCode, message, 'method');
  const text = method === undefined || method === 'unknown' ? undefined : stringOf(sourceCode, method);
  return LEGACY_ONLY_CALLS.find((row) => row.method === text);
}
