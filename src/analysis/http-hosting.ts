/** How a server is hosted over HTTP: the routes that lead to its transports, and what surrounds them. */
import { ts } from 'ts-morph';
import { SERVER_OPTION } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { literalBehind } from './constants.js';
import { comparePlaces } from './group-home.js';
import { reachedFrom, type Reaching } from './http-handlers.js';
import type { HttpStyle, Route } from './http-route.js';
import { routesOf } from './http-routes.js';
import { textsOf } from './method-names.js';
import type { ServerGroup } from './server-group.js';
import { transportsOfServer, type TransportGroup } from './server-transports.js';
import { peel, propertyOf } from './syntax.js';

/** A route that leads to a transport of the server. */
export interface HostedRoute {
  readonly route: Route;
  /** Its functions through which a transport is reached. */
  readonly handlers: readonly ts.SignatureDeclaration[];
  /** The calls of `handleRequest` that it leads to. */
  readonly handled: readonly ts.CallExpression[];
}

/** All routes of one path of one application that lead to the transports of a server. */
export interface Hosting {
  /** `unknown`: what calls the transport is out of sight. */
  readonly style: HttpStyle | 'unknown';
  /** In the order of the text, at least one unless the style is `unknown`. */
  readonly routes: readonly HostedRoute[];
  /** Routes of the same path that lead to no transport: a 405, a page. */
  readonly beside: readonly Route[];
  /** The calls of `handleRequest`, in the order of the text. */
  readonly handled: readonly ts.CallExpression[];
  /** The transports that take its requests. */
  readonly transports: readonly ts.NewExpression[];
  /** Whether no transport keeps a session. */
  readonly stateless: boolean;
  /** The functions between the routes and the transports. */
  readonly functions: readonly ts.SignatureDeclaration[];
}

const known = new WeakMap<ServerGroup, readonly Hosting[]>();

/** The places at which a hand-wired server is hosted over HTTP, in the order of the text. */
export function hostingOf(world: ClosedWorld, group: ServerGroup): readonly Hosting[] {
  const answer = known.get(group) ?? findHosting(world, group);
  known.set(group, answer);
  return answer;
}

function findHosting(world: ClosedWorld, group: ServerGroup): Hosting[] {
  const transports = transportsOfServer(world, group);
  const byPlace = new Map<string, Reached[]>();
  const unreached: ts.CallExpression[] = [];
  for (const call of transports.flatMap(({ handled }) => handled)) {
    const { reaching, functions } = reachedFrom(call, world);
    if (reaching.length === 0) unreached.push(call);
    for (const one of reaching) {
      const key = placeKey(one.route, world);
      byPlace.set(key, [...(byPlace.get(key) ?? []), { ...one, call, functions }]);
    }
  }
  const creations = transports.flatMap((one) => one.creations);
  const hosted = [...byPlace.values()].map((reached) => describe(world, reached, creations, transports));
  const hidden = unreached.length === 0 ? [] : withoutRoute(world, unreached, creations, transports);
  return [...hosted, ...hidden].sort((one, other) => comparePlaces(firstOf(one), firstOf(other)));
}

interface Reached extends Reaching {
  readonly call: ts.CallExpression;
  readonly functions: readonly ts.SignatureDeclaration[];
}

function firstOf({ routes, handled }: Hosting): ts.Node {
  const first = routes[0]?.route.node ?? handled[0];
  if (first === undefined) throw new Error('hosting without a place');
  return first;
}

const ids = new WeakMap<ts.Node, number>();
let lastId = 0;

/** The same for all routes of one path of one application. */
export function placeKey({ owner, path }: Route, world: ClosedWorld): string {
  const id = ids.get(owner) ?? (lastId += 1);
  ids.set(owner, id);
  const texts = path === undefined ? [] : (textsOf(path, world) ?? [`=${path.getText()}`]);
  return [id, ...texts].join('\0');
}

