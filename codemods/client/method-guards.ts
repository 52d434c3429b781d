/** `if (client.subscribeResource)` asks the server instead: the method is there in both eras, whatever the server can. */
import type { ClientGroup, MethodGuard } from '../../src/analysis/client-group.js';
import { isPlainPath } from '../../src/analysis/syntax.js';
import { CLIENT_MEMBER, FILTER_FIELDS } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';
import { clientSite } from './client-site.js';
import { outcomeByGroup } from './group-outcome.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for guards on the method itself (A5). */
export const methodGuards: Codemod<ClientGroup> = {
  name: 'client/method-guards',
  removes: 'resource-subscribe',
  tokens: [CLIENT_MEMBER.subscribeResource, CLIENT_MEMBER.unsubscribeResource],

  find(facts) {
    return facts.clients.flatMap((group) =>
      group.guards.map(({ node }) => clientSite(node, 'A5', group, facts)),
    );
  },

  rewrite(site, facts, target) {
    const guard = site.group.guards.find((candidate) => candidate.node === site.node);
    if (guard === undefined) throw new Error('a site of another codemod');
    if (callsToRewrite(site.group).length === 0)
      return { kind: 'kept', reason: 'nothing behind it is rewritten' };
    const byGroup = outcomeByGroup(site, facts, target);
    if (byGroup !== undefined)
      return byGroup.kind === 'marked' ? { kind: 'kept', reason: byGroup.reason ?? byGroup.text } : byGroup;
    if (!isPlainPath(guard.receiver)) {
      return {
        kind: 'reported',
        reason: 'the method is there in both eras: ask getServerCapabilities() instead',
      };
    }
    const reason = 'asks for the capability instead of the method';
    const receiver = guard.receiver.getText(site.unit.tree);
    return {
      kind: 'rewritten',
      reason,
      edits: [
        {
          file: site.unit.file,
          start: guard.node.getStart(site.unit.tree),
          end: guard.node.end,
          text: asks(`${receiver}.${CLIENT_MEMBER.getServerCapabilities}()${CAPABILITY}`, guard),
          reason,
        },
      ],
    };
  },
};

/** The capability is `true` or absent: used as a value it has to be made a boolean. */
function asks(capability: string, { isNegated, isValue }: MethodGuard): string {
  if (isValue) return `${capability} ${isNegated ? '!==' : '==='} true`;
  return isNegated ? `!${capability}` : capability;
}

const CAPABILITY = FILTER_FIELDS.filter((row) => row.field === 'resourceSubscriptions')
  .map(({ capability }) => `?.${capability.group}?.${capability.member}`)
  .join('');
