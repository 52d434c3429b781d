/** What a group as a whole decides for each of its sites, before a codemod looks at the site itself. */
import type { Facts } from '../../src/analysis/facts.js';
import type { Site } from '../../src/analysis/site.js';
import type { Outcome, Target } from '../codemod.js';
import { findObstacle, leftAlone } from './obstacles.js';

/** The outcome that a site has by its group; undefined where the codemod may go on. */
export function outcomeByGroup(site: Site, facts: Facts, target: Target): Outcome | undefined {
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
  const { text, reason } = obstacle;
  const marked = { kind: 'marked', text: leftBecause(text), blocks: true } as const;
  return reason === undefined ? marked : { ...marked, reason: leftBecause(reason) };
}

/** The marker's sentence for a group that stays as it is. */
export function leftBecause(obstacle: string): string {
  return `not migrated: ${obstacle}`;
}
