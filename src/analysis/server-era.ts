/** On which era a place of a server's code can run, by what it has asked the factory's context before. */
import { ts } from 'ts-morph';
import { REQUEST_CONTEXT, type Era } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { constantInitializer } from './constants.js';
import { literalText, peel, statementListOf } from './syntax.js';

/** The era that the code around a node has made sure of; undefined where it has asked for none. */
export function serverEraAt(world: ClosedWorld, node: ts.Node): Era | undefined {
  let child = node;
  for (let parent = node.parent as ts.Node | undefined; parent !== undefined; parent = parent.parent) {
    const era = eraAround(world, child, parent) ?? eraAfterExit(world, child);
    if (era !== undefined) return era;
    child = parent;
  }
  return undefined;
}

function eraAround(world: ClosedWorld, child: ts.Node, parent: ts.Node): Era | undefined {
  if (ts.isIfStatement(parent) && child !== parent.expression)
    return eraWhen(world, parent.expression, child === parent.thenStatement);
  if (ts.isConditionalExpression(parent) && child !== parent.condition)
    return eraWhen(world, parent.condition, child === parent.whenTrue);
  if (ts.isBinaryExpression(parent) && child === parent.right) {
    if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return eraWhen(world, parent.left, true);
    if (parent.operatorToken.kind === ts.SyntaxKind.BarBarToken) return eraWhen(world, parent.left, false);
  }
  return undefined;
}

/** `if (ctx.era === 'modern') { …; return; }` in front of a statement. */
function eraAfterExit(world: ClosedWorld, child: ts.Node): Era | undefined {
  if (!ts.isStatement(child)) return undefined;
  for (const statement of statementListOf(child) ?? []) {
    if (statement === child) return undefined;
    if (!ts.isIfStatement(statement) || statement.elseStatement !== undefined) continue;
    const { thenStatement } = statement;
    const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
    const leaves = last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
    const era = leaves ? eraWhen(world, statement.expression, false) : undefined;
    if (era !== undefined) return era;
  }
  return undefined;
}

/** What the era must be when a condition has come out so. */
function eraWhen(world: ClosedWorld, condition: ts.Expression, outcome: boolean): Era | undefined {
  const inner = peel(condition);
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken)
    return eraWhen(world, inner.operand, !outcome);
  if (ts.isIdentifier(inner)) {
    const value = constantInitializer(inner, world.checker);
    return value === undefined || value === inner ? undefined : eraWhen(world, value, outcome);
  }
  if (!ts.isBinaryExpression(inner)) return undefined;
  const { kind } = inner.operatorToken;
  const isAnd = kind === ts.SyntaxKind.AmpersandAmpersandToken;
  if (isAnd || kind === ts.SyntaxKind.BarBarToken)
    return isAnd === outcome
      ? (eraWhen(world, inner.left, outcome) ?? eraWhen(world, inner.right, outcome))
      : undefined;
  const isEqual = kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
  const isOther =
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken;
  const named = literalText(inner.right) ?? literalText(inner.left);
  const asked = literalText(inner.right) === undefined ? inner.right : inner.left;
  if ((!isEqual && !isOther) || !isEra(asked) || (named !== 'legacy' && named !== 'modern')) return undefined;
  if (isEqual === outcome) return named;
  return named === 'legacy' ? 'modern' : 'legacy';
}

/** `ctx.era`, or what it was taken out into. */
function isEra(expression: ts.Expression): boolean {
  const inner = peel(expression);
  if (ts.isIdentifier(inner)) return inner.text === REQUEST_CONTEXT.era;
  return ts.isPropertyAccessExpression(inner) && inner.name.text === REQUEST_CONTEXT.era;
}
