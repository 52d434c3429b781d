/** Where a client's listen call goes: after each connect, and after the last handler registered behind it. */
import { ts } from 'ts-morph';
import type { ClientGroup, ConnectSite, HandlerSite } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { registrationOrder } from '../../src/analysis/registration-order.js';
import {
  contains,
  dressed,
  enclosingFunction,
  isPlainPath,
  peel,
  statementListOf,
} from '../../src/analysis/syntax.js';

/** A statement behind which a listen call goes. */
export interface ListenPoint {
  readonly statement: ts.Statement;
  /** The client, as it is written there. */
  readonly receiver: ts.Expression;
  /** The handlers that it listens for. */
  readonly handlers: readonly HandlerSite[];
}

/** Why there is no point for a handler, and where. */
export interface NoListenPoint {
  readonly obstacle: string;
  readonly at: ts.Node;
}

/** The points, or the reason why there is none. */
export type ListenPoints = { readonly points: readonly ListenPoint[] } | NoListenPoint;

/** Finds the points for the handlers of a client that need a stream. */
export function findListenPoints(
  group: ClientGroup,
  handlers: readonly HandlerSite[],
  facts: Facts,
): ListenPoints {
  const [first] = handlers;
  if (first === undefined) return { points: [] };
  if (group.connects.length === 0) {
    return {
      obstacle: 'where this client is connected is out of sight: listen there, after connect()',
      at: first.node,
    };
  }
  const points: ListenPoint[] = [];
  const behind = new Set<HandlerSite>();
  for (const connect of group.connects) {
    const found = pointOf(connect, group, handlers, behind, facts);
    if (found !== undefined && 'obstacle' in found) return found;
    if (found !== undefined) points.push(found);
  }
  const late = pointsBehind(handlers.filter((handler) => behind.has(handler)));
  return 'obstacle' in late ? late : { points: [...points, ...late.points] };
}

/** The point of one connect; handlers that are registered only when it has returned are added to `behind`. */
function pointOf(
  connect: ConnectSite,
  group: ClientGroup,
  handlers: readonly HandlerSite[],
  behind: Set<HandlerSite>,
  facts: Facts,
): ListenPoint | NoListenPoint | undefined {
  const creations = group.creations.map((creation) => creation.node);
  const here: HandlerSite[] = [];
  let last: ts.Statement | undefined;
  for (const handler of handlers) {
    const found = registrationOrder(facts.world, handler.node, connect.call, creations);
    if (found.order === 'unproven') {
      return {
        obstacle: 'whether this handler is registered before connect() cannot be proven: listen after both',
        at: handler.node,
      };
    }
    if (found.order === 'behind') {
      behind.add(handler);
      continue;
    }
    here.push(handler);
    if (found.order === 'after' && (last === undefined || found.last.pos > last.pos)) last = found.last;
  }
  if (here.length === 0) return undefined;
  const statement = awaitedStatement(connect.call);
  if (statement === undefined || !isPlainPath(connect.receiver)) {
    return {
      obstacle: 'connect() is not awaited in a statement of its own here: listen once it has resolved',
      at: connect.call,
    };
  }
  if (!isInScopeBehind(connect.receiver, statement, facts)) {
    return {
      obstacle:
        'the client has its name only inside a callback here: listen there, once connect() has resolved',
      at: connect.call,
    };
  }
  return { statement: last ?? statement, receiver: connect.receiver, handlers: here };
}

/** Whether the name of a client is declared outside the statement that it is connected in. */
function isInScopeBehind(receiver: ts.Expression, statement: ts.Statement, facts: Facts): boolean {
  let root = peel(receiver);
  while (ts.isPropertyAccessExpression(root)) root = peel(root.expression);
  const declaration = facts.world.checker.getSymbolAtLocation(root)?.declarations?.[0];
  return declaration === undefined || !contains(statement, declaration);
}

/** One point per function: behind the last handler that it registers on a client that it was handed connected. */
function pointsBehind(handlers: readonly HandlerSite[]): ListenPoints {
  const byFunction = new Map<ts.Node | undefined, HandlerSite[]>();
  for (const handler of handlers) {
    const owner = enclosingFunction(handler.node);
    byFunction.set(owner, [...(byFunction.get(owner) ?? []), handler]);
  }
  const points: ListenPoint[] = [];
  for (const ofOne of byFunction.values()) {
    const last = ofOne.at(-1);
    const statement = last?.node.parent;
    if (last === undefined || statement === undefined) continue;
    if (!ts.isExpressionStatement(statement) || !isPlainPath(last.receiver)) {
      return {
        obstacle: 'this handler is registered in the middle of an expression: listen behind it',
        at: last.node,
      };
    }
    points.push({ statement, receiver: last.receiver, handlers: ofOne });
  }
  return { points };
}

/**
 * The statement that has finished only when the call has: `await client.connect(…);`, also wrapped as in
 * `await withTimeout(client.connect(…), 5000);`.
 */
function awaitedStatement(call: ts.CallExpression): ts.Statement | undefined {
  let node: ts.Node = dressed(call);
  for (;;) {
    const { parent } = node;
    if (ts.isAwaitExpression(parent)) return statementOfAwait(parent);
    const isArgument = ts.isCallExpression(parent) && parent.expression !== node;
    const isBody = ts.isArrowFunction(parent) && parent.body === node;
    const isElement = ts.isArrayLiteralExpression(parent);
    if (!isArgument && !isBody && !isElement) return undefined;
    node = dressed(parent);
  }
}

function statementOfAwait(node: ts.AwaitExpression): ts.Statement | undefined {
  const { parent } = dressed(node);
  if (ts.isExpressionStatement(parent)) return parent;
  if (ts.isVariableDeclaration(parent) && ts.isVariableStatement(parent.parent.parent))
    return parent.parent.parent;
  if (ts.isBinaryExpression(parent) && ts.isExpressionStatement(parent.parent) && isAssignment(parent))
    return parent.parent;
  return undefined;
}

function isAssignment(node: ts.BinaryExpression): boolean {
  return node.operatorToken.kind === ts.SyntaxKind.EqualsToken && !ts.isAwaitExpression(peel(node.left));
}

/** Whether a statement stands alone as the body of an `if` or a loop, without braces. */
export function lacksBraces(statement: ts.Statement): boolean {
  return statementListOf(statement) === undefined;
}
