/** Mocks of the legacy methods: rewritten code no longer calls them, so the tests that hold them need a look. */
import type { ClientGroup } from '../../src/analysis/client-group.js';
import { CLIENT_MEMBER } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';
import { clientSite } from './client-site.js';
import { outcomeByGroup } from './group-outcome.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for objects that stand in for a client (M). */
export const mocks: Codemod<ClientGroup> = {
  name: 'client/mocks',
  removes: 'resource-subscribe',
  tokens: [CLIENT_MEMBER.subscribeResource, CLIENT_MEMBER.unsubscribeResource],

  find(facts) {
    return facts.clients.flatMap((group) =>
      group.mocks.map(({ node }) => clientSite(node, 'M', group, facts)),
    );
  },

  rewrite(site, facts, target) {
    const stays =
      callsToRewrite(site.group).length === 0 || outcomeByGroup(site, facts, target) !== undefined;
    if (stays) return { kind: 'kept', reason: 'a mock of the legacy method, which the code goes on calling' };
    return {
      kind: 'marked',
      text: 'the code under test no longer calls this method: give the mock what the change stream needs, or use a real client',
      blocks: false,
    };
  },
};
