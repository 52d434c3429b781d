/** The functions that a server runs for its client's messages, and the contexts that these are handed. */
import { ts } from 'ts-morph';
import { REGISTERING, REQUEST_CONTEXT_TYPES, SERVER_MEMBER } from '../protocol/index.js';
import { createCells } from './cells.js';
import type { ClosedWorld } from './closed-world.js';
import { referencesOf } from './references.js';
import { functionsBehind } from './server-entries.js';
import type { ServerGroup } from './server-group.js';
import { dressed, isFunction, peel } from './syntax.js';

const REGISTERS: ReadonlySet<string> = new Set([
  ...REGISTERING.map(({ member }) => member),
  SERVER_MEMBER.setRequestHandler,
  'setNotificationHandler',
  'tool',
  'prompt',
  'resource',
]);

const known = new WeakMap<ServerGroup, ReadonlySet<ts.Node>>();

/** The functions registered on a server, by their nodes. */
export function requestHandlersOf(world: ClosedWorld, group: ServerGroup): ReadonlySet<ts.Node> {
  const before = known.get(group);
  if (before !== undefined) return before;
  const found = new Set<ts.Node>();
  for (const { access, member } of group.members) {
    const callee = dressed(access);
    if (!REGISTERS.has(member) || !ts.isCallExpression(callee.parent) || callee.parent.expression !== callee)
      continue;
    for (const argument of callee.parent.arguments)
      for (const one of handlersIn(world, argument)) found.add(one);
  }
  known.set(group, found);
  return found;
}

/** A handler, or those that a wrapper is handed: `logged(async () => …)`. */
function handlersIn(world: ClosedWorld, argument: ts.Expression): ts.Node[] {
  const inner = peel(argument);
  if (ts.isObjectLiteralExpression(inner)) return [];
  const wrapped = ts.isCallExpression(inner) ? inner.arguments.flatMap((one) => handlersIn(world, one)) : [];
  return [...functionsBehind(world, inner), ...wrapped];
}

const contexts = new WeakMap<ServerGroup, ReadonlySet<ts.Node>>();

/** The parameters that can hold the context of a request of this server, also in the functions that it is handed on to. */
export function requestContextsOf(world: ClosedWorld, group: ServerGroup): ReadonlySet<ts.Node> {
  const before = contexts.get(group);
  if (before !== undefined) return before;
  const cells = createCells(world);
  const references = referencesOf(world);
  const found = new Set<ts.Node>();
  const queue: ts.ParameterDeclaration[] = [...requestHandlersOf(world, group)].flatMap((handler) =>
    isFunction(handler) ? [...handler.parameters] : [],
  );
  for (let parameter = queue.pop(); parameter !== undefined; parameter = queue.pop()) {
    if (found.has(parameter)) continue;
    found.add(parameter);
    for (const name of ts.isIdentifier(parameter.name) ? references.to(parameter) : []) {
      const argument = dressed(name);
      const call = argument.parent;
      if (!ts.isCallExpression(call) || call.expression === argument) continue;
      const declaration = cells.calledBy(call);
      if (declaration === undefined || world.isOurs(declaration)) continue;
      const next = declaration.parameters[call.arguments.indexOf(argument as ts.Expression)];
      if (next !== undefined && ts.isParameter(next)) queue.push(next);
    }
  }
  contexts.set(group, found);
  return found;
}

/** The parameter that an expression, or the property of one, is taken from; undefined where it is none. */
export function parameterBehind(
  expression: ts.Expression,
  world: ClosedWorld,
): ts.ParameterDeclaration | undefined {
  const inner = peel(expression);
  if (ts.isPropertyAccessExpression(inner)) return parameterBehind(inner.expression, world);
  if (!ts.isIdentifier(inner)) return undefined;
  let declaration: ts.Node | undefined = world.checker.getSymbolAtLocation(inner)?.valueDeclaration;
  while (declaration !== undefined && ts.isBindingElement(declaration))
    declaration = declaration.parent.parent;
  if (declaration === undefined) return undefined;
  if (ts.isParameter(declaration)) return declaration;
  const source = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return source === undefined ? undefined : parameterBehind(source, world);
}

/** Whether a parameter is annotated as the context of a request. */
export function isAnnotatedContext(parameter: ts.ParameterDeclaration): boolean {
  const written = parameter.type?.getText() ?? '';
  return REQUEST_CONTEXT_TYPES.some((name) => new RegExp(`\\b${name}\\b`).test(written));
}
