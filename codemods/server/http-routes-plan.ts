/** The plan for routes that calls register: a front before the old ones, or one route in their place. */
import { ts } from 'ts-morph';
import { isJsonParser, isParsedBefore, parsesItself, usesOf } from '../../src/analysis/body-parsing.js';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { valueBehind } from '../../src/analysis/constants.js';
import { importedName } from '../../src/analysis/imported-names.js';
import type { Route } from '../../src/analysis/http-route.js';
import { routesOf } from '../../src/analysis/http-routes.js';
import { textsOf } from '../../src/analysis/method-names.js';
import { accessedMember, isPlainPath, peel } from '../../src/analysis/syntax.js';
import {
  expressFront,
  expressRoute,
  fastifyFront,
  fastifyRoute,
  honoFront,
  honoRoute,
  type FrontText,
  type Lines,
} from '../../src/codegen/http-front.js';
import { handlerStatement, nodeHandlerStatement, NODE_HANDLER_NAME } from '../../src/codegen/mcp-handler.js';
import { freeName } from '../../src/codegen/names.js';
import { SDK_SCOPE } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { answersOnlyMethodNotAllowed } from './refusing-routes.js';
import { statementAround } from './handler-place.js';
import { fastifyObstacle, optionsObstacle, parserObstacle } from './http-fastify.js';
import { honoObstacle } from './http-hono.js';
import { modernLeftovers } from './http-leftovers.js';
import type { HttpInput, Planned } from './http-plan.js';
import { isTakenIn } from './imports.js';
import { workIn } from './route-work.js';
import { sdkNames, type SdkNames } from './sdk-names.js';
import { inFrontOf, inPlaceOf, withoutStatement } from './statement-edits.js';
import { takesPosts } from '../../src/analysis/http-route.js';
import { shortText } from '../../src/analysis/short-text.js';
import { nodeGuards, responseGuards } from './validation-guards.js';

/** Plans the routes of Express, Fastify and Hono. */
export function planRoutes(input: HttpInput): Planned | Obstacle {
  const { hosting } = input.place;
  const post = hosting.routes.find(({ route }) => takesPosts(route));
  const [first] = hosting.routes;
  if (post === undefined || first === undefined)
    return { text: 'no route of it takes POST', at: input.place.place.statement };
  const isServedOnce = input.target === 'modern' || hosting.stateless;
  return (
    pathObstacle(post.route) ??
    orderObstacle(first.route, post.route, input) ??
    workObstacle(input, isServedOnce) ??
    bodyObstacle(post.route, input) ??
    (isServedOnce ? replaceRoutes(post.route, input) : putFront(post.route, input))
  );
}

/** Who reads or parses the body before, in a way that leaves nothing for a modern handler. */
function bodyObstacle(post: Route, input: HttpInput): Obstacle | undefined {
  if (post.style === 'hono') return honoObstacle(post, input);
  return post.style === 'fastify' ? (parserObstacle(post, input) ?? optionsObstacle(post, input)) : undefined;
}

function pathObstacle(route: Route): Obstacle | undefined {
  const { path, node } = route;
  const isPlain =
    path !== undefined && (ts.isStringLiteralLike(peel(path)) || isPlainPath(path) || isPlainTemplate(path));
  if (!isPlain) return { text: 'the path of its routes is computed', at: node };
  return receiverOf(route) === undefined
    ? { text: 'its routes are registered on something that is made on the spot', at: node }
    : undefined;
}

function isPlainTemplate(path: ts.Expression): boolean {
  const inner = peel(path);
  return (
    ts.isTemplateExpression(inner) && inner.templateSpans.every(({ expression }) => isPlainPath(expression))
  );
}

/** The application's expression, behind a chain of routes. */
function receiverOf({ node }: Route): string | undefined {
  let current: ts.Expression | undefined = ts.isCallExpression(node) ? node : undefined;
  while (current !== undefined && ts.isCallExpression(current)) {
    const accessed = accessedMember(peel(current.expression));
    current = accessed === undefined ? undefined : peel(accessed.access.expression);
  }
  return current !== undefined && isPlainPath(current) ? current.getText() : undefined;
}

/** What is put on the application between the first route and the one for POST would be left out by a front before both. */
function orderObstacle(first: Route, post: Route, { facts, place }: HttpInput): Obstacle | undefined {
  const { application } = post;
  const isBetween = (node: ts.Node): boolean => node.end > first.node.end && node.end < post.node.end;
  const use = application === undefined ? undefined : usesOf(application, facts.world).find(isBetween);
  if (use !== undefined)
    return { text: 'middleware stands between its routes: put the modern handler behind it', at: use };
  const own = new Set(place.hosting.routes.map(({ route }) => route.node));
  const guard = routesOf(facts.world).find(
    (route) =>
      route.application?.node === application?.node &&
      isBetween(route.node) &&
      !own.has(route.node) &&
      takesPosts(route) &&
      mayMatch(route, post, facts.world),
  );
  return guard === undefined
    ? undefined
    : {
        text: 'another route stands between its routes and may decide about their requests first: put the modern handler behind it',
        at: guard.node,
      };
}

