/** Where a server goes: to which entry of version 2, or what keeps all of it where it is. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { Obstacle } from '../obstacle.js';
import { doesPublish } from './does-publish.js';
import { findServerObstacle } from './obstacles.js';
import { isOverSseAlone } from './sse-leg.js';

/**
 * - `stdio`: its hand-wired stdio becomes `serveStdio`.
 * - `http`: a handler of `createMcpHandler` is put in front of its hosting, or in its place.
 * - `served`: entries of version 2 serve it already.
 * - `none`: nothing of it has to do with changes, or no modern client gets to it, so its entry is left as it is.
 */
export type Destination = 'stdio' | 'http' | 'served' | 'none';

/** The decision about one server. */
export interface Move {
  readonly to: Destination;
  /** What keeps all of it back, if so. */
  readonly obstacle: Obstacle | undefined;
}

const moves = new WeakMap<ServerGroup, Map<Target, Move>>();

/** Decides once for all codemods, so that they cannot disagree. */
export function moveOf(group: ServerGroup, facts: Facts, target: Target): Move {
  const known = moves.get(group) ?? new Map<Target, Move>();
  moves.set(group, known);
  const move = known.get(target) ?? decide(group, facts, target);
  known.set(target, move);
  return move;
}

function decide(group: ServerGroup, facts: Facts, target: Target): Move {
  const to = destinationOf(group, facts);
  return { to, obstacle: to === 'none' ? undefined : findServerObstacle(group, to, facts, target) };
}

function destinationOf(group: ServerGroup, facts: Facts): Destination {
  const entries = group.entries.filter(({ kind }) => kind !== 'test');
  if (entries.some(({ kind }) => kind === 'http' || kind === 'stdio')) return 'served';
  if (!doesPublish(group, facts) || isOverSseAlone(group)) return 'none';
  return entries.some(({ transport }) => transport === 'http') ? 'http' : 'stdio';
}
