/** A server that is wired to HTTP+SSE as well, the transport of 2024, which only clients of older revisions speak. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { MODERN_REVISION } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/** Whether that is all it is wired to. */
export function isOverSseAlone({ entries }: ServerGroup): boolean {
  const inUse = entries.filter(({ kind }) => kind !== 'test');
  return inUse.length > 0 && inUse.every(({ transport }) => transport === 'sse');
}

/** What its sessions need is what a modern server alone takes away: the emits, the gates, the subscribe handlers. */
export function servedOverSse(
  group: ServerGroup,
  facts: Facts,
  _to: Destination,
  target: Target,
): Obstacle | undefined {
  const entry = group.entries.find(({ kind, transport }) => kind !== 'test' && transport === 'sse');
  if (entry === undefined || target === 'dual') return undefined;
  return {
    text: `it is served over HTTP+SSE, too, in ${facts.unitOf(entry.call).path}, which no ${MODERN_REVISION} client speaks: take that out first, or keep both eras with --target dual`,
    at: entry.call,
  };
}
