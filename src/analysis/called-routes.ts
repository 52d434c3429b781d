/** Routes that a call registers on an application: `app.post('/mcp', handler)` and its relatives. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { literalBehind, valueBehind } from './constants.js';
import { applicationOf, type Application } from './http-frameworks.js';
import { verbOf, type Route, type Verb } from './http-route.js';
import { textsOf } from './method-names.js';
import { accessedMember, peel, propertyOf } from './syntax.js';

/** The routes of a call; none where it registers none. */
export function routesOfCall(call: ts.CallExpression, world: ClosedWorld): Route[] {
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined) return [];
  const { access, member } = accessed;
  const verb = verbOf(member);
  if (verb === undefined && member !== 'on' && member !== 'route') return [];
  const application = applicationOf(access.expression, world);
  if (application === undefined) return [];
  if (verb !== undefined) return verbRoute(call, access.expression, verb, application, world);
  if (member === 'on') return methodRoute(call, application, world);
  return optionsRoute(call, application, world);
}

/** `app.post('/mcp', handler)` and `app.route('/mcp').post(handler)` */
function verbRoute(
  call: ts.CallExpression,
  receiver: ts.Expression,
  verb: Verb,
  application: Application,
  world: ClosedWorld,
): Route[] {
  const chained = chainedPath(receiver);
  const isChain = ts.isCallExpression(peel(receiver));
  const path = chained ?? call.arguments[0];
  const given = chained === undefined ? call.arguments.slice(1) : [...call.arguments];
  const handlers = given.flatMap((one) => inLists(one, world));
  const handler = handlers.at(-1);
  // Without a handler `app.get('env')` reads a setting.
  if (path === undefined || handler === undefined) return [];
  const options = application.framework === 'fastify' && handlers.length > 1 ? handlers[0] : undefined;
  return [
    {
      ...base(call, application),
      verbs: [verb],
      path,
      middleware: handlers.slice(0, -1),
      handler,
      options: options ?? optionsWithHandler(application, handler, world),
      isAlone: !isChain && ts.isExpressionStatement(call.parent),
    },
  ];
}

/** `fastify.post('/mcp', { handler })` */
function optionsWithHandler(
  { framework }: Application,
  handler: ts.Expression,
  world: ClosedWorld,
): ts.Expression | undefined {
  return framework === 'fastify' && literalBehind(handler, world.checker) !== undefined ? handler : undefined;
}

function base(
  call: ts.CallExpression,
  application: Application,
): Pick<Route, 'style' | 'application' | 'owner' | 'node'> {
  return { style: application.framework, application, owner: application.node, node: call };
}

/** The path of `app.route('/mcp')` that the verbs after it share. */
function chainedPath(receiver: ts.Expression): ts.Expression | undefined {
  const call = peel(receiver);
  if (!ts.isCallExpression(call)) return undefined;
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined) return undefined;
  if (accessed.member === 'route') return call.arguments[0];
  return verbOf(accessed.member) === undefined ? undefined : chainedPath(accessed.access.expression);
}

/** `app.on(['GET', 'DELETE'], '/mcp', handler)` of Hono */
function methodRoute(call: ts.CallExpression, application: Application, world: ClosedWorld): Route[] {
  const [methods, path, ...handlers] = call.arguments;
  const handler = handlers.at(-1);
  const verbs = methods === undefined || application.framework !== 'hono' ? [] : verbsIn(methods, world);
  if (verbs.length === 0 || path === undefined || handler === undefined) return [];
  const isAlone = ts.isExpressionStatement(call.parent);
  return [
    {
      ...base(call, application),
      verbs,
      path,
      middleware: handlers.slice(0, -1),
      handler,
      options: undefined,
      isAlone,
    },
  ];
}

/** `fastify.route({ method: 'GET', url: '/mcp', handler })` */
function optionsRoute(call: ts.CallExpression, application: Application, world: ClosedWorld): Route[] {
  const [given] = call.arguments;
  const options = given === undefined ? undefined : literalBehind(given, world.checker);
  if (given === undefined || options === undefined || application.framework !== 'fastify') return [];
  const method = valueOf(options, 'method');
  const handler = valueOf(options, 'handler');
  const verbs = method === undefined ? [] : verbsIn(method, world);
  if (verbs.length === 0 || handler === undefined) return [];
  return [
    {
      ...base(call, application),
      verbs,
      path: expressionOf(valueOf(options, 'url') ?? valueOf(options, 'path')),
      middleware: [],
      handler,
      options: given,
      isAlone: ts.isExpressionStatement(call.parent),
    },
  ];
}

function valueOf(options: ts.ObjectLiteralExpression, name: string): ts.Node | undefined {
  const property = propertyOf(options, name);
  if (property === undefined) return undefined;
  if (ts.isPropertyAssignment(property)) return property.initializer;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  return ts.isMethodDeclaration(property) ? property : undefined;
}

function expressionOf(node: ts.Node | undefined): ts.Expression | undefined {
  return node !== undefined && ts.isExpression(node) ? node : undefined;
}

function verbsIn(methods: ts.Node, world: ClosedWorld): Verb[] {
  if (!ts.isExpression(methods)) return [];
  const value = valueBehind(methods, world.checker) ?? methods;
  const each = ts.isArrayLiteralExpression(value) ? [...value.elements] : [value];
  return each.flatMap((one) => (textsOf(one, world) ?? []).flatMap((text) => verbOf(text) ?? []));
}

/** `app.post('/mcp', [auth, limit], handler)` */
function inLists(handler: ts.Expression, world: ClosedWorld): ts.Expression[] {
  const inner = peel(handler);
  const list = ts.isArrayLiteralExpression(inner) ? inner : valueBehind(inner, world.checker);
  return list !== undefined && list === inner && ts.isArrayLiteralExpression(list)
    ? [...list.elements]
    : [handler];
}
