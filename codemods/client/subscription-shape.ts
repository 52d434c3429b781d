/** Which shape of the catalogue a subscribe or unsubscribe call has. */
import { ts } from 'ts-morph';
import type { ClientGroup, SubscriptionCall } from '../../src/analysis/client-group.js';
import { around, contains, dressed, enclosingFunction } from '../../src/analysis/syntax.js';
import { isInWrapper, isSwallowed } from './call-surroundings.js';
import type { ShapeId } from '../../src/protocol/index.js';

/**
 * The shape of one call, seen with the other calls on the same client.
 *
 * @param others calls on clients that may be the same one: where the client comes from out of sight, its other half may
 *   be a group of its own
 */
export function shapeOfCall(
  call: SubscriptionCall,
  group: ClientGroup,
  others: readonly SubscriptionCall[],
): ShapeId {
  if (call.form === 'request') return 'B1';
  if (isInWrapper(call)) return 'A9';
  if (isInEffect(call.node)) return 'A4';
  const partners = group.subscriptions.filter(
    (other) => other.action !== call.action && other.era === call.era,
  );
  if (partners.some((partner) => standInOneBranching(call, partner))) return 'A3';
  if (partners.some((partner) => standInOneFunction(call, partner))) return 'A1';
  if (isSwallowed(call.node)) return 'A6';
  if (call.action === 'subscribe' && isForgotten(call.node)) return 'A8';
  const isAlone = partners.length === 0 && !others.some((other) => other.action !== call.action);
  return isAlone && call.action === 'subscribe' ? 'A7' : 'A2';
}

/** `if (on) subscribe else unsubscribe`, or the same as a conditional expression. */
function standInOneBranching(one: SubscriptionCall, other: SubscriptionCall): boolean {
  const fork = forkBetween(one.node, other.node);
  if (fork === undefined || ts.isCaseBlock(fork)) return false;
  if (ts.isConditionalExpression(fork)) return onOpposite(fork.whenTrue, fork.whenFalse, one, other);
  // A chain of `else if` asks for one of many commands, not for on or off.
  const { thenStatement, elseStatement } = fork;
  if (elseStatement === undefined || ts.isIfStatement(elseStatement) || ts.isIfStatement(fork.parent))
    return false;
  return onOpposite(thenStatement, elseStatement, one, other);
}

/** The `if`, conditional expression or `switch` in whose branches both nodes lie: at most one of them runs. */
function forkBetween(
  one: ts.Node,
  other: ts.Node,
): ts.IfStatement | ts.ConditionalExpression | ts.CaseBlock | undefined {
  let node = one;
  while (!contains(node, other)) {
    if (ts.isFunctionLike(node) || ts.isSourceFile(node)) return undefined;
    node = node.parent;
  }
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isCaseBlock(node)) return node;
  return undefined;
}

function onOpposite(yes: ts.Node, no: ts.Node, one: SubscriptionCall, other: SubscriptionCall): boolean {
  return (
    (contains(yes, one.node) && contains(no, other.node)) ||
    (contains(no, one.node) && contains(yes, other.node))
  );
}

/** In the same function, or one of them in a function inside the other's: a disposer. */
function standInOneFunction(one: SubscriptionCall, other: SubscriptionCall): boolean {
  if (forkBetween(one.node, other.node) !== undefined) return false;
  const [subscribe, unsubscribe] =
    one.action === 'subscribe' ? [one.node, other.node] : [other.node, one.node];
  const owner = enclosingFunction(subscribe);
  if (owner === undefined) {
    return (
      subscribe.getSourceFile() === unsubscribe.getSourceFile() &&
      enclosingFunction(unsubscribe) === undefined
    );
  }
  return contains(owner, unsubscribe);
}

/** In a React effect, or in the cleanup that it returns. */
function isInEffect(node: ts.Node): boolean {
  return around(node, isEffect) !== undefined;
}

function isEffect(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const [name = ''] = node.expression.getText().split('.').slice(-1);
  return /^use(?:Layout|Insertion)?Effect$/.test(name);
}

/** `void client.subscribeResource(…)`, or the promise simply dropped. */
function isForgotten(node: ts.Node): boolean {
  const { parent } = dressed(node);
  return ts.isVoidExpression(parent) || ts.isExpressionStatement(parent);
}
