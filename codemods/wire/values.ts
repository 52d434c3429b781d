/** What expressions of a module stand for, as far as one module can tell. */
import { constantOf } from './bindings.js';
import {
  child,
  isMember,
  isProperty,
  isSpread,
  list,
  memberName,
  nameOf,
  peel,
  stringOf,
  type Node,
} from './tree.js';
import type { WireModule } from './wire-module.js';

/** The expression behind constants. */
export function resolve(module: WireModule, node: Node, depth = 0): Node {
  const inner = peel(node);
  if (depth > 5) return inner;
  if (inner.type === 'Identifier') {
    const value = constantOf(module, inner);
    return value === undefined ? inner : resolve(module, value, depth + 1);
  }
  if (!isMember(inner)) return inner;
  // `METHODS.SUBSCRIBE` of a constant table
  const object = child(inner, 'object');
  const table = object === undefined ? undefined : resolve(module, object, depth + 1);
  const value = table === undefined ? undefined : valueOf(module, table, memberName(inner) ?? '');
  return value === undefined ? inner : resolve(module, value, depth + 1);
}

/** The text that an expression always has. */
export function textOf(module: WireModule, node: Node | undefined): string | undefined {
  return node === undefined ? undefined : stringOf(resolve(module, node));
}

/** The object literal that an expression is. */
export function objectOf(module: WireModule, node: Node | undefined): Node | undefined {
  if (node === undefined) return undefined;
  const value = resolve(module, node);
  return value.type === 'ObjectExpression' ? value : undefined;
}

/** The name of a property as it is written, or as the constant in brackets says. */
export function keyOf(module: WireModule, property: Node): string | undefined {
  const key = child(property, 'key');
  if (key === undefined) return undefined;
  if (property['computed'] === true) return textOf(module, key);
  return nameOf(key) ?? stringOf(key);
}

/** The property of an object literal by its name; the last one wins. */
export function propertyOf(module: WireModule, object: Node, name: string): Node | undefined {
  return list(object, 'properties')
    .filter((property) => !isSpread(property) && keyOf(module, property) === name)
    .at(-1);
}

/** The value of a property of an object literal. */
export function valueOf(module: WireModule, object: Node, name: string): Node | undefined {
  const property = object.type === 'ObjectExpression' ? propertyOf(module, object, name) : undefined;
  return property !== undefined && isProperty(property) ? child(property, 'value') : undefined;
}
