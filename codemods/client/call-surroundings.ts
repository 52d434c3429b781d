/** What stands around a subscribe or unsubscribe call and changes what can be made of it. */
import { ts } from 'ts-morph';
import type { SubscriptionCall } from '../../src/analysis/client-group.js';
import { dressed, enclosingFunction, peel } from '../../src/analysis/syntax.js';
import { CLIENT_MEMBER } from '../../src/protocol/index.js';

const METHODS: readonly string[] = [CLIENT_MEMBER.subscribeResource, CLIENT_MEMBER.unsubscribeResource];

/**
 * A method of the same name that hands its own parameters on (A9): a decorating client, an adapter. What it takes and
 * gives is decided by the interface it serves.
 */
export function isInWrapper(call: SubscriptionCall): boolean {
  if (!ts.isCallExpression(call.node)) return false;
  const [argument] = call.node.arguments;
  if (argument === undefined || ts.isObjectLiteralExpression(peel(argument))) return false;
  const owner = enclosingFunction(call.node);
  if (owner === undefined) return false;
  const holder = dressed(owner).parent;
  const named =
    owner.name ??
    (ts.isPropertyAssignment(holder) || ts.isVariableDeclaration(holder) ? holder.name : undefined);
  return named !== undefined && METHODS.includes(named.getText());
}

/** An empty `catch`: a refusal dies there without a trace (A6). */
export function isSwallowed(node: ts.Node): boolean {
  return isCaughtByEmptyCallback(node) || isInEmptyTry(node);
}

function isCaughtByEmptyCallback(node: ts.Node): boolean {
  const { parent } = dressed(node);
  const isCatch = ts.isPropertyAccessExpression(parent) && parent.name.text === 'catch';
  const call = isCatch ? dressed(parent).parent : undefined;
  const handler = call !== undefined && ts.isCallExpression(call) ? call.arguments[0] : undefined;
  return (
    handler !== undefined && (isEmptyFunction(peel(handler)) || /^(?:noop|ignore)$/.test(handler.getText()))
  );
}

function isEmptyFunction(handler: ts.Expression): boolean {
  if (!ts.isArrowFunction(handler) && !ts.isFunctionExpression(handler)) return false;
  if (ts.isBlock(handler.body)) return handler.body.statements.length === 0;
  return /^(?:undefined|null|void 0|\{\}|\(\{\}\))$/.test(handler.body.getText());
}

function isInEmptyTry(node: ts.Node): boolean {
  let child = node;
  for (let current = node.parent as ts.Node | undefined; current !== undefined; current = current.parent) {
    if (ts.isFunctionLike(current)) return false;
    if (ts.isTryStatement(current) && child === current.tryBlock) {
      return current.catchClause?.block.statements.length === 0;
    }
    child = current;
  }
  return false;
}
