/** Whether an expression means the same when it is evaluated later and more than once. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { referencesOf } from '../../src/analysis/references.js';
import { contains, enclosingFunction, isAssigned, peel } from '../../src/analysis/syntax.js';

/** Names that nothing is put into later, their members, and literals of them. */
export function isRepeatable(expression: ts.Expression, world: ClosedWorld): boolean {
  const inner = peel(expression);
  const all = (parts: readonly ts.Expression[]): boolean => parts.every((part) => isRepeatable(part, world));
  if (ts.isIdentifier(inner)) return isSettled(inner, world);
  if (inner.kind === ts.SyntaxKind.ThisKeyword || isLiteral(inner)) return true;
  if (ts.isPropertyAccessExpression(inner)) return all([inner.expression]);
  if (ts.isElementAccessExpression(inner)) return all([inner.expression, inner.argumentExpression]);
  if (ts.isBinaryExpression(inner)) return isChoice(inner) && all([inner.left, inner.right]);
  if (ts.isConditionalExpression(inner)) return all([inner.condition, inner.whenTrue, inner.whenFalse]);
  if (ts.isTemplateExpression(inner)) return all(inner.templateSpans.map((span) => span.expression));
  if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) return true;
  if (!ts.isObjectLiteralExpression(inner)) return false;
  return inner.properties.every((property) => {
    if (ts.isShorthandPropertyAssignment(property)) return isSettled(property.name, world);
    return ts.isPropertyAssignment(property) && isRepeatable(property.initializer, world);
  });
}

function isLiteral(node: ts.Expression): boolean {
  return (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

function isChoice({ operatorToken }: ts.BinaryExpression): boolean {
  return [
    ts.SyntaxKind.QuestionQuestionToken,
    ts.SyntaxKind.BarBarToken,
    ts.SyntaxKind.AmpersandAmpersandToken,
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ].includes(operatorToken.kind);
}

/** A constant, an import, a global, or a variable that nothing is put into. */
function isSettled(name: ts.Identifier, world: ClosedWorld): boolean {
  const { checker } = world;
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) return true;
  const list = ts.isVariableDeclaration(declaration) ? declaration.parent : undefined;
  if (list !== undefined && (list.flags & ts.NodeFlags.Const) !== 0) return true;
  return !referencesOf(world).to(declaration).some(isWritten);
}

/** A variable that statements read as they run and that something is put into behind them: later, it is another. */
export function changedBehind(statement: ts.Statement, world: ClosedWorld): ts.Identifier | undefined {
  let found: ts.Identifier | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined || ts.isFunctionLike(node)) return;
    if (ts.isIdentifier(node) && isChanged(node, statement, world)) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

function isChanged(name: ts.Identifier, statement: ts.Statement, world: ClosedWorld): boolean {
  const declaration = world.checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (declaration === undefined || contains(statement, declaration)) return false;
  if (!ts.isVariableDeclaration(declaration) && !ts.isParameter(declaration)) return false;
  const owner = enclosingFunction(statement);
  return referencesOf(world)
    .to(declaration)
    .some((one) => isWritten(one) && (one.pos > statement.pos || enclosingFunction(one) !== owner));
}

function isWritten(name: ts.Node): boolean {
  const { parent } = name;
  return ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent) || isAssigned(name);
}
