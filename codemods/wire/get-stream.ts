/**
 * A GET event stream that a module opens by hand becomes a POST of `subscriptions/listen`; what reads it stays.
 *
 * A transform module of jscodeshift: `npx jscodeshift -t …/get-stream.js --target=modern src`.
 */
import type { Edit } from '../../src/codegen/edit.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { filterText, type ListenText } from '../../src/codegen/raw-listen.js';
import {
  FILTER_PARAM,
  HEADER,
  MEDIA_TYPE,
  METHOD,
  MODERN_REVISION,
  NOTIFICATION,
} from '../../src/protocol/index.js';
import { bookkeepingEdits } from './bookkeeping.js';
import { clientInfoAt, handshakeOf } from './client-info.js';
import { eraReaching, forksByEra, questionFor } from './era.js';
import { isMcpPlace } from './evidence.js';
import { dispatchedBy } from './filter-kinds.js';
import { getStreamsOf, type GetStream } from './get-streams.js';
import { subscriptionsFor, type HttpSubscriptions } from './http-subscriptions.js';
import { forkEdits, legacyParts, listenEdits, type Rewriting } from './listen-edits.js';
import { postRecipe } from './listen-recipe.js';
import { canMove, earlySuccessOf, looksAtStatus, statusChecks, waitEdits } from './response.js';
import { findServerStreams, SERVER_STREAM_TOKENS } from './server-half.js';
import { needsSession } from './session-guards.js';
import { removal } from './text-edits.js';
import { child, list, nameOf, within, type Node } from './tree.js';
import { textOf } from './values.js';
import { functionAround, type WireModule } from './wire-module.js';
import { sparingTests } from './test-code.js';
import type { WireCore, WireOutcome, WireSite } from './wire-site.js';
import { PARSER, wireTransform } from './wire-transform.js';

/** The codemod for GET streams (D2, R9), and what says what to do about an `EventSource` (D3). */
export const getStream: WireCore = {
  name: 'wire/get-stream',
  removes: 'get-stream',
  tokens: [MEDIA_TYPE.eventStream, 'EventSource', ...SERVER_STREAM_TOKENS],

  findIn(module, surroundings) {
    const streams = getStreamsOf(module).map((stream): WireSite => {
      const { call } = stream.request;
      return {
        start: call.start,
        end: call.end,
        shape: stream.shape,
        confidence: 'certain',
        group: stream.group,
        outcome: (target) => outcomeOf(module, stream, target),
      };
    });
    const served = findServerStreams(module, surroundings);
    const asked = sparingTests(module, [...streams, ...eventSources(module)]);
    return [...asked, ...served].sort((a, b) => a.start - b.start);
  },
};

export const parser = PARSER;

export default wireTransform(getStream);

/** What becomes of a stream, with all that belongs to it: what its messages and headers come to follows from this. */
export function outcomeOf(module: WireModule, stream: GetStream, target: Target): WireOutcome {
  const { call } = stream.request;
  const subscriptions = subscriptionsFor(module, call);
  const listen = listenFor(module, stream, subscriptions);
  const recipe = postRecipe(listen);
  const era = eraReaching(module, call);
  if (era === 'legacy') return legacyLeg(module, recipe);
  if (target === 'dual' && era === undefined) return dualOutcome(module, stream, listen, subscriptions);
  const obstacle = obstacleOf(module, stream, subscriptions);
  if (obstacle !== undefined) return { kind: 'marked', text: notMigrated(obstacle, recipe), blocks: true };
  const rewriting = listenEdits(module, stream, listen);
  if ('obstacle' in rewriting)
    return { kind: 'marked', text: notMigrated(rewriting.obstacle, recipe), blocks: true };
  return rewritten(module, stream, subscriptions, rewriting.edits);
}

function notMigrated(obstacle: string, recipe: string): string {
  return `not migrated: ${obstacle}; a ${MODERN_REVISION} server answers this GET with 405, so ${recipe}`;
}

/** The GET of the 2025 leg is right where it is; what may be missing is the other leg. */
function legacyLeg(module: WireModule, recipe: string): WireOutcome {
  if (module.text.includes(METHOD.subscriptionsListen))
    return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
  return {
    kind: 'marked',
    text: `this GET is right for 2025 connections, and nothing here listens on a ${MODERN_REVISION} one: there, ${recipe}`,
    blocks: false,
  };
}

function dualOutcome(
  module: WireModule,
  stream: GetStream,
  listen: ListenText,
  subscriptions: HttpSubscriptions,
): WireOutcome {
  const { call } = stream.request;
  const question = questionFor(module, call);
  const marked: WireOutcome = {
    kind: 'marked',
    text: `a ${MODERN_REVISION} server answers this GET with 405: on such a connection ${postRecipe(listen)}; keep the GET for 2025 connections`,
    blocks: true,
  };
  if (question === undefined || subscriptions.messages.length > 0) return marked;
  if (obstacleOf(module, stream, subscriptions) !== undefined) return marked;
  const rewriting: Rewriting = forkEdits(module, stream, listen, question);
  if ('obstacle' in rewriting) return marked;
  const early = earlySuccessOf(module, stream.request);
  return {
    kind: 'rewritten',
    reason: 'a modern connection listens, a legacy one goes on with its GET',
    edits: rewriting.edits,
    ...(early === undefined ? {} : { marker: EARLY }),
  };
}

const EARLY = `what follows takes HTTP 200 for success: a listen is open when ${NOTIFICATION.acknowledged} has come`;

