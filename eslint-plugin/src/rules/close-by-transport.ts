/** HTTP ends a listen by closing its stream, stdio by `notifications/cancelled` with the id of the request (D1, D2). */
import { HEADER, METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { contains, type Node, type SourceCode } from '../ast.js';
import { httpRequests } from '../detection/http-requests.js';
import { cancellations, droppedReaders, namesListen } from '../detection/raw-closing.js';
import { eraReaching } from '../detection/raw-era.js';
import { messagesOf, type WireMessage } from '../detection/wire.js';
import { listenRequests, postsOf, type ListenRequest, type Post } from '../detection/wire-requests.js';
import { createRule, type CheckedFile, type NoOptions } from '../rule.js';
import { abortFixes } from '../suggestions/abort-listen.js';

type Message = 'cancelOverHttp' | 'deleteOverHttp' | 'droppedOnStdio' | 'wrongId' | 'abort';

type File = CheckedFile<Message, NoOptions>;

type Posted = ListenRequest & { readonly post: Post };

export const closeByTransport = createRule<Message>({
  name: 'close-by-transport',
  docs: {
    description: 'Require that raw code ends a listen the way its transport does',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [METHOD.subscriptionsListen],
  messages: {
    cancelOverHttp: `Over HTTP a listen ends when its stream is closed; a \`${NOTIFICATION.cancelled}\` POST leaves the stream open, and strict servers answer it with 400. Give the listen's request a \`signal\` and abort that.`,
    deleteOverHttp: `${METHOD.subscriptionsListen} has no session to DELETE: a modern server answers 405, and the stream stays open. Give the listen's request a \`signal\` and abort that.`,
    droppedOnStdio: `Nothing tells the server that this listen is over, so it goes on writing to the pipe. Send \`${NOTIFICATION.cancelled}\` with the \`requestId\` of the listen before its reader goes.`,
    wrongId: `This cancels another id than that of the listen, so the subscription goes on. Send \`params: { requestId }\` with the very id of the ${METHOD.subscriptionsListen} request, of the same type.`,
    abort: 'Abort the stream instead.',
  },
  check(file) {
    const { sourceCode, report } = file;
    const listens = listenRequests(sourceCode);
    if (listens.length === 0) return;
    const posted = listens.filter((listen): listen is Posted => listen.post !== undefined);
    const isHttpAlone = posted.length === listens.length;
    for (const message of cancellations(sourceCode)) {
      if (eraReaching(sourceCode, message.object) === 'legacy') continue;
      if (isHttpAlone && reportCancellation(file, message, posted)) continue;
      if (!listens.every((listen) => namesListen(sourceCode, message, listen) === 'another')) continue;
      if (!isOfOtherRequest(sourceCode, message)) report({ node: message.object, messageId: 'wrongId' });
    }
    reportDeletes(file, posted);
    if (listens.some(({ pipe }) => pipe !== undefined) && !sourceCode.text.includes(NOTIFICATION.cancelled)) {
      for (const node of droppedReaders(sourceCode)) report({ node, messageId: 'droppedOnStdio' });
    }
  },
});

/** A cancellation that is POSTed for a listen; whether it was one. */
function reportCancellation(
  { sourceCode, report }: File,
  message: WireMessage,
  listens: readonly Posted[],
): boolean {
  const sending = postsOf(sourceCode).find(({ call }) => contains(call, message.object));
  const isOnlyRequest = !messagesOf(sourceCode).some(({ kind }) => kind === 'request');
  const ended = listens.find((listen) => {
    const named = namesListen(sourceCode, message, listen);
    return named === 'this' || (named === 'unknown' && isOnlyRequest);
  });
  if (sending === undefined || ended === undefined) return false;
  report({
    node: sending.call,
    messageId: 'cancelOverHttp',
    suggest: abortFixes(sourceCode, ended.post, sending.call).map((fix) => ({ messageId: 'abort', fix })),
  });
  return true;
}

/** Whether a cancellation is of a request that is no listen: a call that the file makes as well. */
function isOfOtherRequest(sourceCode: SourceCode, message: WireMessage): boolean {
  return messagesOf(sourceCode)
    .filter(({ kind }) => kind === 'request')
    .some((request) => namesListen(sourceCode, message, request as ListenRequest) !== 'another');
}

function reportDeletes({ sourceCode, report }: File, listens: readonly Posted[]): void {
  // A session, and its DELETE, is the legacy leg's.
  if (new RegExp(`${HEADER.sessionId}|['"\`]${METHOD.initialize}['"\`]`, 'i').test(sourceCode.text)) return;
  for (const { call, method, url } of httpRequests(sourceCode)) {
    const ended = listens.find(
      ({ post }) => method === 'DELETE' && isSameUrl(sourceCode, post.call.arguments[0], url),
    );
    if (ended === undefined || eraReaching(sourceCode, call) === 'legacy') continue;
    report({
      node: call,
      messageId: 'deleteOverHttp',
      suggest: abortFixes(sourceCode, ended.post, call).map((fix) => ({ messageId: 'abort', fix })),
    });
  }
}

function isSameUrl(sourceCode: SourceCode, one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && sourceCode.getText(one) === sourceCode.getText(other);
}
