/** Whether a handler is registered before its client is connected, as far as the source proves it. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { namesOf } from './nodes-of-interest.js';
import {
  around,
  dressed,
  enclosingClass,
  enclosingFunction,
  iterationOf,
  statementListOf,
} from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/**
 * - `before`: every run registers first and connects later.
 * - `after`: registered later in the statement list of the connect, at `last`.
 * - `behind`: registered in a function that has awaited the one that connects: `const { client } = await open(); …`.
 * - `unproven`: nothing of this can be shown.
 */
export type RegistrationOrder =
  | { readonly order: 'before' }
  | { readonly order: 'after'; readonly last: ts.Statement }
  | { readonly order: 'behind' }
  | { readonly order: 'unproven' };

const UNPROVEN: RegistrationOrder = { order: 'unproven' };
const BEFORE: RegistrationOrder = { order: 'before' };

/** How many calls are followed from a registration, or from a connect, to where both meet in one function. */
const DEPTH = 3;

/**
 * @param creations where the client is made: what the maker registers before it hands the client out comes first
 */
export function registrationOrder(
  world: ClosedWorld,
  registration: ts.Node,
  connect: ts.Node,
  creations: readonly ts.Node[],
): RegistrationOrder {
  for (const early of stepsTo(registration, (owner) => {
    const iteration = iterationOf(owner);
    return iteration === undefined ? callersOf(world, owner) : [iteration];
  })) {
    for (const late of stepsTo(connect, (owner) => [...soleCaller(world, owner), ...callbackHolder(owner)])) {
      const found = compare(early, late);
      const isDirect = enclosingFunction(connect) === enclosingFunction(late);
      if (found.order === 'before' || (found.order === 'after' && isDirect)) return found;
    }
  }
  const maker = enclosingFunction(registration);
  const madeHere = creations.some((creation) => enclosingFunction(creation) === maker);
  if (madeHere && maker !== enclosingFunction(connect)) return BEFORE;
  return isBehind(world, registration, connect) ? { order: 'behind' } : UNPROVEN;
}

/** Whether the function of the registration has awaited, earlier on, one that connects. */
function isBehind(world: ClosedWorld, registration: ts.Node, connect: ts.Node): boolean {
  const place = enclosingFunction(registration);
  let level = [connect];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    level = level.flatMap((step) => {
      const owner = enclosingFunction(step);
      return owner === undefined ? [] : callersOf(world, owner);
    });
    if (level.some((call) => enclosingFunction(call) === place && isAwaitedEarlier(call, registration)))
      return true;
  }
  return false;
}

function isAwaitedEarlier(call: ts.Node, registration: ts.Node): boolean {
  return (
    call.getSourceFile() === registration.getSourceFile() &&
    call.pos < registration.pos &&
    ts.isAwaitExpression(dressed(call).parent)
  );
}

/** A node, then the places that run the function it stands in, then those that run theirs. */
function stepsTo(node: ts.Node, runners: (owner: ts.SignatureDeclaration) => ts.Node[]): ts.Node[] {
  const steps = [node];
  let level = [node];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    level = level.flatMap((step) => {
      const owner = enclosingFunction(step);
      return owner === undefined ? [] : runners(owner);
    });
    steps.push(...level);
  }
  return steps;
}

/** The one call of a function; none where there are several, for then the order may differ between them. */
function soleCaller(world: ClosedWorld, owner: ts.SignatureDeclaration): ts.Node[] {
  const calls = callersOf(world, owner);
  return calls.length === 1 ? calls : [];
}

/** `await retry(() => client.connect(transport))`: the callback runs when the call does, or later. */
function callbackHolder(owner: ts.SignatureDeclaration): ts.Node[] {
  const argument = dressed(owner);
  return ts.isCallExpression(argument.parent) && argument.parent.expression !== argument
    ? [argument.parent]
    : [];
}

function callersOf(world: ClosedWorld, owner: ts.SignatureDeclaration): ts.Node[] {
  const name =
    ts.isFunctionDeclaration(owner) || ts.isMethodDeclaration(owner) ? owner.name : nameOfHolder(owner);
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
  const symbol = world.checker.getSymbolAtLocation(name);
  const calls: ts.Node[] = [];
  for (const node of namesOf(world).get(name.text) ?? []) {
    if (node === name) continue;
    const access =
      ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
    const callee = dressed(access);
    if (
      ts.isCallExpression(callee.parent) &&
      callee.parent.expression === callee &&
      isSame(world, node, symbol)
    ) {
      calls.push(callee.parent);
    }
  }
  return calls;
}

function isSame(world: ClosedWorld, name: ts.Node, symbol: ts.Symbol | undefined): boolean {
  const target = symbolNamed(name, world.checker);
  if (target === undefined || symbol === undefined) return false;
  return target === symbol || target.declarations?.some((one) => symbol.declarations?.includes(one)) === true;
}

/** Whether a node runs when an object of its class is made: in the constructor, or in a method that only that calls. */
export function runsWhenConstructed(world: ClosedWorld, node: ts.Node): boolean {
  return stepsTo(node, (owner) => soleCaller(world, owner)).some(runsInConstruction);
}

function nameOfHolder(owner: ts.Node): ts.Node | undefined {
  const holder = dressed(owner).parent;
  if (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder)) return holder.name;
  return undefined;
}

function compare(early: ts.Node, late: ts.Node): RegistrationOrder {
  const [one, other] = [enclosingFunction(early), enclosingFunction(late)];
  if (early.getSourceFile() !== late.getSourceFile()) return UNPROVEN;
  if (one === other) return compareInOneFunction(early, late);
  return runsInConstruction(early) && isMethodOf(late, enclosingClass(early)) ? BEFORE : UNPROVEN;
}

function compareInOneFunction(early: ts.Node, late: ts.Node): RegistrationOrder {
  if (early.pos < late.pos) return BEFORE;
  const list = listAround(late);
  if (list === undefined) return UNPROVEN;
  const last = list.find((statement) => statement.pos <= early.pos && early.end <= statement.end);
  const simple =
    last !== undefined && (ts.isExpressionStatement(last) || ts.isVariableStatement(last) || isPlainIf(last));
  return simple ? { order: 'after', last } : UNPROVEN;
}

/** An `if` that only does something: whoever comes behind it has passed it. */
function isPlainIf(statement: ts.Statement): boolean {
  if (!ts.isIfStatement(statement)) return false;
  let jumps = false;
  const visit = (node: ts.Node): void => {
    jumps ||= ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(statement);
  return !jumps;
}

function listAround(node: ts.Node): ts.NodeArray<ts.Statement> | undefined {
  for (let current = node as ts.Node | undefined; current !== undefined; current = current.parent) {
    if (ts.isStatement(current)) {
      const list = statementListOf(current);
      if (list !== undefined) return list;
    }
  }
  return undefined;
}

/** In a constructor, or in the initializer of a field. */
function runsInConstruction(node: ts.Node): boolean {
  const owner = enclosingFunction(node);
  if (owner !== undefined) return ts.isConstructorDeclaration(owner);
  const member = around(node, (each) => ts.isPropertyDeclaration(each) || ts.isClassLike(each));
  return member !== undefined && ts.isPropertyDeclaration(member);
}

function isMethodOf(node: ts.Node, owner: ts.ClassLikeDeclaration | undefined): boolean {
  const found = around(node, (each) => each === owner || ts.isConstructorDeclaration(each));
  return found !== undefined && found === owner;
}