/** What speaks against a listen in the place of this GET, before its text is looked at. */
function obstacleOf(
  module: WireModule,
  { request: { call } }: GetStream,
  { obstacle, uris }: HttpSubscriptions,
): string | undefined {
  if (obstacle !== undefined)
    return `the URIs of its ${METHOD.resourcesSubscribe} messages are not at hand where the stream is opened`;
  const { updates, kinds } = dispatchedBy(module);
  if (updates && uris.length === 0)
    return `it hears of updated resources, and which ones is decided elsewhere`;
  if (kinds.length === 0 && uris.length === 0) return 'what it listens for is decided elsewhere';
  return needsSession(module, call)
    ? `it is only opened with a session, which no ${MODERN_REVISION} server gives`
    : undefined;
}

function listenFor(module: WireModule, { request }: GetStream, { uris }: HttpSubscriptions): ListenText {
  const { kinds, updates } = dispatchedBy(module);
  const named = uris.length > 0 ? `[${uris.join(', ')}]` : updates ? '[…]' : undefined;
  return {
    kinds,
    uris: named,
    id: uniqueId(module),
    clientInfo: clientInfoAt(module, request.call),
  };
}

/** `randomUUID()` where the module has it by that name. */
function uniqueId(module: WireModule): string | undefined {
  const isImported = module
    .of('ImportDeclaration')
    .some((declaration) =>
      list(declaration, 'specifiers').some(
        (specifier) =>
          nameOf(child(specifier, 'imported')) === 'randomUUID' &&
          nameOf(child(specifier, 'local')) === 'randomUUID',
      ),
    );
  return isImported ? 'randomUUID()' : undefined;
}

function rewritten(
  module: WireModule,
  stream: GetStream,
  { statements }: HttpSubscriptions,
  requestEdits: readonly Edit[],
): WireOutcome {
  const { request, headers } = stream;
  const fed = headers === undefined ? [] : legacyParts(headers).map(({ node }) => node);
  const early = earlySuccessOf(module, request);
  const waits = early !== undefined && canMove(module, early);
  const refusals = statusChecks(module, request, 405);
  const isGone = statusChecks(module, request, 404).length > 0;
  const reason = `a refused listen is answered with 404`;
  const edits: Edit[] = [
    ...requestEdits,
    ...bookkeepingEdits(module, fed),
    ...statements.map((statement) => removal(module, statement, 'its URI is part of the filter')),
    ...(waits ? waitEdits(module, early) : []),
    ...(isGone ? [] : refusals.map(({ start, end }) => ({ start, end, text: '404', reason }))),
  ];
  const left = [
    ...(early !== undefined && !waits ? [EARLY] : []),
    ...(isGone
      ? [`404 now says that the server has no ${METHOD.subscriptionsListen}, not that a session is over`]
      : []),
    ...(looksAtStatus(module, request)
      ? []
      : ['nobody looks whether the listen was refused: an HTTP error, or a JSON body with an error']),
    ...(handshakeOf(module) !== undefined && !forksByEra(module) ? [HANDSHAKE] : []),
  ];
  return {
    kind: 'rewritten',
    reason: `opened by ${METHOD.subscriptionsListen}`,
    edits: withoutCovered(edits),
    ...(left.length === 0 ? {} : { marker: left.join('; ') }),
  };
}

const HANDSHAKE = `${METHOD.initialize} still opens a 2025 session for the other requests of this module, which a server of ${MODERN_REVISION} alone refuses`;

/** An edit inside another one's range has nothing left to do. */
function withoutCovered(edits: readonly Edit[]): Edit[] {
  return edits.filter(
    (edit) =>
      !edits.some(
        (other) =>
          other !== edit &&
          other.start <= edit.start &&
          edit.end <= other.end &&
          other.end - other.start > edit.end - edit.start &&
          (edit.start !== edit.end || (other.start < edit.start && edit.end < other.end)),
      ),
  );
}

/** `new EventSource(url)` of an MCP endpoint: it can neither POST nor send headers. */
function eventSources(module: WireModule): WireSite[] {
  return module.of('NewExpression').flatMap((node): WireSite[] => {
    const [url] = list(node, 'arguments');
    if (
      nameOf(child(node, 'callee')) !== 'EventSource' ||
      url === undefined ||
      !isMcpSource(module, node, url)
    )
      return [];
    const { kinds } = dispatchedBy(module);
    return [
      {
        start: node.start,
        end: node.end,
        shape: 'D3',
        confidence: 'likely',
        outcome: () => ({
          kind: 'reported',
          reason: `an EventSource opens a GET stream, which a ${MODERN_REVISION} server answers with 405, and it can send no ${HEADER.method}: use fetch and ${METHOD.subscriptionsListen} with ${FILTER_PARAM}: ${filterText({ kinds })} instead`,
        }),
      },
    ];
  });
}

function isMcpSource(module: WireModule, node: Node, url: Node): boolean {
  const text = module.textOf(url);
  // A path below an application's own `/api/mcp/` carries that application's events, unless they are read as MCP's.
  if (OWN_PATH.test(text)) return readsChanges(module, functionAround(module, node) ?? module.program);
  return /mcp/i.test(text) || isMcpPlace(module, node);
}

function readsChanges(module: WireModule, around: Node): boolean {
  const names: readonly string[] = Object.values(NOTIFICATION);
  return [...within(around)].some((node) => names.includes(textOf(module, node) ?? ''));
}

/** `/mcp/jobs/stream`; not `/mcp/sse`, `/mcp/v1`, nor what is put in there. */
const OWN_PATH = /\/mcp\/(?!sse\b|v\d+\b)[\w-]/i;
