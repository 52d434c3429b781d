/**
 * Calls of 2025 that no group accounts for: on a receiver of unknown type, or on a transport kept in a place of its own. They
 * may be made on any client that goes out of sight.
 */
import { ts } from 'ts-morph';
import { CLIENT_CLASS, CLIENT_MEMBER, LEGACY_ONLY_CALLS } from '../protocol/index.js';
import type { ClientGroup, LegacyUse } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era-checks.js';
import { nodesOfInterest, type Operation } from './nodes-of-interest.js';
import { isSamePath, pathOf } from './place-paths.js';
import { classifyReceiver, classifyType } from './receivers.js';
import { SERVER_HOME } from './sdk-server-declarations.js';
import { accessedMember, dressed, peel, propertyName } from './syntax.js';

const BLOCKERS = new Map(
  LEGACY_ONLY_CALLS.filter((row) => row.role === 'blocker').map((row) => [row.member as string, row]),
);

/** Finds them in all files. */
export function findLooseUses(world: ClosedWorld, groups: readonly ClientGroup[]): LegacyUse[] {
  const accounted = new Set(groups.flatMap((group) => group.legacyUses.map((use) => use.node)));
  const found: LegacyUse[] = [];
  for (const file of world.sourceFiles) {
    for (const node of nodesOfInterest(file).operations) {
      const use = looseUse(node, world);
      if (use !== undefined && !accounted.has(use.node)) found.push(use);
    }
  }
  return found;
}

function looseUse(node: Operation, world: ClosedWorld): LegacyUse | undefined {
  if (ts.isBindingElement(node)) return takenFromParameter(node, world);
  const accessed = accessedMember(node);
  if (accessed === undefined) return undefined;
  const { access, member } = accessed;
  if (member === 'sessionId') {
    return isClientTransport(access.expression, world)
      ? {
          node: access,
          label: 'transport.sessionId',
          row: undefined,
          era: eraAt(access, clientOn(access.expression, world), world),
        }
      : undefined;
  }
  const row = BLOCKERS.get(member);
  const callee = dressed(access);
  const isCall = ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
  if (row === undefined || !isCall || classifyReceiver(world, access.expression) !== 'unknown')
    return undefined;
  return { node: callee.parent, label: `${member}()`, row, era: eraAt(access, access.expression, world) };
}

/** `({ ping }: Client) => …`, handed a client by nobody in sight. */
function takenFromParameter(element: ts.BindingElement, world: ClosedWorld): LegacyUse | undefined {
  const pattern = element.parent;
  const member = propertyName(element.propertyName ?? element.name);
  const row = member === undefined ? undefined : BLOCKERS.get(member);
  if (row === undefined || !ts.isObjectBindingPattern(pattern) || !ts.isParameter(pattern.parent))
    return undefined;
  return classifyType(world, world.checker.getTypeAtLocation(pattern)) === 'instance'
    ? { node: element, label: `${row.member}()`, row, era: undefined }
    : undefined;
}

/** The client that is connected over a transport, in the transport's own file. */
function clientOn(transport: ts.Expression, world: ClosedWorld): ts.Expression | undefined {
  const path = pathOf(transport, world);
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    const accessed = ts.isCallExpression(node) ? accessedMember(peel(node.expression)) : undefined;
    if (accessed?.member === CLIENT_MEMBER.connect && ts.isCallExpression(node)) {
      const [given] = node.arguments;
      if (given !== undefined && isSamePath(pathOf(given, world), path)) found ??= accessed.access.expression;
    }
    ts.forEachChild(node, visit);
  };
  if (path !== undefined) visit(transport.getSourceFile());
  return found;
}

/** Whether an expression is one of the SDK's client transports, by its type. */
function isClientTransport(expression: ts.Expression, world: ClosedWorld): boolean {
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(peel(expression)));
  return (type.isUnion() ? type.types : [type]).some((part) => {
    const symbol = part.getSymbol();
    const declaration = symbol?.declarations?.[0];
    return (
      declaration !== undefined &&
      world.isSdk(declaration) &&
      symbol?.name !== CLIENT_CLASS &&
      !isOfServer(declaration)
    );
  });
}

function isOfServer(declaration: ts.Declaration): boolean {
  const module = declaration.parent.parent;
  return ts.isModuleDeclaration(module) && module.name.text === SERVER_HOME;
}
