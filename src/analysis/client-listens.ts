/** Calls of the managed stream on the clients of a group. */
import { ts } from 'ts-morph';
import { CHANGE_STREAM_METHOD } from '../codegen/change-stream.js';
import type { Cell } from './cells.js';
import { changeStreamName, isChangeStreamCall } from './change-stream-calls.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { dressed, peel } from './syntax.js';

/** Calls of the managed stream's factory on a client of this group. */
export function consumerCalls(world: ClosedWorld, cells: readonly Cell[]): ts.CallExpression[] {
  const held = new Set(cells);
  const found: ts.CallExpression[] = [];
  for (const file of world.sourceFiles) {
    if (changeStreamName(file) === undefined) continue;
    for (const node of nodesOfInterest(file).operations) {
      if (!ts.isCallExpression(node) || !isChangeStreamCall(node)) continue;
      const client = node.arguments[0];
      if (client !== undefined && holds(world, client, held)) found.push(node);
    }
  }
  return found;
}

function holds(world: ClosedWorld, expression: ts.Expression, held: ReadonlySet<Cell>): boolean {
  const inner = peel(expression);
  if (held.has(inner)) return true;
  const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  return (world.checker.getSymbolAtLocation(name)?.declarations ?? []).some((declaration) =>
    held.has(declaration),
  );
}

/** `changeStream(client).subscribe(uri)`: a stream that is kept in a variable may do anything. */
export function asksForUpdatesAlone(call: ts.CallExpression): boolean {
  const { parent } = dressed(call);
  const { subscribe, unsubscribe } = CHANGE_STREAM_METHOD;
  return (
    ts.isPropertyAccessExpression(parent) &&
    (parent.name.text === subscribe || parent.name.text === unsubscribe)
  );
}
