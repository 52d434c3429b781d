/** What other codemods take away when a server leaves the legacy era: what alone stood in it is read by nobody then. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { gatesAround } from '../../src/analysis/registry-gates.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';

/** Loops over sessions, gates on registries, and subscribe handlers that only keep books. */
export function goingNodes(group: ServerGroup, { world }: Facts): readonly ts.Node[] {
  const publishers = publishersOf(world, group).flatMap(({ node, fanOut }): ts.Node[] => {
    const gates = gatesAround(world, group, node).map((gate) => gate.node);
    return [...(fanOut === undefined ? [] : [fanOut]), ...gates];
  });
  const handlers = subscribeHandlersOf(world, group)
    .filter(({ does }) => does === 'bookkeeping')
    .map(({ node }) => node);
  return [...publishers, ...handlers];
}
