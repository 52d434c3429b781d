/** The shape of a publisher, by the catalogue. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { methodIn } from '../../src/analysis/publisher-messages.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Gate, Publisher } from '../../src/analysis/server-publisher.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';
import { around, dressed, enclosingFunction, isFunction, peel } from '../../src/analysis/syntax.js';
import { CLIENT_MEMBER, NOTIFICATION, type ShapeId } from '../../src/protocol/index.js';
import { asksForConnection } from './live-conditions.js';

/** Which of G1 to H11, or K2, a publisher is. */
export function shapeOfPublisher(
  publisher: Publisher,
  gates: readonly Gate[],
  group: ServerGroup,
  facts: Facts,
): ShapeId {
  const isUpdate = publisher.notifications?.includes(NOTIFICATION.resourceUpdated) === true;
  if (isForwarding(publisher, facts)) return 'K2';
  switch (publisher.form) {
    case 'request-stream':
      return 'H10';
    case 'implied':
      return 'H8';
    case 'computed':
      return shapeOfComputed(publisher, isUpdate);
    default:
  }
  if (publisher.fanOut !== undefined) return isUpdate ? 'G4' : 'H3';
  if (publisher.iterated !== undefined) return 'H5';
  if (publisher.form === 'forwarded') return 'H4';
  const byPlace = shapeByPlace(publisher, isUpdate);
  if (byPlace !== undefined) return byPlace;
  if (publisher.form === 'notification') return isUpdate ? 'G2' : 'H4';
  if (!isUpdate) return 'H1';
  const isUngated = gates.length === 0 && subscribeHandlersOf(facts.world, group).length > 0;
  return isUngated ? 'G8' : 'G1';
}

function shapeOfComputed({ message, publishedAt }: Publisher, isUpdate: boolean): ShapeId {
  if (message === undefined) return 'H2';
  const method = methodIn(peel(message));
  if (method !== undefined && ts.isTemplateExpression(peel(method))) return 'H9';
  return isUpdate && publishedAt.length === 0 ? 'G2' : 'H4';
}

function shapeByPlace(publisher: Publisher, isUpdate: boolean): ShapeId | undefined {
  const { node, receiver } = publisher;
  if (conditionsAround(node).some(asksForConnection)) return 'G9';
  if (peel(receiver).kind === ts.SyntaxKind.ThisKeyword) return isUpdate ? undefined : 'H6';
  const callback = around(node, isFunction);
  const value = callback === undefined ? undefined : dressed(callback);
  const holder = value?.parent;
  if (holder === undefined) return undefined;
  if (ts.isPropertyAssignment(holder)) return isUpdate ? 'G5' : 'H7';
  if (!ts.isCallExpression(holder) || holder.expression === value) return undefined;
  const callee = peel(holder.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (/^(?:on|once|addListener|addEventListener|subscribe)$/.test(name)) return 'G6';
  return isUpdate && name === 'setInterval' ? 'G10' : undefined;
}

function conditionsAround(node: ts.Node): ts.Expression[] {
  const found: ts.Expression[] = [];
  around(node, (current) => {
    if (ts.isIfStatement(current)) found.push(current.expression);
    if (ts.isBinaryExpression(current)) found.push(current.left);
    return isFunction(current);
  });
  return found;
}

/** `upstream.setNotificationHandler(kind, (n) => server.notification(n))` */
export function isForwarding({ message }: Publisher, { world }: Facts): boolean {
  if (message === undefined) return false;
  const names: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node);
    ts.forEachChild(node, visit);
  };
  visit(message);
  return names.some((name) => {
    const declaration = world.checker.getSymbolAtLocation(name)?.valueDeclaration;
    const handler =
      declaration !== undefined && ts.isParameter(declaration)
        ? enclosingFunction(declaration.name)
        : undefined;
    const call = handler === undefined ? undefined : dressed(handler).parent;
    if (call === undefined || !ts.isCallExpression(call)) return false;
    const callee = peel(call.expression);
    return ts.isPropertyAccessExpression(callee) && callee.name.text === CLIENT_MEMBER.setNotificationHandler;
  });
}
