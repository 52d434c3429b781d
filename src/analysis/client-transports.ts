/** What a client is connected to, and what it reads from its transport. */
import { ts } from 'ts-morph';
import { CLIENT_TRANSPORTS } from '../protocol/index.js';
import type { TransportKind } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { dressed, peel } from './syntax.js';

/** The kinds of transport that an expression can be, by its type; empty when that is out of sight. */
export function transportsOf(world: ClosedWorld, argument: ts.Expression | undefined): TransportKind[] {
  if (argument === undefined) return [];
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(peel(argument)));
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => {
    const name = part.getSymbol()?.name;
    return CLIENT_TRANSPORTS.flatMap((row) => (row.name === name ? [row.kind] : []));
  });
}

/** `client.transport?.sessionId`, also `client.transport.sessionId!`. */
export function sessionRead(transport: ts.Expression): ts.Node | undefined {
  const { parent } = dressed(transport);
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'sessionId' ? parent : undefined;
}
