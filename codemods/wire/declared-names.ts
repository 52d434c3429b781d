/** Names as code declares and uses them: of properties, members, variables and what stands around a node. */
import { child, isCall, isMember, memberName, nameOf, peel, stringOf, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** Whether a member of an object literal is a property or a method of it; a spread is neither. */
export function isEntry({ type }: Node): boolean {
  return type === 'Property' || type === 'ObjectProperty' || type === 'ObjectMethod';
}

/** What an entry of an object literal holds: its value, or the method that it is. */
export function entryValue(entry: Node): Node | undefined {
  const value = entry.type === 'ObjectMethod' ? entry : child(entry, 'value');
  return value === undefined ? undefined : peel(value);
}

/** The key of a property, a class member or a member of an interface; undefined for a computed one that is no text. */
export function keyOf(node: Node): string | undefined {
  const key = child(node, 'key');
  if (key === undefined) return undefined;
  return node['computed'] === true ? stringOf(key) : (nameOf(key) ?? stringOf(key));
}

/** The name by which something is declared; a private one without its `#`. */
export function declaredName(node: Node): string | undefined {
  const name =
    child(node, 'id') === undefined
      ? keyOf(node)
      : (nameOf(child(node, 'id')) ?? stringOf(child(node, 'id')));
  return name?.replace(/^#/, '');
}

/** `request.method` has the name `method`, and so has `method`; a private one is without its `#`. */
export function lastName(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  const inner = peel(node);
  const name = isMember(inner)
    ? memberName(inner)
    : isCall(inner)
      ? lastName(child(inner, 'callee'))
      : nameOf(inner);
  return name?.replace(/^#/, '');
}

/** `request` of `request.body.method`: the name that a chain of members begins with. */
export function firstName(node: Node): string | undefined {
  const inner = peel(node);
  if (isMember(inner) || isCall(inner)) {
    const object = child(inner, isCall(inner) ? 'callee' : 'object');
    return object === undefined ? undefined : firstName(object);
  }
  return inner.type === 'ThisExpression' ? 'this' : nameOf(inner);
}

/** The names of what a node stands in, from the inside out: variables, properties, members, functions, classes, calls. */
export function namesAround(module: WireModule, node: Node): string[] {
  const names: string[] = [];
  for (const at of [node, ...module.ancestorsOf(node)]) {
    if (at.type === 'AssignmentExpression') names.push(lastName(child(at, 'left')) ?? '');
    else if (isCall(at) || at.type === 'NewExpression') names.push(lastName(child(at, 'callee')) ?? '');
    else if (NAMED.test(at.type)) names.push(declaredName(at) ?? '');
  }
  return names.filter((name) => name !== '');
}

const NAMED =
  /^(?:VariableDeclarator|Function(?:Declaration|Expression)|Class(?:Declaration|Expression|(?:Private|Accessor)?Property|(?:Private)?Method)|PropertyDefinition|MethodDefinition|Property|ObjectProperty|ObjectMethod|TS(?:Interface|TypeAlias|Enum)Declaration)$/;
