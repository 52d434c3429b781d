/** Values of messages written by hand: object literals that nobody alters, with computed keys and spreads followed. */
import { keyName, memberCall, parentOf, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { constantOf, variableOf } from './bindings.js';
import { objectOf, stringOf } from './values.js';

/** The object literal that an expression certainly is, and stays. */
export function plainObject(
  sourceCode: SourceCode,
  node: Node | null | undefined,
  depth = 0,
): TSESTree.ObjectExpression | undefined {
  if (node === null || node === undefined || depth > 5) return undefined;
  const inner = peel(node);
  if (inner.type === 'ObjectExpression') return inner;
  if (inner.type === 'Identifier') {
    const value = isAltered(sourceCode, inner) ? undefined : constantOf(sourceCode, inner);
    return plainObject(sourceCode, value, depth + 1);
  }
  // Object.freeze({ … })
  const called = memberCall(inner);
  if (called?.name === 'freeze') return plainObject(sourceCode, called.call.arguments[0], depth + 1);
  return inner.type === 'MemberExpression' ? objectOf(sourceCode, inner) : undefined;
}

/** Whether the object that a name holds is written to after its making: `x.y = …`, `delete x.y`, `Object.assign(x, …)`. */
function isAltered(sourceCode: SourceCode, identifier: TSESTree.Identifier): boolean {
  const variable = variableOf(sourceCode, identifier);
  return variable?.references.some(({ identifier: mention }) => isWrittenThrough(mention)) ?? true;
}

function isWrittenThrough(mention: Node): boolean {
  let at = mention;
  let parent = parentOf(at);
  while (parent?.type === 'MemberExpression' && parent.object === at) {
    at = parent;
    parent = parentOf(at);
  }
  if (parent?.type === 'AssignmentExpression') return parent.left === at && at !== mention;
  if (parent?.type === 'UpdateExpression') return at !== mention;
  if (parent?.type === 'UnaryExpression') return parent.operator === 'delete';
  return (
    parent?.type === 'CallExpression' &&
    at === mention &&
    parent.arguments[0] === at &&
    memberCall(parent)?.name === 'assign'
  );
}

/** The name of a property, behind a constant where it is computed. */
export function wireKey(sourceCode: SourceCode, property: TSESTree.Property): string | undefined {
  return keyName(property) ?? stringOf(sourceCode, property.key);
}

/**
 * The value under a key of an object literal: undefined where it certainly has none, `unknown` where something out of
 * sight may give it one.
 */
export function entryOf(
  sourceCode: SourceCode,
  object: TSESTree.ObjectExpression,
  name: string,
  isSame: (key: string, name: string) => boolean = Object.is,
): Node | 'unknown' | undefined {
  let isOpen = false;
  for (const property of [...object.properties].reverse()) {
    if (property.type === 'SpreadElement') {
      const spread = plainObject(sourceCode, property.argument);
      const found = spread === undefined ? 'unknown' : entryOf(sourceCode, spread, name, isSame);
      if (found === 'unknown') isOpen = true;
      else if (found !== undefined) return isOpen ? 'unknown' : found;
      continue;
    }
    const key = wireKey(sourceCode, property);
    if (key === undefined) isOpen = true;
    else if (isSame(key, name)) return isOpen ? 'unknown' : property.value;
  }
  return isOpen ? 'unknown' : undefined;
}

/** The value at the end of a path, such as `params`, `_meta`; see {@link entryOf}. */
export function entryAt(
  sourceCode: SourceCode,
  object: TSESTree.ObjectExpression,
  ...path: readonly string[]
): Node | 'unknown' | undefined {
  let value: Node | 'unknown' | undefined = object;
  for (const name of path) {
    if (value === undefined || value === 'unknown') return value;
    const holder = plainObject(sourceCode, value);
    value = holder === undefined ? 'unknown' : entryOf(sourceCode, holder, name);
  }
  return value;
}
