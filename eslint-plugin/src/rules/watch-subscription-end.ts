/** A subscription ends without an error: whoever does not look at `closed` goes on with what was true before (F4, F5, T23, T27). */
import {
  CLIENT_MEMBER,
  CLIENT_OPTION,
  SUBSCRIPTION_MEMBER,
  V2_CLIENT_PACKAGE,
} from '../../../src/protocol/index.js';
import { enclosingFunction, memberCall, contains, type Node, type SourceCode } from '../ast.js';
import { clientCalls, clientCreations, type SdkClient } from '../detection/clients.js';
import { listChangedOption } from '../detection/handlers.js';
import { listensOf, reads, type Listen } from '../detection/listens.js';
import { nodesOf } from '../detection/nodes.js';
import { deafReconnects } from '../detection/reconnects.js';
import { objectOf, propertyOf } from '../detection/values.js';
import { createRule, type CheckedFile, type NoOptions } from '../rule.js';

type Message = 'unwatched' | 'reconnect' | 'autoOpened' | 'prior';

type File = CheckedFile<Message, NoOptions>;

export const watchSubscriptionEnd = createRule<Message>({
  name: 'watch-subscription-end',
  docs: {
    description: 'Require that somebody notices when a subscription ends',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: [CLIENT_MEMBER.listen, CLIENT_OPTION.listChanged],
  messages: {
    unwatched: `Nobody observes \`${SUBSCRIPTION_MEMBER.closed}\`: when the server restarts or the network drops, this subscription ends without an error and no change is told any more. Await \`subscription.${SUBSCRIPTION_MEMBER.closed}\`, then listen again with a limit and refetch, or leave it to \`changeStream(client)\`.`,
    reconnect:
      'This connects again and does not listen again: a server holds no subscription across connections, so no change is told any more. Listen behind this `connect()`, and refetch once that is acknowledged.',
    autoOpened: `\`${CLIENT_OPTION.listChanged}\` opens a stream that is not opened again when it ends, and nothing in this package reads \`${CLIENT_MEMBER.autoOpenedSubscription}\`. Await \`client.${CLIENT_MEMBER.autoOpenedSubscription}?.${SUBSCRIPTION_MEMBER.closed}\` behind \`connect()\`, then listen again and refetch.`,
    prior: `\`connect()\` with \`${CLIENT_OPTION.prior}\` never opens the stream of \`${CLIENT_OPTION.listChanged}\` (${V2_CLIENT_PACKAGE} 2.0 to 2.4). Call \`listen()\` behind it for the same kinds.`,
  },
  check(file) {
    const { sourceCode, report } = file;
    for (const listen of listensOf(sourceCode))
      if (isUnwatched(sourceCode, listen)) report({ node: listen.callee.property, messageId: 'unwatched' });
    for (const { callee } of deafReconnects(sourceCode))
      report({ node: callee.property, messageId: 'reconnect' });
    checkAutoOpened(file);
    checkPrior(file);
  },
});

function isUnwatched(sourceCode: SourceCode, listen: Listen): boolean {
  const { subscription, call } = listen;
  if (subscription.escapes.length > 0 || reads(listen, SUBSCRIPTION_MEMBER.closed)) return false;
  const around = enclosingFunction(call) ?? sourceCode.ast;
  // Opened and closed in one place, be it by a disposer: its life is as long as somebody wants it.
  const isClosed = subscription.members.some(
    ({ name, node }) => name === SUBSCRIPTION_MEMBER.close && contains(around, node),
  );
  return !isClosed && !endsThere(sourceCode, around, listen);
}

/** Whether the client is closed, or the process ends, where the subscription was opened. */
function endsThere(sourceCode: SourceCode, around: Node, { client, call }: Listen): boolean {
  const isClientClosed = clientCalls(sourceCode, CLIENT_MEMBER.close).some(
    (one) => one.client.origin.node === client.origin.node && contains(around, one.call),
  );
  return (
    isClientClosed ||
    nodesOf(sourceCode)
      .of('CallExpression')
      .some((one) => {
        if (!contains(around, one) || one.range[0] < call.range[0]) return false;
        const called = memberCall(one);
        return called?.name === 'exit' && sourceCode.getText(called.receiver) === 'process';
      })
  );
}

/** The clients whose `listChanged` opens a stream: those that can reach the modern era. */
function listening(sourceCode: SourceCode, client: SdkClient): boolean {
  const option = listChangedOption(sourceCode, client);
  return (client.era === 'dual' || client.era === 'modern') && (option?.kinds.size ?? 0) > 0;
}

function checkAutoOpened({ sourceCode, otherFiles, report }: File): void {
  const pattern = new RegExp(`\\b${CLIENT_MEMBER.autoOpenedSubscription}\\b`);
  if (pattern.test(sourceCode.text) || otherFiles?.some(pattern) === true) return;
  for (const client of clientCreations(sourceCode)) {
    if (!listening(sourceCode, client) || client.options === undefined) continue;
    const property = propertyOf(client.options, CLIENT_OPTION.listChanged);
    if (property !== undefined && property !== 'unknown')
      report({ node: property.key, messageId: 'autoOpened' });
  }
}

function checkPrior({ sourceCode, report }: File): void {
  const listens = listensOf(sourceCode);
  for (const { call, client } of clientCalls(sourceCode, CLIENT_MEMBER.connect)) {
    const options = objectOf(sourceCode, call.arguments[1]);
    const prior = options === undefined ? undefined : propertyOf(options, CLIENT_OPTION.prior);
    if (prior === undefined || prior === 'unknown' || !listening(sourceCode, client)) continue;
    if (listens.some((listen) => listen.client.origin.node === client.origin.node)) continue;
    report({ node: prior.key, messageId: 'prior' });
  }
}
