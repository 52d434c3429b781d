/** What a client is connected to, and what it reads from its transport. */
import { ts } from 'ts-morph';
import { CLIENT_TRANSPORTS } from '../protocol/index.js';
import type { ConnectSite } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { dressed, peel } from './syntax.js';

/** The kind of a transport by its type; undefined when it is out of sight, or one of several. */
export function transportOf(
  world: ClosedWorld,
  argument: ts.Expression | undefined,
): ConnectSite['transport'] {
  if (argument === undefined) return undefined;
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(peel(argument)));
  const parts = type.isUnion() ? type.types : [type];
  const kinds = new Set(
    parts.map((part) => CLIENT_TRANSPORTS.find((row) => row.name === part.getSymbol()?.name)?.kind),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** `client.transport?.sessionId`, also `client.transport.sessionId!`. */
export function sessionRead(transport: ts.Expression): ts.Node | undefined {
  const { parent } = dressed(transport);
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'sessionId' ? parent : undefined;
}
