/** Handlers of `resources/subscribe`, which no modern client calls (T14), and the registries that they fill. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { subscribeHandlersOf, type SubscribeHandler } from '../../src/analysis/subscribe-handlers.js';
import { registriesOf, type SubscriberRegistry } from '../../src/analysis/subscriber-registries.js';
import { METHOD, SERVER_MEMBER, type ShapeId } from '../../src/protocol/index.js';
import type { Codemod, Outcome, Target } from '../codemod.js';
import { outcomeByServer } from './group-outcome.js';
import { moveOf } from './move.js';
import { removedStatement } from './removed-statement.js';
import { legsOf } from './served-legs.js';
import { serverSite, type ServerSite } from './server-site.js';
import {
  declarationStatement,
  fateOf,
  registrationStatement,
  registryHolding,
  removedNodes,
  subscriberRegistries,
} from './subscriber-removal.js';
import { shortText } from '../../src/analysis/short-text.js';

/** The codemod for subscribe and unsubscribe handlers and their registries (F1 F2 F4 to F8 K1 K4). */
export const subscribeHandlers: Codemod<ServerGroup> = {
  name: 'server/subscribe-handlers',
  removes: 'subscribe-handler',
  tokens: [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe, SERVER_MEMBER.setRequestHandler],

  find(facts) {
    return facts.servers.flatMap((group) => [
      ...subscriberRegistries(group, facts).map((registry) =>
        serverSite(placeOf(registry), shapeOfDeclared(registry, group), group, facts),
      ),
      ...companionsOf(group, facts).map(({ node, registry }) =>
        serverSite(node, shapeOfRegistry(registry), group, facts),
      ),
      ...subscribeHandlersOf(facts.world, group).map((handler) =>
        serverSite(handler.node, shapeOf(handler, group, facts), group, facts),
      ),
    ]);
  },

  rewrite(site, facts, target) {
    const registry = subscriberRegistries(site.group, facts).find((one) => placeOf(one) === site.node);
    if (registry !== undefined) return rewriteRegistry(site, registry, facts, target);
    const companion = companionsOf(site.group, facts).find(({ node }) => node === site.node);
    if (companion !== undefined) return rewriteRegistry(site, companion.registry, facts, target);
    const handler = subscribeHandlersOf(facts.world, site.group).find(({ node }) => node === site.node);
    if (handler === undefined) throw new Error('a site of another codemod');
    const byServer = outcomeByServer(site, facts, target);
    if (byServer?.kind === 'kept' || byServer?.kind === 'reported') return byServer;
    // What is lost is to be said whatever else stands in the way; what stays as it is, is no news.
    const loss = lossOf(handler, site, facts, target);
    if (loss === undefined && target === 'dual') return KEPT;
    return loss ?? byServer ?? rewriteHandler(site, handler, facts);
  },
};

const KEPT: Outcome = { kind: 'kept', reason: 'clients of 2025 need it' };

/** Functions that serve a registry alone and go with it: what gates ask, what is registered by its name. */
function companionsOf(
  group: ServerGroup,
  facts: Facts,
): { readonly node: ts.Node; readonly registry: SubscriberRegistry }[] {
  return subscriberRegistries(group, facts).flatMap((registry) => {
    const fate = fateOf(registry, group, facts);
    const nodes = 'removes' in fate ? fate.removes : [];
    return nodes.filter((node) => node !== placeOf(registry)).map((node) => ({ node, registry }));
  });
}

function placeOf(registry: SubscriberRegistry): ts.Node {
  return declarationStatement(registry) ?? registry.declaration;
}

/** The set of URIs that all sessions share, if there are any; else by what it keeps. */
function shapeOfDeclared(registry: SubscriberRegistry, { entries }: ServerGroup): ShapeId {
  const hasSessions = entries.some(({ transport }) => transport === 'http' || transport === 'sse');
  return registry.isShared && hasSessions ? 'F8' : shapeOfRegistry(registry);
}

/** A map says of whom it keeps the URIs, or of which URI the sessions. */
function shapeOfRegistry({ declaration }: SubscriberRegistry): ShapeId {
  const { initializer, type } = declaration as { initializer?: ts.Node; type?: ts.Node };
  return /\b(?:Weak)?Map\b|Record</.test(`${initializer?.getText() ?? ''} ${type?.getText() ?? ''}`)
    ? 'F2'
    : 'F1';
}

function shapeOf(handler: SubscribeHandler, group: ServerGroup, facts: Facts): ShapeId {
  switch (handler.does) {
    case 'forward':
      return 'K1';
    case 'bridge':
      return 'K4';
    case 'check':
    case 'work':
      return 'F4';
    default:
  }
  if (handler.form === 'table' || handler.does === 'unreadable') return 'F5';
  if (handler.form === 'inline-schema') return 'F7';
  if (handler.form === 'method') return 'F6';
  const filled = registriesOf(facts.world, group).find(({ places }) =>
    places.uses.some(({ node }) =>
      handler.functions.some((one) => one.pos <= node.pos && node.end <= one.end),
    ),
  );
  return filled === undefined ? 'F1' : shapeOfRegistry(filled);
}

