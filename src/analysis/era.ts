/** Which era a client may negotiate, and on which era a place of the code can run. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, CLIENT_OPTION, type Era } from '../protocol/index.js';
import { peel, propertyOf, statementListOf } from './syntax.js';

/**
 * What a client was told about eras: `none` and `legacy` keep it on the legacy era, `auto` and `pin` may or must reach
 * the modern one, `unknown` cannot be read from the source.
 */
export type EraOption = 'none' | 'legacy' | 'auto' | 'pin' | 'unknown';

/** Reads the era from the second argument of `new Client(info, options)`. */
export function eraOfOptions(options: ts.Expression | undefined, checker: ts.TypeChecker): EraOption {
  if (options === undefined) return 'none';
  const literal = literalBehind(options, checker);
  if (literal === undefined) return 'unknown';
  const negotiation = propertyOf(literal, CLIENT_OPTION.versionNegotiation);
  if (negotiation === undefined) {
    return literal.properties.some((property) => ts.isSpreadAssignment(property)) ? 'unknown' : 'none';
  }
  return ts.isPropertyAssignment(negotiation)
    ? eraOfNegotiation(negotiation.initializer, checker)
    : 'unknown';
}

/** Reads the era from a `versionNegotiation` value. */
export function eraOfNegotiation(value: ts.Expression, checker: ts.TypeChecker): EraOption {
  const literal = literalBehind(value, checker);
  if (literal === undefined) return 'unknown';
  const mode = propertyOf(literal, CLIENT_OPTION.mode);
  if (mode === undefined) {
    return literal.properties.some((property) => ts.isSpreadAssignment(property)) ? 'unknown' : 'none';
  }
  if (!ts.isPropertyAssignment(mode)) return 'unknown';
  const given = peel(mode.initializer);
  if (ts.isStringLiteralLike(given)) {
    if (given.text === CLIENT_OPTION.auto) return 'auto';
    return given.text === CLIENT_OPTION.legacy ? 'legacy' : 'unknown';
  }
  return ts.isObjectLiteralExpression(given) && propertyOf(given, CLIENT_OPTION.pin) !== undefined
    ? 'pin'
    : 'unknown';
}

