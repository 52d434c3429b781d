/** What keeps a client's group from being rewritten. */
import type {
  ClientGroup,
  LegacyUse,
  SubscriptionCall,
  UnreadableUse,
} from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { isPlainPath } from '../../src/analysis/syntax.js';
import { CLIENT_MEMBER, MODERN_REVISION } from '../../src/protocol/index.js';
import type { Target } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { findListenPoints } from './listen-points.js';
import { isInWrapper } from './call-surroundings.js';
import { readUri } from './uri-argument.js';
import { handlersToServe, listensForLists } from './served-handlers.js';
import { wishesAt } from './wishes.js';

/** The first thing that stands in the way of a group; undefined when it can be moved as a whole. */
export function findObstacle(group: ClientGroup, facts: Facts, target: Target): Obstacle | undefined {
  return (
    legacyUseIn(group, facts) ??
    unreadableUseIn(group, facts) ??
    callLeftBehind(group, facts) ??
    obstacleThatMayReach(group, facts) ??
    looseUseThatMayReach(group, facts) ??
    tokenOutOfReach(group, facts) ??
    unreadableHandler(group, facts) ??
    hiddenConstructor(group, target) ??
    sseAmongTransports(group, target) ??
    unknownOrder(group, facts)
  );
}

function legacyUseIn(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const use = legacyUseOf(group);
  if (use === undefined) return undefined;
  const { path } = facts.unitOf(use.node);
  // Several clients are one group where their values can meet, which does not say that they do.
  const who =
    group.creations.length > 1
      ? `${use.label} in ${path} may be called on the same client`
      : `the same client uses ${use.label} in ${path}`;
  return { text: `${who}, ${whyItStands(use.label)}`, at: use.node };
}

function legacyUseOf(group: ClientGroup): LegacyUse | undefined {
  return group.legacyUses.find((candidate) => candidate.era !== 'legacy');
}

function whyItStands(label: string): string {
  return label.startsWith('transport.')
    ? `which a ${MODERN_REVISION} connection does not have`
    : `which a ${MODERN_REVISION} connection rejects`;
}

/** A use that may be a call of 2025; the report says its line, since no name in it can be searched for. */
function unreadableUseIn(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const use = unreadableUseOf(group);
  return use === undefined ? undefined : whatItMayBe(use, facts, 'call');
}

function unreadableUseOf(group: ClientGroup): UnreadableUse | undefined {
  return group.unreadable.find((candidate) => candidate.era !== 'legacy');
}

function whatItMayBe({ node, label, kind }: UnreadableUse, facts: Facts, ofWhat: string): Obstacle {
  const { path, tree } = facts.unitOf(node);
  const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const effect =
    kind === 'name'
      ? `may be any ${ofWhat}, also one that a ${MODERN_REVISION} connection rejects`
      : 'is taken without being called, so that its calls cannot be followed';
  return {
    text: `${label} in ${path} ${effect}`,
    reason: `${label} in ${path}:${line} ${effect}`,
    at: node,
  };
}

/** A subscribe or unsubscribe that cannot be rewritten; the rest of its client would be half migrated. */
function callLeftBehind(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const found = unreadableCallOf(group);
  if (found === undefined) return undefined;
  const { path } = facts.unitOf(found.call.node);
  return {
    text: `${labelOf(found.call)} in ${path} cannot be rewritten: ${found.reason}`,
    at: found.call.node,
  };
}

function labelOf(call: SubscriptionCall): string {
  return call.action === 'subscribe'
    ? `${CLIENT_MEMBER.subscribeResource}()`
    : `${CLIENT_MEMBER.unsubscribeResource}()`;
}

function unreadableCallOf(group: ClientGroup): { call: SubscriptionCall; reason: string } | undefined {
  for (const call of group.subscriptions) {
    if (call.era === 'legacy') continue;
    const reason = whyUnreadable(call);
    if (reason !== undefined) return { call, reason };
  }
  return undefined;
}

function whyUnreadable(call: SubscriptionCall): string | undefined {
  if (call.form === 'reference')
    return 'the method is taken without being called, so its calls cannot be followed';
  if (call.form === 'computed') return 'which method it calls is decided only when it runs';
  if (!call.typedAsClient) return 'it is called through a narrower type, which has no place for listen()';
  if (isInWrapper(call))
    return 'it hands on what it is given; add listen() to the interface that this wrapper serves';
  const uri = readUri(call);
  return 'obstacle' in uri ? uri.obstacle : undefined;
}

/** A client from out of sight may be any client of its package that goes out of sight, or comes from there. */
function obstacleThatMayReach(group: ClientGroup, facts: Facts): Obstacle | undefined {
  for (const other of facts.clients) {
    if (other === group || !mayBeTheSame(group, other) || !shareAPackage(other, group, facts)) continue;
    const use = legacyUseOf(other);
    const unreadable = unreadableUseOf(other);
    if (use === undefined && unreadable !== undefined)
      return whatItMayBe(unreadable, facts, 'call on the same client');
    const behind = unreadableCallOf(other);
    const [label, node, why] =
      use !== undefined
        ? [use.label, use.node, whyItStands(use.label)]
        : [
            behind === undefined ? '' : labelOf(behind.call),
            behind?.call.node,
            'and cannot be rewritten there',
          ];
    if (node === undefined) continue;
    return {
      text: `${label} in ${facts.unitOf(node).path} may be called on the same client, ${why}`,
      at: node,
    };
  }
  return undefined;
}

