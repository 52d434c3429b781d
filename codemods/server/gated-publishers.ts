/** The gates of a server on registries that only subscribe handlers fill, with what they decide about. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { gatesAround, type RegistryGate } from '../../src/analysis/registry-gates.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Publisher } from '../../src/analysis/server-publisher.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';

/** A gate with what it decides about. */
export interface GatedPublishers {
  readonly gate: RegistryGate;
  readonly publishers: readonly Publisher[];
}

const known = new WeakMap<ServerGroup, ReadonlyMap<ts.Node, GatedPublishers>>();

/** The gates of a server by their nodes, in the order of its publishers. */
export function gatesOf(group: ServerGroup, facts: Facts): ReadonlyMap<ts.Node, GatedPublishers> {
  const before = known.get(group);
  if (before !== undefined) return before;
  const found = new Map<ts.Node, { gate: RegistryGate; publishers: Publisher[] }>();
  for (const publisher of publishersOf(facts.world, group)) {
    for (const gate of gatesAround(facts.world, group, publisher.node)) {
      const one = found.get(gate.node) ?? { gate, publishers: [] };
      one.publishers.push(publisher);
      found.set(gate.node, one);
    }
  }
  known.set(group, found);
  return found;
}
