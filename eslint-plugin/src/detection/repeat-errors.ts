/** What becomes of a refused listen in code that listens again. */
import {
  contains,
  enclosingFunction,
  isFunction,
  memberName,
  parentOf,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { mentionedIn, type Repeat } from './repeats.js';

/** Whether the listen is refused into nothing: nobody catches it, nor the calls that lead to it again. */
export function isUncaught(sourceCode: SourceCode, { listen, loop, code }: Repeat): boolean {
  if (isCaught(listen.call)) return false;
  if (loop !== undefined) return true;
  return !code.some(
    (one) =>
      isFunction(one) &&
      mentionedIn(sourceCode, one).some(
        ({ node, declared }) => code.includes(declared) && isCaught(parentOf(node) ?? node),
      ),
  );
}

/** Whether a rejection is caught in its own function. */
function isCaught(call: Node): boolean {
  const around = enclosingFunction(call);
  for (
    let at: Node = call, parent = parentOf(at);
    parent !== undefined && at !== around;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler !== null) return true;
    const chained = parent.type === 'MemberExpression' ? parentOf(parent) : undefined;
    if (parent.type !== 'MemberExpression' || chained?.type !== 'CallExpression') continue;
    const name = memberName(parent);
    if (name === 'catch' || (name === 'then' && chained.arguments.length > 1)) return true;
  }
  return false;
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
