/** The HTTP routes of a file: what framework, verb, path and handlers each has. */
import { memberCall, parentOf, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { applicationOf, type Framework } from './frameworks.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { objectOf, propertyOf, resolve, stringOf } from './values.js';

/** An HTTP verb in lower case; `all` answers every one. */
export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'head' | 'all';

/** A route. */
export interface Route {
  readonly framework: Framework | 'next';
  readonly verbs: readonly Verb[];
  /** Undefined where it cannot be read. */
  readonly path: string | undefined;
  /** The application that it belongs to; for exported functions the file. */
  readonly application: Node;
  /** What answers, middleware first. */
  readonly handlers: readonly Node[];
  /** The call, or the exported declaration. */
  readonly node: Node;
  /** Where a report on the route belongs. */
  readonly place: Node;
}

const VERBS = new Map<string, Verb>([
  ['get', 'get'],
  ['post', 'post'],
  ['put', 'put'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['del', 'delete'],
  ['options', 'options'],
  ['head', 'head'],
  ['all', 'all'],
]);

const known = new WeakMap<SourceCode, readonly Route[]>();

/** All routes of a file, in the order of the text. */
export function routesOf(sourceCode: SourceCode): readonly Route[] {
  const answer = known.get(sourceCode);
  if (answer !== undefined) return answer;
  const found = [
    ...nodesOf(sourceCode)
      .of('CallExpression')
      .flatMap((call) => routesOfCall(sourceCode, call)),
    ...exportedRoutes(sourceCode),
  ];
  known.set(sourceCode, found);
  return found;
}

function routesOfCall(sourceCode: SourceCode, call: TSESTree.CallExpression): Route[] {
  const called = memberCall(call);
  if (called === undefined) return [];
  const verb = VERBS.get(called.name);
  if (verb === undefined && called.name !== 'on' && called.name !== 'route') return [];
  const application = applicationOf(sourceCode, called.receiver);
  if (application === undefined) return [];
  const base = { ...application, application: application.node, node: call, place: called.callee.property };
  if (verb !== undefined) return verbRoute(sourceCode, call, verb, base);
  if (called.name === 'on') return methodRoute(sourceCode, call, base);
  const [options] = call.arguments;
  return options?.type === 'ObjectExpression' ? optionsRoute(sourceCode, options, base) : [];
}

type Base = Omit<Route, 'verbs' | 'path' | 'handlers'>;

/** `app.post('/mcp', handler)` and `app.route('/mcp').post(handler)`. */
function verbRoute(sourceCode: SourceCode, call: TSESTree.CallExpression, verb: Verb, base: Base): Route[] {
  const chained = chainedPath(call);
  const given: readonly Node[] = chained === undefined ? call.arguments : [chained, ...call.arguments];
  const [path, ...rest] = given;
  // Without a handler `app.get('env')` reads a setting.
  return path === undefined || rest.length === 0
    ? []
    : [{ ...base, verbs: [verb], path: stringOf(sourceCode, path), handlers: flat(sourceCode, rest) }];
}

/** The path of `app.route('/mcp')` that the verbs after it share. */
function chainedPath(call: TSESTree.CallExpression): Node | undefined {
  const called = memberCall(call);
  const before = called === undefined ? undefined : memberCall(peel(called.receiver));
  if (before === undefined) return undefined;
  if (before.name === 'route') return before.call.arguments[0];
  return VERBS.has(before.name) ? chainedPath(before.call) : undefined;
}

/** `app.on(['GET', 'DELETE'], '/mcp', handler)` of Hono. */
function methodRoute(sourceCode: SourceCode, call: TSESTree.CallExpression, base: Base): Route[] {
  const [methods, path, ...handlers] = call.arguments;
  const verbs = methods === undefined || base.framework !== 'hono' ? [] : verbsIn(sourceCode, methods);
  return verbs.length === 0 || path === undefined || handlers.length === 0
    ? []
    : [{ ...base, verbs, path: stringOf(sourceCode, path), handlers }];
}

/** `fastify.route({ method: 'GET', url: '/mcp', handler })`. */
function optionsRoute(sourceCode: SourceCode, options: TSESTree.ObjectExpression, base: Base): Route[] {
  const of = (name: string): Node | undefined => {
    const property = propertyOf(options, name);
    return property === undefined || property === 'unknown' ? undefined : property.value;
  };
  const [method, path, handler] = [of('method'), of('url') ?? of('path'), of('handler')];
  const verbs = method === undefined ? [] : verbsIn(sourceCode, method);
  if (verbs.length === 0 || handler === undefined) return [];
  const before = ['onRequest', 'preHandler'].flatMap((name) => of(name) ?? []);
  return [
    {
      ...base,
      verbs,
      path: path === undefined ? undefined : stringOf(sourceCode, path),
      handlers: [...before, handler],
    },
  ];
}

function verbsIn(sourceCode: SourceCode, methods: Node): Verb[] {
  const value = resolve(sourceCode, methods);
  const each = value.type === 'ArrayExpression' ? value.elements : [value];
  return each.flatMap((one) => VERBS.get(stringOf(sourceCode, one)?.toLowerCase() ?? '') ?? []);
}

/** Handlers, and what Fastify's options object has to say before them. */
function flat(sourceCode: SourceCode, handlers: readonly Node[]): Node[] {
  return handlers.flatMap((one) => {
    const list = resolve(sourceCode, one);
    if (list.type === 'ArrayExpression') return list.elements.filter((element) => element !== null);
    const options = objectOf(sourceCode, one);
    if (options === undefined) return [one];
    return ['onRequest', 'preHandler'].flatMap((name) => {
      const property = propertyOf(options, name);
      return property === undefined || property === 'unknown' ? [] : [property.value];
    });
  });
}

/** `export const GET = …`, `export async function GET() { … }`: the routes of a Next.js or SvelteKit file. */
function exportedRoutes(sourceCode: SourceCode): Route[] {
  return nodesOf(sourceCode)
    .of('ExportNamedDeclaration')
    .flatMap((statement): Route[] => {
      const { declaration } = statement;
      const base = { framework: 'next', path: '', application: sourceCode.ast } as const;
      if (declaration?.type === 'FunctionDeclaration' && declaration.id !== null)
        return exportedRoute(declaration.id, declaration, statement, base);
      if (declaration?.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id, init }) =>
          id.type === 'Identifier' && init !== null ? exportedRoute(id, init, statement, base) : [],
        );
      // export { handler as GET, handler as POST };
      return statement.source === null
        ? statement.specifiers.flatMap(({ local, exported }) =>
            exported.type === 'Identifier' ? exportedRoute(exported, local, statement, base) : [],
          )
        : [];
    });
}

function exportedRoute(
  name: TSESTree.Identifier,
  handler: Node,
  node: Node,
  base: Pick<Route, 'framework' | 'path' | 'application'>,
): Route[] {
  const verb = name.name === name.name.toUpperCase() ? VERBS.get(name.name.toLowerCase()) : undefined;
  return verb === undefined ? [] : [{ ...base, verbs: [verb], handlers: [handler], node, place: name }];
}

/** The function that answers a route at last, where it is written in the file. */
export function answeringFunction(sourceCode: SourceCode, { handlers }: Route) {
  const last = handlers.at(-1);
  return last === undefined ? undefined : functionOf(sourceCode, last);
}

/** Whether two routes belong to one application and path. */
export function isSamePlace(one: Route, other: Route): boolean {
  return one.path !== undefined && one.path === other.path && one.application === other.application;
}

/** The statement that is nothing but this route. */
export function statementOf({ node }: Route): TSESTree.ExpressionStatement | undefined {
  const parent = parentOf(node);
  return parent?.type === 'ExpressionStatement' ? parent : undefined;
}
