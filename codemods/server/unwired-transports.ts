/** Transports that no server in sight is connected to: pipes, relays between nodes. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { reachedFrom } from '../../src/analysis/http-handlers.js';
import {
  transportGroups,
  transportsOfServer,
  type TransportGroup,
} from '../../src/analysis/server-transports.js';
import { isTestFile } from '../../src/analysis/server-emits.js';
import { brokerCallIn } from '../../src/analysis/several-processes.js';
import { dressed } from '../../src/analysis/syntax.js';
import { TRANSPORT_MEMBER, type ShapeId } from '../../src/protocol/index.js';
import type { Outcome } from '../codemod.js';
import { loneServer, serverSite, type ServerSite } from './server-site.js';
import { shortText } from '../../src/analysis/short-text.js';

const unwired = new WeakSet<object>();
const relays = new WeakMap<object, ts.CallExpression>();

/** The routes, or calls, by which requests get to them, and the places where pipes are put together. */
export function unwiredSites(facts: Facts): ServerSite[] {
  const { world } = facts;
  const wired = new Set(facts.servers.flatMap((group) => transportsOfServer(world, group)));
  return transportGroups(world)
    .filter((one) => !wired.has(one) && ![...one.creations, ...one.handled].every(isTestFile))
    .flatMap((one) => sitesOf(one, facts));
}

function sitesOf(group: TransportGroup, facts: Facts): ServerSite[] {
  const [first] = [...group.creations, ...group.handled];
  if (first === undefined) return [];
  const home = loneServer({ file: first.getSourceFile().fileName, name: 'transport' });
  unwired.add(home);
  const routes = new Set(
    group.handled.flatMap((call) => {
      const { reaching } = reachedFrom(call, facts.world);
      return reaching.length === 0 ? [call] : reaching.map(({ route }) => route.node);
    }),
  );
  const pipes = group.values.members.flatMap(({ access, member }) => {
    const place = dressed(access);
    return member === TRANSPORT_MEMBER.onmessage &&
      ts.isBinaryExpression(place.parent) &&
      place.parent.left === place
      ? [place.parent]
      : [];
  });
  const relay = relayedBy(group, facts);
  if (relay !== undefined) relays.set(home, relay);
  // A pipe hands messages to another transport.
  const shape: ShapeId = relay === undefined ? (pipes.length > 0 ? 'K3' : 'I7') : 'I10';
  const nodes: ts.Node[] = pipes.length > 0 && shape === 'K3' ? [...pipes, ...routes] : [...routes];
  return nodes.map((node) => ({ ...serverSite(node, shape, home, facts), confidence: 'likely' }));
}

/** The broker's call by which a relay passes messages on, in a file that holds its transport. */
function relayedBy({ values, handled }: TransportGroup, { world }: Facts): ts.CallExpression | undefined {
  const files = new Set([...values.cells, ...handled].map((node) => node.getSourceFile()));
  for (const file of files) {
    const call = isTestFile(file) ? undefined : brokerCallIn(world, file);
    if (call !== undefined) return call;
  }
  return undefined;
}

/** Whether a site is one of these. */
export function isUnwired({ group }: ServerSite): boolean {
  return unwired.has(group);
}

/** Only a person can write it. */
export function rewriteUnwired({ shape, group }: ServerSite, facts: Facts): Outcome {
  const texts: Partial<Record<ShapeId, string>> = {
    I10: `messages go from node to node ${throughWhat(relays.get(group), facts)}: implement a ServerEventBus over the same broker, give it to createMcpHandler(factory, { bus }) on every node, and publish changes on it`,
    K3: 'this pipe does not know what it carries: a listen request of the modern era is one long POST, so exempt it from time limits, or end it here and listen to the other side with a client',
  };
  return {
    kind: 'marked',
    text:
      texts[shape] ??
      'the server behind this transport is out of sight: put createMcpHandler() in front of it where that is made',
    blocks: false,
  };
}

function throughWhat(relay: ts.CallExpression | undefined, facts: Facts): string {
  return relay === undefined
    ? 'here'
    : `through ${shortText(relay.expression)}() in ${facts.unitOf(relay).path}`;
}
