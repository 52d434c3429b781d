/** Factories that put what they make where the rest of the process finds it: an entry of version 2 makes more than it serves. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { accessedMember, contains, isFunction, peel } from '../../src/analysis/syntax.js';
import { cellOf, isWrite } from '../../src/analysis/written-state.js';
import { SERVER_MEMBER } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/**
 * An instance is made for a probe, for what a listen is answered with, over HTTP for every request. Whoever publishes
 * through the last one, or through all that were ever made, gets one that is closed.
 */
export function keepsInstances(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  if (to === 'served') return undefined;
  for (const maker of group.cells.filter(isFunction)) {
    const kept = keptIn(maker, group, facts);
    if (kept !== undefined)
      return {
        text: `${kept.getText()} keeps a server that its factory makes, and an instance that was made for a probe or a single request is closed at once: take instances out of it in onclose`,
        at: kept,
      };
  }
  return undefined;
}

/** A name outside of a function that holds the server as it is made there, and that nothing takes it out of again. */
function keptIn(maker: ts.Node, group: ServerGroup, { world }: Facts): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined || (node !== maker && isFunction(node))) return;
    if (ts.isIdentifier(node) && isWrite(node)) {
      const cell = cellOf(node, world);
      if (
        cell !== undefined &&
        ts.isVariableDeclaration(cell) &&
        group.cells.includes(cell) &&
        !contains(maker, cell) &&
        !isTakenOut(cell)
      )
        found = node;
    }
    ts.forEachChild(node, visit);
  };
  /** `servers.delete(server)`, anywhere: whoever keeps several knows how to let go of one. */
  const isTakenOut = (cell: ts.Declaration): boolean =>
    referencesOf(world)
      .to(cell)
      .some((name) => {
        const accessed = accessedMember(name.parent);
        return accessed?.access.expression === name && ['delete', 'splice'].includes(accessed.member);
      });
  if (!isCreating(maker, group)) return undefined;
  visit(maker);
  return found;
}

/** A function that connects what it makes is no factory: an entry calls those that it is made by. */
function isCreating(maker: ts.Node, { creations, entries }: ServerGroup): boolean {
  return (
    creations.some(({ node }) => contains(maker, node)) &&
    !entries.some(
      ({ call }) =>
        contains(maker, call) && accessedMember(peel(call.expression))?.member === SERVER_MEMBER.connect,
    )
  );
}
