/** Several processes (I10): the bus that a handler makes for itself is of one process alone (T17). */
import { findOption } from '../../src/analysis/option-values.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { severalProcesses, type SeveralProcesses } from '../../src/analysis/several-processes.js';
import { SERVER_OPTION, SERVER_SYMBOL } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';
import { outcomeByServer } from './group-outcome.js';
import { serverSite } from './server-site.js';

/** The codemod for relays, forked processes and functions of a platform: it marks. */
export const severalProcessesMarks: Codemod<ServerGroup> = {
  name: 'server/several-processes',
  removes: 'hosting',
  tokens: ['.fork(', 'ublish(', 'ubscri', 'maxDuration', 'runtime', 'serverless', 'lambda', 'fetch('],

  find(facts) {
    const seen = new Set<SeveralProcesses['node']>();
    return facts.servers.flatMap((group) =>
      severalProcesses(facts.world, group)
        .filter(({ node }) => !hasBus(group, facts) && !seen.has(node) && seen.add(node))
        .map(({ node }) => serverSite(node, 'I10', group, facts)),
    );
  },

  rewrite(site, facts, target) {
    const found = severalProcesses(facts.world, site.group).find(({ node }) => node === site.node);
    if (found === undefined) throw new Error('a site of another codemod');
    const byServer = outcomeByServer(site, facts, target);
    if (byServer !== undefined) return byServer;
    return { kind: 'marked', text: textOf(found), blocks: found.kind === 'relay' };
  },
};

/** A handler that is given a bus was thought of. */
function hasBus(group: ServerGroup, { world: { checker } }: Facts): boolean {
  return group.entries.some(({ kind, call }) => {
    const [, options] = call.arguments;
    return (
      kind === 'http' && options !== undefined && findOption(options, SERVER_OPTION.bus, checker) !== 'absent'
    );
  });
}

function textOf({ kind, through }: SeveralProcesses): string {
  const implement = `a ${SERVER_SYMBOL.serverEventBus} ({ publish(event), subscribe(listener) })`;
  if (kind === 'serverless')
    return `a platform starts as many of these functions as it needs, and each has a bus of its own: give ${SERVER_SYMBOL.createMcpHandler}({ bus }) ${implement} over a broker that they share, or a change reaches the listens of one function alone`;
  return kind === 'fork'
    ? `each process has a bus of its own, so a change reaches the listens of one process alone: give ${SERVER_SYMBOL.createMcpHandler}({ bus }) ${implement} over what they share`
    : `sessions are relayed between nodes, but the default bus is of one process: give ${SERVER_SYMBOL.createMcpHandler}({ bus }) ${implement} over ${through}(), which hands its listeners each event once`;
}