/** The object literal that an expression is, or that the constant it names was initialised with. */
export function literalBehind(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.ObjectLiteralExpression | undefined {
  const inner = peel(expression);
  if (ts.isObjectLiteralExpression(inner)) return inner;
  if (!ts.isIdentifier(inner)) return undefined;
  const initializer = constantInitializer(inner, checker);
  return initializer === undefined ? undefined : literalBehind(initializer, checker);
}

function constantInitializer(name: ts.Identifier, checker: ts.TypeChecker): ts.Expression | undefined {
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const isWrittenTo = new RegExp(`\\b${name.text}\\.[\\w.]+\\s*=[^=>]|assign\\(\\s*${name.text}\\b`).test(
    name.getSourceFile().text,
  );
  return declaration.parent.flags & ts.NodeFlags.Const && !isWrittenTo ? declaration.initializer : undefined;
}

/**
 * The era that code has checked for before it reaches a node: `legacy` in the branch that only runs on a 2025
 * connection, `modern` in the other, undefined where nothing was checked.
 */
export function eraAt(node: ts.Node, checker: ts.TypeChecker): Era | undefined {
  let child = node;
  for (let current = node.parent as ts.Node | undefined; current !== undefined; current = current.parent) {
    const era = eraFromParent(current, child, checker) ?? eraFromEarlierExit(child, checker);
    if (era !== undefined) return era;
    child = current;
  }
  return undefined;
}

function eraFromParent(parent: ts.Node, child: ts.Node, checker: ts.TypeChecker): Era | undefined {
  if (ts.isIfStatement(parent)) {
    if (child === parent.thenStatement) return eraWhen(parent.expression, true, checker);
    if (child === parent.elseStatement) return eraWhen(parent.expression, false, checker);
  } else if (ts.isConditionalExpression(parent)) {
    if (child === parent.whenTrue) return eraWhen(parent.condition, true, checker);
    if (child === parent.whenFalse) return eraWhen(parent.condition, false, checker);
  } else if (ts.isBinaryExpression(parent) && child === parent.right) {
    if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return eraWhen(parent.left, true, checker);
    if (parent.operatorToken.kind === ts.SyntaxKind.BarBarToken) return eraWhen(parent.left, false, checker);
  } else if (ts.isCaseClause(parent) && !isFallenInto(parent)) {
    const asked = parent.parent.parent.expression;
    if (readsEra(asked, checker) && ts.isStringLiteralLike(parent.expression))
      return asEra(parent.expression.text);
  }
  return undefined;
}

/** Whether the clause before ends without leaving. */
function isFallenInto(clause: ts.CaseClause): boolean {
  const before = clause.parent.clauses[clause.parent.clauses.indexOf(clause) - 1];
  const last = before?.statements.at(-1);
  return before !== undefined && (last === undefined || !leaves(last));
}

/** `if (era === 'modern') return …;` before the node: what follows runs on the other era. */
function eraFromEarlierExit(child: ts.Node, checker: ts.TypeChecker): Era | undefined {
  if (!ts.isStatement(child)) return undefined;
  const list = statementListOf(child);
  if (list === undefined) return undefined;
  for (const statement of list) {
    if (statement === child) return undefined;
    if (
      !ts.isIfStatement(statement) ||
      statement.elseStatement !== undefined ||
      !leaves(statement.thenStatement)
    )
      continue;
    const era = eraWhen(statement.expression, false, checker);
    if (era !== undefined) return era;
  }
  return undefined;
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) ||
      ts.isThrowStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** What the era must be when a condition has come out so. */
function eraWhen(condition: ts.Expression, outcome: boolean, checker: ts.TypeChecker): Era | undefined {
  const inner = peel(condition);
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken) {
    return eraWhen(inner.operand, !outcome, checker);
  }
  if (ts.isIdentifier(inner)) {
    const initializer = constantInitializer(inner, checker);
    return initializer === undefined ? undefined : eraWhen(initializer, outcome, checker);
  }
  if (ts.isCallExpression(inner)) {
    const result = soleResult(inner, checker);
    return result === undefined ? undefined : eraWhen(result, outcome, checker);
  }
  if (!ts.isBinaryExpression(inner)) return undefined;
  const operator = inner.operatorToken.kind;
  if (operator === ts.SyntaxKind.AmpersandAmpersandToken && outcome) {
    return eraWhen(inner.left, true, checker) ?? eraWhen(inner.right, true, checker);
  }
  if (operator === ts.SyntaxKind.BarBarToken && !outcome) {
    return eraWhen(inner.left, false, checker) ?? eraWhen(inner.right, false, checker);
  }
  const equal =
    operator === ts.SyntaxKind.EqualsEqualsEqualsToken || operator === ts.SyntaxKind.EqualsEqualsToken;
  const different =
    operator === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
    operator === ts.SyntaxKind.ExclamationEqualsToken;
  if (!equal && !different) return undefined;
  const [asked, text] = ts.isStringLiteralLike(inner.right)
    ? [inner.left, inner.right.text]
    : [inner.right, undefined];
  const named = text ?? (ts.isStringLiteralLike(inner.left) ? inner.left.text : undefined);
  if (named === undefined || !readsEra(asked, checker)) return undefined;
  const era = asEra(named);
  if (era === undefined) return undefined;
  return equal === outcome ? era : otherEra(era);
}

function readsEra(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  const inner = peel(expression);
  if (ts.isIdentifier(inner)) {
    const initializer = constantInitializer(inner, checker);
    return initializer !== undefined && readsEra(initializer, checker);
  }
  if (ts.isPropertyAccessExpression(inner)) return keepsEra(inner.name);
  return (
    ts.isCallExpression(inner) &&
    ts.isPropertyAccessExpression(inner.expression) &&
    inner.expression.name.text === CLIENT_MEMBER.getProtocolEra
  );
}

/** A property that is set from `getProtocolEra()` in the same file: `this.era = client.getProtocolEra()`. */
function keepsEra(name: ts.MemberName): boolean {
  const text = name.getSourceFile().text;
  return new RegExp(
    `\\.${name.text.replace('#', '')}\\s*=[^=][^;]{0,200}?\\b${CLIENT_MEMBER.getProtocolEra}\\(`,
  ).test(text);
}

/** What a function without parameters returns: `isModern() { return this.era === 'modern'; }` */
function soleResult(call: ts.CallExpression, checker: ts.TypeChecker): ts.Expression | undefined {
  if (call.arguments.length > 0) return undefined;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const body = declaration === undefined ? undefined : (declaration as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return undefined;
  if (!ts.isBlock(body)) return body;
  const [only] = body.statements;
  return body.statements.length === 1 && only !== undefined && ts.isReturnStatement(only)
    ? only.expression
    : undefined;
}

function asEra(text: string): Era | undefined {
  return text === 'legacy' || text === 'modern' ? text : undefined;
}

function otherEra(era: Era): Era {
  return era === 'legacy' ? 'modern' : 'legacy';
}
