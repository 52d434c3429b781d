/** How the server that is connected somewhere was made. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import type { Facts } from '../../src/analysis/facts.js';
import { classifyReceiver } from '../../src/analysis/receivers.js';
import { referencesOf } from '../../src/analysis/references.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { SERVER } from '../../src/analysis/subject.js';
import {
  contains,
  dressed,
  enclosingFunction,
  isFunction,
  peel,
  propertyName,
} from '../../src/analysis/syntax.js';
import { SERVER_MEMBER, SERVER_SYMBOL } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';

/** `const { server } = await createServer(config)` */
export interface ServerSource {
  /** The variable that holds what is made; undefined where it is made in the call itself. */
  readonly variable: HeldIn | undefined;
  /** The call or creation. */
  readonly made: ts.CallExpression | ts.NewExpression;
  readonly isAwaited: boolean;
  /** The members that lead from what is made to the server. */
  readonly path: readonly string[];
}

/** A constant that holds a server, or what has it. */
export interface HeldIn {
  readonly declaration: ts.VariableDeclaration | ts.BindingElement;
  readonly name: string;
  readonly statement: ts.VariableStatement;
}

/** The entry that is to call what makes a server, by its name: what is told of it differs. */
export type EntryName = typeof SERVER_SYMBOL.serveStdio | typeof SERVER_SYMBOL.createMcpHandler;

/** Follows the receiver of `connect()` to where it is made. */
export function sourceOf(
  receiver: ts.Expression,
  group: ServerGroup,
  facts: Facts,
  entry: EntryName,
): ServerSource | Obstacle {
  const { root, path } = rootOf(receiver, facts.world);
  if (!ts.isIdentifier(root)) {
    const { made, isAwaited } = withoutAwait(root);
    return made === undefined
      ? outOfReach(receiver, entry)
      : fresh({ variable: undefined, made, isAwaited, path }, group, facts, entry);
  }
  const declaration = facts.world.checker.getSymbolAtLocation(root)?.valueDeclaration;
  if (declaration !== undefined && ts.isParameter(declaration))
    return {
      text: `the server comes to ${nameOfOwner(declaration)} as a parameter: give it the factory instead, for ${entry}`,
      at: receiver,
    };
  const held = declaration === undefined ? undefined : heldIn(declaration);
  if (declaration === undefined || held === undefined || declaration.getSourceFile() !== root.getSourceFile())
    return outOfReach(receiver, entry);
  if (held.statement.modifiers !== undefined)
    return {
      text: `the server is exported, and each ${servedBy(entry)} gets one of its own: export a function that makes it instead`,
      at: receiver,
    };
  const taken = ts.isBindingElement(declaration) ? [propertyOfElement(declaration)] : [];
  const { made, isAwaited } = withoutAwait(held.initializer);
  if (made === undefined) return outOfReach(receiver, entry);
  const other = ts.isBindingElement(declaration) ? usedSibling(declaration, facts.world) : undefined;
  if (other !== undefined)
    return {
      text: `${other} is made with the server and belongs to one instance: make it and undo it inside the factory of ${entry}`,
      at: receiver,
    };
  const { statement, name } = held;
  const variable = { declaration: held.declaration, statement, name };
  return fresh({ variable, made, isAwaited, path: [...taken, ...path] }, group, facts, entry);
}

function servedBy(entry: EntryName): string {
  return entry === SERVER_SYMBOL.serveStdio ? 'connection' : 'request';
}

function outOfReach(receiver: ts.Expression, entry: EntryName): Obstacle {
  return {
    text: `what makes its server is not here: make a new one in a function, and give that to ${entry}(createServer)`,
    at: receiver,
  };
}

function nameOfOwner(parameter: ts.ParameterDeclaration): string {
  const { name } = parameter.parent as { name?: ts.Node };
  return name === undefined ? 'its function' : name.getText();
}

/** The start of a path, and the members behind it; `mcpServer.server` is the same server. */
function rootOf(expression: ts.Expression, world: ClosedWorld): { root: ts.Expression; path: string[] } {
  const inner = peel(expression);
  if (!ts.isPropertyAccessExpression(inner)) return { root: inner, path: [] };
  const isAlias =
    inner.name.text === SERVER_MEMBER.server &&
    classifyReceiver(world, inner.expression, SERVER) === 'instance';
  const { root, path } = rootOf(inner.expression, world);
  return { root, path: isAlias ? path : [...path, inner.name.text] };
}

