/** The URI of an update as it can be written once more beside the emit. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { Publisher } from '../../src/analysis/server-publisher.js';
import { contains, isMemberName, isPlainPath, peel } from '../../src/analysis/syntax.js';

/** The URI's text, or why there is none. */
export type PublishedUri = { readonly text: string } | { readonly problem: string };

/**
 * The URI of a publisher's update for a place in front of or behind a node.
 *
 * @param at the statement or expression beside which it is written
 * @param before the position in front of which its names must be declared
 * @param again whether the URI is written a second time, so that computing it must be the same both times
 */
export function publishedUri(
  { uri, uriHolder }: Publisher,
  facts: Facts,
  at: ts.Node,
  before: number,
  again: boolean,
): PublishedUri {
  const source = uri ?? uriHolder;
  if (source === undefined) return { problem: 'its URI is not written at the call' };
  if (uri === undefined && !isPlainPath(source)) return { problem: 'its URI is made out of sight' };
  if (isMadeInside(source, at, before, facts)) {
    return { problem: `its URI ${source.getText()} is made inside of what is there for 2025 alone` };
  }
  if (again && uri !== undefined && !isSameTwice(uri)) {
    return { problem: 'its URI is computed by a call: keep it in a constant first' };
  }
  const text = source.getText();
  return { text: uri === undefined ? `${text}.uri` : text };
}

function isMadeInside(source: ts.Expression, at: ts.Node, before: number, { world }: Facts): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isIdentifier(node) && !isMemberName(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? world.checker.getShorthandAssignmentValueSymbol(node.parent)
        : world.checker.getSymbolAtLocation(node);
      const declaration = symbol?.valueDeclaration;
      found =
        declaration?.getSourceFile() === at.getSourceFile() &&
        (contains(at, declaration) || isBetween(declaration, before, at)) &&
        !contains(source, declaration);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Declared behind the place, in front of the emit. */
function isBetween(declaration: ts.Node, before: number, at: ts.Node): boolean {
  return declaration.pos >= before && declaration.pos < at.pos;
}

/** Functions whose result depends on nothing but what they are given. */
const PURE = /^(?:String|encodeURIComponent|encodeURI|[\w$.]+\.(?:toString|join|replace|toLowerCase))$/;

/** Whether computing an expression twice gives the same and does nothing else. */
export function isSameTwice(expression: ts.Expression): boolean {
  let same = true;
  const visit = (node: ts.Node): void => {
    if (
      ts.isAwaitExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isPostfixUnaryExpression(node) ||
      ts.isDeleteExpression(node) ||
      (ts.isPrefixUnaryExpression(node) &&
        (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)) ||
      (ts.isBinaryExpression(node) &&
        node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
        node.operatorToken.kind <= ts.SyntaxKind.LastAssignment) ||
      (ts.isCallExpression(node) && !PURE.test(node.expression.getText()) && !isNamedForUri(node))
    )
      same = false;
    if (same) ts.forEachChild(node, visit);
  };
  visit(peel(expression));
  return same;
}

/** `uriOf(note)`: a function that is called for its URI makes one. */
function isNamedForUri({ expression }: ts.CallExpression): boolean {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  return /uri/i.test(name) && !/^(?:next|create|new|make|add|register)/i.test(name);
}
