/** Subscribe messages sent through the application's own sender: found and marked, never rewritten. */
import type { ClientGroup } from '../../src/analysis/client-group.js';
import type { Site } from '../../src/analysis/site.js';
import { METHOD } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';

/** The codemod for messages whose client is out of sight. */
export const appSenders: Codemod = {
  name: 'client/app-senders',
  removes: 'resource-subscribe',
  tokens: [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe],

  find(facts) {
    return facts.senderCalls.map(({ node, form }): Site => {
      const unit = facts.unitOf(node);
      return {
        unit,
        node,
        side: 'client',
        shape: form === 'object' ? 'B2' : 'B3',
        mechanism: 'resource-subscribe',
        group: loneGroup({ file: unit.file, name: node.expression.getText(unit.tree) }),
        confidence: 'likely',
      };
    });
  },

  rewrite: () => ({
    kind: 'marked',
    text: 'no 2026-07-28 connection takes this request: on one, the client behind this sender has to listen instead',
    blocks: false,
  }),
};

/** A sender is nobody's client: each of its calls is a group by itself. */
function loneGroup(home: ClientGroup['home']): ClientGroup {
  return {
    home,
    creations: [],
    negotiations: [],
    connects: [],
    subscriptions: [],
    guards: [],
    mocks: [],
    resumptions: [],
    legacyUses: [],
    unreadable: [],
    handlers: [],
    listens: [],
    watchesAutoOpened: false,
    escapes: [],
    origins: [],
    certain: false,
  };
}
