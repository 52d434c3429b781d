/** Finds every server of the candidate files and ties what belongs to it into a group. */
import { ts } from 'ts-morph';
import { SERVER_MEMBER } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { comparePlaces, holderOf, homeOfGroup } from './group-home.js';
import { nodesOfInterest, type Operation } from './nodes-of-interest.js';
import { classifyReceiver, isCreation } from './receivers.js';
import { entryCalls, handWiredEntry, servedEntry } from './server-entries.js';
import type { ServerCreation, ServerEntry, ServerGroup } from './server-group.js';
import { SERVER } from './subject.js';
import { accessedMember, dressed, enclosingFunction } from './syntax.js';
import { traceValues, type ValueGroup } from './value-flow.js';

/** Finds and groups all servers; groups are in the order of their first place. */
export function findServerGroups(world: ClosedWorld): ServerGroup[] {
  const seeds = findSeeds(world);
  const traced = new Set(traceValues(world, SERVER, seeds, () => false).values());
  const served = entryCalls(world);
  return [...traced]
    .map((values) => describeGroup(world, values, served))
    .filter((group) => group.nodes.length > 0)
    .sort(byFirstPlace);
}

function byFirstPlace({ nodes: [one] }: ServerGroup, { nodes: [other] }: ServerGroup): number {
  return one === undefined || other === undefined ? 0 : comparePlaces(one, other);
}

/** The expressions by which servers show themselves: constructors, and receivers of any member. */
function findSeeds(world: ClosedWorld): ts.Expression[] {
  const seeds: ts.Expression[] = [];
  const look = (node: Operation): void => {
    if (ts.isNewExpression(node)) {
      if (isCreation(world, node, SERVER)) seeds.push(node);
      return;
    }
    const accessed = accessedMember(node);
    if (accessed !== undefined) {
      if (!MEMBERS.has(accessed.member)) return;
      const { expression } = accessed.access;
      if (classifyReceiver(world, expression, SERVER) === 'instance') seeds.push(expression);
    }
  };
  for (const file of world.sourceFiles) nodesOfInterest(file).operations.forEach(look);
  return seeds;
}

const MEMBERS: ReadonlySet<string> = new Set(Object.values(SERVER_MEMBER));

function describeGroup(
  world: ClosedWorld,
  values: ValueGroup,
  served: readonly ts.CallExpression[],
): ServerGroup {
  const creations = values.cells.flatMap((cell): ServerCreation[] =>
    ts.isNewExpression(cell) && isCreation(world, cell, SERVER)
      ? [{ node: cell, within: enclosingFunction(cell) }]
      : [],
  );
  creations.sort((a, b) => comparePlaces(a.node, b.node));
  const members = [...values.members].sort((a, b) => comparePlaces(a.access, b.access));
  const entries = [
    ...members.flatMap((use): ServerEntry[] => {
      if (use.member !== SERVER_MEMBER.connect) return [];
      const callee = dressed(use.access);
      const call = callee.parent;
      return ts.isCallExpression(call) && call.expression === callee ? [handWiredEntry(world, call)] : [];
    }),
    ...served.flatMap((call) => servedEntry(world, call, values.cells)),
  ].sort((a, b) => comparePlaces(a.call, b.call));
  const places = creations.length > 0 ? creations.map(({ node }) => holderOf(node)) : values.cells;
  return {
    kind: 'server',
    home: { ...homeOfGroup(places) },
    nodes: [
      ...creations.map(({ node }) => node),
      ...entries.map(({ call }) => call),
      ...members.map(({ access }) => access),
      ...values.taken.map(({ node }) => node),
    ],
    creations,
    entries,
    members,
    taken: values.taken,
    cells: values.cells,
    escapes: values.escapes,
    origins: values.origins,
    certain: true,
  };
}
