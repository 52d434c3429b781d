/** What a server publishes reaches the streams of modern listeners: beside the emit of 2025, or in its place. */
import type { Facts } from '../../src/analysis/facts.js';
import { ownPublisherCalls, type OwnPublisherCall } from '../../src/analysis/own-publishers.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Publisher } from '../../src/analysis/server-publisher.js';
import { NOTIFICATION, PUBLISHERS, REQUEST_CONTEXT, SERVER_MEMBER } from '../../src/protocol/index.js';
import type { Codemod, Outcome, Target } from '../codemod.js';
import { customNotificationsOf } from './custom-notifications.js';
import { outcomeByServer } from './group-outcome.js';
import { isBehindHandshake } from './handshake.js';
import { moveOf } from './move.js';
import { gatesOf, planOfPublisher, publishersIn } from './publisher-plan.js';
import { isForwarding, shapeOfPublisher } from './publisher-shape.js';
import { loneServer, serverSite, type ServerSite } from './server-site.js';

/** The codemod for publishers. */
export const publishCalls: Codemod<ServerGroup> = {
  name: 'server/publish-calls',
  removes: 'publish',
  tokens: [
    ...PUBLISHERS.map((row) => row.member),
    ...PUBLISHERS.map((row) => row.notification),
    SERVER_MEMBER.notification,
    REQUEST_CONTEXT.sendNotification,
    SERVER_MEMBER.registerTool,
    SERVER_MEMBER.registerPrompt,
    SERVER_MEMBER.registerResource,
    'list_changed',
  ],

  find(facts) {
    const own = ownPublisherCalls(facts.world, facts.servers);
    return [
      ...facts.servers
        .filter(isInUse)
        .flatMap((group) => [
          ...publishersIn(group, facts).map((publisher) =>
            serverSite(
              publisher.node,
              shapeOfPublisher(publisher, gatesOf(publisher, group, facts), group, facts),
              group,
              facts,
            ),
          ),
          ...customNotificationsOf(group, facts).map(({ call }) => serverSite(call, 'I11', group, facts)),
        ]),
      ...own.map((call) => siteOfOwn(call, facts)),
    ];
  },

  rewrite(site, facts, target) {
    const publisher = publishersIn(site.group, facts).find(({ node }) => node === site.node);
    if (publisher !== undefined) {
      return outcomeByServer(site, facts, target) ?? outcomeOf(publisher, site, facts, target);
    }
    if (site.shape === 'I11') {
      return (
        outcomeByServer(site, facts, target) ?? {
          kind: 'kept',
          reason: 'no listen stream carries a notification of its own; the legacy leg goes on sending it',
        }
      );
    }
    return outcomeOfOwn(site);
  },
};

/** Servers that are only wired to a test's in-memory pair speak 2025 alone, and stay as they are. */
function isInUse({ entries }: ServerGroup): boolean {
  return entries.length === 0 || entries.some(({ kind }) => kind !== 'test');
}

function outcomeOf(publisher: Publisher, site: ServerSite, facts: Facts, target: Target): Outcome {
  const { group } = site;
  if (isServedByStdioAlone(group, facts, target))
    return outcomeOnStdio(publisher, facts, moveOf(group, facts, target).to !== 'served');
  if (isServedByBoth(group)) return { kind: 'marked', text: BOTH, blocks: false };
  const plan = planOfPublisher(publisher, group, facts, target);
  if (plan.kind === 'kept') return plan;
  if (plan.kind === 'problem') return { kind: 'marked', text: plan.text, blocks: false };
  const { edits, imports, files, reason, marker } = plan;
  return { kind: 'rewritten', edits, imports, files, reason, ...(marker === undefined ? {} : { marker }) };
}

const BOTH =
  'an entry over stdio and one over HTTP serve this server: hand its factory a function that publishes, by the instance on stdio and by the handler over HTTP';

/** `serveStdio` keeps one instance per connection and routes what it sends to the streams that are open (T7). */
function isServedByStdioAlone(group: ServerGroup, facts: Facts, target: Target): boolean {
  const { to } = moveOf(group, facts, target);
  if (to === 'stdio') return true;
  const kinds = new Set(group.entries.map(({ kind }) => kind));
  return to === 'served' && kinds.has('stdio') && !kinds.has('http');
}

function isServedByBoth({ entries }: ServerGroup): boolean {
  return (
    entries.some(({ kind }) => kind === 'http') &&
    entries.some(({ kind, transport }) => kind === 'stdio' || transport === 'stdio')
  );
}

function outcomeOnStdio(publisher: Publisher, facts: Facts, onceRewritten: boolean): Outcome {
  if (isBehindHandshake(publisher.node))
    return {
      kind: 'kept',
      reason: 'runs for clients of 2025 alone; a modern client lists when it has connected',
    };
  return isForwarding(publisher, facts)
    ? {
        kind: 'marked',
        text: 'forwards what an upstream server sends, which it sends on a listen stream alone: open one there',
        blocks: false,
      }
    : { kind: 'kept', reason: 'serveStdio sends it on the listen streams that are open', onceRewritten };
}

function siteOfOwn({ node, shape, group }: OwnPublisherCall, facts: Facts): ServerSite {
  const owner = group ?? loneServer({ file: facts.unitOf(node).file, name: node.getText().slice(0, 40) });
  return {
    ...serverSite(node, shape, owner, facts),
    ...(group === undefined ? { confidence: 'likely' } : {}),
  };
}

const OWN: Readonly<Record<OwnPublisherCall['shape'], Outcome>> = {
  G3: { kind: 'kept', reason: 'a method of its own; what that sends is published there' },
  G11: {
    kind: 'reported',
    reason:
      'decides by name what goes out: the same messages, stamped with a subscription id, have to pass to modern listeners',
  },
  H11: {
    kind: 'reported',
    reason: `sends ${NOTIFICATION.toolsListChanged} and its kin by a client of its own, which has to know the filters of modern listeners`,
  },
};

function outcomeOfOwn({ shape }: ServerSite): Outcome {
  const outcome = (OWN as Readonly<Record<string, Outcome | undefined>>)[shape];
  if (outcome === undefined) throw new Error('a site of another codemod');
  return outcome;
}
