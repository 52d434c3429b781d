/** In the modern era nobody answers a GET with an event stream: changes come on the response of a listen (H7, R9). */
import { HEADER, MEDIA_TYPE, METHOD, MODERN_REVISION } from '../../../src/protocol/index.js';
import { enclosingFunction, type SourceCode, type TSESTree } from '../ast.js';
import { httpRequests, type HttpRequest } from '../detection/http-requests.js';
import { enclosingClass } from '../detection/origins.js';
import { canRunOnModern, isMcpPlace } from '../detection/raw-era.js';
import { usesOf } from '../detection/uses.js';
import { stringOf } from '../detection/values.js';
import { createRule } from '../rule.js';
import { listenPosts } from '../suggestions/listen-post.js';

export const noGetStream = createRule<'getStream' | 'postListen', { readonly includeLegacy: boolean }>({
  name: 'no-get-stream',
  docs: {
    description: 'Disallow a hand-written GET event stream on a path that the 2026-07-28 era can take',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  options: {
    includeLegacy: {
      type: 'boolean',
      default: false,
      description:
        'Also report code that speaks the 2025 era alone, as is wanted on the way to the modern one.',
    },
  },
  tokens: [MEDIA_TYPE.eventStream],
  messages: {
    getStream: `A server of ${MODERN_REVISION} answers this GET with 405 and pushes nothing on it. POST \`${METHOD.subscriptionsListen}\` with the kinds you want, read the changes off its response, and keep the GET behind a question for the legacy era.`,
    postListen: `Open the stream by POST of \`${METHOD.subscriptionsListen}\`.`,
  },
  check({ sourceCode, settings, options, report }) {
    const includeLegacy = options.includeLegacy || settings.target === 'modern';
    for (const request of httpRequests(sourceCode)) {
      if (!isGetStream(sourceCode, request)) continue;
      if (!canRunOnModern(sourceCode, request.call, includeLegacy)) continue;
      report({
        node: request.call,
        messageId: 'getStream',
        suggest: listenPosts(sourceCode, request).map((fix) => ({ messageId: 'postListen', fix })),
      });
    }
  },
});

function isGetStream(sourceCode: SourceCode, { call, url, method, headers }: HttpRequest): boolean {
  if (method !== 'GET' || !isRead(sourceCode, call)) return false;
  const accept = stringOf(sourceCode, headers.byName.get(HEADER.accept.toLowerCase())?.value);
  if (accept?.includes(MEDIA_TYPE.eventStream) !== true) return false;
  const around = enclosingClass(call) ?? enclosingFunction(call) ?? call;
  // HTTP+SSE of 2024-11-05 is another transport: its stream begins with an `endpoint` event.
  if (/['"]endpoint['"]/.test(sourceCode.getText(around))) return false;
  if (url !== undefined && /\/sse\b/.test(sourceCode.getText(url))) return false;
  return headers.byName.has(HEADER.sessionId.toLowerCase()) || isMcpPlace(sourceCode, call);
}

/** What is asked of an answer by those who only want to know whether there is a stream. */
const PROBES = new Set(['status', 'statusText', 'ok', 'headers', 'json']);

/** Whether somebody may read the stream. */
function isRead(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const { members, escapes } = usesOf(sourceCode, call);
  return escapes.length > 0 || members.some(({ name }) => !PROBES.has(name));
}
