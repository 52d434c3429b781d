/** How raw code ends a listen: a cancellation, a DELETE, an abort, or a handler that is merely dropped. */
import { NOTIFICATION } from '../../../src/protocol/index.js';
import {
  contains,
  enclosingFunction,
  memberCall,
  memberName,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { resolve, stringOf } from './values.js';
import { messagesOf, type WireMessage } from './wire.js';
import type { ListenRequest } from './wire-requests.js';
import { entryAt } from './wire-values.js';

/** The cancellations that a file spells. */
export function cancellations(sourceCode: SourceCode): WireMessage[] {
  return messagesOf(sourceCode).filter(
    ({ method, object }) =>
      method === NOTIFICATION.cancelled && entryAt(sourceCode, object, 'params') !== undefined,
  );
}

/** How what a cancellation names compares to the id of a listen. */
export type Named = 'this' | 'another' | 'unknown';

/** Whether a cancellation names a listen by its id. */
export function namesListen(
  sourceCode: SourceCode,
  cancellation: WireMessage,
  { object }: ListenRequest,
): Named {
  const named = entryAt(sourceCode, cancellation.object, 'params', 'requestId');
  // `params: { id }`, `params: { subscriptionId }`: it names nothing at all.
  if (named === undefined) return 'another';
  const id = entryAt(sourceCode, object, 'id');
  if (named === 'unknown' || id === undefined || id === 'unknown') return 'unknown';
  return compare(sourceCode, resolve(sourceCode, named), resolve(sourceCode, id));
}

function compare(sourceCode: SourceCode, named: Node, id: Node): Named {
  if (isSame(sourceCode, named, id)) return 'this';
  const inner = stringified(named);
  // A number and its text are two ids.
  if (inner !== undefined && isSame(sourceCode, resolve(sourceCode, inner), id) && !isText(id))
    return 'another';
  return named.type === 'Literal' && id.type === 'Literal' ? 'another' : 'unknown';
}

/** `String(id)`, `id.toString()`, `${id}` */
function stringified(node: Node): Node | undefined {
  if (node.type === 'TemplateLiteral' && node.quasis.every(({ value }) => value.raw === ''))
    return node.expressions.length === 1 ? node.expressions[0] : undefined;
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  if (callee.type === 'Identifier' && callee.name === 'String') return node.arguments[0];
  const called = memberCall(node);
  return called?.name === 'toString' ? called.receiver : undefined;
}

/** Whether an id is a string already: then making one of it changes nothing. */
function isText(id: Node): boolean {
  return (
    id.type === 'TemplateLiteral' ||
    id.type === 'CallExpression' ||
    (id.type === 'Literal' && typeof id.value === 'string')
  );
}

function isSame(sourceCode: SourceCode, one: Node, other: Node): boolean {
  if (one === other) return true;
  if (one.type === 'Literal' && other.type === 'Literal') return one.value === other.value;
  if (one.type === 'Identifier' && other.type === 'Identifier')
    return (
      variableOf(sourceCode, one) !== undefined &&
      variableOf(sourceCode, one) === variableOf(sourceCode, other)
    );
  return (
    one.type === 'MemberExpression' &&
    other.type === 'MemberExpression' &&
    sourceCode.getText(one) === sourceCode.getText(other)
  );
}

const REMOVERS = new Set(['off', 'removeListener', 'removeAllListeners']);

/** The calls that drop the reader of a child's output, elsewhere than in that reader. */
export function droppedReaders(sourceCode: SourceCode): TSESTree.CallExpression[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => {
      const called = memberCall(call);
      if (called === undefined || !REMOVERS.has(called.name)) return false;
      const [event, reader] = call.arguments;
      const name = stringOf(sourceCode, event);
      if (!(name === 'line' || (name === 'data' && isOutput(called.receiver)))) return false;
      // A reader that waits for one message takes itself away.
      const taken = reader === undefined ? undefined : functionOf(sourceCode, reader);
      return (taken === undefined || !contains(taken, call)) && !endsProcess(sourceCode, call);
    });
}

function isOutput(receiver: Node): boolean {
  const node = peel(receiver);
  const name =
    node.type === 'MemberExpression' ? memberName(node) : node.type === 'Identifier' ? node.name : '';
  return name === 'stdout';
}

/** Whether the function around ends the server's process, and every subscription with it. */
function endsProcess(sourceCode: SourceCode, call: Node): boolean {
  const around = enclosingFunction(call);
  if (around === undefined) return false;
  return nodesOf(sourceCode)
    .of('CallExpression')
    .some((one) => {
      const called = contains(around, one) ? memberCall(one) : undefined;
      if (called === undefined) return false;
      const receiver = peel(called.receiver);
      const isInput = receiver.type === 'MemberExpression' && memberName(receiver) === 'stdin';
      return called.name === 'kill' || (isInput && ['end', 'destroy'].includes(called.name));
    });
}