/** What no longer happens for a client that only listens, and what a person has to do about it. */
function lossOf(
  { does, deed, actions }: SubscribeHandler,
  { group }: ServerSite,
  facts: Facts,
  target: Target,
): Outcome | undefined {
  if (does === 'bookkeeping') return undefined;
  const undoes = !actions.includes('subscribe') && hasMarkedPartner(group, facts);
  if (undoes) return { kind: 'kept', reason: 'undoes what the subscribe handler does, which is marked' };
  const what = deed === undefined ? 'it' : deedText(deed);
  const blocks = does !== 'work' || moveOf(group, facts, target).to !== 'served';
  return { kind: 'marked', text: LOSS[does](what), blocks };
}

function hasMarkedPartner(group: ServerGroup, { world }: Facts): boolean {
  return subscribeHandlersOf(world, group).some(
    ({ does, actions }) => does !== 'bookkeeping' && actions.includes('subscribe'),
  );
}

const LOSS: Readonly<Record<Exclude<SubscribeHandler['does'], 'bookkeeping'>, (what: string) => string>> = {
  check: (what) =>
    `no modern client calls this handler, so a listen passes by its check (${what}): check params.notifications.resourceSubscriptions in front of the entry, give each tenant a handler or bus of its own, or use URIs that nobody can guess`,
  work: (what) =>
    `no modern client calls this handler, so ${what} does not run for a listen: do it for every URI from the start, or when params.notifications.resourceSubscriptions names it in front of the entry`,
  forward: (what) =>
    `no modern client calls this handler, so nothing is forwarded (${what}): listen upstream to what params.notifications.resourceSubscriptions names, once per URI for all clients`,
  bridge: (what) =>
    `no modern client calls this handler, so the backend behind it is not told (${what}): tell it of what params.notifications.resourceSubscriptions names in front of the entry`,
  unreadable: (what) =>
    `what is registered for subscribing (${what}) cannot be read: if it checks or starts anything, a listen passes by it`,
};

/** A deed in a sentence: a long call without its arguments. */
function deedText(deed: ts.Node): string {
  const text = shortText(deed.getText().replace(/;$/, ''));
  return text.endsWith('…') && ts.isCallExpression(deed) ? `${deedText(deed.expression)}(…)` : text;
}

function rewriteHandler(site: ServerSite, handler: SubscribeHandler, facts: Facts): Outcome {
  const statement = registrationStatement(handler);
  if (handler.form === 'table' || statement === undefined)
    return {
      kind: 'marked',
      text: 'no modern client subscribes: take these handlers and their registry out',
      blocks: false,
    };
  const held = registryHolding(handler, site.group, facts);
  if (held !== undefined)
    return {
      kind: 'kept',
      reason: isLost(held) ? `what fills ${held.name} is marked` : `${held.name} is used elsewhere, too`,
    };
  return {
    kind: 'rewritten',
    edits: [removedStatement(statement, site.unit, removedNodes(site.group, facts))],
    reason: 'no modern client calls it: the SDK keeps what each listens to',
  };
}

/** Whether the handlers that fill a registry are marked, and so stay. */
function isLost({ filledBy }: SubscriberRegistry): boolean {
  return filledBy.some(({ does, form }) => does !== 'bookkeeping' || form === 'table');
}

function rewriteRegistry(
  site: ServerSite,
  registry: SubscriberRegistry,
  facts: Facts,
  target: Target,
): Outcome {
  const byServer = outcomeByServer(site, facts, target);
  if (byServer?.kind === 'marked') return { kind: 'kept', reason: byServer.reason ?? byServer.text };
  if (byServer !== undefined) return byServer;
  const shared =
    registry.isShared && legsOf(site.group, facts, target) !== 'stdio'
      ? `; all sessions share ${registry.name}, so that one that unsubscribes silences the others, which streams of listens do not`
      : '';
  if (target === 'dual') return { kind: 'kept', reason: `clients of 2025 need it${shared}` };
  if (isLost(registry)) return { kind: 'kept', reason: 'what fills it is marked' };
  const fate = fateOf(registry, site.group, facts);
  if ('reader' in fate) {
    const { path } = facts.unitOf(fate.reader);
    return {
      kind: 'marked',
      text: `no modern client subscribes, so ${registry.name} stays empty: decide what is to become of its use in ${path}`,
      blocks: false,
    };
  }
  return {
    kind: 'rewritten',
    edits: fate.removes.map((node) =>
      removedStatement(node, facts.unitOf(node), removedNodes(site.group, facts)),
    ),
    reason: `nothing fills ${registry.name} any more${shared}`,
  };
}