/** Whether a route may be asked about the path of another; one that is written out in both is another one. */
function mayMatch(route: Route, post: Route, world: ClosedWorld): boolean {
  const [own, other] = [route, post].map(({ path }) =>
    path === undefined ? undefined : textsOf(path, world),
  );
  if (own === undefined || other === undefined) return true;
  return own.some((one) => !/^[\w/.-]*$/.test(one) || other.includes(one));
}

/** What the handlers do besides keeping sessions. */
function workObstacle(
  { place: { hosting }, group, facts }: HttpInput,
  isServedOnce: boolean,
): Obstacle | undefined {
  const handlers = [...new Set(hosting.routes.flatMap((one) => one.handlers))];
  const requests = handlers.flatMap((one) => [...one.parameters].filter(ts.isParameter));
  const bodies = handlers.flatMap((one) => (one as ts.FunctionLikeDeclaration).body ?? []);
  const { check, isAboutCaller, rest } = workIn(bodies, requests, group, facts.world);
  if (check !== undefined)
    return {
      text: isAboutCaller
        ? `its routes read who asks (${shortText(check, 40)}), which the modern handler does not: make what follows from it middleware, or ask for it in the factory`
        : `its routes check requests themselves (${shortText(check, 40)}): make that middleware, which runs before the modern handler, too`,
      at: check,
    };
  return isServedOnce && rest !== undefined
    ? {
        text: `its routes do more than keep sessions (${shortText(rest, 40)}): that goes when they go`,
        at: rest,
      }
    : undefined;
}

/** The handler, and for Node's frameworks the function that serves by it. */
interface Made {
  readonly blocks: readonly Lines[];
  readonly front: FrontText;
}

function make(
  post: Route,
  verb: FrontText['verb'],
  middleware: readonly string[],
  input: HttpInput,
  sdk: SdkNames,
): Made {
  const { place, validation } = input;
  const { unit, name } = place.place;
  const { style } = unit;
  const isServedOnce = input.target === 'modern' || place.stateless;
  const legacy = input.target === 'dual' && place.stateless ? 'stateless' : 'reject';
  const lines = [
    handlerStatement({ name, factory: input.factory, legacy, bus: input.bus }, sdk.nameOf, style),
  ];
  const base = { receiver: receiverOf(post) ?? '', verb, path: post.path?.getText() ?? '', middleware };
  const isTaken = isTakenIn(unit.tree);
  if (post.style === 'hono') {
    const guards = responseGuards(validation, 'c.req.raw', sdk.nameOf, style);
    return { blocks: [lines], front: { ...base, serve: name, guards } };
  }
  const serve = freeName([isServedOnce && legacy === 'stateless' ? 'serveMcp' : NODE_HANDLER_NAME], isTaken);
  lines.push(nodeHandlerStatement(serve, name, sdk.nameOf, style));
  const guards = nodeGuards(validation, sdk.nameOf, isTaken, style);
  lines.push(...guards.lines);
  const [request, response] = post.style === 'fastify' ? ['request.raw', 'reply.raw'] : ['req', 'res'];
  return { blocks: [lines], front: { ...base, serve, guards: guards.callsFor(request, response) } };
}

/** The front, and the old routes as they are. */
function putFront(post: Route, input: HttpInput): Planned | Obstacle {
  const { place, facts } = input;
  const { world } = facts;
  const routes = place.hosting.routes.map(({ route }) => route);
  if (post.style === 'express' && !isParsedBefore(post, world) && !parsesItself(post, world))
    return {
      text: 'nothing in sight parses the body before its routes, and a front that reads it leaves nothing for them: put express.json() above and run again',
      at: post.node,
    };
  const inTheWay = post.style === 'fastify' ? fastifyObstacle(post, input) : undefined;
  if (inTheWay !== undefined) return inTheWay;
  // What Fastify's options name runs before the hook; the rest of them has been looked at.
  const single =
    post.style === 'fastify' ? undefined : post.middleware.find((one) => !isRepeatable(one, input));
  if (single !== undefined)
    return {
      text: `the middleware ${shortText(single, 40)} is written in its route: give it a name, so that the modern handler gets it, too`,
      at: single,
    };
  const counting = post.middleware.find((one) => isCounting(one, world));
  if (counting !== undefined)
    return {
      text: `the middleware ${shortText(counting, 40)} would count requests of 2025 twice, in front of the modern handler and in their route: put it above both with use()`,
      at: counting,
    };
  const isSame = routes.every((route) => middlewareText(route, world) === middlewareText(post, world));
  const sdk = sdkNames(place.place.unit);
  const { blocks, front } = make(post, isSame ? 'all' : 'post', textsOfMiddleware(post), input, sdk);
  const { style } = place.place.unit;
  const lines =
    post.style === 'fastify'
      ? fastifyFront(front, sdk.nameOf, style)
      : post.style === 'hono'
        ? honoFront(front, sdk.nameOf, style)
        : expressFront(front, sdk.nameOf, style);
  const edit = inFrontOf(place.place.statement, [...blocks, lines], place.place.unit, 'the modern handler');
  const [first] = routes;
  return { edits: new Map([[first?.node ?? post.node, [edit]]]), imports: sdk.needs() };
}