function withoutAwait(expression: ts.Expression): {
  made: ServerSource['made'] | undefined;
  isAwaited: boolean;
} {
  const inner = peel(expression);
  const isAwaited = ts.isAwaitExpression(inner);
  const made = isAwaited ? peel(inner.expression) : inner;
  return { made: ts.isCallExpression(made) || ts.isNewExpression(made) ? made : undefined, isAwaited };
}

/** A constant, alone in its statement. */
function heldIn(declaration: ts.Declaration): (HeldIn & { initializer: ts.Expression }) | undefined {
  const isElement = ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent);
  const variable = isElement ? declaration.parent.parent : declaration;
  if (!ts.isVariableDeclaration(variable) || variable.initializer === undefined) return undefined;
  const list = variable.parent;
  const isConstant = (list.flags & ts.NodeFlags.Const) !== 0;
  if (!isConstant || !ts.isVariableDeclarationList(list) || list.declarations.length > 1) return undefined;
  const statement = list.parent;
  const { name } = isElement ? declaration : variable;
  if (!ts.isVariableStatement(statement) || !ts.isIdentifier(name)) return undefined;
  const held = isElement ? declaration : variable;
  return { declaration: held, name: name.text, statement, initializer: variable.initializer };
}

function propertyOfElement({ propertyName: property, name }: ts.BindingElement): string {
  return propertyName(property ?? name) ?? '';
}

/** Another name out of the same pattern that something uses. */
function usedSibling(element: ts.BindingElement, world: ClosedWorld): string | undefined {
  const others = (element.parent.elements as readonly ts.ArrayBindingElement[]).flatMap((one) =>
    ts.isBindingElement(one) && one !== element ? [one] : [],
  );
  const used = others.find((one) => referencesOf(world).to(one).length > 1 || !ts.isIdentifier(one.name));
  return used?.name.getText();
}

/** Functions that hand on what another one makes. */
const DEPTH = 4;

function fresh(
  source: ServerSource,
  group: ServerGroup,
  facts: Facts,
  entry: EntryName,
): ServerSource | Obstacle {
  if (makesNew(source.made, group, facts.world, DEPTH)) return source;
  return {
    text: `what makes its server may give the same one twice: ${entry} needs a new one for each call`,
    at: source.made,
  };
}

/** Whether a call makes a server that nobody else has. */
function makesNew(made: ts.Expression, group: ServerGroup, world: ClosedWorld, depth: number): boolean {
  const inner = peel(made);
  if (ts.isAwaitExpression(inner)) return makesNew(inner.expression, group, world, depth);
  if (ts.isNewExpression(inner)) return true;
  if (!ts.isCallExpression(inner) || depth === 0) return false;
  const owners = functionsBehind(world, inner.expression);
  return owners.length > 0 && owners.every((owner) => returnsNew(owner, group, world, depth));
}

function returnsNew(
  owner: ts.SignatureDeclaration,
  group: ServerGroup,
  world: ClosedWorld,
  depth: number,
): boolean {
  const own = group.creations.filter(({ within }) => within === owner);
  if (own.length > 0) return !own.some(({ node }) => isKept(node, owner, world));
  const body = (owner as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return false;
  const calls: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && node !== owner) return;
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && enclosingFunction(node) === owner)
      calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return calls.some((call) =>
    ts.isNewExpression(call)
      ? group.creations.some(({ node }) => isOfClass(call, node, world))
      : makesNew(call, group, world, depth - 1),
  );
}

/** `instance ??= new McpServer(…)`: whoever asks next gets the same one. */
function isKept(creation: ts.Node, owner: ts.Node, world: ClosedWorld): boolean {
  const { parent } = dressed(creation);
  if (!ts.isBinaryExpression(parent)) return false;
  const target = peel(parent.left);
  if (!ts.isIdentifier(target)) return true;
  const declaration = world.checker.getSymbolAtLocation(target)?.valueDeclaration;
  return declaration === undefined || !contains(owner, declaration);
}

/** Whether a `new` constructs the class that a creation stands in. */
function isOfClass(made: ts.NewExpression, creation: ts.Node, world: ClosedWorld): boolean {
  const declaration = world.checker.getTypeAtLocation(made).getSymbol()?.valueDeclaration;
  return declaration !== undefined && contains(declaration, creation);
}
