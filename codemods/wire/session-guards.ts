/** Code that only runs with a session, which no server of 2026 gives. */
import { leaves, mentionsOf } from './era.js';
import { child, isMember, memberName, nameOf, peel, type Node } from './tree.js';
import { functionAround, siblingsOf, type WireModule } from './wire-module.js';

/** Whether a place is only reached with a session. */
export function needsSession(module: WireModule, place: Node, depth = 0): boolean {
  let inner = place;
  for (const around of module.ancestorsOf(place)) {
    const test = child(around, 'test');
    if (around.type === 'IfStatement' && inner === child(around, 'consequent') && isSession(test, true))
      return true;
    if (
      around.type === 'LogicalExpression' &&
      around['operator'] === '&&' &&
      inner === child(around, 'right')
    ) {
      // Within headers the session is what is sent, not what is asked for.
      const isSpread = module.parentOf(around)?.type.startsWith('Spread') === true;
      if (!isSpread && isSession(child(around, 'left'), true)) return true;
    }
    if (isBehindExit(module, inner)) return true;
    inner = around;
  }
  const owner = functionAround(module, place);
  const mentions = owner === undefined || depth > 2 ? [] : mentionsOf(module, owner);
  return mentions.length > 0 && mentions.every((mention) => needsSession(module, mention, depth + 1));
}

function isBehindExit(module: WireModule, statement: Node): boolean {
  for (const sibling of siblingsOf(module, statement) ?? []) {
    if (sibling === statement) return false;
    const consequent = child(sibling, 'consequent');
    const isExit = sibling.type === 'IfStatement' && consequent !== undefined && leaves(consequent);
    if (isExit && isSession(child(sibling, 'test'), false)) return true;
  }
  return false;
}

/** `sessionId`, `this.sessionId !== undefined`; with `false` the opposite. */
function isSession(test: Node | undefined, isGiven: boolean): boolean {
  if (test === undefined) return false;
  const node = peel(test);
  if (node.type === 'UnaryExpression' && node['operator'] === '!')
    return isSession(child(node, 'argument'), !isGiven);
  if (node.type === 'BinaryExpression') {
    const isDifferent = String(node['operator']).startsWith('!=');
    const left = child(node, 'left');
    return isDifferent === isGiven && isNothing(child(node, 'right')) && isSession(left, true);
  }
  const name = isMember(node) ? memberName(node) : nameOf(node);
  return isGiven && name !== undefined && /session(?:_?id)?$/i.test(name);
}

function isNothing(node: Node | undefined): boolean {
  return (
    node?.type === 'NullLiteral' ||
    nameOf(node) === 'undefined' ||
    (node?.type === 'Literal' && node['value'] === null)
  );
}
