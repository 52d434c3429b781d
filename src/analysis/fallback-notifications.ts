/** Which changes a client's `fallbackNotificationHandler` is for. */
import { ts } from 'ts-morph';
import { FILTER_FIELDS } from '../protocol/index.js';
import { peel } from './syntax.js';

const CHANGES: readonly string[] = FILTER_FIELDS.map((row) => row.notification);

/**
 * The change notifications that the text of a fallback names. One that names none may still be for all of them, unless
 * it does nothing but for methods that it names.
 */
export function fallbackNotifications(handler: ts.Node): readonly string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && CHANGES.includes(node.text)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(handler);
  if (found.size > 0) return [...found];
  return namesAllItHandles(handler) ? [] : CHANGES;
}

/** `(notification) => { if (notification.method === 'notifications/message') log(notification); }` */
function namesAllItHandles(handler: ts.Node): boolean {
  const body = ts.isFunctionLike(handler) ? (handler as ts.FunctionLikeDeclaration).body : undefined;
  return body !== undefined && ts.isBlock(body) && body.statements.every(isForNamedMethods);
}

function isForNamedMethods(statement: ts.Statement): boolean {
  if (ts.isIfStatement(statement))
    return statement.elseStatement === undefined && comparesMethod(peel(statement.expression));
  return (
    ts.isSwitchStatement(statement) &&
    isMethod(statement.expression) &&
    statement.caseBlock.clauses.every(
      (clause) => ts.isCaseClause(clause) && ts.isStringLiteralLike(peel(clause.expression)),
    )
  );
}

/** Whether a condition holds for named methods alone. */
function comparesMethod(condition: ts.Expression): boolean {
  if (!ts.isBinaryExpression(condition)) return false;
  const [left, right] = [peel(condition.left), peel(condition.right)];
  switch (condition.operatorToken.kind) {
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsToken:
      return (
        (isMethod(left) && ts.isStringLiteralLike(right)) || (isMethod(right) && ts.isStringLiteralLike(left))
      );
    case ts.SyntaxKind.BarBarToken:
      return comparesMethod(left) && comparesMethod(right);
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return comparesMethod(left) || comparesMethod(right);
    default:
      return false;
  }
}

function isMethod(expression: ts.Expression): boolean {
  const inner = peel(expression);
  return ts.isPropertyAccessExpression(inner) && inner.name.text === 'method';
}
