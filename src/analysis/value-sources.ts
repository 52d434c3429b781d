/** Where the value of a cell comes from. */
import { ts } from 'ts-morph';
import type { Cell } from './cells.js';
import { dressed, peel, propertyName } from './syntax.js';
import type { Flow } from './flow.js';

/** Unites a cell with everything that can put a value into it. */
export function followSources(flow: Flow, cell: Cell): void {
  if (ts.isVariableDeclaration(cell)) {
    followVariable(flow, cell);
  } else if (ts.isBindingElement(cell)) {
    followBindingElement(flow, cell);
  } else if (ts.isParameter(cell)) {
    followParameter(flow, cell);
  } else if (ts.isPropertyDeclaration(cell) || ts.isPropertyAssignment(cell)) {
    if (cell.initializer !== undefined) flow.uniteAll(cell, flow.cells.of(cell.initializer));
    if (ts.isPropertyAssignment(cell)) followContextualProperty(flow, cell);
  } else if (ts.isShorthandPropertyAssignment(cell)) {
    flow.uniteAll(cell, flow.cells.ofSymbol(flow.world.checker.getShorthandAssignmentValueSymbol(cell)));
    followContextualProperty(flow, cell);
  } else if (ts.isBinaryExpression(cell)) {
    flow.uniteAll(cell, flow.cells.of(cell.right));
  } else if (ts.isExportAssignment(cell)) {
    flow.uniteAll(cell, flow.cells.of(cell.expression));
  } else if (ts.isFunctionLike(cell)) {
    for (const returned of returnedExpressions(cell)) flow.uniteAll(cell, flow.cells.of(returned));
  }
}

function followVariable(flow: Flow, cell: ts.VariableDeclaration): void {
  const loop = cell.parent.parent;
  if (ts.isForOfStatement(loop)) flow.uniteAll(cell, flow.cells.of(loop.expression));
  else if (cell.initializer !== undefined) flow.uniteAll(cell, flow.cells.of(cell.initializer));
}

function followBindingElement(flow: Flow, cell: ts.BindingElement): void {
  if (cell.initializer !== undefined) flow.uniteAll(cell, flow.cells.of(cell.initializer));
  const pattern = cell.parent;
  if (ts.isObjectBindingPattern(pattern)) {
    const name = propertyName(cell.propertyName ?? cell.name);
    if (name !== undefined)
      flow.uniteAll(cell, flow.cells.ofProperty(flow.world.checker.getTypeAtLocation(pattern), name));
    return;
  }
  let holder: ts.Node = pattern.parent;
  while (ts.isBindingElement(holder)) holder = holder.parent.parent;
  if (ts.isVariableDeclaration(holder)) {
    const loop = holder.parent.parent;
    const source = ts.isForOfStatement(loop) ? loop.expression : holder.initializer;
    if (source !== undefined) flow.uniteAll(cell, flow.cells.of(source));
    followStateSetter(flow, cell, holder);
  } else if (ts.isParameter(holder)) {
    flow.unite(cell, holder);
  }
}

/** `const [client, setClient] = useState()`: what is handed to the setter becomes the value. */
function followStateSetter(flow: Flow, cell: ts.BindingElement, variable: ts.VariableDeclaration): void {
  const pattern = variable.name;
  if (!ts.isArrayBindingPattern(pattern) || pattern.elements.length !== 2) return;
  const [value, setter] = pattern.elements;
  if (value !== cell || setter === undefined || !ts.isBindingElement(setter) || !ts.isIdentifier(setter.name))
    return;
  const call = variable.initializer === undefined ? undefined : peel(variable.initializer);
  if (call === undefined || !ts.isCallExpression(call)) return;
  for (const reference of flow.references.to(setter)) {
    const use = dressed(reference);
    if (!ts.isCallExpression(use.parent) || use.parent.expression !== use) continue;
    for (const argument of use.parent.arguments) flow.uniteAll(cell, flow.cells.ofArgument(argument));
  }
}

function followParameter(flow: Flow, cell: ts.ParameterDeclaration): void {
  if (cell.initializer !== undefined) flow.uniteAll(cell, flow.cells.of(cell.initializer));
  const owner = cell.parent;
  const index = owner.parameters.indexOf(cell);
  let seen = followCallbackParameter(flow, cell, owner);
  for (const call of flow.references.callsOf(owner)) {
    seen = true;
    const passed =
      cell.dotDotDotToken === undefined
        ? call.arguments?.slice(index, index + 1)
        : call.arguments?.slice(index);
    for (const argument of passed ?? []) {
      const cells = flow.cells.of(argument);
      flow.uniteAll(cell, cells);
    }
  }
  if (!seen) flow.origin(cell);
}

/** `clients.forEach((client) => …)`, `.then((client) => …)`: the container is what the parameter comes from. */
function followCallbackParameter(flow: Flow, cell: Cell, owner: ts.Node): boolean {
  const argument = dressed(owner);
  const call = argument.parent;
  if (!ts.isCallExpression(call) || call.expression === argument) return false;
  const declaration = flow.cells.calledBy(call);
  const callee = peel(call.expression);
  if (declaration === undefined || !flow.world.isOurs(declaration) || !ts.isPropertyAccessExpression(callee))
    return false;
  flow.uniteAll(cell, flow.cells.of(callee.expression));
  return true;
}

function followContextualProperty(
  flow: Flow,
  cell: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
): void {
  const name = propertyName(cell.name);
  if (name === undefined) return;
  flow.uniteAll(cell, flow.cells.ofProperty(flow.world.checker.getContextualType(cell.parent), name));
}

/** What a function returns, without the functions inside it. */
export function returnedExpressions(owner: ts.SignatureDeclaration): ts.Expression[] {
  const body = (owner as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isReturnStatement(node) || ts.isYieldExpression(node)) && node.expression !== undefined)
      found.push(node.expression);
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}
