/** A hand-written server that does not narrow the filter, or does not keep to it (A1, B4, H14). */
import { FILTER_FIELDS, FILTER_PARAM, METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { contains, type Node, type SourceCode } from '../ast.js';
import { isTestCode } from '../detection/test-code.js';
import { isNarrowed, requestedFilter } from '../detection/wire-filter.js';
import { heartbeatsOf } from '../detection/wire-heartbeats.js';
import { listenBranches, runsIn } from '../detection/wire-branches.js';
import { deliveriesOf, isConditional, type Delivery } from '../detection/wire-registries.js';
import { entryAt } from '../detection/wire-values.js';
import { messagesOf } from '../detection/wire.js';
import { find } from '../detection/nodes.js';
import { createRule } from '../rule.js';

export const honorFilter = createRule({
  name: 'honor-filter',
  docs: {
    description: 'Require that a hand-written server narrows the filter of a listen and keeps to it',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    broadcast: `This goes to every open subscription, also to those that never asked for {{method}}, which a server must not send. Ask the filter of each one first: \`if (honored.{{field}})\`.`,
    echoed: `The acknowledgment promises whatever the client asked for: what this server never sends, the client waits for in vain. Build the filter of what is honored, such as \`requested.toolsListChanged ? { toolsListChanged: true } : {}\`.`,
    heartbeat: `A notification that nobody asked for is no heartbeat: clients refetch each time, or refuse it. Keep the stream open by an SSE comment, \`: keep-alive\` and an empty line.`,
  },
  check({ sourceCode, filename, report }) {
    const seen = new Set<Node>();
    const reportOnce = (node: Node, messageId: 'broadcast' | 'echoed' | 'heartbeat', data = {}): void => {
      if (seen.has(node) || isTestCode(filename, node)) return;
      seen.add(node);
      report({ node, messageId, data });
    };
    for (const delivery of deliveriesOf(sourceCode))
      if (isBlind(sourceCode, delivery))
        reportOnce(delivery.call, 'broadcast', describe(delivery.message.method));
    for (const value of echoes(sourceCode)) reportOnce(value, 'echoed');
    for (const { message } of heartbeatsOf(sourceCode)) reportOnce(message.object, 'heartbeat');
  },
});

/** The notification and the question that its filter field answers. */
function describe(method = ''): { method: string; field: string } {
  const field = FILTER_FIELDS.find(({ notification }) => notification === method)?.field ?? FILTER_PARAM;
  return { method, field: method === NOTIFICATION.resourceUpdated ? `${field}.includes(uri)` : field };
}

/** Whether a delivery asks nothing of a subscription, and nothing was asked when it was kept. */
function isBlind(sourceCode: SourceCode, { loop, call, keepings }: Delivery): boolean {
  if (loop.isFiltered || isConditional(call, loop.body)) return false;
  return keepings.every(
    ({ call: put, value, branch }) =>
      branch.body.some((one) => contains(one, put)) &&
      branch.body.every((root) => !contains(root, put) || !isConditional(put, root)) &&
      // An early return may depend on the filter.
      !branch.body.some((one) => one.type === 'IfStatement' && one.range[1] <= put.range[0]) &&
      !asks(sourceCode, value),
  );
}

/** Whether what is kept may itself refuse a message: a function, or an object of a class. */
function asks(sourceCode: SourceCode, value: Node): boolean {
  return (
    find(sourceCode, value, (node): node is Node =>
      [
        'IfStatement',
        'ConditionalExpression',
        'LogicalExpression',
        'NewExpression',
        'CallExpression',
      ].includes(node.type),
    ).length > 0
  );
}

/** Filters of requests that are acknowledged as they came. */
function echoes(sourceCode: SourceCode): Node[] {
  const branches = listenBranches(sourceCode);
  return messagesOf(sourceCode).flatMap(({ kind, object }) => {
    if (kind !== 'acknowledgment') return [];
    const value = entryAt(sourceCode, object, 'params', FILTER_PARAM);
    if (value === undefined || value === 'unknown') return [];
    const branch = branches.find((one) => runsIn(one, object));
    const requested = branch === undefined ? undefined : requestedFilter(sourceCode, value);
    return branch === undefined || requested === undefined || isNarrowed(sourceCode, branch, requested)
      ? []
      : [value];
  });
}
