/** Which names in the code put something into a variable or field, or take something out of it. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { accessedMember, dressed } from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/** The declaration in the user's code that a name means; a property's name means the property. */
export function cellOf(
  name: ts.Identifier | ts.PrivateIdentifier,
  world: ClosedWorld,
): ts.Declaration | undefined {
  const declaration = symbolNamed(name, world.checker)?.declarations?.[0];
  return declaration === undefined || world.isOurs(declaration) ? undefined : declaration;
}

/** Methods by which containers change. */
const CHANGING: ReadonlySet<string> = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'unshift',
  'pop',
  'shift',
  'splice',
]);

/** Whether a name stands where its value is replaced, or the container that it is changes. */
export function isWrite(name: ts.Identifier | ts.PrivateIdentifier): boolean {
  const access = ts.isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name;
  let place = dressed(access);
  let isInside = false;
  // sessions[id] = session, sessions.get(id).count += 1 is a write of the session
  while (ts.isElementAccessExpression(place.parent) && place.parent.expression === place) {
    place = dressed(place.parent);
    isInside = true;
  }
  const { parent } = place;
  if (ts.isDeleteExpression(parent)) return isInside;
  if (ts.isBinaryExpression(parent) && parent.left === place)
    return (
      parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
    );
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return (
      parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken
    );
  const accessed = accessedMember(parent);
  const callee = accessed === undefined ? undefined : dressed(accessed.access);
  return (
    accessed?.access.expression === place &&
    callee !== undefined &&
    ts.isCallExpression(callee.parent) &&
    callee.parent.expression === callee &&
    CHANGING.has(accessed.member)
  );
}
