/** Objects that come out of a collection: one of several, and none that the code at hand has made. */
import { isFunction, memberCall, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';

/** Deeper chains are nobody's code. */
const DEPTH = 8;

/** Methods of collections that give one of what they hold. */
const GETTING = new Set(['get', 'at', 'find', 'findLast', 'pop', 'shift']);

/** Methods of collections whose callback gets each of what they hold. */
const VISITING = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find', 'findLast']);

/** The collection that an object, or what it is a part of, is taken out of: `all` for `one` of `for (const one of all)`. */
export function collectionBehind(sourceCode: SourceCode, expression: Node, depth = 0): Node | undefined {
  if (depth > DEPTH) return undefined;
  const node = peel(expression);
  const next = (inner: Node): Node | undefined => collectionBehind(sourceCode, inner, depth + 1);
  if (node.type === 'AwaitExpression') return next(node.argument);
  if (node.type === 'CallExpression') {
    const called = memberCall(node);
    return called !== undefined && GETTING.has(called.name) ? called.receiver : undefined;
  }
  if (node.type === 'MemberExpression')
    return node.computed && node.property.type !== 'Literal' ? node.object : next(node.object);
  const definition = node.type === 'Identifier' ? definitionOf(variableOf(sourceCode, node)) : undefined;
  if (definition?.type === 'Parameter') return visitedBy(definition.node, definition.name);
  if (definition?.type !== 'Variable') return undefined;
  const { init, parent } = definition.node;
  const loop = parent.parent;
  if (loop.type === 'ForOfStatement' && loop.left === parent) return loop.right;
  return init === null ? undefined : next(init);
}

/** `all.forEach((one) => …)` */
function visitedBy(callback: Node, name: Node): Node | undefined {
  if (!isFunction(callback) || callback.parent.type !== 'CallExpression') return undefined;
  const called = memberCall(callback.parent);
  if (called === undefined || !VISITING.has(called.name)) return undefined;
  const first: TSESTree.Parameter | undefined = callback.params[0];
  const isFirst = first !== undefined && first.range[0] <= name.range[0] && name.range[1] <= first.range[1];
  return isFirst ? called.receiver : undefined;
}
