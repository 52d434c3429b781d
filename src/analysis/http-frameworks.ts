/** The HTTP frameworks whose applications and routers are known, each by what it is imported as. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { importedName, importedTypeName, type ImportedName } from './imported-names.js';
import { referencesOf } from './references.js';
import { dressed, peel } from './syntax.js';
import { returnedExpressions } from './value-sources.js';
import { symbolNamed } from './named-symbol.js';

export type Framework = 'express' | 'fastify' | 'hono' | 'koa';

/** An application or a router. */
export interface Application {
  readonly framework: Framework;
  /** The declaration that all names of it lead to. */
  readonly node: ts.Node;
  /** What makes it, where that is in sight. */
  readonly made: ts.CallExpression | ts.NewExpression | undefined;
  readonly imported: ImportedName | undefined;
}

const MODULES: readonly (readonly [module: RegExp, framework: Framework])[] = [
  [/^express$/, 'express'],
  [/^@types\/express$/, 'express'],
  [/^fastify$/, 'fastify'],
  [/^hono(?:\/|$)/, 'hono'],
  [/^@hono\/zod-openapi$/, 'hono'],
  [/^koa$|^(?:@koa\/router|koa-router)$/, 'koa'],
  [/^@modelcontextprotocol\/(?:express|sdk\/server\/express(?:\.js)?)$/, 'express'],
  [/^@modelcontextprotocol\/hono$/, 'hono'],
  [/^@modelcontextprotocol\/fastify$/, 'fastify'],
];

/** What of those modules makes an application, or is the type of one. */
const NAMES: ReadonlySet<string> = new Set([
  '*',
  'default',
  'Router',
  'Express',
  'Application',
  'IRouter',
  'Fastify',
  'fastify',
  'FastifyInstance',
  'Hono',
  'OpenAPIHono',
  'Koa',
  'createMcpExpressApp',
  'createMcpHonoApp',
  'createMcpFastifyApp',
]);

/** Names that stand for other names; more in a row are not worth a guess. */
const DEPTH = 6;

/** The application that an expression stands for; a chain of routes stands for the one that it begins with. */
export function applicationOf(
  expression: ts.Expression,
  world: ClosedWorld,
  depth = DEPTH,
): Application | undefined {
  const inner = peel(expression);
  if (depth === 0) return undefined;
  if (ts.isAwaitExpression(inner)) return applicationOf(inner.expression, world, depth);
  if (ts.isNewExpression(inner)) return made(inner, inner, world);
  if (ts.isCallExpression(inner)) {
    const making = made(inner, inner, world);
    if (making !== undefined) return making;
    const callee = peel(inner.expression);
    const chained = ts.isPropertyAccessExpression(callee)
      ? applicationOf(callee.expression, world, depth - 1)
      : undefined;
    return chained ?? returnedApplication(inner, world, depth - 1);
  }
  if (!ts.isIdentifier(inner) && !ts.isPropertyAccessExpression(inner)) return undefined;
  const name = ts.isIdentifier(inner) ? inner : inner.name;
  for (const declaration of symbolNamed(name, world.checker)?.declarations ?? []) {
    const found = applicationAt(declaration, world, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The application that a declaration holds. */
function applicationAt(declaration: ts.Node, world: ClosedWorld, depth: number): Application | undefined {
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration)) {
    const found =
      declaration.initializer === undefined
        ? undefined
        : applicationOf(declaration.initializer, world, depth);
    if (found !== undefined)
      return isMaking(found, declaration.initializer) ? { ...found, node: declaration } : found;
    return byType(declaration, declaration.type, world) ?? assignedApplication(declaration, world, depth);
  }
  if (!ts.isParameter(declaration)) return undefined;
  return (
    byType(declaration, declaration.type, world) ??
    pluginInstance(declaration, world, depth) ??
    passedApplication(declaration, world, depth)
  );
}

function isMaking({ made: making }: Application, initializer: ts.Expression | undefined): boolean {
  if (initializer === undefined || making === undefined) return false;
  const inner = peel(initializer);
  return (ts.isAwaitExpression(inner) ? peel(inner.expression) : inner) === making;
}

function made(
  node: ts.CallExpression | ts.NewExpression,
  place: ts.Node,
  world: ClosedWorld,
): Application | undefined {
  const imported = importedName(node.expression, world);
  const framework = imported === undefined ? undefined : frameworkOf(imported);
  return framework === undefined ? undefined : { framework, node: place, made: node, imported };
}

function frameworkOf({ module, name }: ImportedName): Framework | undefined {
  return NAMES.has(name) ? MODULES.find(([pattern]) => pattern.test(module))?.[1] : undefined;
}

function byType(place: ts.Node, type: ts.TypeNode | undefined, world: ClosedWorld): Application | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
  const imported = importedTypeName(type.typeName, world);
  const framework = imported === undefined ? undefined : frameworkOf(imported);
  return framework === undefined ? undefined : { framework, node: place, made: undefined, imported };
}

/** `function createApp() { const app = express(); return app; }` */
function returnedApplication(
  call: ts.CallExpression,
  world: ClosedWorld,
  depth: number,
): Application | undefined {
  const declaration = world.checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration) || world.isOurs(declaration))
    return undefined;
  for (const returned of returnedExpressions(declaration)) {
    const found = applicationOf(returned, world, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `this.app = express();` */
function assignedApplication(
  declaration: ts.VariableDeclaration | ts.PropertyDeclaration,
  world: ClosedWorld,
  depth: number,
): Application | undefined {
  // Nothing is assigned to a constant: its uses, in all of the program for a name like `map`, need not be looked for.
  if ((ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0) return undefined;
  for (const name of referencesOf(world).to(declaration)) {
    const access =
      ts.isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name;
    const { parent } = dressed(access);
    const isAssigned =
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      peel(parent.left) === access;
    const found = isAssigned ? applicationOf(parent.right, world, depth) : undefined;
    if (found !== undefined) return { ...found, node: declaration };
  }
  return undefined;
}

/** `fastify.register(async (instance) => …)`: an instance of its own, with what the outer one has. */
function pluginInstance(
  parameter: ts.ParameterDeclaration,
  world: ClosedWorld,
  depth: number,
): Application | undefined {
  const argument = dressed(parameter.parent);
  const call = argument.parent;
  if (parameter.parent.parameters[0] !== parameter || !ts.isCallExpression(call)) return undefined;
  const callee = peel(call.expression);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'register') return undefined;
  const outer = applicationOf(callee.expression, world, depth);
  return outer?.framework === 'fastify' ? { ...outer, node: parameter, made: undefined } : undefined;
}

/** `addRoutes(app)`: what the caller hands over. */
function passedApplication(
  parameter: ts.ParameterDeclaration,
  world: ClosedWorld,
  depth: number,
): Application | undefined {
  const owner = parameter.parent;
  const index = owner.parameters.indexOf(parameter);
  const found = referencesOf(world)
    .callsOf(owner)
    .map((call) => {
      const argument = call.arguments?.[index];
      return argument === undefined ? undefined : applicationOf(argument, world, depth);
    });
  const [first] = found;
  if (first === undefined || found.some((one) => one?.framework !== first.framework)) return undefined;
  return found.every((one) => one?.node === first.node)
    ? first
    : { ...first, node: parameter, made: undefined };
}
