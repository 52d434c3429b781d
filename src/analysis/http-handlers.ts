/** Which functions answer a route, and which routes a place in the code is reached from. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { valueBehind } from './constants.js';
import type { Route } from './http-route.js';
import { routesOf } from './http-routes.js';
import { referencesOf } from './references.js';
import { functionsBehind } from './server-entries.js';
import { dressed, enclosingFunction, isFunction, peel } from './syntax.js';
import { returnedExpressions } from './value-sources.js';

/** Functions that call one another; longer chains are not worth a guess. */
const DEPTH = 6;

/** The functions that an expression hands to a framework: itself, or what a wrapper is given or returns. */
export function handlersBehind(
  handler: ts.Node,
  world: ClosedWorld,
  depth = DEPTH,
): ts.SignatureDeclaration[] {
  if (isFunction(handler)) return [handler];
  if (!ts.isExpression(handler) || depth === 0) return [];
  const inner = peel(handler);
  if (isFunction(inner)) return [inner];
  if (ts.isCallExpression(inner)) return handlersOfCall(inner, world, depth - 1);
  const value = valueBehind(inner, world.checker);
  if (value !== undefined && value !== inner) return handlersBehind(value, world, depth - 1);
  if (ts.isObjectLiteralExpression(inner)) return [];
  return functionsBehind(world, inner);
}

/** `asyncHandler(handler)`, `this.handle.bind(this)`, `createHandler(options)` */
function handlersOfCall(
  call: ts.CallExpression,
  world: ClosedWorld,
  depth: number,
): ts.SignatureDeclaration[] {
  const callee = peel(call.expression);
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'bind')
    return handlersBehind(callee.expression, world, depth);
  const given = call.arguments.flatMap((argument) => handlersBehind(argument, world, depth));
  const declaration = world.checker.getResolvedSignature(call)?.declaration;
  const isInSight =
    declaration !== undefined && !ts.isJSDocSignature(declaration) && !world.isOurs(declaration);
  const returned = isInSight
    ? returnedExpressions(declaration).flatMap((one) => handlersBehind(one, world, depth))
    : [];
  return [...given, ...returned];
}

const known = new WeakMap<ClosedWorld, ReadonlyMap<ts.Node, readonly Route[]>>();

/** The routes by the functions that answer them. */
export function routesByHandler(world: ClosedWorld): ReadonlyMap<ts.Node, readonly Route[]> {
  const answer = known.get(world) ?? indexRoutes(world);
  known.set(world, answer);
  return answer;
}

function indexRoutes(world: ClosedWorld): Map<ts.Node, Route[]> {
  const found = new Map<ts.Node, Route[]>();
  for (const route of routesOf(world)) {
    for (const handler of new Set(handlersBehind(route.handler, world))) {
      found.set(handler, [...(found.get(handler) ?? []), route]);
    }
  }
  return found;
}

/** A route that leads to a place, and the function of the route that it leads through. */
export interface Reaching {
  readonly route: Route;
  readonly handler: ts.SignatureDeclaration;
}

/** The functions around a place, and those that call them, up to the routes. */
export function reachedFrom(
  node: ts.Node,
  world: ClosedWorld,
): { reaching: Reaching[]; functions: ts.SignatureDeclaration[] } {
  const index = routesByHandler(world);
  const references = referencesOf(world);
  const seen = new Set<ts.SignatureDeclaration>();
  const reaching: Reaching[] = [];
  let wave = [enclosingFunction(node)];
  for (let depth = 0; depth < DEPTH && wave.length > 0; depth += 1) {
    const next: (ts.SignatureDeclaration | undefined)[] = [];
    for (const handler of wave) {
      if (handler === undefined || seen.has(handler)) continue;
      seen.add(handler);
      const routes = index.get(handler) ?? [];
      reaching.push(...routes.map((route) => ({ route, handler })));
      if (routes.length > 0) continue;
      const calls = references.callsOf(handler);
      next.push(...calls.map((call) => enclosingFunction(call)));
      // A callback runs where it stands, as far as routes are concerned.
      if (calls.length === 0 && ts.isCallExpression(dressed(handler).parent))
        next.push(enclosingFunction(handler));
    }
    wave = next;
  }
  return { reaching, functions: [...seen] };
}
