/** What a group as a whole decides for each of its sites, before a codemod looks at the site itself. */
import type { Facts } from '../../src/analysis/facts.js';
import type { Outcome, Target } from '../codemod.js';
import { markedFor } from '../obstacle.js';
import { findObstacle, leftAlone } from './obstacles.js';
import type { ClientSite } from './client-site.js';

/** The outcome that a site has by its group; undefined where the codemod may go on. */
export function outcomeByGroup(site: ClientSite, facts: Facts, target: Target): Outcome | undefined {
  if (!site.group.certain) {
    return {
      kind: 'reported',
      reason: 'nothing in sight says that this is an SDK client; if it is one, it needs a listen',
    };
  }
  const alone = leftAlone(site.group);
  if (alone !== undefined) return alone;
  const obstacle = findObstacle(site.group, facts, target);
  if (obstacle === undefined) return undefined;
  return markedFor(obstacle);
}
