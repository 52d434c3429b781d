/** Nothing is replayed in the modern era: event ids, stores and tokens are dead weight, or break the request (F1, T36). */
import {
  EVENT_STORE_TYPE,
  HEADER,
  MODERN_REVISION,
  REQUEST_OPTION,
  SERVER_OPTION,
} from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { eraAt, forksByEra } from '../detection/era.js';
import { canRunOnModern, eraReaching, speaksModern } from '../detection/raw-era.js';
import { resumptionsOf, type Resumption } from '../detection/resumption.js';
import { INCLUDE_LEGACY, type IncludeLegacy } from '../include-legacy.js';
import { createRule, type CheckedFile } from '../rule.js';
import { propertyRemovals } from '../suggestions/property-removal.js';

type Message = Resumption['kind'] | 'remove';

const INSTEAD = 'after a loss, listen again and refetch once it is acknowledged';

export const noLastEventId = createRule<Message, IncludeLegacy>({
  name: 'no-last-event-id',
  docs: {
    description: 'Disallow what resumes a stream by event ids on a path that the 2026-07-28 era can take',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  options: INCLUDE_LEGACY,
  tokens: [
    REQUEST_OPTION.resumptionToken,
    REQUEST_OPTION.onresumptiontoken,
    SERVER_OPTION.eventStore,
    EVENT_STORE_TYPE,
    HEADER.lastEventId,
    HEADER.lastEventId.toLowerCase(),
    HEADER.lastEventId.toUpperCase(),
    'id: ',
    'id:$',
  ],
  messages: {
    token: `\`{{name}}\` resumes nothing on a modern connection: the transport then only sends a GET with ${HEADER.lastEventId}, and the request itself is never sent and times out. Remove it, and retry a lost request as a new one.`,
    eventStore: `\`{{name}}\` is never asked in ${MODERN_REVISION}: streams have no event ids and nothing is replayed. Keep it to the legacy leg, and let clients refetch after they listen again.`,
    headerSent: `No server of ${MODERN_REVISION} replays anything for \`{{name}}\`, so what changed meanwhile is lost. Do not send it: ${INSTEAD}.`,
    headerRead: `No client of ${MODERN_REVISION} sends \`{{name}}\`, so what stands behind it never runs. Keep it to the legacy leg; a modern client listens again and refetches.`,
    eventId: `An SSE \`{{name}}:\` line promises a replay that ${MODERN_REVISION} does not have. Write \`data:\` alone on a modern stream.`,
    remove: 'Remove `{{name}}`.',
  },
  check(file) {
    const { sourceCode, report } = file;
    for (const one of resumptionsOf(sourceCode)) {
      if (!isReported(file, one)) continue;
      const { node, name, kind } = one;
      report({
        node,
        messageId: kind,
        data: { name },
        suggest:
          node.type === 'Property'
            ? propertyRemovals(sourceCode, node).map((fix) => ({ messageId: 'remove', data: { name }, fix }))
            : [],
      });
    }
  },
});

function isReported(file: CheckedFile<Message, IncludeLegacy>, one: Resumption): boolean {
  const { sourceCode, settings, options, otherFiles } = file;
  // Where nobody speaks 2025 any more, there is no legacy leg that it could belong to.
  const includeLegacy = options.includeLegacy || settings.target === 'modern';
  switch (one.kind) {
    case 'token':
      return isTokenReported(sourceCode, one, includeLegacy);
    case 'eventStore':
      if (one.era === 'modern') return true;
      // Behind a front that takes the modern requests, the store is the legacy leg's.
      return (
        includeLegacy &&
        eraReaching(sourceCode, one.node) !== 'legacy' &&
        !forksByEra(sourceCode) &&
        !speaksModern(sourceCode) &&
        otherFiles?.some(/\bisLegacyRequest\b/) !== true
      );
    case 'headerRead':
    case 'eventId':
      return (
        (includeLegacy || !servesSessions(sourceCode)) && canRunOnModern(sourceCode, one.node, includeLegacy)
      );
    case 'headerSent':
      return canRunOnModern(sourceCode, one.node, includeLegacy);
  }
}

function isTokenReported(
  sourceCode: SourceCode,
  { node, client }: Resumption,
  includeLegacy: boolean,
): boolean {
  const era = eraAt(sourceCode, node);
  if (era !== undefined) return era === 'modern';
  return client?.era === 'dual' || client?.era === 'modern' || includeLegacy;
}

/** A server with sessions has a legacy leg; its GET and replay are that leg's. */
function servesSessions({ text }: SourceCode): boolean {
  return new RegExp(HEADER.sessionId, 'i').test(text);
}
