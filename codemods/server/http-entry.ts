/** Hosting over HTTP: a modern handler in front of the old routes, or in their place. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { hostingOf, type HostedRoute, type Hosting } from '../../src/analysis/http-hosting.js';
import { verbOf, type Route } from '../../src/analysis/http-route.js';
import { namedHolder, referencesOf } from '../../src/analysis/references.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { literalText, peel } from '../../src/analysis/syntax.js';
import { SDK_SCOPE, TRANSPORT_MEMBER, type ShapeId } from '../../src/protocol/index.js';
import type { Codemod, Outcome, Target } from '../codemod.js';
import { markedFor } from '../obstacle.js';
import { outcomeByServer } from './group-outcome.js';
import { httpPlanOf } from './http-plan.js';
import { moveOf } from './move.js';
import { answersOnlyMethodNotAllowed } from './refusing-routes.js';
import { serverSite, type ServerSite } from './server-site.js';
import { isUnwired, rewriteUnwired, unwiredSites } from './unwired-transports.js';
import { rewriteBeside, sitesBeside } from './verbs-beside.js';

/** The codemod for routes that lead to a transport. */
export const httpEntry: Codemod<ServerGroup> = {
  name: 'server/http-entry',
  removes: 'hosting',
  tokens: [SDK_SCOPE, TRANSPORT_MEMBER.handleRequest],

  find(facts) {
    const hosted = facts.servers.flatMap((group) =>
      hostingOf(facts.world, group).flatMap((hosting) => sitesOf(hosting, group, facts)),
    );
    // A verb that sessions refuse on purpose is told of once, also where a modern handler stands before them.
    const beside = sitesBeside(facts).filter(({ node }) => !hosted.some((one) => one.node === node));
    return [...hosted, ...beside, ...unwiredSites(facts)];
  },

  rewrite(site, facts, target) {
    if (site.shape === 'GET') return rewriteBeside(site, facts);
    if (site.group.creations.length === 0 && isUnwired(site)) return rewriteUnwired(site, facts);
    if (site.shape === 'I9') return rewriteRefusal(site, facts, target);
    const byServer = outcomeByServer(site, facts, target);
    if (byServer !== undefined) return byServer;
    const { to } = moveOf(site.group, facts, target);
    if (to !== 'http')
      return {
        kind: 'kept',
        reason: 'sessions of 2025 go on here; a handler of version 2 serves the server, too',
      };
    return byPlan(site, facts, target);
  },
};

function sitesOf(hosting: Hosting, group: ServerGroup, facts: Facts): ServerSite[] {
  if (hosting.style === 'unknown') {
    const shape = isVerbTable(hosting, facts) ? 'I6' : 'I7';
    return hosting.handled.map((call) => serverSite(call, shape, group, facts));
  }
  const own = hosting.routes.map((one) => serverSite(one.route.node, shapeOf(one, hosting), group, facts));
  const refusing = hosting.beside
    .filter((route) => isSessionVerb(route) && answersOnlyMethodNotAllowed(route, facts.world))
    .map((route) => serverSite(route.node, 'I9', group, facts));
  return [...own, ...refusing];
}

/** `{ httpMethod: 'GET', run: existing }`: functions as values beside the name of a verb. */
function isVerbTable({ functions }: Hosting, { world }: Facts): boolean {
  return functions.some((one) => {
    const holder = namedHolder(one);
    return (
      holder !== undefined &&
      referencesOf(world)
        .to(holder)
        .some((name) => isBesideVerb(name.parent))
    );
  });
}

function isBesideVerb(property: ts.Node): boolean {
  return (
    ts.isObjectLiteralElementLike(property) &&
    ts.isObjectLiteralExpression(property.parent) &&
    property.parent.properties.some(
      (one) => ts.isPropertyAssignment(one) && verbOf(literalText(one.initializer) ?? '') !== undefined,
    )
  );
}

function isSessionVerb({ verbs }: Route): boolean {
  return verbs.includes('get') || verbs.includes('delete');
}

function shapeOf({ route, handlers }: HostedRoute, { routes }: Hosting): ShapeId {
  switch (route.style) {
    case 'nest':
      return 'I4';
    case 'next':
      return 'I5';
    case 'fetch':
      return 'I7';
    default:
  }
  if (route.verbs.includes('all')) return 'I8';
  const isShared = routes.some(
    (other) => other.route !== route && other.handlers.some((one) => handlers.includes(one)),
  );
  if (isShared) return 'I2';
  return route.path !== undefined && ts.isStringLiteralLike(peel(route.path)) ? 'I1' : 'I3';
}

function byPlan(site: ServerSite, facts: Facts, target: Target): Outcome {
  const plan = httpPlanOf(site.group, facts, target);
  if ('text' in plan) return markedFor(plan);
  const edits = plan.edits.get(site.node);
  const isServedOnce = target === 'modern' || plan.hosting.stateless;
  if (edits === undefined) {
    return isServedOnce
      ? { kind: 'rewritten', edits: [], reason: 'it goes with the route beside it' }
      : { kind: 'kept', reason: 'sessions of 2025 go on here, behind the modern handler' };
  }
  const [first] = plan.edits.keys();
  const what = isServedOnce
    ? 'the modern handler takes its place'
    : 'the modern handler stands before it and lets legacy requests through';
  const reason = [what, ...plan.remarks].join('; ');
  return site.node === first
    ? { kind: 'rewritten', edits, reason, imports: plan.imports, files: plan.files }
    : { kind: 'rewritten', edits, reason };
}

/** A verb that is refused on purpose goes with the route whose place the modern handler takes. */
function rewriteRefusal(site: ServerSite, facts: Facts, target: Target): Outcome {
  const kept: Outcome = { kind: 'kept', reason: 'says 405 on purpose, which is right in both eras' };
  if (outcomeByServer(site, facts, target) !== undefined || moveOf(site.group, facts, target).to !== 'http')
    return kept;
  const plan = httpPlanOf(site.group, facts, target);
  const edits = 'text' in plan ? undefined : plan.edits.get(site.node);
  return edits === undefined
    ? kept
    : { kind: 'rewritten', edits, reason: 'the modern handler answers this verb with 405 by itself' };
}
