/** Event stores and replay: what a session of 2025 needs, and nobody else. */
import { ts } from 'ts-morph';
import { eventStoresOf, type EventStorePlace } from '../../src/analysis/event-stores.js';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import type { Facts } from '../../src/analysis/facts.js';
import { hostingOf } from '../../src/analysis/http-hosting.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { contains } from '../../src/analysis/syntax.js';
import {
  EVENT_STORE_MEMBER,
  EVENT_STORE_TYPE,
  TRANSPORT_MEMBER,
  type ShapeId,
} from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { outcomeByServer } from './group-outcome.js';
import { httpPlanOf } from './http-plan.js';
import { moveOf } from './move.js';
import { loneServer, serverSite, type ServerSite } from './server-site.js';
import { statementAround } from './handler-place.js';
import { symbolNamed } from '../../src/analysis/named-symbol.js';

const SHAPE: Readonly<Record<EventStorePlace['kind'], ShapeId>> = {
  memory: 'J1',
  persistent: 'J2',
  option: 'J3',
  factory: 'J4',
  structural: 'J5',
  transport: 'J6',
  closing: 'J7',
};

/** The codemod for stores of events. */
export const eventStore: Codemod<ServerGroup> = {
  name: 'server/event-store',
  removes: 'resumption',
  tokens: [EVENT_STORE_TYPE, EVENT_STORE_MEMBER.replay, TRANSPORT_MEMBER.closeSSEStream],

  find(facts) {
    return eventStoresOf(facts.world).map(({ node, kind }) => siteOf(node, kind, facts));
  },

  rewrite(site, facts, target) {
    if (target === 'dual') return { kind: 'kept', reason: 'sessions of 2025 replay by it' };
    if (site.shape !== 'J1' || site.group.creations.length === 0) return markedStore(site);
    return removed(site, facts, target);
  },
};

function siteOf(node: ts.Node, kind: EventStorePlace['kind'], facts: Facts): ServerSite {
  const group = facts.servers.find((one) => isUsedBy(node, one, facts));
  if (group !== undefined) return serverSite(node, SHAPE[kind], group, facts);
  const named = (node as ts.NamedDeclaration).name;
  const home = { file: node.getSourceFile().fileName, name: named?.getText() ?? EVENT_STORE_TYPE };
  return { ...serverSite(node, SHAPE[kind], loneServer(home), facts), confidence: 'certain' };
}

/** Whether a transport of the server's hosting is given this store, or stands in the same function. */
function isUsedBy(node: ts.Node, group: ServerGroup, { world }: Facts): boolean {
  return hostingOf(world, group).some(
    ({ transports, functions }) =>
      functions.some((one) => contains(one, node)) ||
      transports.some((transport) => namesIn(transport, node, world)),
  );
}

function namesIn(place: ts.Node, declaration: ts.Node, world: ClosedWorld): boolean {
  if (ts.isIdentifier(place)) {
    const symbol = symbolNamed(place, world.checker);
    if (symbol?.declarations?.includes(declaration as ts.Declaration) === true) return true;
    const value = symbol?.valueDeclaration;
    const made = value !== undefined && ts.isVariableDeclaration(value) ? value.initializer : undefined;
    return made !== undefined && ts.isNewExpression(made) && namesIn(made.expression, declaration, world);
  }
  return ts.forEachChild(place, (child) => namesIn(child, declaration, world) || undefined) === true;
}

/** Goes with the old routes, if nothing else uses it. */
function removed(site: ServerSite, facts: Facts, target: Target): Outcome {
  const byServer = outcomeByServer(site, facts, target);
  if (byServer !== undefined) return byServer;
  const plan =
    moveOf(site.group, facts, target).to === 'http' ? httpPlanOf(site.group, facts, target) : undefined;
  const edit =
    plan === undefined || 'text' in plan ? undefined : removalOf(site, [...plan.edits.values()].flat());
  return edit === undefined
    ? markedStore(site)
    : { kind: 'rewritten', edits: [edit], reason: 'nothing replays any more' };
}

function removalOf({ node, unit }: ServerSite, edits: readonly FileEdit[]): FileEdit | undefined {
  const statement = statementAround(node) ?? node;
  return edits.find(
    (edit) =>
      edit.file === unit.file &&
      edit.text === '' &&
      edit.start <= statement.getStart() &&
      statement.end <= edit.end,
  );
}

const WHAT: Partial<Record<ShapeId, string>> = {
  J1: 'only sessions of 2025 replay events: remove this store with whatever still uses it',
  J2: 'only sessions of 2025 replay events: decide what becomes of those that are stored, then remove this store',
  J3: 'no modern handler takes an event store: decide what this option is to do, or remove it from the public types',
  J4: 'no modern handler takes an event store: remove this factory with its configuration',
  J5: 'only sessions of 2025 replay events: remove this store with whatever still uses it',
  J6: 'no modern stream is replayed: a client that lost one listens again and refetches',
  J7: 'no modern stream is closed to make a client poll: remove this call',
};

function markedStore({ shape }: ServerSite): Outcome {
  return { kind: 'marked', text: WHAT[shape] ?? 'only sessions of 2025 replay events', blocks: false };
}
