/** Pushes of a server instance whose promise nobody waits for: it rejects once the instance is closed. */
import { PUBLISHERS, SERVER_MEMBER } from '../../../src/protocol/index.js';
import {
  dressed,
  dressedWithAwait,
  enclosingFunction,
  isFunction,
  memberCall,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { factoriesRunning, takersOf } from './callers.js';
import { nodesOf } from './nodes.js';
import { factoriesOf, factoryAround, serverOf } from './servers.js';
import { globalName } from './started-work.js';

/** A push that runs after, or before, its instance is connected. */
export interface FloatingSend {
  readonly call: TSESTree.CallExpression;
  readonly factory: FunctionNode;
}

const MEMBERS = new Set<string>([
  ...PUBLISHERS.map(({ member }) => member),
  SERVER_MEMBER.notification,
  SERVER_MEMBER.sendLoggingMessage,
]);

/** The floating pushes in the factories of modern entries. */
export function floatingSends(sourceCode: SourceCode): FloatingSend[] {
  if (factoriesOf(sourceCode).size === 0) return [];
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): FloatingSend[] => {
      const called = memberCall(call);
      if (called === undefined || !MEMBERS.has(called.name) || !isFloating(call)) return [];
      const server = serverOf(sourceCode, called.receiver);
      // McpServer's own list senders ask first whether they are connected, and return nothing.
      if (
        server === undefined ||
        (server.kind === 'McpServer' && called.name !== SERVER_MEMBER.sendLoggingMessage)
      )
        return [];
      const factory = factoryAround(sourceCode, call);
      const entries = factory === undefined ? undefined : factoriesOf(sourceCode).get(factory);
      if (factory === undefined || (entries?.has('http') !== true && entries?.has('stdio') !== true))
        return [];
      return runsUnconnected(sourceCode, call) ? [{ call, factory }] : [];
    });
}

/** A statement, `void`, the result of a callback, or an `await` in a callback that nobody awaits. */
function isFloating(call: Node): boolean {
  const outer = dressed(call);
  const parent = parentOf(outer);
  if (
    parent?.type === 'ExpressionStatement' ||
    (parent?.type === 'UnaryExpression' && parent.operator === 'void')
  )
    return true;
  if (parent?.type === 'ArrowFunctionExpression' && parent.body === outer) return true;
  return (
    parent?.type === 'AwaitExpression' &&
    !isInTry(call) &&
    parentOf(dressedWithAwait(call))?.type === 'ExpressionStatement'
  );
}

function isInTry(node: Node): boolean {
  for (
    let at: Node = node, parent = parentOf(at);
    parent !== undefined && !isFunction(at);
    at = parent, parent = parentOf(at)
  )
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler !== null) return true;
  return false;
}

const LATER = new Set(['setInterval', 'setTimeout', 'setImmediate', 'queueMicrotask']);
const LATER_MEMBERS = new Set(['on', 'once', 'addListener', 'addEventListener', 'subscribe', 'watch']);

/** Whether code runs in a factory's own body, before any connection, or in a callback that may outlive one. */
function runsUnconnected(sourceCode: SourceCode, call: Node): boolean {
  if (factoriesRunning(sourceCode, call).length > 0)
    return parentOf(dressed(call))?.type !== 'AwaitExpression';
  const callback = enclosingFunction(call);
  return callback !== undefined && takersOf(sourceCode, callback).some((taker) => isLater(sourceCode, taker));
}

function isLater(sourceCode: SourceCode, taker: TSESTree.CallExpression): boolean {
  const called = memberCall(taker);
  if (called !== undefined && serverOf(sourceCode, called.receiver) !== undefined) return false;
  return (
    LATER.has(globalName(sourceCode, taker.callee) ?? '') ||
    LATER_MEMBERS.has(called?.name ?? '') ||
    isWatch(taker)
  );
}

function isWatch({ callee }: TSESTree.CallExpression): boolean {
  return callee.type === 'Identifier' && /^watch(?:File)?$/.test(callee.name);
}
