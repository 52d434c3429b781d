/** The places of a server at which a change will be published. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';

/** Every publisher's place. */
export function publishingNodes(facts: Facts, group: ServerGroup): readonly ts.Node[] {
  return publishersOf(facts.world, group)
    .filter(({ publishedAt }) => publishedAt.length === 0)
    .map(({ node }) => node);
}
