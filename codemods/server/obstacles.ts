/** What keeps a server's group from being rewritten. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { Obstacle } from '../obstacle.js';
import { asksClients } from './client-requests.js';
import { customNotifications } from './custom-notifications.js';
import { waitsForHandshake } from './handshake.js';
import { hostingObstacle } from './http-obstacles.js';
import { keepsInstances } from './kept-instances.js';
import type { Destination } from './move.js';
import { serverOutOfSight } from './out-of-sight.js';
import {
  publisherLeftBehind,
  publisherWithoutHandler,
  reachedByBoth,
  servedOutOfSight,
} from './publisher-obstacles.js';
import { servedOverSse } from './sse-leg.js';
import { workPerRequest } from './work-per-request.js';
import { stdioObstacle } from './stdio-structure.js';

/** What is asked about a server, in the order in which the answers are given. */
type Question = (group: ServerGroup, facts: Facts, to: Destination, target: Target) => Obstacle | undefined;

const QUESTIONS: readonly Question[] = [
  serverOutOfSight,
  servedOutOfSight,
  asksClients,
  waitsForHandshake,
  reachedByBoth,
  servedOverSse,
  customNotifications,
  workPerRequest,
  publisherLeftBehind,
  stdioObstacle,
  hostingObstacle,
  keepsInstances,
  publisherWithoutHandler,
];

/** The first thing that stands in the way of a group; undefined when it can be moved as a whole. */
export function findServerObstacle(
  group: ServerGroup,
  to: Destination,
  facts: Facts,
  target: Target,
): Obstacle | undefined {
  for (const ask of QUESTIONS) {
    const obstacle = ask(group, facts, to, target);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}