/** A client that goes out of sight may come back as anything; a transport is read where its client is connected. */
function looseUseThatMayReach(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const files = new Set(group.connects.map((connect) => connect.call.getSourceFile()));
  const use = facts.looseUses.find(
    ({ node, row, era }) =>
      era !== 'legacy' &&
      packagesOf(group, facts).has(facts.unitOf(node).package) &&
      (group.escapes.length > 0 || (row === undefined && files.has(node.getSourceFile()))),
  );
  if (use === undefined) return undefined;
  const { path } = facts.unitOf(use.node);
  return {
    text: `${use.label} in ${path} may be the same client's, ${whyItStands(use.label)}`,
    at: use.node,
  };
}

function mayBeTheSame(one: ClientGroup, other: ClientGroup): boolean {
  const comes = (group: ClientGroup): boolean => group.origins.length > 0;
  const goes = (group: ClientGroup): boolean => group.escapes.length > 0 || comes(group);
  return (comes(one) && goes(other)) || (comes(other) && goes(one));
}

function shareAPackage(one: ClientGroup, other: ClientGroup, facts: Facts): boolean {
  const packages = packagesOf(other, facts);
  return [...packagesOf(one, facts)].some((path) => packages.has(path));
}

/** The packages that a group stands in: a client may be handed from one to another. */
function packagesOf(group: ClientGroup, facts: Facts): Set<string> {
  return new Set(group.nodes.map((node) => facts.unitOf(node).package));
}

/** With a resumption token a request is never sent on a modern connection (T36); only one written into the call can go. */
function tokenOutOfReach(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const tokens = group.resumptions.find(
    ({ era, isInline, receiver }) => era !== 'legacy' && (!isInline || !isPlainPath(receiver)),
  );
  if (tokens === undefined) return undefined;
  const [at] = tokens.properties;
  return {
    text: `a request is given the resumption token in ${facts.unitOf(at).path}, which keeps it from being sent on a ${MODERN_REVISION} connection`,
    at,
  };
}

function unreadableHandler(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const hidden = group.handlers.find(
    (handler) => handler.kind !== 'removal' && handler.notifications === undefined,
  );
  if (hidden === undefined || listensForLists(group)) return undefined;
  return {
    text: `which notifications a handler in ${facts.unitOf(hidden.node).path} is for cannot be read, so its filter cannot be computed`,
    at: hidden.node,
  };
}

function hiddenConstructor(group: ClientGroup, target: Target): Obstacle | undefined {
  if (target === 'dual' || group.creations.length > 0) return undefined;
  const [first] = group.nodes;
  return first === undefined
    ? undefined
    : {
        text: 'its constructor is out of sight, so nothing here can pin it to the modern revision',
        at: first,
      };
}

/** A pinned client cannot be connected over HTTP+SSE; one that negotiates ends on the legacy era there. */
function sseAmongTransports(group: ClientGroup, target: Target): Obstacle | undefined {
  const connect = group.connects.find((candidate) => candidate.mayBeSse);
  if (connect === undefined || target === 'dual') return undefined;
  return { text: 'it may be connected over HTTP+SSE, which a pinned client cannot use', at: connect.call };
}

function unknownOrder(group: ClientGroup, facts: Facts): Obstacle | undefined {
  const found = findListenPoints(group, handlersToServe(group), facts);
  if ('obstacle' in found) return { text: found.obstacle, at: found.at };
  for (const point of found.points) {
    const wishes = wishesAt(group, point, facts);
    if ('hidden' in wishes) {
      const text =
        'a handler is registered under a condition that means nothing where the client is connected: listen there under the same one';
      return { text, at: wishes.hidden.node };
    }
  }
  return undefined;
}

/** Why a group is left alone on purpose, if it is. */
export function leftAlone(
  group: ClientGroup,
): { readonly kind: 'kept' | 'reported'; readonly reason: string } | undefined {
  const isOver = (kind: string): boolean =>
    group.connects.length > 0 && group.connects.every((connect) => connect.transport === kind);
  if (isOver('memory')) {
    return {
      kind: 'kept',
      reason: 'it is connected to an in-memory pair, which speaks the legacy era alone',
    };
  }
  if (isOver('sse')) {
    return {
      kind: 'reported',
      reason:
        'it is connected over HTTP+SSE, a transport of the legacy era alone: move to Streamable HTTP first',
    };
  }
  const eras = [...group.creations, ...group.negotiations].map((place) => place.era);
  if (eras.includes('legacy') && !eras.includes('auto') && !eras.includes('pin')) {
    return { kind: 'kept', reason: 'it asks for the legacy era by itself' };
  }
  return undefined;
}
