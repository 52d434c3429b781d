/** What serves a server: an entry of version 2, or a transport that it is wired to by hand. */
import { ts } from 'ts-morph';
import { SERVER_SYMBOLS, SERVER_TRANSPORTS } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { symbolNamed } from './named-symbol.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { renamings } from './renamings.js';
import type { ServerEntry } from './server-group.js';
import { peel } from './syntax.js';

const ENTRIES = new Map(
  SERVER_SYMBOLS.flatMap((row) => (row.entry === undefined ? [] : [[row.name as string, row.entry]])),
);

/** Every call of the SDK's entries; a function of the same name from another package is somebody else's. */
export function entryCalls(world: ClosedWorld): ts.CallExpression[] {
  const isEntry = (call: ts.CallExpression): boolean => entryKind(world, call) !== undefined;
  return world.sourceFiles.flatMap((file) =>
    nodesOfInterest(file).operations.flatMap((node) =>
      ts.isCallExpression(node) && isEntry(node) ? [node] : [],
    ),
  );
}

function entryKind(world: ClosedWorld, call: ts.CallExpression): 'http' | 'stdio' | undefined {
  const callee = peel(call.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  if (!ts.isIdentifier(name) || !(ENTRIES.has(name.text) || renamings(world).has(name.text)))
    return undefined;
  const target = symbolNamed(name, world.checker);
  const declaration = target?.declarations?.[0];
  if (target === undefined || declaration === undefined || !world.isSdk(declaration)) return undefined;
  return ENTRIES.get(target.name);
}

/** The entry that a call is for a group of cells; none where it serves another server. */
export function servedEntry(
  world: ClosedWorld,
  call: ts.CallExpression,
  cells: readonly ts.Node[],
): ServerEntry[] {
  const kind = entryKind(world, call);
  const [argument] = call.arguments;
  if (kind === undefined || argument === undefined) return [];
  const factories = functionsBehind(world, argument).filter((factory) => cells.includes(factory));
  return factories.length === 0 ? [] : [{ kind, call, transport: undefined, factories }];
}

/** The functions that an expression stands for: written here, declared, or kept in a constant. */
export function functionsBehind(world: ClosedWorld, expression: ts.Expression): ts.SignatureDeclaration[] {
  const inner = peel(expression);
  if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) return [inner];
  const signatures = world.checker.getTypeAtLocation(inner).getCallSignatures();
  return signatures.flatMap(({ declaration }) =>
    declaration === undefined || ts.isJSDocSignature(declaration) || world.isOurs(declaration)
      ? []
      : [declaration],
  );
}

/** `server.connect(transport)` */
export function handWiredEntry(world: ClosedWorld, call: ts.CallExpression): ServerEntry {
  const kinds = transportKinds(world, call.arguments[0]);
  const transport = kinds.length === 1 ? kinds[0] : undefined;
  const kind = transport === undefined ? 'unknown' : transport === 'memory' ? 'test' : 'hand-wired';
  return { kind, call, transport, factories: [] };
}

/** The kinds of transport that an expression can be, by its type; empty when that is out of sight. */
export function transportKinds(
  world: ClosedWorld,
  argument: ts.Expression | undefined,
): NonNullable<ServerEntry['transport']>[] {
  if (argument === undefined) return [];
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(peel(argument)));
  const parts = type.isUnion() ? type.types : [type];
  return [
    ...new Set(
      parts.flatMap((part) => {
        const name = part.getSymbol()?.name;
        return SERVER_TRANSPORTS.flatMap((row) => (row.name === name ? [row.kind] : []));
      }),
    ),
  ];
}
