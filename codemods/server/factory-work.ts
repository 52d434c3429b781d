/** Timers, watchers and listeners that a factory starts: it runs for every request over HTTP, and more than once on stdio. */
import { factoryWorkOf, type FactoryWork } from '../../src/analysis/factory-work.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';
import { contains } from '../../src/analysis/syntax.js';
import type { Codemod, Outcome, Target } from '../codemod.js';
import { markedFor } from '../obstacle.js';
import { outcomeByServer } from './group-outcome.js';
import { moveOf } from './move.js';
import { legsOf } from './served-legs.js';
import { serverSite } from './server-site.js';

/** The codemod for work in factories (F3, G6): it marks. */
export const factoryWork: Codemod<ServerGroup> = {
  name: 'server/factory-work',
  removes: 'publish',
  tokens: ['setInterval', 'watch', '.on(', 'addListener', 'addEventListener'],

  find(facts) {
    return facts.servers.flatMap((group) =>
      factoryWorkOf(facts.world, group)
        .filter((work) => isServedAnew(group) || emits(work, group, facts))
        .map(({ node, kind }) => serverSite(node, kind === 'listener' ? 'G6' : 'F3', group, facts)),
    );
  },

  rewrite(site, facts, target) {
    const work = factoryWorkOf(facts.world, site.group).find(({ node }) => node === site.node);
    if (work === undefined) throw new Error('a site of another codemod');
    const { obstacle } = moveOf(site.group, facts, target);
    if (obstacle?.at === site.node) return markedFor(obstacle);
    const byServer = outcomeByServer(site, facts, target);
    if (byServer?.kind === 'marked') return { kind: 'kept', reason: byServer.reason ?? byServer.text };
    return byServer ?? marked(work, site.group, facts, target);
  },
};

/** A server that is wired by hand has its factory run once per session; an entry of version 2 runs it more often. */
function isServedAnew(group: ServerGroup): boolean {
  const { entries } = group;
  return entries.length > 0 && !entries.some(({ kind }) => kind === 'http' || kind === 'stdio');
}

function emits({ node }: FactoryWork, group: ServerGroup, facts: Facts): boolean {
  return publishersOf(facts.world, group).some((publisher) => contains(node, publisher.node));
}

function marked({ kind }: FactoryWork, group: ServerGroup, facts: Facts, target: Target): Outcome {
  const text =
    legsOf(group, facts, target) === 'stdio'
      ? `a factory can run more than once (probe, reconnect); ${kind === 'listener' ? 'remove' : 'stop'} this ${kind} in server.server.onclose`
      : `a factory runs for every request; start this ${kind} once, outside of it`;
  return { kind: 'marked', text, blocks: false };
}
