/** Routes that a handler of `createMcpHandler` answers, and those that stand beside them on the same path. */
import { ts } from 'ts-morph';
import { SERVER_SYMBOL } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { valueBehind } from './constants.js';
import { handlersBehind } from './http-handlers.js';
import { placeKey } from './http-hosting.js';
import type { Route, Verb } from './http-route.js';
import { routesOf } from './http-routes.js';
import { importedName } from './imported-names.js';
import type { ServerEntry } from './server-group.js';
import { peel } from './syntax.js';
import { takesPosts } from './http-route.js';

/** A route for GET or DELETE that answers in the place of the handler. */
export interface RouteBeside {
  readonly route: Route;
  readonly verb: Verb;
  /** The route of the same path that the handler answers. */
  readonly post: Route;
  /** All routes of that path that are not the handler's. */
  readonly others: readonly Route[];
}

/** The routes beside those that an entry's handler answers. */
export function routesBeside({ call }: ServerEntry, world: ClosedWorld): RouteBeside[] {
  const serves = (route: Route): boolean => isAnsweredBy(route, call, world);
  const routes = routesOf(world);
  const posts = routes.filter((route) => takesPosts(route) && serves(route));
  return posts.flatMap((post) => {
    const key = placeKey(post, world);
    const others = routes.filter(
      (route) => route !== post && placeKey(route, world) === key && !serves(route),
    );
    return others.flatMap((route): RouteBeside[] => {
      const verb = route.verbs.find((one) => one === 'get' || one === 'delete');
      // What stands behind a route for all verbs is never reached.
      const isReached = !(post.verbs.includes('all') && post.node.pos < route.node.pos);
      return verb === undefined || !isReached ? [] : [{ route, verb, post, others }];
    });
  });
}

/** Whether what answers a route is the handler, directly, wrapped for Node, or called by a function. */
function isAnsweredBy(route: Route, entry: ts.CallExpression, world: ClosedWorld): boolean {
  if (ts.isExpression(route.handler) && isHandler(route.handler, entry, world)) return true;
  return handlersBehind(route.handler, world).some((handler) =>
    mentionedCalls(handler, world).some((call) => isHandler(call, entry, world)),
  );
}

function isHandler(expression: ts.Expression, entry: ts.CallExpression, world: ClosedWorld): boolean {
  const value = valueBehind(expression, world.checker) ?? peel(expression);
  if (value === entry) return true;
  if (!ts.isCallExpression(value)) return false;
  const [wrapped] = value.arguments;
  const isWrapper = importedName(value.expression, world)?.name === SERVER_SYMBOL.toNodeHandler;
  return isWrapper && wrapped !== undefined && isHandler(wrapped, entry, world);
}

const mentioned = new WeakMap<ClosedWorld, Map<ts.Node, readonly ts.CallExpression[]>>();

/** The calls whose results the names in a function stand for; remembered, since every entry asks about every route. */
function mentionedCalls(handler: ts.Node, world: ClosedWorld): readonly ts.CallExpression[] {
  const ofWorld = mentioned.get(world) ?? new Map<ts.Node, readonly ts.CallExpression[]>();
  mentioned.set(world, ofWorld);
  const known = ofWorld.get(handler);
  if (known !== undefined) return known;
  const found = new Set<ts.CallExpression>();
  const visit = (node: ts.Node): void => {
    const value = ts.isIdentifier(node) ? valueBehind(node, world.checker) : undefined;
    if (value !== undefined && ts.isCallExpression(value)) found.add(value);
    ts.forEachChild(node, visit);
  };
  visit(handler);
  ofWorld.set(handler, [...found]);
  return [...found];
}
