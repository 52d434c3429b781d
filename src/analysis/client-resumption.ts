/** Resumption tokens in the options of a client's requests. */
import { ts } from 'ts-morph';
import { REQUEST_OPTION } from '../protocol/index.js';
import type { ResumptionSite } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era.js';
import { peel, propertyOf } from './syntax.js';
import type { MemberUse } from './value-flow.js';

/** `client.callTool(…, { resumptionToken, onresumptiontoken })` */
export function resumptionIn(
  call: ts.CallExpression,
  use: MemberUse,
  world: ClosedWorld,
): ResumptionSite | undefined {
  for (const argument of call.arguments) {
    const options = peel(argument);
    if (!ts.isObjectLiteralExpression(options)) continue;
    const properties = RESUMPTION_OPTIONS.flatMap((name) => propertyOf(options, name) ?? []);
    if (properties.length === 0) continue;
    properties.sort((a, b) => a.pos - b.pos);
    return { properties, receiver: use.access.expression, era: eraAt(call, world.checker) };
  }
  return undefined;
}

const RESUMPTION_OPTIONS = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];
