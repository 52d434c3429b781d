/** Subscribe and unsubscribe calls, raw requests, and what asks for or stands in for these methods. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS, METHOD } from '../protocol/index.js';
import type { LegacyUse, MethodGuard, SubscriptionCall } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt, literalBehind } from './era.js';
import { dressed, literalText, peel, propertyOf } from './syntax.js';
import type { MemberUse } from './flow.js';

/** What each of the two methods does. */
export const SUBSCRIPTION_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [CLIENT_MEMBER.subscribeResource]: 'subscribe',
  [CLIENT_MEMBER.unsubscribeResource]: 'unsubscribe',
};

const REQUEST_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [METHOD.resourcesSubscribe]: 'subscribe',
  [METHOD.resourcesUnsubscribe]: 'unsubscribe',
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
    era: eraAt(use.access, world.checker),
    typedAsClient,
  };
}

/** Reads a raw request; it may be a subscription, or another call of 2025. */
export function describeRequest(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression,
  subscriptions: SubscriptionCall[],
  legacyUses: LegacyUse[],
): void {
  const request =
    call.arguments[0] === undefined ? undefined : literalBehind(call.arguments[0], world.checker);
  const property = request === undefined ? undefined : propertyOf(request, 'method');
  const method =
    property !== undefined && ts.isPropertyAssignment(property)
      ? literalText(property.initializer)
      : undefined;
  if (method === undefined) return;
  const action = REQUEST_ACTIONS[method];
  const era = eraAt(call, world.checker);
  if (action !== undefined) {
    subscriptions.push({
      action,
      form: 'request',
      node: call,
      receiver: use.access.expression,
      optional: ts.isOptionalChain(call),
      era,
      typedAsClient: true,
    });
    return;
  }
  const legacy = LEGACY_ONLY_CALLS.find((row) => row.role === 'blocker' && row.method === method);
  if (legacy !== undefined) legacyUses.push({ node: call, label: `request '${method}'`, row: legacy, era });
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
