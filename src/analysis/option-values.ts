/** The property that wins in an object of options: the last one of its name, also in what is spread into it. */
import { ts } from 'ts-morph';
import { literalBehind, valueBehind } from './constants.js';
import { peel, propertyName } from './syntax.js';

/** The property, `absent` when there is none, `unknown` when something out of sight may bring one. */
export type FoundOption = ts.ObjectLiteralElementLike | 'absent' | 'unknown';

/** Finds an option by name. */
export function findOption(options: ts.Expression, name: string, checker: ts.TypeChecker): FoundOption {
  const literal = literalBehind(options, checker);
  if (literal === undefined) return 'unknown';
  for (const property of literal.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      const found = findInSpread(property.expression, name, checker);
      if (found !== 'absent') return found;
      continue;
    }
    const own = propertyName(property.name);
    if (own === name) return property;
    if (own === undefined) return 'unknown'; // a computed name
  }
  return 'absent';
}

/** What is spread may also be nothing, or one of two: then it decides only if neither brings the option. */
function findInSpread(spread: ts.Expression, name: string, checker: ts.TypeChecker): FoundOption {
  const inner = valueBehind(spread, checker);
  if (inner === undefined) return 'unknown';
  const choices = choicesOf(inner);
  if (choices === undefined) return isNothing(inner) ? 'absent' : findOption(inner, name, checker);
  const found = choices.map((choice) => findInSpread(choice, name, checker));
  return found.every((one) => one === 'absent') ? 'absent' : 'unknown';
}

function choicesOf(expression: ts.Expression): ts.Expression[] | undefined {
  if (ts.isConditionalExpression(expression)) return [expression.whenTrue, expression.whenFalse];
  if (!ts.isBinaryExpression(expression)) return undefined;
  switch (expression.operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return [expression.right]; // what else it may be spreads nothing
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      return [expression.left, expression.right];
    default:
      return undefined;
  }
}

function isNothing(expression: ts.Expression): boolean {
  const inner = peel(expression);
  return (
    inner.kind === ts.SyntaxKind.NullKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(inner) && inner.text === 'undefined')
  );
}
