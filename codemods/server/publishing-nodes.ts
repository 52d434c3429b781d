/** The places of a server at which a change will be published. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';

/** Every publisher's place. */
export function publishingNodes(facts: Facts, group: ServerGroup): readonly ts.Node[] {
  facts;
  return group.members
    .filter(({ member }) => /^send\w+(?:Changed|Updated)$/.test(member))
    .map(({ access }) => access);
}
