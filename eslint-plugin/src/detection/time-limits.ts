/** Signals that abort after a time, whatever happens meanwhile. */
import { memberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { resolve } from './values.js';

/** The `AbortSignal.timeout(…)` that a signal is, or takes part in by `AbortSignal.any([…])`. */
export function timeoutSignalIn(sourceCode: SourceCode, signal: Node): TSESTree.CallExpression | undefined {
  const value = resolve(sourceCode, signal);
  const called = memberCall(value);
  if (called === undefined || !isAbortSignal(sourceCode, called.receiver)) return undefined;
  if (called.name === 'timeout') return called.call;
  const [list] = called.call.arguments;
  const all = called.name === 'any' && list !== undefined ? resolve(sourceCode, list) : undefined;
  if (all?.type !== 'ArrayExpression') return undefined;
  for (const element of all.elements) {
    const found = element === null ? undefined : timeoutSignalIn(sourceCode, element);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isAbortSignal(sourceCode: SourceCode, node: Node): boolean {
  return (
    node.type === 'Identifier' &&
    node.name === 'AbortSignal' &&
    definitionOf(variableOf(sourceCode, node)) === undefined
  );
}
