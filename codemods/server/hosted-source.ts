/** A server that is wired to HTTP by hand, as the call that makes it: for a handler that makes its own. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import { contains, dressed, enclosingFunction, peel } from '../../src/analysis/syntax.js';
import { REGISTERING, SERVER_MEMBER, SERVER_SYMBOL } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import { isRepeatable } from './repeatable.js';
import { sourceOf, type HeldIn, type ServerSource } from './server-source.js';

/** The call that makes the server of an entry, if it can be written at another place. */
export function builtElsewhere(
  { call }: ServerEntry,
  group: ServerGroup,
  facts: Facts,
  at: ts.Node,
): ServerSource | Obstacle {
  const callee = peel(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return inline(call);
  const source = sourceOf(callee.expression, group, facts, SERVER_SYMBOL.createMcpHandler);
  if ('at' in source) return source;
  const isWritten =
    ts.isNewExpression(source.made) && group.creations.some(({ node }) => node === source.made);
  const extended = source.variable === undefined ? undefined : extension(source.variable, call, facts);
  if (isWritten || extended !== undefined) return inline(extended ?? call);
  const fixed = (source.made.arguments ?? []).find(
    (argument) => !isRepeatable(argument, facts.world) || !isVisible(argument, at, facts),
  );
  if (fixed === undefined) return source;
  return {
    text: `the server is made with ${fixed.getText()}, which a handler for all requests does not have`,
    at: fixed,
  };
}

function inline(at: ts.Node): Obstacle {
  return {
    text: 'the server is built where it is connected: move that into a function that makes a new one for each call, createServer()',
    at,
  };
}

const BUILDING: ReadonlySet<string> = new Set([
  ...REGISTERING.map(({ member }) => member),
  SERVER_MEMBER.setRequestHandler,
  SERVER_MEMBER.registerCapabilities,
]);

/** Where more is put into the server in front of its connection. */
function extension({ declaration }: HeldIn, call: ts.CallExpression, { world }: Facts): ts.Node | undefined {
  const owner = enclosingFunction(call);
  return referencesOf(world)
    .to(declaration)
    .find((name) => {
      if (name.pos >= call.pos || enclosingFunction(name) !== owner) return false;
      const value = dressed(name);
      const { parent } = value;
      if (ts.isCallExpression(parent) && parent.expression !== value)
        return (
          ts.isExpressionStatement(dressed(parent).parent) || ts.isAwaitExpression(dressed(parent).parent)
        );
      const access = ts.isPropertyAccessExpression(parent) ? parent : undefined;
      const member = access === undefined ? undefined : memberBehind(access);
      return member !== undefined && BUILDING.has(member);
    });
}

/** `registerTool` of `server.registerTool` and of `server.server.registerTool` */
function memberBehind(access: ts.PropertyAccessExpression): string {
  const outer = dressed(access).parent;
  const isAlias = access.name.text === SERVER_MEMBER.server && ts.isPropertyAccessExpression(outer);
  return isAlias ? outer.name.text : access.name.text;
}

/** Whether every name in an expression can be seen at a place. */
function isVisible(expression: ts.Expression, at: ts.Node, { world }: Facts): boolean {
  let visible = true;
  const visit = (node: ts.Node): void => {
    const declaration = ts.isIdentifier(node)
      ? world.checker.getSymbolAtLocation(node)?.valueDeclaration
      : undefined;
    const scope = declaration === undefined ? undefined : scopeOf(declaration);
    const isLocal = declaration?.getSourceFile() === expression.getSourceFile();
    if (isLocal && scope !== undefined && !contains(expression, declaration) && !contains(scope, at))
      visible = false;
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return visible;
}

function scopeOf(declaration: ts.Node): ts.Node | undefined {
  if (ts.isParameter(declaration)) return declaration.parent;
  let scope = declaration.parent as ts.Node | undefined;
  while (scope !== undefined && !ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isClassLike(scope))
    scope = scope.parent;
  return scope !== undefined && ts.isClassLike(scope) ? undefined : scope;
}
