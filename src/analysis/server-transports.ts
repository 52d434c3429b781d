/** The transports that servers are wired to by hand, followed through the program like servers. */
import { ts } from 'ts-morph';
import { SERVER_MEMBER, SERVER_TRANSPORTS, TRANSPORT_MEMBER } from '../protocol/index.js';
import { createCells } from './cells.js';
import type { ClosedWorld } from './closed-world.js';
import { comparePlaces } from './group-home.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { classifyReceiver, isCreation } from './receivers.js';
import type { ServerGroup } from './server-group.js';
import { SERVER_TRANSPORT } from './subject.js';
import { accessedMember, dressed } from './syntax.js';
import { traceValues, type ValueGroup } from './value-flow.js';

/** Transports that can be in the same places. */
export interface TransportGroup {
  /** `new StreamableHTTPServerTransport(…)`, of HTTP alone. */
  readonly creations: readonly ts.NewExpression[];
  /** `transport.handleRequest(…)` */
  readonly handled: readonly ts.CallExpression[];
  readonly values: ValueGroup;
}

const known = new WeakMap<ClosedWorld, readonly TransportGroup[]>();

/** All groups of transports that take HTTP requests. */
export function transportGroups(world: ClosedWorld): readonly TransportGroup[] {
  const answer = known.get(world) ?? findGroups(world);
  known.set(world, answer);
  return answer;
}

function findGroups(world: ClosedWorld): TransportGroup[] {
  const seeds = world.sourceFiles.flatMap((file) =>
    nodesOfInterest(file).operations.flatMap((node): ts.Expression[] => {
      if (ts.isNewExpression(node)) return isCreation(world, node, SERVER_TRANSPORT) ? [node] : [];
      const accessed = accessedMember(node);
      if (accessed?.member !== TRANSPORT_MEMBER.handleRequest) return [];
      const { expression } = accessed.access;
      return classifyReceiver(world, expression, SERVER_TRANSPORT) === 'instance' ? [expression] : [];
    }),
  );
  const groups = new Set(traceValues(world, SERVER_TRANSPORT, seeds, () => false).values());
  return [...groups].flatMap((values) => {
    const handled = values.members
      .flatMap((use) => (use.member === TRANSPORT_MEMBER.handleRequest ? (callOf(use.access) ?? []) : []))
      .sort(comparePlaces);
    const creations = values.cells
      .filter((cell) => ts.isNewExpression(cell) && isOfHttp(world, cell))
      .sort(comparePlaces) as ts.NewExpression[];
    return handled.length === 0 && creations.length === 0 ? [] : [{ creations, handled, values }];
  });
}

function callOf(access: ts.Node): ts.CallExpression | undefined {
  const callee = dressed(access);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee
    ? callee.parent
    : undefined;
}

const HTTP_NAMES: ReadonlySet<string> = new Set(
  SERVER_TRANSPORTS.flatMap(({ name, kind }) => (kind === 'http' ? [name] : [])),
);

/** By the class of the SDK that its own class comes from. */
function isOfHttp({ checker }: ClosedWorld, creation: ts.NewExpression): boolean {
  const isHttp = (type: ts.Type): boolean =>
    HTTP_NAMES.has(type.getSymbol()?.name ?? '') || (type.getBaseTypes() ?? []).some(isHttp);
  return isHttp(checker.getTypeAtLocation(creation));
}

/** The groups that a server is connected to. */
export function transportsOfServer(world: ClosedWorld, { entries }: ServerGroup): TransportGroup[] {
  const cells = createCells(world);
  const wired = entries.flatMap(({ call }) => {
    const accessed = accessedMember(call.expression);
    const [transport] = call.arguments;
    return accessed?.member === SERVER_MEMBER.connect && transport !== undefined ? cells.of(transport) : [];
  });
  return transportGroups(world).filter(({ values }) => wired.some((cell) => values.cells.includes(cell)));
}
