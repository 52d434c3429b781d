/** Calls that are meant to fail: a test that says so knows what it does. */
import { dressedWithAwait, enclosingFunction, memberName, parentOf, type Node } from '../ast.js';

/** Whether a test expects a call to reject: `expect(call).rejects`, `assert.rejects(call)`. */
export function isExpectedToReject(call: Node): boolean {
  for (const node of [call, enclosingFunction(call)]) {
    const outer = node === undefined ? undefined : parentOf(dressedWithAwait(node));
    if (outer?.type !== 'CallExpression') continue;
    const { callee } = outer;
    if (callee.type === 'MemberExpression' && memberName(callee) === 'rejects') return true;
    if (callee.type !== 'Identifier' || callee.name !== 'expect') continue;
    const next = parentOf(outer);
    if (next?.type === 'MemberExpression' && ['rejects', 'toThrow'].includes(memberName(next) ?? ''))
      return true;
  }
  return false;
}
