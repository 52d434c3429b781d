/** What becomes of a refused listen in code that listens again. */
import {
  contains,
  enclosingFunction,
  memberName,
  parentOf,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { type Repeat } from './repeats.js';

/** Whether the listen is refused into nothing: no `try` and no `catch` in its own function. */
export function isUncaught({ listen }: Repeat): boolean {
  const around = enclosingFunction(listen.call);
  for (
    let at: Node = listen.call, parent = parentOf(at);
    parent !== undefined;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler !== null) return false;
    if (parent.type === 'MemberExpression' && ['catch', 'then'].includes(memberName(parent) ?? '')) {
      const call = parentOf(parent);
      if (call?.type === 'CallExpression' && (memberName(parent) === 'catch' || call.arguments.length > 1))
        return false;
    }
    if (parent === around) return true;
  }
  return true;
}

/** The `catch` that goes on whatever the error was: refused for good or not. */
export function blindCatch(
  sourceCode: SourceCode,
  { listen, loop }: Repeat,
): TSESTree.CatchClause | undefined {
  if (loop === undefined) return undefined;
  for (
    let at: Node = listen.call, parent = parentOf(at);
    parent !== undefined && at !== loop;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type !== 'TryStatement' || parent.block !== at || parent.handler === null) continue;
    const { handler } = parent;
    return isBlind(sourceCode, handler) ? handler : undefined;
  }
  return undefined;
}

function isBlind(sourceCode: SourceCode, handler: TSESTree.CatchClause): boolean {
  const nodes = nodesOf(sourceCode);
  const leaves = [
    ...nodes.of('ReturnStatement'),
    ...nodes.of('BreakStatement'),
    ...nodes.of('ThrowStatement'),
  ].some((node) => contains(handler.body, node));
  if (leaves) return false;
  // Whoever is handed the error may end the loop, but for a log.
  return !nodes.of('Identifier').some((name) => {
    const isError =
      contains(handler.body, name) && definitionOf(variableOf(sourceCode, name))?.type === 'CatchClause';
    return isError && !isLogged(sourceCode, name);
  });
}

function isLogged(sourceCode: SourceCode, name: Node): boolean {
  for (let at = parentOf(name); at !== undefined && at.type !== 'CatchClause'; at = parentOf(at))
    if (at.type === 'CallExpression')
      return /log|console|warn|debug|error/i.test(sourceCode.getText(at.callee));
  return false;
}
