/** GET and DELETE beside a modern handler: one route for all verbs, since the handler answers them with 405 by itself. */
import { ts } from 'ts-morph';
import { usesOf } from '../../src/analysis/body-parsing.js';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import type { Facts } from '../../src/analysis/facts.js';
import { routesBeside, type RouteBeside } from '../../src/analysis/handler-routes.js';
import { handlersBehind } from '../../src/analysis/http-handlers.js';
import type { Route } from '../../src/analysis/http-route.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { accessedMember, peel } from '../../src/analysis/syntax.js';
import { HEADER, SERVER_SYMBOL, SERVER_TRANSPORTS, TRANSPORT_MEMBER } from '../../src/protocol/index.js';
import type { FileEdit, Outcome } from '../codemod.js';
import { answersOnlyMethodNotAllowed } from './refusing-routes.js';
import { serverSite, type ServerSite } from './server-site.js';
import { withoutStatement } from './statement-edits.js';

/** The sites of routes beside handlers. */
export function sitesBeside(facts: Facts): ServerSite[] {
  return facts.servers.flatMap((group) =>
    besideOf(group, facts).map(({ route }) => serverSite(route.node, 'GET', group, facts)),
  );
}

/** What becomes of one of them. */
export function rewriteBeside(site: ServerSite, facts: Facts): Outcome {
  const beside = besideOf(site.group, facts).find(({ route }) => route.node === site.node);
  if (beside === undefined) throw new Error('a site of another kind');
  return decide(beside, facts);
}

/** Routes that lead to a transport are sessions of 2025, which the hosting's codemod knows. */
function besideOf(group: ServerGroup, { world }: Facts): RouteBeside[] {
  return group.entries
    .filter(({ kind }) => kind === 'http')
    .flatMap((entry) => routesBeside(entry, world))
    .filter(({ route }) => !leadsToTransport(route, world));
}

function leadsToTransport(route: Route, world: ClosedWorld): boolean {
  return handlersBehind(route.handler, world).some((handler) =>
    handler.getText().includes(TRANSPORT_MEMBER.handleRequest),
  );
}

const ACCESS = /auth|bearer|jwt|api_?key|token/i;

function decide(beside: RouteBeside, facts: Facts): Outcome {
  const { route, verb } = beside;
  const name = verb.toUpperCase();
  if (hasLegacyLeg(route))
    return { kind: 'kept', reason: `sessions of 2025 are served in this file, and ${name} is theirs` };
  const marked = (text: string): Outcome => ({ kind: 'marked', text, blocks: false });
  if (answersOnlyMethodNotAllowed(route, facts.world)) {
    return isBehindAccess(beside, facts)
      ? marked(
          `authentication stands in front of this 405, so that clients take ${name} for allowed: answer 405 first`,
        )
      : { kind: 'kept', reason: 'says 405 on purpose, which is right in both eras' };
  }
  if (handlersBehind(route.handler, facts.world).length === 0)
    return marked(
      `${name} on the path of a modern handler has to be answered with 405: what this answers is out of sight`,
    );
  if (isPage(route, facts.world))
    return marked(
      `${name} on the path of a modern handler has to be answered with 405: give this page a path of its own`,
    );
  if (isBehindAccess(beside, facts))
    return marked(
      `${name} on the path of a modern handler has to be answered with 405, before authentication: put a route that does so in front of it`,
    );
  const edits = editsFor(beside, facts);
  return edits === undefined
    ? marked(
        `${name} on the path of a modern handler has to be answered with 405: register the handler for all verbs and remove this route`,
      )
    : { kind: 'rewritten', edits, reason: `the handler answers ${name} with 405 by itself` };
}

/** A sessionful leg of 2025 owns GET and DELETE, on the same path as well. */
function hasLegacyLeg({ node }: Route): boolean {
  const { text } = node.getSourceFile();
  return (
    text.includes(SERVER_SYMBOL.isLegacyRequest) ||
    SERVER_TRANSPORTS.some(({ name, kind }) => (kind === 'http' || kind === 'sse') && text.includes(name)) ||
    text.toLowerCase().includes(HEADER.sessionId.toLowerCase())
  );
}

/** What a browser is shown. */
function isPage(route: Route, world: ClosedWorld): boolean {
  return handlersBehind(route.handler, world).some((handler) =>
    /accept|sendFile|render\s*\(|\.html\s*\(|text\/html|<html|redirect/i.test(handler.getText()),
  );
}

function isBehindAccess({ route, post }: RouteBeside, { world }: Facts): boolean {
  const before =
    post.application === undefined
      ? []
      : usesOf(post.application, world).filter((use) => use.pos < post.node.pos);
  return [...before.flatMap((use) => [...use.arguments]), ...route.middleware, ...post.middleware].some(
    (one) => ACCESS.test(one.getText()),
  );
}

const made = new WeakMap<ts.Node, FileEdit>();

/** The handler's route for all verbs, and this one away; undefined where either is more than a statement of its own. */
function editsFor({ route, post }: RouteBeside, facts: Facts): FileEdit[] | undefined {
  if (!route.isAlone || !ts.isExpressionStatement(route.node.parent)) return undefined;
  const removal = withoutStatement(
    route.node.parent,
    facts.unitOf(route.node),
    'the handler answers this verb with 405',
  );
  if (post.verbs.includes('all')) return [removal];
  const callee = ts.isCallExpression(post.node) ? accessedMember(peel(post.node.expression)) : undefined;
  const name =
    callee !== undefined && ts.isPropertyAccessExpression(callee.access) ? callee.access.name : undefined;
  if (name?.text !== 'post' || !post.isAlone) return undefined;
  const { file } = facts.unitOf(post.node);
  const all = made.get(post.node) ?? {
    file,
    start: name.getStart(),
    end: name.end,
    text: 'all',
    reason: 'the handler answers every verb',
  };
  made.set(post.node, all);
  return [all, removal];
}
