/** A server factory runs for every request or connection: what it starts, it starts again each time (T21, T39). */
import { ERA_NEGOTIATION, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { contains } from '../ast.js';
import { factoryWork, type FactoryWork } from '../detection/factory-work.js';
import { floatingSends } from '../detection/floating-sends.js';
import type { WorkKind } from '../detection/started-work.js';
import { createRule } from '../rule.js';
import { catchFixes, stopFixes } from '../suggestions/factory-work.js';

const NAMES: Readonly<Record<WorkKind, string>> = {
  timer: 'timer',
  watcher: 'watcher',
  listener: 'listener',
  connection: 'connection',
};

export const noWorkInFactory = createRule({
  name: 'no-work-in-factory',
  docs: {
    description: 'Disallow timers, watchers, listeners, connections and unguarded pushes in a server factory',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [SERVER_SYMBOL.createMcpHandler, SERVER_SYMBOL.serveStdio],
  messages: {
    perRequest:
      'A factory of createMcpHandler() runs for every request, so each one starts another {{work}}, and nothing stops it. Start it once, outside of the factory, and publish on `notify` of the handler.',
    perConnection:
      'A factory of serveStdio() also runs for a probe that it throws away, so this {{work}} goes on for a server that is closed. Stop it in server.server.onclose, or start it once outside of the factory.',
    perConnectionAndRejects: `A factory of serveStdio() also runs for a probe that it throws away; then the push in this {{work}} rejects with ${ERA_NEGOTIATION.notConnected}, nobody catches it, and the process exits. Stop the {{work}} in server.server.onclose, and catch the promise.`,
    floating: `This push rejects with ${ERA_NEGOTIATION.notConnected} where its instance is not connected or closed already, and a rejection that nobody catches ends the process. Add \`.catch(() => {})\`.`,
    catchIt: 'Add `.catch(() => {})` to the push.',
    stopIt: 'Stop the timer in onclose, and catch what it pushes.',
  },
  check({ sourceCode, report }) {
    const work = factoryWork(sourceCode);
    const sends = floatingSends(sourceCode);
    for (const one of work) {
      const inside = sends.filter(({ call }) => contains(one.node, call));
      report({
        node: one.node.callee,
        messageId: messageOf(one, inside.length > 0),
        data: { work: NAMES[one.kind] },
        suggest: stopFixes(
          sourceCode,
          one,
          inside.map(({ call }) => call),
        ).map((fix) => ({ messageId: 'stopIt', fix })),
      });
    }
    for (const { call } of sends) {
      if (work.some(({ node }) => contains(node, call))) continue;
      report({
        node: call,
        messageId: 'floating',
        suggest: catchFixes(call).map((fix) => ({ messageId: 'catchIt', fix })),
      });
    }
  },
});

function messageOf({ entry }: FactoryWork, rejects: boolean) {
  if (entry === 'http') return 'perRequest';
  return rejects ? 'perConnectionAndRejects' : 'perConnection';
}