function describe(
  world: ClosedWorld,
  reached: readonly Reached[],
  creations: readonly ts.NewExpression[],
  groups: readonly TransportGroup[],
): Hosting {
  const routes = new Map<ts.Node, HostedRoute>();
  for (const { route, handler, call } of reached) {
    const one = routes.get(route.node) ?? { route, handlers: [], handled: [] };
    routes.set(route.node, {
      route,
      handlers: [...new Set([...one.handlers, handler])],
      handled: [...new Set([...one.handled, call])],
    });
  }
  const sorted = [...routes.values()].sort((one, other) => comparePlaces(one.route.node, other.route.node));
  const [first] = sorted;
  if (first === undefined) throw new Error('a place that no route leads to');
  const key = placeKey(first.route, world);
  const handled = [...new Set(reached.map(({ call }) => call))].sort(comparePlaces);
  const own = creations.filter((creation) => isUsedBy(creation, handled, groups));
  return {
    style: first.route.style,
    routes: sorted,
    beside: routesOf(world).filter((route) => !routes.has(route.node) && placeKey(route, world) === key),
    handled,
    transports: own,
    stateless: own.length > 0 && own.every((creation) => isStateless(creation, world)),
    functions: [...new Set(reached.flatMap(({ functions }) => functions))],
  };
}

/** `async function handle(request: Request) { … }`, which a host out of sight calls, or nothing that is known. */
function withoutRoute(
  world: ClosedWorld,
  handled: readonly ts.CallExpression[],
  creations: readonly ts.NewExpression[],
  groups: readonly TransportGroup[],
): Hosting[] {
  const reached = handled.flatMap((call): Reached[] => {
    const { functions } = reachedFrom(call, world);
    const handler = functions.findLast(takesRequest);
    return handler === undefined ? [] : [{ route: fetchRoute(handler), handler, call, functions }];
  });
  const rest = handled.filter((call) => !reached.some((one) => one.call === call));
  const byHandler = new Map<ts.Node, Reached[]>();
  for (const one of reached) byHandler.set(one.handler, [...(byHandler.get(one.handler) ?? []), one]);
  return [
    ...[...byHandler.values()].map((ofOne) => describe(world, ofOne, creations, groups)),
    ...(rest.length === 0 ? [] : [outOfSight(world, rest, creations)]),
  ];
}

function takesRequest(handler: ts.SignatureDeclaration): boolean {
  return handler.parameters[0]?.type?.getText() === 'Request';
}

function fetchRoute(handler: ts.SignatureDeclaration): Route {
  return {
    style: 'fetch',
    verbs: ['all'],
    path: undefined,
    application: undefined,
    owner: handler,
    node: handler,
    middleware: [],
    handler,
    options: undefined,
    isAlone: false,
  };
}

function outOfSight(
  world: ClosedWorld,
  handled: readonly ts.CallExpression[],
  creations: readonly ts.NewExpression[],
): Hosting {
  const { functions } = reachedFrom(handled[0] as ts.Node, world);
  return {
    style: 'unknown',
    routes: [],
    beside: [],
    handled: [...handled].sort(comparePlaces),
    transports: creations,
    stateless: creations.length > 0 && creations.every((creation) => isStateless(creation, world)),
    functions,
  };
}

/** A transport of the same group may be another route's. */
function isUsedBy(
  creation: ts.NewExpression,
  handled: readonly ts.CallExpression[],
  groups: readonly TransportGroup[],
): boolean {
  return groups.some(
    (one) => one.creations.includes(creation) && handled.some((call) => one.handled.includes(call)),
  );
}

/** `sessionIdGenerator: undefined`, or no options at all. */
function isStateless(creation: ts.NewExpression, { checker }: ClosedWorld): boolean {
  const [given] = creation.arguments ?? [];
  if (given === undefined) return true;
  const options = literalBehind(given, checker);
  if (options === undefined || options.properties.some((one) => ts.isSpreadAssignment(one))) return false;
  const property = propertyOf(options, SERVER_OPTION.sessionIdGenerator);
  if (property === undefined) return true;
  if (!ts.isPropertyAssignment(property)) return false;
  const value = peel(property.initializer);
  return ts.isIdentifier(value) && value.text === 'undefined';
}
