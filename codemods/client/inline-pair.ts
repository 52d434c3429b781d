/** A subscribe and an unsubscribe in one function, for the modern target: one `listen`, held in a constant. */
import { ts } from 'ts-morph';
import type { ClientGroup, SubscriptionCall } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import {
  contains,
  dressed,
  isAssignment,
  isPlainPath,
  peel,
  statementListOf,
} from '../../src/analysis/syntax.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';
import { inlineListen } from '../../src/codegen/listen.js';
import { freeName } from '../../src/codegen/names.js';
import { SUBSCRIPTION_MEMBER } from '../../src/protocol/index.js';
import type { Outcome } from '../codemod.js';
import { readUri } from './uri-argument.js';

/** The two calls of a pair, each in a form that can be replaced. */
export interface InlinePair {
  readonly subscribe: { readonly call: SubscriptionCall; readonly statement: ts.ExpressionStatement };
  readonly unsubscribe: SubscriptionCall;
}

/**
 * The pair of a client that has exactly one: subscribed in a statement of its own, with nothing but the URI, and
 * unsubscribed where the constant is still in scope. Anything else uses the managed stream.
 */
export function inlinePairOf(group: ClientGroup, facts: Facts): InlinePair | undefined {
  const [one, other, ...rest] = group.subscriptions.filter((call) => call.era !== 'legacy');
  if (one === undefined || other === undefined || rest.length > 0 || one.action === other.action)
    return undefined;
  const [subscribe, unsubscribe] = one.action === 'subscribe' ? [one, other] : [other, one];
  if (!ts.isCallExpression(subscribe.node) || !ts.isCallExpression(unsubscribe.node)) return undefined;
  const { receiver } = subscribe;
  if (subscribe.optional || unsubscribe.optional || receiver === undefined || !isPlainPath(receiver))
    return undefined;
  const statement = awaitedAlone(subscribe.node);
  if (statement === undefined || !isInScope(statement, unsubscribe.node)) return undefined;
  const [first, second] = [readUri(subscribe), readUri(unsubscribe)];
  if ('obstacle' in first || 'obstacle' in second) return undefined;
  if (first.options !== undefined || second.options !== undefined || first.text !== second.text)
    return undefined;
  if (first.literal === undefined && !isConstant(first.expression, facts)) return undefined;
  return { subscribe: { call: subscribe, statement }, unsubscribe };
}

function awaitedAlone(node: ts.CallExpression): ts.ExpressionStatement | undefined {
  const { parent } = dressed(node);
  if (!ts.isAwaitExpression(parent) || !ts.isExpressionStatement(parent.parent)) return undefined;
  return statementListOf(parent.parent) === undefined ? undefined : parent.parent;
}

/** Behind the statement, in the list that it stands in or anywhere below. */
function isInScope(statement: ts.Statement, node: ts.Node): boolean {
  return (
    node.pos >= statement.end &&
    contains(statement.parent, node) &&
    !ts.isCaseOrDefaultClause(statement.parent)
  );
}

/** A name that means the same value at both calls. */
function isConstant(expression: ts.Expression, facts: Facts): boolean {
  const inner = peel(expression);
  if (!ts.isIdentifier(inner)) return false;
  const { checker } = facts.world;
  const symbol = ts.isShorthandPropertyAssignment(inner.parent)
    ? checker.getShorthandAssignmentValueSymbol(inner.parent)
    : checker.getSymbolAtLocation(inner);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) return false;
  if (ts.isBindingElement(declaration)) {
    return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  }
  if (ts.isVariableDeclaration(declaration)) return (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  return ts.isParameter(declaration) && !isReassigned(declaration, inner.text);
}

function isReassigned(parameter: ts.ParameterDeclaration, name: string): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (
      ts.isBinaryExpression(node) &&
      isAssignment(node.operatorToken.kind) &&
      ts.isIdentifier(node.left) &&
      node.left.text === name
    ) {
      found = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(parameter.parent);
  return found;
}

/** Rewrites one half of a pair. */
export function rewriteInline(call: SubscriptionCall, pair: InlinePair, facts: Facts): Outcome {
  const unit = facts.unitOf(call.node);
  const name = freeName(['subscription', 'resourceSubscription'], (candidate) =>
    new RegExp(`\\b${candidate}\\b`).test(unit.text),
  );
  const reason = 'one inline listen, closed in the same function';
  if (call === pair.unsubscribe) {
    return {
      kind: 'rewritten',
      reason,
      edits: [
        {
          file: unit.file,
          start: call.node.getStart(),
          end: call.node.end,
          text: `${name}.${SUBSCRIPTION_MEMBER.close}()`,
          reason,
        },
      ],
    };
  }
  const uri = readUri(call);
  const { receiver } = call;
  if ('obstacle' in uri || receiver === undefined) throw new Error('a pair has been read before');
  const { statement } = pair.subscribe;
  const start = statement.getStart();
  const [opening, insisting] = inlineListen(
    receiver.getText(),
    uri.text,
    uri.literal,
    name,
    indentAt(unit.text, start),
    unit.style,
  );
  const behind = endOfLineComment(unit.text, statement.end);
  return {
    kind: 'rewritten',
    reason,
    edits: [
      { file: unit.file, start, end: statement.end, text: opening, reason },
      { file: unit.file, start: behind, end: behind, text: insisting, reason },
    ],
  };
}
