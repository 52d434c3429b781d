/** What a handler of `resources/subscribe` does beside its bookkeeping: checks, and work that it starts. */
import {
  calleeName,
  contains,
  isFunction,
  memberCall,
  memberName,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { find } from './nodes.js';
import { functionOf } from './origins.js';

const CHECKING =
  /^(?:assert|authori[sz]e|validate|verify|enforce|checkAccess|checkPermission|ensure(?:Access|Allowed|Authori[sz]ed|Permitted|Can))/;

const WORKING = /^(?:start|watch|poll|spawn|attach|acquire|connect|subscribe)(?:$|[A-Z])/;

const TIMERS = new Set(['setInterval', 'setTimeout']);

/** Who asks, as both generations of the SDK hand it to a handler. */
const IDENTITY = new Set(['authInfo']);

/** Built-in classes of bookkeeping and errors. */
const PLAIN = new Set(['Set', 'Map', 'WeakMap', 'WeakSet', 'Array', 'Date', 'URL', 'RegExp', 'Promise']);

/** The checks of a handler, each as it is spelt: what it throws, whom it asks for, which function it has check. */
export function checksIn(sourceCode: SourceCode, handler: FunctionNode): string[] {
  return bodiesOf(sourceCode, handler).flatMap((body) =>
    find(sourceCode, body, (node): node is Node => isCheck(node)).map((node) => briefly(sourceCode, node)),
  );
}

function isCheck(node: Node): boolean {
  switch (node.type) {
    case 'ThrowStatement':
      // A caught error that is thrown on was not found here.
      return !isInCatch(node);
    case 'MemberExpression':
      return IDENTITY.has(memberName(node) ?? '');
    case 'CallExpression':
      return CHECKING.test(calleeName(node.callee) ?? '') || isRejection(node);
    default:
      return false;
  }
}

function isInCatch(node: Node): boolean {
  for (let at = parentOf(node); at !== undefined && !isFunction(at); at = parentOf(at))
    if (at.type === 'CatchClause') return true;
  return false;
}

/** `Promise.reject(…)` */
function isRejection(call: TSESTree.CallExpression): boolean {
  const called = memberCall(call);
  return (
    called?.name === 'reject' && called.receiver.type === 'Identifier' && called.receiver.name === 'Promise'
  );
}

/** What a handler starts: a timer, a watcher, an object that lives on. */
export function startsWork(sourceCode: SourceCode, handler: FunctionNode): string | undefined {
  for (const body of bodiesOf(sourceCode, handler)) {
    const [work] = find(sourceCode, body, (node): node is Node => isWork(node));
    if (work !== undefined) return briefly(sourceCode, work);
  }
  return undefined;
}

function isWork(node: Node): boolean {
  if (node.type === 'NewExpression')
    return (
      node.callee.type === 'Identifier' && !PLAIN.has(node.callee.name) && !node.callee.name.endsWith('Error')
    );
  if (node.type !== 'CallExpression') return false;
  const name = calleeName(node.callee) ?? '';
  return TIMERS.has(name) || WORKING.test(name);
}

/** The body of a function and of those in its file that it calls. */
function bodiesOf(sourceCode: SourceCode, handler: FunctionNode): Node[] {
  const calls = find(
    sourceCode,
    handler.body,
    (node): node is TSESTree.CallExpression => node.type === 'CallExpression',
  );
  const helpers = calls.flatMap((call) => functionOf(sourceCode, call.callee) ?? []);
  return [handler.body, ...new Set(helpers.filter((one) => !contains(one, handler)).map(({ body }) => body))];
}

function briefly(sourceCode: SourceCode, node: Node): string {
  const [line = ''] = sourceCode.getText(node).split('\n');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
