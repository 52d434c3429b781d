/** What a client wants to hear at a listen point: the kinds of its handlers, under the conditions they are registered on. */
import { ts } from 'ts-morph';
import type { ClientGroup, HandlerSite } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { contains, enclosingClass, isPlainPath, iterationOf, peel } from '../../src/analysis/syntax.js';
import { CLIENT_MEMBER, type ListKind } from '../../src/protocol/index.js';
import type { ListenPoint } from './listen-points.js';
import { kindsToListen, listKindsOf } from './served-handlers.js';

/** A kind, and the expression that says whether it is wanted. */
export interface Wish {
  readonly kind: ListKind;
  /** `true`, or a condition as it is written where the handler is registered. */
  readonly when: string;
}

/** The wishes at a place, or the handler whose condition means nothing there. */
export function wishesAt(
  group: ClientGroup,
  { statement: place, handlers }: ListenPoint,
  facts: Facts,
): { readonly wishes: readonly Wish[] } | { readonly hidden: HandlerSite } {
  const wishes: Wish[] = [];
  for (const kind of kindsToListen(group)) {
    const conditions: string[] = [];
    for (const handler of handlers.filter((candidate) => listKindsOf(candidate).includes(kind))) {
      const condition = conditionOf(handler, place, facts);
      if (condition === 'hidden') return { hidden: handler };
      conditions.push(condition);
    }
    if (conditions.length === 0) continue;
    const distinct = [...new Set(conditions)];
    wishes.push({ kind, when: distinct.includes('true') ? 'true' : distinct.join(' || ') });
  }
  return { wishes };
}

/** The condition of a registration as far as the place does not share it: `true`, a boolean expression, or out of scope. */
function conditionOf(handler: HandlerSite, place: ts.Node, facts: Facts): string {
  const found: string[] = [];
  let child: ts.Node = handler.node;
  for (let node = handler.node.parent as ts.Node | undefined; node !== undefined; node = node.parent) {
    const isBoundary = ts.isFunctionLike(node) && iterationOf(node) === undefined;
    if (isBoundary || (node !== place && contains(node, place))) break;
    const condition = conditionAround(node, child);
    if (condition === 'hidden') return 'hidden';
    if (condition !== undefined && !asksCapability(condition)) {
      if (!isReadable(condition) || !meansTheSame(condition, place, facts)) return 'hidden';
      found.push(asBoolean(condition));
    }
    child = node;
  }
  return found.length === 0 ? 'true' : found.reverse().join(' && ');
}

function conditionAround(node: ts.Node, child: ts.Node): ts.Expression | 'hidden' | undefined {
  if (ts.isIfStatement(node)) {
    if (child === node.thenStatement) return node.expression;
    return child === node.elseStatement ? 'hidden' : undefined;
  }
  if (ts.isBinaryExpression(node) && child === node.right) {
    if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return node.left;
    return node.operatorToken.kind === ts.SyntaxKind.BarBarToken ? 'hidden' : undefined;
  }
  if (ts.isConditionalExpression(node)) {
    if (child === node.whenTrue) return node.condition;
    return child === node.whenFalse ? 'hidden' : undefined;
  }
  return ts.isCaseOrDefaultClause(node) ? 'hidden' : undefined;
}

/** The stream compares with what the server advertises by itself. */
function asksCapability(condition: ts.Expression): boolean {
  return condition.getText().includes(CLIENT_MEMBER.getServerCapabilities);
}

/** A name or path, its negation, or its comparison with a literal: nothing that runs code. */
function isReadable(condition: ts.Expression): boolean {
  const inner = peel(condition);
  if (isPlainPath(inner)) return true;
  if (ts.isPrefixUnaryExpression(inner)) return isReadable(inner.operand);
  if (ts.isTypeOfExpression(inner)) return isPlainPath(inner.expression);
  if (!ts.isBinaryExpression(inner)) return false;
  const isSide = (side: ts.Expression): boolean =>
    isReadable(side) || ts.isLiteralExpression(peel(side)) || isKeyword(side);
  return inner.operatorToken.kind !== ts.SyntaxKind.EqualsToken && isSide(inner.left) && isSide(inner.right);
}

function isKeyword(node: ts.Expression): boolean {
  return [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(
    node.kind,
  );
}

/** Whether every name of a condition means at the place what it means where it is written. */
function meansTheSame(condition: ts.Expression, place: ts.Node, facts: Facts): boolean {
  if (condition.getSourceFile() !== place.getSourceFile()) return false;
  const { checker } = facts.world;
  const inScope = new Set(checker.getSymbolsInScope(place, ts.SymbolFlags.Value));
  let same = true;
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.ThisKeyword) same &&= enclosingClass(node) === enclosingClass(place);
    if (ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)) {
      const symbol = checker.getSymbolAtLocation(node);
      same &&= node.text === 'undefined' || (symbol !== undefined && inScope.has(symbol));
    }
    ts.forEachChild(node, visit);
  };
  visit(condition);
  return same;
}

function asBoolean(condition: ts.Expression): string {
  const text = peel(condition).getText();
  return isBoolean(condition) ? text : `Boolean(${text})`;
}

/** A comparison, a negation, or several of them joined. */
function isBoolean(condition: ts.Expression): boolean {
  const inner = peel(condition);
  if (ts.isPrefixUnaryExpression(inner)) return inner.operator === ts.SyntaxKind.ExclamationToken;
  if (!ts.isBinaryExpression(inner)) return false;
  const { kind } = inner.operatorToken;
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
    return isBoolean(inner.left) && isBoolean(inner.right);
  }
  return kind >= ts.SyntaxKind.LessThanToken && kind <= ts.SyntaxKind.ExclamationEqualsEqualsToken;
}
