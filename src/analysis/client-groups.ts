/** Finds every client of the candidate files and ties what belongs to it into a group. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS } from '../protocol/index.js';
import { isChangeStreamCall } from './change-stream-calls.js';
import { describeCreation } from './client-creations.js';
import type {
  ClientGroup,
  ConnectSite,
  Creation,
  HandlerSite,
  ListenSite,
  MethodGuard,
  MockMember,
  Negotiation,
  ResumptionSite,
} from './client-group.js';
import { describeHandler } from './client-handlers.js';
import { asksForUpdatesAlone, consumerCalls } from './client-listens.js';
import { resumptionIn } from './client-resumption.js';
import { findSeeds } from './client-seeds.js';
import { isAssignedMock, isTestUse, mockMembers, spiesAmong } from './client-mocks.js';
import { describeSubscription, guardAround } from './client-subscriptions.js';
import { readTaken } from './client-taken-members.js';
import { sessionRead, transportsOf } from './client-transports.js';
import type { ClosedWorld } from './closed-world.js';
import { eraOfNegotiation } from './era.js';
import { eraAt } from './era-checks.js';
import { comparePlaces, holderOf, homeOfGroup } from './group-home.js';
import { readSender, type Uses } from './raw-requests.js';
import { classifyReceiver, isClientCreation } from './receivers.js';
import { CLIENT } from './subject.js';
import { dressed } from './syntax.js';
import type { MemberUse } from './flow.js';
import { traceValues, type ValueGroup } from './value-flow.js';

/** Finds and groups all clients; groups are in the order of their first place. */
export function findClientGroups(world: ClosedWorld): ClientGroup[] {
  const seeds = findSeeds(world);
  const traced = traceValues(
    world,
    CLIENT,
    seeds.map((seed) => seed.expression),
    isChangeStreamCall,
  );
  const known = new Map<ValueGroup, boolean>();
  for (const seed of seeds) {
    const group = traced.get(seed.expression);
    if (group !== undefined) known.set(group, (known.get(group) ?? false) || seed.certain);
  }
  const groups: ClientGroup[] = [];
  for (const [values, certain] of known) {
    const group = describeGroup(world, values, certain);
    if (certain || group.subscriptions.length > 0) groups.push(group);
  }
  return groups;
}

function describeGroup(world: ClosedWorld, values: ValueGroup, certain: boolean): ClientGroup {
  const creations: Creation[] = [];
  for (const cell of values.cells) {
    if (ts.isNewExpression(cell) && isClientCreation(world, cell))
      creations.push(describeCreation(world, cell));
  }
  const uses: Uses = { subscriptions: [], legacyUses: [], unreadable: [] };
  const { subscriptions, legacyUses, unreadable } = uses;
  const guards: MethodGuard[] = [];
  const mocks: MockMember[] = [...mockMembers(world, values.cells), ...spiesAmong(values.escapes)];
  const resumptions: ResumptionSite[] = [];
  const connects: ConnectSite[] = [];
  const handlers: HandlerSite[] = [];
  const listens: ListenSite[] = [];
  const negotiations: Negotiation[] = [];
  const byKey = values.taken.flatMap((member) => readTaken(world, member, uses));
  for (const use of [...values.members, ...byKey]) {
    const call = callOf(use);
    const typedAsClient = classifyReceiver(world, use.access.expression) !== 'other';
    const legacy = LEGACY_ONLY_CALLS.find((row) => row.member === use.member);
    if (call !== undefined) {
      const resumption = resumptionIn(call, use, world);
      if (resumption !== undefined) resumptions.push(resumption);
    }
    const guard = legacy?.role === 'subscription' && call === undefined ? guardAround(use) : undefined;
    if (guard !== undefined) {
      guards.push(guard);
    } else if (legacy?.role === 'subscription' && call === undefined && isTestUse(use)) {
      if (isAssignedMock(use)) mocks.push({ node: dressed(use.access).parent });
    } else if (legacy?.role === 'subscription') {
      subscriptions.push(describeSubscription(world, use, call, typedAsClient));
    } else if (legacy !== undefined) {
      legacyUses.push({
        node: call ?? use.access,
        label: `${use.member}()`,
        row: legacy,
        era: eraAt(use.access, use.access.expression, world),
      });
    } else if (use.member === CLIENT_MEMBER.request || use.member === CLIENT_MEMBER.notification) {
      readSender(world, use, uses);
    } else if (use.member === CLIENT_MEMBER.transport) {
      const session = sessionRead(use.access);
      if (session !== undefined) {
        legacyUses.push({
          node: session,
          label: 'transport.sessionId',
          row: undefined,
          era: eraAt(session, use.access.expression, world),
        });
      }
    } else if (!typedAsClient) {
      continue; // the same cell holds something else too, a tuple's other part for one
    } else if (use.member === CLIENT_MEMBER.connect && call !== undefined) {
      const kinds = transportsOf(world, call.arguments[0]);
      connects.push({
        call,
        receiver: use.access.expression,
        transport: kinds.length === 1 ? kinds[0] : undefined,
        mayBeSse: kinds.includes('sse'),
      });
    } else if (use.member === CLIENT_MEMBER.listen && call !== undefined) {
      listens.push({ node: call, through: 'listen', asksForLists: true });
    } else if (use.member === CLIENT_MEMBER.setVersionNegotiation && call?.arguments[0] !== undefined) {
      negotiations.push({ node: call, era: eraOfNegotiation(call.arguments[0], world.checker) });
    } else {
      const handler = describeHandler(world, use, call);
      if (handler !== undefined) handlers.push(handler);
    }
  }
  for (const node of consumerCalls(world, values.cells)) {
    listens.push({ node, through: 'stream', asksForLists: !asksForUpdatesAlone(node) });
  }
  const inOrder = <T extends { node: ts.Node }>(list: T[]): T[] =>
    list.sort((a, b) => comparePlaces(a.node, b.node));
  connects.sort((a, b) => comparePlaces(a.call, b.call));
  return {
    kind: 'client',
    nodes: [
      ...[...creations, ...subscriptions, ...handlers, ...legacyUses, ...unreadable, ...listens].map(
        ({ node }) => node,
      ),
      ...connects.map(({ call }) => call),
    ],
    home: homeOfGroup(
      creations.length > 0 ? creations.map((creation) => holderOf(creation.node)) : values.cells,
    ),
    creations: inOrder(creations),
    negotiations: inOrder(negotiations),
    connects,
    subscriptions: inOrder(subscriptions),
    guards: inOrder(guards),
    mocks: inOrder(mocks),
    resumptions: resumptions.sort((a, b) => comparePlaces(a.receiver, b.receiver)),
    legacyUses: inOrder(legacyUses),
    unreadable: inOrder(unreadable),
    handlers: inOrder(handlers),
    listens: inOrder(listens),
    watchesAutoOpened: values.members.some((use) => use.member === CLIENT_MEMBER.autoOpenedSubscription),
    escapes: values.escapes,
    origins: values.origins,
    certain: certain || creations.length > 0,
  };
}

function callOf(use: MemberUse): ts.CallExpression | undefined {
  const callee = dressed(use.access);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee
    ? callee.parent
    : undefined;
}
