/** Where the value of a cell goes. */
import { ts } from 'ts-morph';
import { MAPPING_METHODS, type Cell } from './cells.js';
import { accessedMember, dressed, enclosingFunction, isExported, peel } from './syntax.js';
import type { Flow, MemberUse } from './flow.js';
import { classifyReceiver } from './receivers.js';
import { isTakenByKey, takeApart, takeByAssignment } from './taken-members.js';

/** Unites a cell with everything that its value can be put into, and notes what is done with the value. */
export function followUses(flow: Flow, cell: Cell): void {
  if (ts.isNewExpression(cell)) {
    flowOut(flow, cell, cell);
  } else if (ts.isFunctionLike(cell)) {
    followResult(flow, cell);
  } else if (ts.isClassLike(cell)) {
    followThis(flow, cell);
  } else {
    if (isExported(cell)) flow.escape(cell, cell);
    // A seed that nothing in sight explains is its own cell: what is done with it stands around it.
    if (ts.isExpression(cell) && !ts.isBinaryExpression(cell)) flowOut(flow, cell, cell);
    for (const reference of flow.references.to(cell)) followReference(flow, cell, reference);
    if (isBinding(cell) && ts.isObjectBindingPattern(cell.name)) takeApart(flow, cell, cell.name);
  }
}

function isBinding(cell: Cell): cell is ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement {
  return ts.isVariableDeclaration(cell) || ts.isParameter(cell) || ts.isBindingElement(cell);
}

function followResult(flow: Flow, cell: ts.SignatureDeclaration): void {
  if (ts.isAccessor(cell)) {
    for (const reference of flow.references.to(cell)) followReference(flow, cell, reference);
    return;
  }
  const calls = flow.references.callsOf(cell);
  for (const call of calls) if (ts.isCallExpression(call)) flowOut(flow, cell, call);
  // `{ useFactory: () => client }`: whoever calls it is out of sight.
  if (calls.length === 0 && ts.isPropertyAssignment(dressed(cell).parent)) flow.escape(cell, cell);
  // An inline callback's result goes into what the container's method returns.
  const argument = dressed(cell);
  if (ts.isCallExpression(argument.parent) && argument.parent.expression !== argument) {
    const declaration = flow.cells.calledBy(argument.parent);
    if (declaration === undefined) flow.escape(cell, argument);
    else if (flow.world.isOurs(declaration)) flowOut(flow, cell, argument.parent);
  }
  if (isExported(cell)) flow.escape(cell, cell);
}

function followThis(flow: Flow, cell: ts.ClassLikeDeclaration): void {
  const visit = (node: ts.Node): void => {
    if (
      (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword) &&
      flow.cells.of(node as ts.Expression).includes(cell)
    )
      flowOut(flow, cell, node);
    if (!ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  for (const member of cell.members) ts.forEachChild(member, visit);
}

function followReference(flow: Flow, cell: Cell, reference: ts.Identifier | ts.PrivateIdentifier): void {
  const parent = reference.parent;
  if (ts.isPropertyAccessExpression(parent) && parent.name === reference) {
    flowOut(flow, cell, parent);
  } else if (ts.isBindingElement(parent)) {
    if (parent !== cell) flow.unite(cell, parent);
  } else if (ts.isShorthandPropertyAssignment(parent)) {
    if (parent !== cell) flow.unite(cell, parent);
  } else if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent) || ts.isImportClause(parent)) {
    return;
  } else if ((parent as ts.NamedDeclaration).name === reference && !ts.isJsxAttribute(parent)) {
    return; // a declaration's own name
  } else {
    flowOut(flow, cell, reference);
  }
}

function flowOut(flow: Flow, cell: Cell, start: ts.Node): void {
  const node = dressed(start);
  const parent = node.parent;
  const accessed = accessedMember(parent);
  if (accessed?.access.expression === node) {
    followMember(flow, cell, accessed);
  } else if (ts.isElementAccessExpression(parent) && parent.expression === node) {
    // client[name], or clients[name]
    if (isTakenByKey(flow, parent)) flow.taken(cell, { node: parent, key: parent.argumentExpression });
    else flowOut(flow, cell, parent);
  } else if (
    ts.isAwaitExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isArrayLiteralExpression(parent)
  ) {
    flowOut(flow, cell, parent);
  } else if (ts.isVariableDeclaration(parent)) {
    followPattern(flow, cell, parent.name, parent);
  } else if (ts.isForOfStatement(parent) && parent.expression === node) {
    const variable = ts.isVariableDeclarationList(parent.initializer)
      ? parent.initializer.declarations[0]
      : undefined;
    if (variable !== undefined) followPattern(flow, cell, variable.name, variable);
  } else if (ts.isBinaryExpression(parent)) {
    followBinary(flow, cell, node, parent);
  } else if (ts.isConditionalExpression(parent)) {
    if (parent.condition !== node) flowOut(flow, cell, parent);
  } else if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    if (parent.expression !== node) followArgument(flow, cell, node, parent);
  } else if (ts.isReturnStatement(parent) || ts.isYieldExpression(parent)) {
    const owner = enclosingFunction(parent);
    if (owner !== undefined) flow.unite(cell, owner);
  } else if (ts.isArrowFunction(parent)) {
    flow.unite(cell, parent);
  } else if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
    flow.unite(cell, parent);
  } else if (ts.isJsxExpression(parent)) {
    followAttribute(flow, cell, node, parent);
  } else if (ts.isExportAssignment(parent) || ts.isComputedPropertyName(parent)) {
    flow.escape(cell, node);
  } else if (ts.isParameter(parent) || ts.isBindingElement(parent)) {
    flow.unite(cell, parent);
  }
  // Everything else reads the value and keeps nothing: conditions, typeof, comparisons, templates, statements.
}

