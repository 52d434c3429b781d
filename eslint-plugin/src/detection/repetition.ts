/** Whether code can run more than once in the life of a program. */
import {
  enclosingFunction,
  isFunction,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
} from '../ast.js';
import { variableOf } from './bindings.js';

const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** Whether a node may run again: it is in a loop, or in a function that others may call as often as they like. */
export function mayRunAgain(sourceCode: SourceCode, node: Node, depth = 0): boolean {
  if (depth > 5) return true;
  for (let at = parentOf(node); at !== undefined; at = parentOf(at)) {
    if (LOOPS.has(at.type)) return true;
    if (isFunction(at)) break;
  }
  const around = enclosingFunction(node);
  return around !== undefined && mayBeCalledAgain(sourceCode, around, depth);
}

function mayBeCalledAgain(sourceCode: SourceCode, declared: FunctionNode, depth: number): boolean {
  const parent = parentOf(declared);
  // (async () => { … })()
  if (parent?.type === 'CallExpression' && parent.callee === declared)
    return mayRunAgain(sourceCode, parent, depth + 1);
  // new Promise((resolve) => { … })
  if (parent?.type === 'NewExpression') return mayRunAgain(sourceCode, parent, depth + 1);
  const name =
    declared.type === 'FunctionDeclaration'
      ? declared.id
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id
        : null;
  if (name === null || isExported(declared)) return true;
  const uses = variableOf(sourceCode, name)?.references.filter(
    ({ identifier }) => identifier !== name && identifier.type === 'Identifier',
  );
  const [only, another] = uses ?? [];
  if (only === undefined || another !== undefined) return true;
  const call = parentOf(only.identifier);
  return call?.type !== 'CallExpression' || peel(call.callee) !== only.identifier
    ? true
    : mayRunAgain(sourceCode, call, depth + 1);
}

function isExported(declared: FunctionNode): boolean {
  for (let at = parentOf(declared); at !== undefined && !isFunction(at); at = parentOf(at))
    if (at.type === 'ExportNamedDeclaration' || at.type === 'ExportDefaultDeclaration') return true;
  return false;
}
