/** Branches on the verb of a request in a hand-written listener: `if (req.method === 'GET') { … }`. */
import {
  enclosingFunction,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { parametersWithin } from './answers.js';
import { find, nodesOf } from './nodes.js';
import { stringOf } from './values.js';

/** What answers GET or DELETE, or whatever is no POST, in a listener that serves an MCP handler as well. */
export interface VerbBranch {
  readonly node: TSESTree.IfStatement;
  readonly listener: FunctionNode;
}

/** The branches that are taken on the path of a handler that the same listener serves. */
export function verbBranchesBeside(sourceCode: SourceCode, served: readonly Node[]): VerbBranch[] {
  return nodesOf(sourceCode)
    .of('IfStatement')
    .flatMap((node): VerbBranch[] => {
      const listener = enclosingFunction(node);
      if (listener === undefined || !asksForVerb(sourceCode, node.test, listener)) return [];
      const beside = served.filter((one) => enclosingFunction(one) === listener);
      return beside.some((one) => sharesPath(sourceCode, node, one, listener)) ? [{ node, listener }] : [];
    });
}

/** `req.method === 'GET'`, alone or with a path. */
function asksForVerb(sourceCode: SourceCode, test: Node, listener: FunctionNode): boolean {
  const node = peel(test);
  if (node.type === 'LogicalExpression')
    return asksForVerb(sourceCode, node.left, listener) || asksForVerb(sourceCode, node.right, listener);
  if (node.type !== 'BinaryExpression') return false;
  const asked = [node.left, node.right].some((side) => {
    const inner = peel(side);
    return (
      inner.type === 'MemberExpression' &&
      memberName(inner) === 'method' &&
      parametersWithin(sourceCode, inner).includes(listener)
    );
  });
  const verb = stringOf(sourceCode, node.right) ?? stringOf(sourceCode, node.left);
  return (
    asked &&
    (node.operator === '==='
      ? verb === 'GET' || verb === 'DELETE'
      : node.operator === '!==' && verb === 'POST')
  );
}

/** Whether a branch is taken on the path on which the handler is served. */
function sharesPath(
  sourceCode: SourceCode,
  branch: TSESTree.IfStatement,
  served: Node,
  listener: FunctionNode,
): boolean {
  const asked = pathsIn(sourceCode, listener.body);
  if (asked.length === 0) return !asksForPath(sourceCode, listener);
  const own = pathsAround(sourceCode, branch, listener, branch.test);
  const others = pathsAround(sourceCode, served, listener);
  return own.some((path) => others.includes(path));
}

/** The paths that conditions around a node ask for, and those that earlier statements sent away. */
function pathsAround(
  sourceCode: SourceCode,
  node: Node,
  listener: FunctionNode,
  ...more: readonly Node[]
): string[] {
  const tests = [...more];
  for (
    let at = node, parent = parentOf(at);
    parent !== undefined && at !== listener;
    at = parent, parent = parentOf(at)
  ) {
    if (parent.type === 'IfStatement' && at === parent.consequent) tests.push(parent.test);
    if (parent.type === 'BlockStatement') {
      for (const statement of parent.body) {
        if (statement === at) break;
        if (statement.type === 'IfStatement' && isUnequal(statement.test)) tests.push(statement.test);
      }
    }
  }
  return tests.flatMap((test) => pathsIn(sourceCode, test));
}

function isUnequal(test: Node): boolean {
  const node = peel(test);
  return node.type === 'BinaryExpression' && node.operator === '!==';
}

/** The literal paths that are compared with something. */
function pathsIn(sourceCode: SourceCode, root: Node): string[] {
  return find(
    sourceCode,
    root,
    (node): node is TSESTree.BinaryExpression =>
      node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator),
  ).flatMap(({ left, right }) =>
    [left, right].flatMap((side) => {
      const text = stringOf(sourceCode, side);
      return text?.startsWith('/') === true ? [text] : [];
    }),
  );
}

/** A path that is asked for in another way, such as `startsWith()` or a pattern. */
function asksForPath(sourceCode: SourceCode, listener: FunctionNode): boolean {
  return find(
    sourceCode,
    listener.body,
    (node): node is TSESTree.MemberExpression => node.type === 'MemberExpression',
  ).some((node) => ['pathname', 'path', 'url', 'originalUrl'].includes(memberName(node) ?? ''));
}
