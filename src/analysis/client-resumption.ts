/** Resumption tokens in the options of a client's requests. */
import { ts } from 'ts-morph';
import { REQUEST_OPTION } from '../protocol/index.js';
import type { ResumptionSite } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era-checks.js';
import { possibleValues } from './possible-values.js';
import { peel, propertyOf } from './syntax.js';
import type { MemberUse } from './flow.js';

/** `client.callTool(…, { resumptionToken, onresumptiontoken })`, also by a constant or a condition. */
export function resumptionIn(
  call: ts.CallExpression,
  use: MemberUse,
  world: ClosedWorld,
): ResumptionSite | undefined {
  for (const argument of call.arguments) {
    for (const options of possibleValues(argument, world.checker) ?? []) {
      if (!ts.isObjectLiteralExpression(options)) continue;
      const properties = RESUMPTION_OPTIONS.flatMap((name) => propertyOf(options, name) ?? []);
      const [first, ...rest] = properties.sort((a, b) => a.pos - b.pos);
      if (first === undefined) continue;
      return {
        properties: [first, ...rest],
        isInline: peel(argument) === options,
        receiver: use.access.expression,
        era: eraAt(call, use.access.expression, world),
      };
    }
  }
  return undefined;
}

const RESUMPTION_OPTIONS = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];
