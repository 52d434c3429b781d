/** A refused listen is no reason to give the connection up: it works on without change notifications (T24). */
import { CLIENT_MEMBER, ERA_NEGOTIATION, ERROR_CLASS } from '../../../src/protocol/index.js';
import {
  contains,
  dressedWithAwait,
  enclosingFunction,
  isFunction,
  memberName,
  parentOf,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { clientCalls, isSameClient } from '../detection/clients.js';
import { handlersOfClient } from '../detection/handlers.js';
import { canBeAnswered, LISTEN_TOKENS, listensOf, type Listen } from '../detection/listens.js';
import { usesOf } from '../detection/uses.js';
import { createRule } from '../rule.js';
import { refusalFixes } from '../suggestions/refusal.js';

export const noFatalRefusal = createRule({
  name: 'no-fatal-refusal',
  docs: {
    description: 'Disallow that a refused listen fails the connection',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: LISTEN_TOKENS,
  messages: {
    fatal: `A server that refuses ${CLIENT_MEMBER.listen}() fails the whole connection here: its rejection ends up where that of ${CLIENT_MEMBER.connect}() is handled, although everything else on the client works on. Catch it by itself, and go on without change notifications.`,
    catchIt: `Catch the rejection of ${CLIENT_MEMBER.listen}() by itself.`,
  },
  check({ sourceCode, report }) {
    for (const listen of listensOf(sourceCode)) {
      if (!canBeAnswered(sourceCode, listen) || isRetried(listen.call)) continue;
      const handler = connectionHandler(sourceCode, listen);
      if (handler === undefined || tellsErrorsApart(sourceCode, handler)) continue;
      if (!isUsedOtherwise(sourceCode, listen)) continue;
      report({
        node: listen.callee.property,
        messageId: 'fatal',
        suggest: refusalFixes(sourceCode, listen).map((fix) => ({ messageId: 'catchIt', fix })),
      });
    }
  },
});

/** The handler of `try` that a rejection of the listen reaches, where that of `connect()` reaches it as well. */
function connectionHandler(sourceCode: SourceCode, listen: Listen): TSESTree.CatchClause | undefined {
  const around = enclosingTry(listen.call);
  if (around?.handler === null || around === undefined || isCaught(listen.call)) return undefined;
  const connects = clientCalls(sourceCode, CLIENT_MEMBER.connect).some(
    ({ call, client }) =>
      isSameClient(client, listen.client) &&
      enclosingTry(call) === around &&
      enclosingFunction(call) === enclosingFunction(listen.call) &&
      parentOf(dressedWithAwait(call))?.type !== 'MemberExpression',
  );
  return connects ? around.handler : undefined;
}

/** The `try` whose block a rejection leaves: one in the same function, with a handler. */
function enclosingTry(node: Node): TSESTree.TryStatement | undefined {
  let at = node;
  for (let parent = parentOf(at); parent !== undefined && !isFunction(parent); parent = parentOf(at)) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler !== null) return parent;
    at = parent;
  }
  return undefined;
}

/** `client.listen(…).catch(…)`, and what is not awaited at all. */
function isCaught(call: TSESTree.CallExpression): boolean {
  const outer = dressedWithAwait(call);
  const parent = parentOf(outer);
  const isChained =
    parent?.type === 'MemberExpression' && ['then', 'catch', 'finally'].includes(memberName(parent) ?? '');
  return isChained || outer.type !== 'AwaitExpression';
}

/** A loop connects again: how long it may is the business of `bounded-relisten`. */
function isRetried(call: Node): boolean {
  for (let at = parentOf(call); at !== undefined && !isFunction(at); at = parentOf(at))
    if (['WhileStatement', 'DoWhileStatement', 'ForStatement'].includes(at.type)) return true;
  return false;
}

const ERROR_WORDS = new RegExp(
  `\\b(?:${[...Object.values(ERROR_CLASS), ...Object.values(ERA_NEGOTIATION)].join('|')}|status|code)\\b`,
);

function tellsErrorsApart(sourceCode: SourceCode, handler: TSESTree.CatchClause): boolean {
  return ERROR_WORDS.test(sourceCode.getText(handler));
}

/** What belongs to listening itself: a client that does nothing else has nothing left once it is refused. */
const OF_LISTENING: ReadonlySet<string> = new Set([
  CLIENT_MEMBER.connect,
  CLIENT_MEMBER.close,
  CLIENT_MEMBER.listen,
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.removeNotificationHandler,
  CLIENT_MEMBER.fallbackNotificationHandler,
  CLIENT_MEMBER.getProtocolEra,
  CLIENT_MEMBER.getNegotiatedProtocolVersion,
  CLIENT_MEMBER.getServerCapabilities,
  CLIENT_MEMBER.transport,
  CLIENT_MEMBER.onclose,
  CLIENT_MEMBER.onerror,
]);

function isUsedOtherwise(sourceCode: SourceCode, { client }: Listen): boolean {
  if (client.creation === undefined) return true;
  const { escapes, members } = usesOf(sourceCode, client.creation);
  const handlers = handlersOfClient(sourceCode, client).flatMap(({ handler }) => handler ?? []);
  return (
    escapes.length > 0 ||
    members.some(
      ({ name, node }) => !OF_LISTENING.has(name) && !handlers.some((handler) => contains(handler, node)),
    )
  );
}
