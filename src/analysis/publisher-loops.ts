/** Loops around a publisher: over sessions, so that it emits once for each, or over what it emits. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { around, contains, isFunction, iterationOf } from './syntax.js';

/** A loop, or the call of `forEach` or `map` that stands for one. */
export type Loop = ts.ForOfStatement | ts.ForInStatement | ts.CallExpression;

/** The outermost loop around a call whose own variable decides which server (or session) is called. */
export function fanOutAround(
  world: ClosedWorld,
  call: ts.CallExpression,
  receivers: readonly ts.Expression[],
): Loop | undefined {
  return loopsAround(call).findLast((loop) => receivers.some((one) => comesFromLoop(world, one, loop)));
}

/** The loops around a node up to the function that it runs in, innermost first. */
export function loopsAround(node: ts.Node): Loop[] {
  const loops: Loop[] = [];
  around(node, (current) => {
    if (ts.isForOfStatement(current) || ts.isForInStatement(current)) {
      if (contains(current.statement, node)) loops.push(current);
    } else if (isFunction(current)) {
      const iteration = iterationOf(current);
      if (iteration !== undefined) loops.push(iteration);
      return iteration === undefined;
    }
    return false;
  });
  return loops;
}

/** Whether an expression names something that a loop makes anew for each round. */
export function comesFromLoop(world: ClosedWorld, expression: ts.Node, loop: Loop, depth = 4): boolean {
  if (depth === 0) return false;
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isIdentifier(node)) found = isMadeBy(world, node, loop, depth);
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return found;
}

function isMadeBy(world: ClosedWorld, name: ts.Identifier, loop: Loop, depth: number): boolean {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? world.checker.getShorthandAssignmentValueSymbol(name.parent)
    : world.checker.getSymbolAtLocation(name);
  let declaration: ts.Node | undefined = symbol?.valueDeclaration;
  if (declaration === undefined || !contains(loop, declaration)) return false;
  while (ts.isBindingElement(declaration)) declaration = declaration.parent.parent;
  if (ts.isParameter(declaration)) return iterationOf(declaration.parent) === loop;
  if (!ts.isVariableDeclaration(declaration)) return false;
  if (declaration.parent.parent === loop) return true;
  return (
    declaration.initializer !== undefined && comesFromLoop(world, declaration.initializer, loop, depth - 1)
  );
}
