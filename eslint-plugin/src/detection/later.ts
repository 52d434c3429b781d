/** Code that runs later than the function around it: handlers, timers, listeners of events. */
import {
  enclosingFunctions,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
} from '../ast.js';
import { registrationOf } from './server-handlers.js';

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'watch', 'watchFile']);

const LISTENING = new Set([
  'on',
  'once',
  'addListener',
  'addEventListener',
  'subscribe',
  'watch',
  'watchFile',
]);

/** Whether a node runs after the call of a function around it has returned: certainly, not perhaps. */
export function runsLaterThan(sourceCode: SourceCode, outer: FunctionNode | undefined, node: Node): boolean {
  const around = enclosingFunctions(node);
  const end = outer === undefined ? -1 : around.indexOf(outer);
  return around.slice(0, end === -1 ? undefined : end).some((one) => isCalledLater(sourceCode, one));
}

/** Whether a function is handed to something that calls it later. */
export function isCalledLater(sourceCode: SourceCode, one: FunctionNode): boolean {
  if (registrationOf(sourceCode, one) !== undefined) return true;
  const parent = parentOf(one);
  if (parent?.type !== 'CallExpression' || parent.callee === one) return false;
  const callee = peel(parent.callee);
  if (callee.type === 'Identifier') return TIMERS.has(callee.name);
  return callee.type === 'MemberExpression' && LISTENING.has(memberName(callee) ?? '');
}
