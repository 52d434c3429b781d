/** Registrations and removals of notification handlers. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER } from '../protocol/index.js';
import type { HandlerSite } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { fallbackNotifications } from './fallback-notifications.js';
import { notificationsOf } from './notification-kinds.js';
import { dressed, peel } from './syntax.js';
import type { MemberUse } from './flow.js';

/** Reads a use of a member that registers or removes a handler; undefined for any other member. */
export function describeHandler(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
): HandlerSite | undefined {
  const receiver = use.access.expression;
  switch (use.member) {
    case CLIENT_MEMBER.setNotificationHandler:
      return describeRegistration(world, use, call);
    case CLIENT_MEMBER.removeNotificationHandler: {
      const argument = call?.arguments[0];
      if (call === undefined || argument === undefined) return undefined;
      return {
        node: call,
        receiver,
        kind: 'removal',
        notifications: notificationsOf(argument, world.checker),
      };
    }
    case CLIENT_MEMBER.fallbackNotificationHandler:
      return describeFallback(world, use);
    // Handlers are also found by reaching into the SDK; what is done with them there cannot be followed.
    case '_notificationHandlers':
      return { node: use.access, receiver, kind: 'handler', notifications: undefined };
    default:
      return undefined;
  }
}

function describeRegistration(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
): HandlerSite | undefined {
  const receiver = use.access.expression;
  // The method taken without calling it: `const on = client.setNotificationHandler.bind(client)`.
  if (call === undefined) return { node: use.access, receiver, kind: 'handler', notifications: undefined };
  const [argument, handler] = call.arguments;
  if (argument === undefined) return undefined;
  const notifications = notificationsOf(argument, world.checker);
  return {
    node: call,
    receiver,
    kind: doesNothing(handler, world.checker) ? 'removal' : 'handler',
    notifications,
  };
}

/** `() => {}`: how a handler is taken away where nothing can remove it. */
function doesNothing(handler: ts.Expression | undefined, checker: ts.TypeChecker): boolean {
  const inner = handler === undefined ? undefined : functionBehind(peel(handler), checker);
  const body = inner === undefined ? undefined : (inner as ts.FunctionLikeDeclaration).body;
  return body !== undefined && ts.isBlock(body) && body.statements.length === 0;
}

function describeFallback(world: ClosedWorld, use: MemberUse): HandlerSite | undefined {
  const assignment = dressed(use.access).parent;
  if (!ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) {
    return undefined;
  }
  const handler = peel(assignment.right);
  if (ts.isIdentifier(handler) && handler.text === 'undefined') return undefined;
  const notifications = fallbackNotifications(functionBehind(handler, world.checker) ?? handler);
  if (notifications.length === 0) return undefined;
  return { node: assignment, receiver: use.access.expression, kind: 'fallback', notifications };
}

/** The function that a name or `this.method` (also bound) stands for. */
function functionBehind(handler: ts.Expression, checker: ts.TypeChecker): ts.Node | undefined {
  if (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) return handler;
  if (
    ts.isCallExpression(handler) &&
    ts.isPropertyAccessExpression(handler.expression) &&
    handler.expression.name.text === 'bind'
  ) {
    return functionBehind(peel(handler.expression.expression), checker);
  }
  const name = ts.isPropertyAccessExpression(handler) ? handler.name : handler;
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration))
    return declaration.initializer;
  return ts.isFunctionLike(declaration) ? declaration : undefined;
}
