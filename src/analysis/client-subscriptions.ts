/** Subscribe and unsubscribe calls, raw requests, and what asks for or stands in for these methods. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS, METHOD } from '../protocol/index.js';
import type { Cell } from './cells.js';
import type { LegacyUse, MethodGuard, MockMember, SubscriptionCall } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt, literalBehind } from './era.js';
import { dressed, literalText, peel, propertyOf } from './syntax.js';
import type { MemberUse } from './value-flow.js';

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
  if (ts.isTypeOfExpression(parent)) {
    const comparison = dressed(parent).parent;
    const isTest =
      ts.isBinaryExpression(comparison) &&
      literalText(comparison.right) === 'function' &&
      comparison.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
    return isTest ? { node: comparison, receiver } : undefined;
  }
  const isCondition =
    (ts.isIfStatement(parent) && parent.expression === access) ||
    (ts.isConditionalExpression(parent) && parent.condition === access) ||
    (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken);
  return isCondition ? { node: use.access, receiver } : undefined;
}

/** Mocks of the subscription methods in objects that the code takes for clients. */
export function mocksAmong(cells: readonly Cell[]): MockMember[] {
  return cells.flatMap((cell) => {
    const initializer =
      (ts.isVariableDeclaration(cell) || ts.isPropertyDeclaration(cell) || ts.isPropertyAssignment(cell)) &&
      cell.initializer !== undefined
        ? peel(cell.initializer)
        : undefined;
    if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return [];
    return Object.keys(SUBSCRIPTION_ACTIONS).flatMap((name) => {
      const node = propertyOf(initializer, name);
      return node === undefined ? [] : [{ node }];
    });
  });
}
