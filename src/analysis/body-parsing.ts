/** Whether the body of a request is parsed before a place among the routes of an Express application. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { valueBehind } from './constants.js';
import { applicationOf, type Application } from './http-frameworks.js';
import type { Route } from './http-route.js';
import { importedName } from './imported-names.js';
import { textsOf } from './method-names.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { referencesOf } from './references.js';
import { accessedMember, contains, peel, propertyOf, statementListOf } from './syntax.js';

/** Routers in routers; more are not worth a guess. */
const DEPTH = 4;

/** `express.json()`, `bodyParser.json()`, also kept in a constant. */
export function isJsonParser(expression: ts.Expression, world: ClosedWorld): boolean {
  const inner = valueBehind(peel(expression), world.checker) ?? peel(expression);
  if (!ts.isCallExpression(inner)) return false;
  const imported = importedName(inner.expression, world);
  const isParser = imported?.name === 'json' && /^(?:express|body-parser)$/.test(imported.module);
  return isParser && takesJson(inner.arguments[0]);
}

/** An option `type` may leave out what clients of MCP send. */
function takesJson(options: ts.Expression | undefined): boolean {
  if (options === undefined) return true;
  const inner = peel(options);
  return ts.isObjectLiteralExpression(inner) && propertyOf(inner, 'type') === undefined;
}

/** Whether one of the route's own middlewares parses. */
export function parsesItself({ middleware }: Route, world: ClosedWorld): boolean {
  return middleware.some((one) => isJsonParser(one, world));
}

/** Whether a parser of the application, or of one that it is mounted on, surely runs before a route. */
export function isParsedBefore(route: Route, world: ClosedWorld): boolean {
  const { application, path } = route;
  return application !== undefined && isParsed(application, route.node, path, world, DEPTH);
}

function isParsed(
  application: Application,
  at: ts.Node,
  path: ts.Expression | undefined,
  world: ClosedWorld,
  depth: number,
): boolean {
  if (depth === 0) return false;
  // The SDK's own applications parse from the start.
  if (/^createMcpExpressApp$/.test(application.imported?.name ?? '')) return true;
  const uses = usesOf(application, world);
  if (uses.some((use) => runsBefore(use, at) && parses(use, path, world))) return true;
  const mounts = mountsOf(application, world);
  if (mounts.length > 0) {
    return mounts.every(
      ({ use, on }) => parses(use, undefined, world) || isParsed(on, use, undefined, world, depth - 1),
    );
  }
  return isParsedByCallers(application, world, depth);
}

/** `addRoutes(app)`: what every caller has done to the application before. */
function isParsedByCallers(application: Application, world: ClosedWorld, depth: number): boolean {
  const { node } = application;
  if (!ts.isParameter(node)) return false;
  const index = node.parent.parameters.indexOf(node);
  const calls = referencesOf(world).callsOf(node.parent);
  return (
    calls.length > 0 &&
    calls.every((call) => {
      const argument = call.arguments?.[index];
      const outer = argument === undefined ? undefined : applicationOf(argument, world);
      return outer !== undefined && outer.node !== node && isParsed(outer, call, undefined, world, depth - 1);
    })
  );
}

/** The calls of `use` on an application, in the order of the text. */
export function usesOf({ node }: Application, world: ClosedWorld): ts.CallExpression[] {
  return allUses(world).flatMap(({ call, application }) => (application.node === node ? [call] : []));
}

interface Use {
  readonly call: ts.CallExpression;
  readonly application: Application;
}

const known = new WeakMap<ClosedWorld, readonly Use[]>();

function allUses(world: ClosedWorld): readonly Use[] {
  const answer =
    known.get(world) ??
    world.sourceFiles.flatMap((file) =>
      nodesOfInterest(file).operations.flatMap((node): Use[] => {
        if (!ts.isCallExpression(node)) return [];
        const accessed = accessedMember(peel(node.expression));
        if (accessed?.member !== 'use') return [];
        const application = applicationOf(accessed.access.expression, world);
        return application === undefined ? [] : [{ call: node, application }];
      }),
    );
  known.set(world, answer);
  return answer;
}

/** Whether a call surely runs before another place: a statement above it in the same list, or in one around it. */
export function runsBefore(call: ts.Node, at: ts.Node): boolean {
  const statement = call.parent;
  if (!ts.isExpressionStatement(statement) || call.getSourceFile() !== at.getSourceFile()) return false;
  const list = statementListOf(statement);
  return list !== undefined && statement.end <= at.getStart() && contains(statement.parent, at);
}

function parses(use: ts.CallExpression, path: ts.Expression | undefined, world: ClosedWorld): boolean {
  const [first, ...rest] = use.arguments;
  if (first === undefined) return false;
  if (isJsonParser(first, world)) return true;
  if (!rest.some((one) => isJsonParser(one, world))) return false;
  const prefix = textsOf(first, world);
  const full = path === undefined ? undefined : textsOf(path, world);
  const [only, ...others] = prefix ?? [];
  if (only === undefined || others.length > 0 || full === undefined) return false;
  return full.every((one) => one === only || one.startsWith(`${only}/`) || only === '/');
}

/** Where a router is mounted: `app.use('/api', router)`. */
function mountsOf({ node }: Application, world: ClosedWorld): { use: ts.CallExpression; on: Application }[] {
  return allUses(world).flatMap(({ call, application }) => {
    const isMount = call.arguments.some(
      (argument) => !ts.isStringLiteralLike(argument) && applicationOf(argument, world)?.node === node,
    );
    return isMount && application.node !== node ? [{ use: call, on: application }] : [];
  });
}
