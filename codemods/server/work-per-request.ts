/** What a factory starts, where a handler will run it for every request. */
import { factoryWorkOf } from '../../src/analysis/factory-work.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/** What a factory starts would be started by every request once a handler of version 2 runs it. */
export function workPerRequest(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  const [work] = to === 'http' ? factoryWorkOf(facts.world, group) : [];
  return work === undefined
    ? undefined
    : {
        text: `the factory starts a ${work.kind} in ${facts.unitOf(work.node).path}, which would run once more for every request: start it once, outside of it`,
        at: work.node,
      };
}