function followMember(flow: Flow, cell: Cell, use: MemberUse): void {
  const name = ts.isPropertyAccessExpression(use.access) ? use.access.name : use.access.argumentExpression;
  const declarations = flow.world.checker.getSymbolAtLocation(name)?.declarations ?? [];
  const isContainer =
    declarations.length > 0 &&
    declarations.every((declaration) => flow.world.isOurs(declaration) && !flow.world.isSdk(declaration));
  if (!isContainer) {
    flow.member(cell, use);
    if (use.member === flow.subject.alias && isAlias(flow, use)) flowOut(flow, cell, use.access);
    return;
  }
  // A container's method hands its values on: clients.get(name), promise.then(…), clients.values().
  const callee = dressed(use.access);
  if (ts.isCallExpression(callee.parent) && callee.parent.expression === callee) {
    for (const argument of callee.parent.arguments) {
      const inner = peel(argument);
      const first =
        ts.isArrowFunction(inner) || ts.isFunctionExpression(inner) ? inner.parameters[0] : undefined;
      if (first !== undefined) followPattern(flow, cell, first.name, first);
    }
    if (!MAPPING_METHODS.has(use.member)) flowOut(flow, cell, callee.parent);
  } else if (!COUNTS.has(use.member)) {
    flowOut(flow, cell, use.access);
  }
}

/** How many there are is none of them. */
const COUNTS: ReadonlySet<string> = new Set(['size', 'length']);

/** `mcpServer.server`: the same server by another face. */
function isAlias({ world, subject }: Flow, { access }: MemberUse): boolean {
  return classifyReceiver(world, access, subject) !== 'other';
}

/** A value bound to a name, or taken apart: a tuple's parts may each be it, an object's parts are its own cells. */
function followPattern(flow: Flow, cell: Cell, name: ts.BindingName, declaration: Cell): void {
  if (ts.isIdentifier(name)) {
    flow.unite(cell, declaration);
  } else if (ts.isArrayBindingPattern(name)) {
    for (const element of name.elements) {
      if (ts.isBindingElement(element)) followPattern(flow, cell, element.name, element);
    }
  } else {
    takeApart(flow, cell, name);
  }
}

function followBinary(flow: Flow, cell: Cell, node: ts.Node, parent: ts.BinaryExpression): void {
  switch (parent.operatorToken.kind) {
    case ts.SyntaxKind.EqualsToken:
    case ts.SyntaxKind.QuestionQuestionEqualsToken:
    case ts.SyntaxKind.BarBarEqualsToken:
    case ts.SyntaxKind.AmpersandAmpersandEqualsToken: {
      const other = node === parent.left ? parent.right : parent.left;
      const target = peel(parent.left);
      if (node === parent.right && ts.isObjectLiteralExpression(target))
        takeByAssignment(flow, cell, target, parent.right);
      flow.uniteAll(cell, flow.cells.of(other));
      if (node === parent.right) flowOut(flow, cell, parent);
      return;
    }
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      flowOut(flow, cell, parent);
      return;
    case ts.SyntaxKind.AmpersandAmpersandToken:
    case ts.SyntaxKind.CommaToken:
      if (node === parent.right) flowOut(flow, cell, parent);
      return;
    default:
  }
}

function followArgument(
  flow: Flow,
  cell: Cell,
  node: ts.Node,
  call: ts.CallExpression | ts.NewExpression,
): void {
  if (ts.isCallExpression(call) && flow.isConsumer(call)) return;
  const declaration = flow.cells.calledBy(call);
  if (declaration === undefined) {
    if (!isStateSetter(flow, call)) flow.escape(cell, node);
  } else if (flow.world.isSdk(declaration)) {
    return;
  } else if (flow.world.isOurs(declaration)) {
    const callee = peel(call.expression);
    const holder = ts.isPropertyAccessExpression(callee) ? flow.cells.of(callee.expression) : [];
    flow.uniteAll(cell, holder);
    flowOut(flow, cell, call);
  } else {
    const index = call.arguments?.findIndex((argument) => argument === node) ?? -1;
    const parameter = declaration.parameters[Math.min(index, declaration.parameters.length - 1)];
    if (index >= 0 && parameter !== undefined && ts.isParameter(parameter)) {
      followPattern(flow, cell, parameter.name, parameter);
    }
  }
}

/** `<Panel client={client} />`: the property of what the component takes. */
function followAttribute(flow: Flow, cell: Cell, node: ts.Node, expression: ts.JsxExpression): void {
  const attribute = expression.parent;
  const element = ts.isJsxAttribute(attribute) ? attribute.parent.parent : undefined;
  const properties =
    element === undefined || !ts.isJsxAttribute(attribute)
      ? []
      : flow.cells.ofProperty(componentProperties(flow, element), attribute.name.getText());
  if (properties.length === 0) flow.escape(cell, node);
  else flow.uniteAll(cell, properties);
}

function componentProperties(flow: Flow, element: ts.JsxOpeningLikeElement): ts.Type | undefined {
  const { checker } = flow.world;
  const [signature] = checker.getTypeAtLocation(element.tagName).getCallSignatures();
  const parameter = signature?.getParameters()[0];
  return parameter === undefined ? undefined : checker.getTypeOfSymbol(parameter);
}

function isStateSetter(flow: Flow, call: ts.CallExpression | ts.NewExpression): boolean {
  const callee = peel(call.expression);
  const declaration = ts.isIdentifier(callee)
    ? flow.world.checker.getSymbolAtLocation(callee)?.declarations?.[0]
    : undefined;
  return (
    declaration !== undefined &&
    ts.isBindingElement(declaration) &&
    ts.isArrayBindingPattern(declaration.parent)
  );
}
