/** A deadline on a listen is one on the whole subscription: it ends, for no reason, when the time is up (T32, D12). */
import { CLIENT_MEMBER, CLOSE_REASON, METHOD, REQUEST_OPTION } from '../../../src/protocol/index.js';
import { contains, parentOf, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { changeStreams } from '../detection/change-streams.js';
import { clientCalls, isSameClient, type SdkClient } from '../detection/clients.js';
import { importOf } from '../detection/bindings.js';
import { listChangedOption } from '../detection/handlers.js';
import { canBeAnswered, LISTEN_TOKENS, listensOf } from '../detection/listens.js';
import { nodesOf } from '../detection/nodes.js';
import { originOf } from '../detection/origins.js';
import { timeoutSignalIn } from '../detection/time-limits.js';
import { objectOf, propertyOf } from '../detection/values.js';
import { messagesIn } from '../detection/wire.js';
import { listenRequests } from '../detection/wire-requests.js';
import { entryOf } from '../detection/wire-values.js';
import { createRule, type Report } from '../rule.js';

type Message = 'deadline' | 'httpDeadline' | 'transportDeadline' | 'boundAcknowledgment';

export const noListenDeadline = createRule<Message>({
  name: 'no-listen-deadline',
  docs: {
    description: 'Disallow time limits on a subscription, which is meant to stay open',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [...LISTEN_TOKENS, METHOD.subscriptionsListen],
  messages: {
    deadline: `This signal ends the subscription when the time is up, however well it works, and says '${CLOSE_REASON.local}' as if it had been closed on purpose. \`${REQUEST_OPTION.timeout}\` in the same place bounds the wait for the acknowledgment alone.`,
    httpDeadline:
      'This time limit cuts the listen stream off when the time is up, and no change arrives after it. Bound the wait for the acknowledgment, and lift the limit once it is read.',
    transportDeadline: `This time limit holds for every request of the transport, the listen stream among them: that is cut off when the time is up. Give \`${REQUEST_OPTION.timeout}\` to the requests that need one.`,
    boundAcknowledgment: `Bound the wait for the acknowledgment alone: \`${REQUEST_OPTION.timeout}\`.`,
  },
  check({ sourceCode, report }) {
    for (const found of [
      ...listenDeadlines(sourceCode),
      ...requestDeadlines(sourceCode),
      ...transportDeadlines(sourceCode),
    ])
      report(found);
  },
});

function listenDeadlines(sourceCode: SourceCode): Report<Message>[] {
  return listensOf(sourceCode).flatMap((listen): Report<Message>[] => {
    const options = objectOf(sourceCode, listen.options);
    const signal = options === undefined ? undefined : propertyOf(options, REQUEST_OPTION.signal);
    if (options === undefined || signal === undefined || signal === 'unknown') return [];
    const limit = timeoutSignalIn(sourceCode, signal.value);
    if (limit === undefined || !canBeAnswered(sourceCode, listen)) return [];
    const [time] = limit.arguments;
    const isPlain =
      signal.value === limit &&
      options === listen.options &&
      propertyOf(options, REQUEST_OPTION.timeout) === undefined &&
      sourceCode.getCommentsInside(signal).length === 0;
    return [
      {
        node: signal,
        messageId: 'deadline',
        suggest:
          isPlain && time !== undefined
            ? [
                {
                  messageId: 'boundAcknowledgment',
                  fix: (fixer) =>
                    fixer.replaceText(signal, `${REQUEST_OPTION.timeout}: ${sourceCode.getText(time)}`),
                },
              ]
            : [],
      },
    ];
  });
}

/** Listen requests by hand, with `fetch` or with axios. */
function requestDeadlines(sourceCode: SourceCode): Report<Message>[] {
  if (!sourceCode.text.includes(METHOD.subscriptionsListen)) return [];
  const fetched = listenRequests(sourceCode).flatMap(({ post }): Node[] => {
    const signal = post === undefined ? undefined : entryOf(sourceCode, post.options, REQUEST_OPTION.signal);
    return signal === undefined || signal === 'unknown' || timeoutSignalIn(sourceCode, signal) === undefined
      ? []
      : [signal];
  });
  const posted = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => axiosLimit(sourceCode, call) ?? []);
  return [...fetched, ...posted].map((node) => ({ node, messageId: 'httpDeadline' }));
}

function axiosLimit(sourceCode: SourceCode, call: TSESTree.CallExpression): Node | undefined {
  const [, body, config] = call.arguments;
  const imported = importOf(sourceCode, call.callee);
  if (body === undefined || imported?.module !== 'axios' || imported.name !== 'post') return undefined;
  const options = objectOf(sourceCode, config);
  const timeout = options === undefined ? undefined : propertyOf(options, REQUEST_OPTION.timeout);
  if (timeout === undefined || timeout === 'unknown') return undefined;
  const isNone = timeout.value.type === 'Literal' && timeout.value.value === 0;
  return !isNone && messagesIn(sourceCode, body).some(({ kind }) => kind === 'listen') ? timeout : undefined;
}

/** `new StreamableHTTPClientTransport(url, { requestInit: { signal: AbortSignal.timeout(…) } })` of a client that listens. */
function transportDeadlines(sourceCode: SourceCode): Report<Message>[] {
  if (!sourceCode.text.includes('AbortSignal.timeout')) return [];
  return clientCalls(sourceCode, CLIENT_MEMBER.connect).flatMap(({ call, client }): Report<Message>[] => {
    const [transport] = call.arguments;
    const creation = transport === undefined ? undefined : originOf(sourceCode, transport)?.node;
    const options = creation?.type === 'NewExpression' ? creation.arguments[1] : undefined;
    if (options === undefined || !isListening(sourceCode, client)) return [];
    const literal = objectOf(sourceCode, options);
    const limit = literal === undefined ? undefined : limitWithin(sourceCode, literal);
    return limit === undefined ? [] : [{ node: limit, messageId: 'transportDeadline' }];
  });
}

function limitWithin(
  sourceCode: SourceCode,
  options: TSESTree.ObjectExpression,
): TSESTree.CallExpression | undefined {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .find((call) => {
      if (!contains(options, call) || timeoutSignalIn(sourceCode, call) !== call) return false;
      // Within `any([…])` it is that call's limit.
      const around = parentOf(call);
      return around?.type === 'Property' || around?.type === 'ArrayExpression';
    });
}

function isListening(sourceCode: SourceCode, client: SdkClient): boolean {
  if (client.era === 'legacy') return false;
  return (
    listensOf(sourceCode).some((listen) => isSameClient(listen.client, client)) ||
    changeStreams(sourceCode).some(
      (stream) => stream.client !== undefined && isSameClient(stream.client, client),
    ) ||
    (client.creation !== undefined && (listChangedOption(sourceCode, client)?.kinds.size ?? 0) > 0)
  );
}
