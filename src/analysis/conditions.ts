/** The conditions under which a node runs, one step up the tree at a time. */
import { ts } from 'ts-morph';
import { leaves } from './registry-gates.js';
import { statementListOf } from './syntax.js';

/** What its parent asks before it runs a node, and what leaves before it is reached. */
export function conditionsAt(node: ts.Node): readonly ts.Expression[] {
  const { parent } = node;
  if (ts.isIfStatement(parent) && parent.expression !== node) return [parent.expression];
  if (ts.isConditionalExpression(parent) && parent.condition !== node) return [parent.condition];
  if (ts.isBinaryExpression(parent) && parent.right === node)
    return parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? [parent.left] : [];
  const list = ts.isStatement(node) ? statementListOf(node) : undefined;
  return (list ?? []).flatMap((one) =>
    one.pos < node.pos && ts.isIfStatement(one) && leaves(one.thenStatement) ? [one.expression] : [],
  );
}
