/** Functions of a module by the name that they are declared under: functions, methods, and constants that hold one. */
import { declaredName } from './declared-names.js';
import { child, isFunction, within, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

const NAMED = Symbol('functions by name');

/** The first function of a name; private ones are known without their `#`. */
export function functionNamed(module: WireModule, name: string | undefined): Node | undefined {
  return name === undefined ? undefined : module.remember(NAMED, namedFunctions).get(name);
}

function namedFunctions({ program }: WireModule): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const node of within(program)) {
    const value = isFunction(node) ? node : (child(node, 'init') ?? child(node, 'value'));
    const name = value !== undefined && isFunction(value) ? declaredName(node) : undefined;
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value);
  }
  return found;
}
