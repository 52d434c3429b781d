/** Whom the sends of a server's instances reach once it is moved. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { moveOf } from './move.js';

/**
 * - `stdio`: each instance its own client, of either era.
 * - `beside`: sessions of 2025 alone; modern clients are told by a handler's notifier beside it.
 * - `notifier`: nobody: the handler's notifier takes the place of every send.
 */
export type Legs = 'stdio' | 'beside' | 'notifier';

/** Decides for a server that is moved, or that entries of version 2 serve already. */
export function legsOf(group: ServerGroup, facts: Facts, target: Target): Legs {
  const { to } = moveOf(group, facts, target);
  const entries = group.entries.filter(({ kind }) => kind !== 'test');
  const isOverHttp = to === 'http' || entries.some(({ kind }) => kind === 'http');
  if (!isOverHttp) return 'stdio';
  const hasSessions = entries.some(({ kind }) => kind === 'hand-wired' || kind === 'unknown');
  return target === 'dual' && hasSessions ? 'beside' : 'notifier';
}
