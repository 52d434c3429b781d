/** Sites of the client codemods, and groups for sites that belong to no client. */
import type { ts } from 'ts-morph';
import type { ClientGroup } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { Site } from '../../src/analysis/site.js';
import { shape as rowOf, type ShapeId } from '../../src/protocol/index.js';

/** A site of a client. */
export type ClientSite = Site<ClientGroup>;

/** A place that belongs to a client: as sure as it is that this is one. */
export function clientSite(node: ts.Node, shape: ShapeId, group: ClientGroup, facts: Facts): ClientSite {
  const { mechanism } = rowOf(shape);
  const confidence = group.certain ? 'certain' : 'review';
  return { unit: facts.unitOf(node), node, side: 'client', shape, mechanism, group, confidence };
}

/** The group of a single place that is nobody's client: a call, a type. */
export function loneGroup(home: ClientGroup['home']): ClientGroup {
  return {
    kind: 'client',
    home,
    nodes: [],
    creations: [],
    negotiations: [],
    connects: [],
    subscriptions: [],
    guards: [],
    mocks: [],
    resumptions: [],
    legacyUses: [],
    unreadable: [],
    handlers: [],
    listens: [],
    watchesAutoOpened: false,
    escapes: [],
    origins: [],
    certain: false,
  };
}
