/** Subscribe and unsubscribe calls, raw requests, and what asks for or stands in for these methods. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER } from '../protocol/index.js';
import type { MethodGuard, SubscriptionCall } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era-checks.js';
import { dressed, literalText, peel } from './syntax.js';
import type { MemberUse } from './flow.js';

/** What each of the two methods does. */
export const SUBSCRIPTION_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [CLIENT_MEMBER.subscribeResource]: 'subscribe',
  [CLIENT_MEMBER.unsubscribeResource]: 'unsubscribe',
};

/** Reads a use of one of the methods. */
export function describeSubscription(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
  typedAsClient: boolean,
): SubscriptionCall {
  return {
    action: SUBSCRIPTION_ACTIONS[use.member] ?? 'subscribe',
    form: call === undefined ? 'reference' : 'method',
    node: call ?? use.access,
    receiver: use.access.expression,
    optional: ts.isOptionalChain(call ?? use.access),
    era: eraAt(use.access, use.access.expression, world),
    typedAsClient,
  };
}

/** A method in a position where only its being there counts. */
export function guardAround(use: MemberUse): MethodGuard | undefined {
  const access = dressed(use.access);
  const { parent } = access;
  const receiver = use.access.expression;
  if (ts.isTypeOfExpression(parent)) return guardByComparison(dressed(parent), receiver, 'function');
  const compared = guardByComparison(access, receiver, undefined);
  if (compared !== undefined) return compared;
  const isCondition =
    isTested(access) ||
    (ts.isCallExpression(parent) &&
      parent.arguments[0] === access &&
      parent.expression.getText() === 'Boolean') ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken);
  return isCondition ? { node: use.access, receiver, isNegated: false, isValue: false } : undefined;
}

/** `typeof x === 'function'`, `x !== undefined`, `x != null` */
function guardByComparison(
  side: ts.Node,
  receiver: ts.Expression,
  expected: 'function' | undefined,
): MethodGuard | undefined {
  const comparison = side.parent;
  if (!ts.isBinaryExpression(comparison) || comparison.left !== side) return undefined;
  const { kind } = comparison.operatorToken;
  const equal = kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
  const different =
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken;
  if (!equal && !different) return undefined;
  const right = peel(comparison.right);
  const isExpected =
    expected === undefined ? /^(?:undefined|null)$/.test(right.getText()) : literalText(right) === expected;
  if (!isExpected) return undefined;
  const isNegated = expected === undefined ? equal : different;
  return { node: comparison, receiver, isNegated, isValue: !isTested(dressed(comparison)) };
}

const JOINING = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);

/** Whether only the truth of an expression counts where it stands. */
function isTested(expression: ts.Node): boolean {
  let node = expression;
  while (ts.isBinaryExpression(node.parent) && JOINING.has(node.parent.operatorToken.kind))
    node = dressed(node.parent);
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken;
}
