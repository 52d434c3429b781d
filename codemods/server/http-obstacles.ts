/** What keeps a server that is hosted over HTTP from being moved. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { Obstacle } from '../obstacle.js';
import { httpPlanOf } from './http-plan.js';
import type { Destination } from './move.js';

/** The hosting's own obstacle. */
export function hostingObstacle(
  group: ServerGroup,
  facts: Facts,
  to: Destination,
  target: Target,
): Obstacle | undefined {
  if (to !== 'http') return undefined;
  const plan = httpPlanOf(group, facts, target);
  return 'text' in plan ? plan : undefined;
}
