/** Where a client's listen call goes: after each connect, and after the last handler registered behind it. */
import { ts } from 'ts-morph';
import type { ClientGroup, ConnectSite, HandlerSite } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { registrationOrder } from '../../src/analysis/registration-order.js';
import { dressed, isPlainPath, peel, statementListOf } from '../../src/analysis/syntax.js';

/** A statement behind which the listen call goes. */
export interface ListenPoint {
  readonly connect: ConnectSite;
  readonly statement: ts.Statement;
}

/** The points, or the reason why there is none. */
export type ListenPoints =
  { readonly points: readonly ListenPoint[] } | { readonly obstacle: string; readonly at: ts.Node };

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
  for (const connect of group.connects) {
    const statement = awaitedStatement(connect.call);
    if (statement === undefined || !isPlainPath(connect.receiver)) {
      return {
        obstacle: 'connect() is not awaited in a statement of its own here: listen once it has resolved',
        at: connect.call,
      };
    }
    let point = statement;
    for (const handler of handlers) {
      const found = registrationOrder(
        facts.world,
        handler.node,
        connect.call,
        group.creations.map((creation) => creation.node),
      );
      if (found.order === 'unproven') {
        return {
          obstacle: 'whether this handler is registered before connect() cannot be proven: listen after both',
          at: handler.node,
        };
      }
      if (found.order === 'after' && found.last.pos > point.pos) point = found.last;
    }
    points.push({ connect, statement: point });
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
