/** Small questions about syntax that several parts of the analysis ask. */
import { ts } from 'ts-morph';

/** The expression without parentheses, `as`, `satisfies`, `<T>` and `!`. */
export function peel(node: ts.Expression): ts.Expression {
  let current = node;
  while (
    ts.isParenthesizedExpression(current) ||
    ts.isAsExpression(current) ||
    ts.isSatisfiesExpression(current) ||
    ts.isTypeAssertionExpression(current) ||
    ts.isNonNullExpression(current)
  ) {
    current = current.expression;
  }
  return current;
}

/** The outermost node that is only a dressing of this expression: the reverse of {@link peel}. */
export function dressed(node: ts.Node): ts.Node {
  let current = node;
  while (
    ts.isParenthesizedExpression(current.parent) ||
    ts.isAsExpression(current.parent) ||
    ts.isSatisfiesExpression(current.parent) ||
    ts.isTypeAssertionExpression(current.parent) ||
    ts.isNonNullExpression(current.parent)
  ) {
    current = current.parent;
  }
  return current;
}

/** The text of a string literal without substitutions, also behind `as const`. */
export function literalText(node: ts.Node | undefined): string | undefined {
  if (node === undefined || !ts.isExpression(node)) return undefined;
  const inner = peel(node);
  return ts.isStringLiteralLike(inner) ? inner.text : undefined;
}

/** The innermost node around this one, itself left out, that passes. */
export function around<T extends ts.Node>(
  node: ts.Node,
  passes: (candidate: ts.Node) => candidate is T,
): T | undefined;
export function around(node: ts.Node, passes: (candidate: ts.Node) => boolean): ts.Node | undefined;
export function around(node: ts.Node, passes: (candidate: ts.Node) => boolean): ts.Node | undefined {
  let current = node.parent as ts.Node | undefined;
  while (current !== undefined && !passes(current)) current = current.parent;
  return current;
}

/** The innermost function, method, accessor or constructor around a node; undefined at the top of a module. */
export function enclosingFunction(node: ts.Node): ts.SignatureDeclaration | undefined {
  const owner = around(node, runsOnItsOwn);
  return owner === undefined || ts.isClassStaticBlockDeclaration(owner) ? undefined : owner;
}

function runsOnItsOwn(node: ts.Node): node is ts.SignatureDeclaration | ts.ClassStaticBlockDeclaration {
  return (ts.isFunctionLike(node) && !ts.isTypeNode(node)) || ts.isClassStaticBlockDeclaration(node);
}

/** The innermost class around a node. */
export function enclosingClass(node: ts.Node): ts.ClassLikeDeclaration | undefined {
  return around(node, ts.isClassLike);
}

/** The list that a statement stands in; undefined for a body without braces. */
export function statementListOf(statement: ts.Statement): ts.NodeArray<ts.Statement> | undefined {
  const { parent } = statement;
  if (
    ts.isBlock(parent) ||
    ts.isSourceFile(parent) ||
    ts.isModuleBlock(parent) ||
    ts.isCaseOrDefaultClause(parent)
  ) {
    return parent.statements;
  }
  return undefined;
}

/** Whether `inner` lies within `outer` (or is it). */
export function contains(outer: ts.Node, inner: ts.Node): boolean {
  return outer.getSourceFile() === inner.getSourceFile() && outer.pos <= inner.pos && inner.end <= outer.end;
}

/** The property of an object literal by its plain name. */
export function propertyOf(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return object.properties.find(
    (property) => property.name !== undefined && propertyName(property.name) === name,
  );
}

/** The text of a property's name when it is plain: an identifier or a string. */
export function propertyName(name: ts.PropertyName | ts.BindingName): string | undefined {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name)) return literalText(name.expression);
  return undefined;
}

/** The member that an access names: `a.b`, `a?.b`, `a['b']`. */
export function accessedMember(
  node: ts.Node,
): { access: ts.PropertyAccessExpression | ts.ElementAccessExpression; member: string } | undefined {
  if (ts.isPropertyAccessExpression(node)) return { access: node, member: node.name.text };
  if (ts.isElementAccessExpression(node)) {
    const member = literalText(node.argumentExpression);
    return member === undefined ? undefined : { access: node, member };
  }
  return undefined;
}

/** Whether evaluating the expression twice (or later) is the same as once: names, `this` and plain members of them. */
export function isPlainPath(node: ts.Expression): boolean {
  const inner = peel(node);
  if (ts.isIdentifier(inner) || inner.kind === ts.SyntaxKind.ThisKeyword) return true;
  return ts.isPropertyAccessExpression(inner) && isPlainPath(inner.expression);
}

/** The call of `list.forEach(callback)` or `map`: its callback runs where it stands. */
export function iterationOf(callback: ts.Node): ts.CallExpression | undefined {
  const argument = dressed(callback);
  const call = argument.parent;
  if (!ts.isCallExpression(call) || call.expression === argument) return undefined;
  const callee = call.expression;
  const isIteration = ts.isPropertyAccessExpression(callee) && ['forEach', 'map'].includes(callee.name.text);
  return isIteration ? call : undefined;
}

/** Whether a node is a function of any kind: declaration, method, accessor, constructor, arrow. */
export function isFunction(node: ts.Node): node is ts.SignatureDeclaration {
  return ts.isFunctionLike(node);
}

/** Whether a declaration is exported where it stands; a variable is so by its statement. */
export function isExported(declaration: ts.Node): boolean {
  const holder = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return (
    ts.canHaveModifiers(holder) &&
    ts.getModifiers(holder)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** Whether a name or access is what an assignment of any kind writes to. */
export function isAssigned(access: ts.Node): boolean {
  const place = dressed(access);
  const { parent } = place;
  return ts.isBinaryExpression(parent) && parent.left === place && isAssignment(parent.operatorToken.kind);
}

/** `=`, `+=`, `??=` and their like */
export function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

/** Whether a name is the member of an access: `b` in `a.b` */
export function isMemberName(name: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(name.parent) && name.parent.name === name;
}

/** Whether a function may wait inside. */
export function isAsync(owner: ts.Node | undefined): boolean {
  return (
    owner !== undefined &&
    ts.canHaveModifiers(owner) &&
    ts.getModifiers(owner)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true
  );
}
