/** Sites of the server codemods. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Site } from '../../src/analysis/site.js';
import { shape as rowOf, type ShapeId } from '../../src/protocol/index.js';

/** A site of a server. */
export type ServerSite = Site<ServerGroup>;

/** A place that belongs to a server: as sure as it is that this is one. */
export function serverSite(node: ts.Node, shape: ShapeId, group: ServerGroup, facts: Facts): ServerSite {
  const { mechanism } = rowOf(shape);
  const confidence = group.certain ? 'certain' : 'review';
  return { unit: facts.unitOf(node), node, side: 'server', shape, mechanism, group, confidence };
}

/** The group of a single place that is nobody's server: a declaration, a type. */
export function loneServer(home: ServerGroup['home']): ServerGroup {
  return {
    kind: 'server',
    home,
    nodes: [],
    creations: [],
    entries: [],
    members: [],
    taken: [],
    cells: [],
    escapes: [],
    origins: [],
    certain: false,
  };
}
