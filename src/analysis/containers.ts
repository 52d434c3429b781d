/** Whether a value is a container of the language itself. */
import type { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { peel } from './syntax.js';

/** Whether an expression is a `Set`, a `Map`, an array, by its type. */
export function isContainer(world: ClosedWorld, expression: ts.Expression): boolean {
  return isContainerType(world, world.checker.getTypeAtLocation(peel(expression)));
}

/** Whether a type is that of such a container, or of one of several. */
export function isContainerType(world: ClosedWorld, type: ts.Type): boolean {
  const known = world.checker.getNonNullableType(type);
  return (known.isUnion() ? known.types : [known]).every((part) => {
    const symbol = part.getSymbol();
    const [declaration] = symbol?.declarations ?? [];
    return (
      declaration !== undefined &&
      world.isOurs(declaration) &&
      !world.isSdk(declaration) &&
      /^(?:Readonly)?(?:Set|Map|Array)$|^WeakMap$/.test(symbol?.name ?? '')
    );
  });
}
