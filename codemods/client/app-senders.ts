/** Subscribe messages sent through the application's own sender: found and marked, never rewritten. */
import type { ClientGroup } from '../../src/analysis/client-group.js';
import { METHOD } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';
import { clientSite, loneGroup, type ClientSite } from './client-site.js';

/** The codemod for messages whose client is out of sight. */
export const appSenders: Codemod<ClientGroup> = {
  name: 'client/app-senders',
  removes: 'resource-subscribe',
  tokens: [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe],

  find(facts) {
    return facts.senderCalls.map(({ node, form }): ClientSite => {
      const group = loneGroup({ file: facts.unitOf(node).file, name: node.expression.getText() });
      return { ...clientSite(node, form === 'object' ? 'B2' : 'B3', group, facts), confidence: 'likely' };
    });
  },

  rewrite: () => ({
    kind: 'marked',
    text: 'no 2026-07-28 connection takes this request: on one, the client behind this sender has to listen instead',
    blocks: false,
  }),
};
