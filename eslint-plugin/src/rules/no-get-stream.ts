/** In the modern era nobody answers a GET with an event stream: changes come on the response of a listen (H7, R9). */
import { MEDIA_TYPE, METHOD, MODERN_REVISION } from '../../../src/protocol/index.js';
import { getStreams, isStreamRead } from '../detection/get-streams.js';
import { canRunOnModern } from '../detection/raw-era.js';
import { INCLUDE_LEGACY, type IncludeLegacy } from '../include-legacy.js';
import { createRule } from '../rule.js';
import { listenPosts } from '../suggestions/listen-post.js';

export const noGetStream = createRule<'getStream' | 'postListen', IncludeLegacy>({
  name: 'no-get-stream',
  docs: {
    description: 'Disallow a hand-written GET event stream on a path that the 2026-07-28 era can take',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  options: INCLUDE_LEGACY,
  tokens: [MEDIA_TYPE.eventStream],
  messages: {
    getStream: `A server of ${MODERN_REVISION} answers this GET with 405 and pushes nothing on it. POST \`${METHOD.subscriptionsListen}\` with the kinds you want, read the changes off its response, and keep the GET behind a question for the legacy era.`,
    postListen: `Open the stream by POST of \`${METHOD.subscriptionsListen}\`.`,
  },
  check({ sourceCode, settings, options, report }) {
    const includeLegacy = options.includeLegacy || settings.target === 'modern';
    for (const request of getStreams(sourceCode)) {
      if (!isStreamRead(sourceCode, request)) continue;
      if (!canRunOnModern(sourceCode, request.call, includeLegacy)) continue;
      report({
        node: request.call,
        messageId: 'getStream',
        suggest: listenPosts(sourceCode, request).map((fix) => ({ messageId: 'postListen', fix })),
      });
    }
  },
});
