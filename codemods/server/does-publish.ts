/** Whether a server has anything to do with changes at all. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { subscribeCapabilityOf } from '../../src/analysis/server-capabilities.js';
import { serverEmitsOf } from '../../src/analysis/server-publishers.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';
import { publishersIn } from './publisher-plan.js';

const known = new WeakMap<ServerGroup, boolean>();

/** One that publishes nothing, and lets nobody subscribe, loses nothing where it is. */
export function doesPublish(group: ServerGroup, facts: Facts): boolean {
  const answer =
    known.get(group) ??
    (publishersIn(group, facts).length > 0 ||
      serverEmitsOf(facts.world, group).taken.length > 0 ||
      subscribeHandlersOf(facts.world, group).length > 0 ||
      subscribeCapabilityOf(facts.world, group).state === 'on');
  known.set(group, answer);
  return answer;
}