/** The one route that takes all of it, in the place of the first. */
function replaceRoutes(post: Route, input: HttpInput): Planned | Obstacle {
  const { place, target, facts } = input;
  const { world } = facts;
  const { hosting } = place;
  const { unit } = place.place;
  const routes = hosting.routes.map(({ route }) => route);
  const other = routes.find((route) => middlewareText(route, world) !== middlewareText(post, world));
  if (other !== undefined)
    return {
      text: 'its routes have different middleware: decide which the one modern route gets',
      at: other.node,
    };
  const page = hosting.beside.find(
    (route) => !answersOnlyMethodNotAllowed(route, world) && answersSessions(route),
  );
  if (page !== undefined && target === 'modern')
    return {
      text: 'another route of its path answers, too: the modern handler answers GET and DELETE with 405',
      at: page.node,
    };
  const refusing = hosting.beside.filter((route) => answersOnlyMethodNotAllowed(route, world));
  const goes = target === 'modern' ? [...routes, ...refusing] : routes;
  const statements = goes.map((route) => ({ route, statement: statementAround(route.node) }));
  const crowded = statements.find(
    ({ route, statement }) => statement === undefined || !holdsOnly(statement, goes, route),
  );
  if (crowded !== undefined)
    return { text: 'its routes stand in a statement with others', at: crowded.route.node };
  const isAlone = target === 'modern' || refusing.length === 0;
  const sdk = sdkNames(unit);
  const { blocks, front } = make(post, isAlone ? 'all' : 'post', textsOfMiddleware(post), input, sdk);
  const { style } = unit;
  const lines =
    post.style === 'fastify'
      ? fastifyRoute(front, style)
      : post.style === 'hono'
        ? honoRoute(front, style)
        : expressRoute(front, style);
  const left = modernLeftovers(
    input,
    statements.flatMap(({ statement }) => statement ?? []),
    [...blocks, lines].flat().join('\n'),
  );
  if ('text' in left) return left;
  const edits = new Map<ts.Node, FileEdit[]>();
  const [first] = routes;
  const done = new Set<ts.Node>();
  for (const { route, statement } of statements) {
    if (statement === undefined || done.has(statement)) continue;
    done.add(statement);
    const edit =
      route === first
        ? inPlaceOf(statement, [...blocks, lines], unit, 'the modern handler')
        : withoutStatement(statement, unit, 'the one route takes its requests');
    edits.set(route.node, [edit]);
  }
  if (first !== undefined) edits.set(first.node, [...(edits.get(first.node) ?? []), ...left.edits]);
  return { edits, imports: sdk.needs() };
}

/** Whether a route is one of those that sessions had: other verbs (`options`) and middleware for all verbs are not. */
function answersSessions({ verbs }: Route): boolean {
  return verbs.some((verb) => verb === 'get' || verb === 'delete' || verb === 'post');
}

/** Whether everything that a statement registers goes. */
function holdsOnly(statement: ts.Statement, goes: readonly Route[], route: Route): boolean {
  if (!ts.isExpressionStatement(statement)) return false;
  let current: ts.Expression = peel(statement.expression);
  let found = false;
  while (ts.isCallExpression(current)) {
    const call = current;
    if (goes.some(({ node }) => node === call)) found ||= call === route.node;
    else if (accessedMember(peel(call.expression))?.member !== 'route') return false;
    const accessed = accessedMember(peel(call.expression));
    if (accessed === undefined) return false;
    current = peel(accessed.access.expression);
  }
  return found;
}

function textsOfMiddleware({ middleware }: Route): string[] {
  return middleware.map((one) => one.getText());
}

/** What decides about a request; a parser that a route without a body does not have is no difference. */
function middlewareText({ middleware }: Route, world: ClosedWorld): string {
  return middleware
    .filter((one) => !isJsonParser(one, world))
    .map((one) => one.getText())
    .join(', ');
}

/** What limits how often somebody may ask counts every time that it runs. */
function isCounting(middleware: ts.Expression, world: ClosedWorld): boolean {
  const inner = peel(ts.isSpreadElement(middleware) ? middleware.expression : middleware);
  const made = valueBehind(inner, world.checker) ?? inner;
  return (
    COUNTING.test(inner.getText()) || (ts.isCallExpression(made) && COUNTING.test(made.expression.getText()))
  );
}

const COUNTING = /rate.?limit|limiter|throttl|slow.?down|quota|brute/i;

/** What can run in two places: by name, or made without anything of its own to keep. */
function isRepeatable(middleware: ts.Expression, { facts }: HttpInput): boolean {
  const inner = peel(ts.isSpreadElement(middleware) ? middleware.expression : middleware);
  if (isPlainPath(inner)) return true;
  if (!ts.isCallExpression(inner)) return false;
  const imported = importedName(inner.expression, facts.world);
  return (
    imported !== undefined &&
    (imported.module.startsWith(SDK_SCOPE) ||
      /^(?:express|body-parser|cors|helmet|hono\/.+)$/.test(imported.module))
  );
}
