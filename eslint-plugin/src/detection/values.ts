/** Values that can be read from the text: strings, objects and their properties, behind constants. */
import { keyName, memberName, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { constantOf, definitionOf, variableOf } from './bindings.js';

/** The expression that a name stands for, as far as constants lead. */
export function resolve(sourceCode: SourceCode, node: Node, depth = 0): Node {
  const inner = peel(node);
  if (inner.type === 'Identifier' && depth < 5) {
    const value = constantOf(sourceCode, inner);
    return value === undefined ? inner : resolve(sourceCode, value, depth + 1);
  }
  if (inner.type === 'MemberExpression' && depth < 5) {
    const name = memberName(inner);
    const holder = resolve(sourceCode, inner.object, depth + 1);
    const value = name === undefined ? undefined : memberOf(sourceCode, holder, name);
    return value === undefined ? inner : resolve(sourceCode, value, depth + 1);
  }
  return inner;
}

/** The value of a property of an object literal or of an enum's member. */
function memberOf(sourceCode: SourceCode, holder: Node, name: string): Node | undefined {
  if (holder.type === 'ObjectExpression') {
    const property = propertyOf(holder, name);
    return property === 'unknown' ? undefined : property?.value;
  }
  if (holder.type !== 'Identifier') return undefined;
  const enumeration = definitionOf(variableOf(sourceCode, holder))?.node;
  if (enumeration?.type !== 'TSEnumDeclaration') return undefined;
  const member = enumeration.body.members.find(
    ({ id }) => (id.type === 'Identifier' ? id.name : id.value) === name,
  );
  return member?.initializer;
}

/** The string that an expression certainly is. */
export function stringOf(sourceCode: SourceCode, node: Node | null | undefined): string | undefined {
  if (node === null || node === undefined) return undefined;
  const value = resolve(sourceCode, node);
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value;
  const [only] = value.type === 'TemplateLiteral' && value.quasis.length === 1 ? value.quasis : [];
  return only?.value.cooked ?? undefined;
}

/** The object literal that an expression certainly is. */
export function objectOf(
  sourceCode: SourceCode,
  node: Node | null | undefined,
): TSESTree.ObjectExpression | undefined {
  if (node === null || node === undefined) return undefined;
  const value = resolve(sourceCode, node);
  return value.type === 'ObjectExpression' ? value : undefined;
}

/**
 * A property of an object literal: undefined where it certainly has none of that name, `unknown` where a spread or a
 * computed name may give it one.
 */
export function propertyOf(
  object: TSESTree.ObjectExpression,
  name: string,
): TSESTree.Property | 'unknown' | undefined {
  let isOpen = false;
  for (const property of [...object.properties].reverse()) {
    if (property.type === 'SpreadElement') isOpen = true;
    else {
      const key = keyName(property);
      if (key === name) return isOpen ? 'unknown' : property;
      if (key === undefined) isOpen = true;
    }
  }
  return isOpen ? 'unknown' : undefined;
}

/** The value of a nested property, such as `params.notifications`; see {@link propertyOf}. */
export function valueAt(
  sourceCode: SourceCode,
  object: TSESTree.ObjectExpression,
  ...path: readonly string[]
): Node | 'unknown' | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  const property = propertyOf(object, name);
  if (property === undefined || property === 'unknown') return property;
  if (rest.length === 0) return property.value;
  const inner = objectOf(sourceCode, property.value);
  return inner === undefined ? 'unknown' : valueAt(sourceCode, inner, ...rest);
}

/** `true` or `false`, where it certainly is one. */
export function booleanOf(sourceCode: SourceCode, node: Node | null | undefined): boolean | undefined {
  if (node === null || node === undefined) return undefined;
  const value = resolve(sourceCode, node);
  return value.type === 'Literal' && typeof value.value === 'boolean' ? value.value : undefined;
}
