/** What a server as a whole decides for each of its sites, before a codemod looks at the site itself. */
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { MODERN_REVISION, SERVER_SYMBOL } from '../../src/protocol/index.js';
import { markedFor } from '../obstacle.js';
import type { Outcome, Target } from '../codemod.js';
import { moveOf } from './move.js';
import { serverOutOfSight } from './out-of-sight.js';
import { isOverSseAlone } from './sse-leg.js';
import type { ServerSite } from './server-site.js';

const OVER_SSE_ALONE = `served over HTTP+SSE alone, which no ${MODERN_REVISION} client speaks: ${SERVER_SYMBOL.createMcpHandler}() would be a way for them`;

/** The outcome that a site has by its group; undefined where the codemod may go on. */
export function outcomeByServer(site: ServerSite, facts: Facts, target: Target): Outcome | undefined {
  if (!site.group.certain) {
    return {
      kind: 'reported',
      reason: 'nothing in sight says that this is an SDK server; if it is one, its changes reach no listener',
    };
  }
  const { to, obstacle } = moveOf(site.group, facts, target);
  if (isOverSseAlone(site.group)) return { kind: 'reported', reason: OVER_SSE_ALONE };
  if (to === 'none') return { kind: 'kept', reason: whyNothing(site.group, facts) };
  return obstacle === undefined ? undefined : markedFor(obstacle);
}

/** What is out of sight may publish; nothing is said of it. */
function whyNothing(group: ServerGroup, facts: Facts): string {
  const isInSight = group.creations.length > 0 && serverOutOfSight(group, facts) === undefined;
  return isInSight ? 'this server publishes no changes' : 'nothing in sight publishes changes on this server';
}
