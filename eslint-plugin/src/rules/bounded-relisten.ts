/** Listening again after a loss: how often, how soon, and after which errors (F7, T22 to T25). */
import { CHANGE_STREAM_FUNCTION } from '../../../src/codegen/change-stream.js';
import { CLIENT_MEMBER, CLOSE_REASON } from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { delaysOf, isConstant, isHotAfterGraceful, mayJitter } from '../detection/repeat-delays.js';
import { blindCatch, isUncaught } from '../detection/repeat-errors.js';
import { earlyReset, hasLimit } from '../detection/repeat-limits.js';
import { repeatsOf, type Repeat } from '../detection/repeats.js';
import { createRule } from '../rule.js';

export const boundedRelisten = createRule({
  name: 'bounded-relisten',
  docs: {
    description: 'Require that code which listens again gives up, backs off, and stops on errors that stay',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: [`.${CLIENT_MEMBER.listen}`, `'${CLIENT_MEMBER.listen}'`, `"${CLIENT_MEMBER.listen}"`],
  messages: {
    unbounded: `This listens again {{faults}}. A server that restarts or refuses gets a storm of requests, or the feature dies unseen: count attempts and give up, wait longer each time and at random, stop where the error stays, or leave it to \`${CHANGE_STREAM_FUNCTION}(client)\`.`,
  },
  check({ sourceCode, report }) {
    for (const repeat of repeatsOf(sourceCode)) {
      const faults = faultsOf(sourceCode, repeat);
      if (faults.length > 0)
        report({ node: repeat.node, messageId: 'unbounded', data: { faults: listed(faults) } });
    }
  },
});

function faultsOf(sourceCode: SourceCode, repeat: Repeat): string[] {
  const faults: string[] = [];
  const delays = delaysOf(sourceCode, repeat);
  if (!hasLimit(sourceCode, repeat)) faults.push('without a limit of attempts');
  else if (earlyReset(sourceCode, repeat) !== undefined)
    faults.push('with a counter that starts anew at every acknowledgment and so never reaches its limit');
  if (delays.length === 0) faults.push('without a delay');
  else if (delays.every((delay) => isConstant(sourceCode, delay)))
    faults.push('after a delay that never grows');
  else if (!delays.some((delay) => mayJitter(sourceCode, delay))) faults.push('without jitter');
  if (isUncaught(sourceCode, repeat))
    faults.push('with listen() outside try, so that the first refusal ends it');
  else if (blindCatch(sourceCode, repeat) !== undefined)
    faults.push('whatever the error is, also where it stays (authorization, version, unknown method, limit)');
  if (delays.length > 0 && isHotAfterGraceful(sourceCode, repeat, delays))
    faults.push(`at once after '${CLOSE_REASON.graceful}'`);
  return faults;
}

function listed(faults: readonly string[]): string {
  const last = faults.at(-1) ?? '';
  return faults.length < 2 ? last : `${faults.slice(0, -1).join(', ')}, and ${last}`;
}
