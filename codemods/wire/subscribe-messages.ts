/**
 * Raw `resources/subscribe` messages become `subscriptions/listen` on a pipe; over HTTP their URIs go into the filter of
 * the module's stream. Unsubscribing cancels the listen, or closes the stream.
 *
 * A transform module of jscodeshift: `npx jscodeshift -t …/subscribe-messages.js --target=modern src`.
 */
import type { Edit } from '../../src/codegen/edit.js';
import { indentAt, quoted } from '../../src/codegen/file-style.js';
import { cancelMessage, listenMessage, listenParams, type ListenText } from '../../src/codegen/raw-listen.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { METHOD, MODERN_REVISION, NOTIFICATION } from '../../src/protocol/index.js';
import { clientInfoAt, handshakeOf } from './client-info.js';
import { eraReaching, forksByEra, questionFor } from './era.js';
import { isMcpPlace } from './evidence.js';
import { outcomeOf as outcomeOfStream } from './get-stream.js';
import { getStreamsOf, type GetStream } from './get-streams.js';
import { subscriptionsFor } from './http-subscriptions.js';
import { pipeRecipe, postRecipe } from './listen-recipe.js';
import { canMove, earlySuccessOf, waitEdits, type EarlySuccess } from './response.js';
import { findServerMessages, SERVER_MESSAGE_TOKENS } from './server-half.js';
import { hasComments, isPure } from './text-edits.js';
import { numberOf, stringOf, within, type Node } from './tree.js';
import { valueOf } from './values.js';
import { carrierOf, messagesOf, statementOfUnused, type WireMessage } from './wire-messages.js';
import { callsOf, classAround, stringsOf, type WireModule } from './wire-module.js';
import { sparingTests } from './test-code.js';
import type { WireCore, WireOutcome, WireSite } from './wire-site.js';
import { PARSER, wireTransform } from './wire-transform.js';

/** The codemod for raw subscribe and unsubscribe messages (R1, R2). */
export const subscribeMessages: WireCore = {
  name: 'wire/subscribe-messages',
  removes: 'wire-message',
  tokens: SERVER_MESSAGE_TOKENS,

  findIn(module, surroundings) {
    const legacy = subscriptionMessages(module).map((message): WireSite => {
      const { node, isWhole } = message;
      const { kind } = carrierOf(module, message);
      const owner = String(classAround(module, node)?.start ?? 0);
      return {
        start: node.start,
        end: node.end,
        shape: isWhole ? 'R1' : 'R2',
        confidence: 'certain',
        ...(kind === 'unknown' ? {} : { group: `${kind} ${owner}` }),
        outcome: (target) => outcomeOf(module, message, target),
      };
    });
    const served = findServerMessages(module, surroundings);
    const asked = sparingTests(module, [...legacy, ...listens(module)]);
    return [...asked, ...served].sort((a, b) => a.start - b.start);
  },
};

export const parser = PARSER;

export default wireTransform(subscribeMessages);

const SUBSCRIBING: readonly string[] = [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe];

/** Messages that listen already: right, but for those that act on HTTP 200 instead of the acknowledgment. */
function listens(module: WireModule): WireSite[] {
  return messagesOf(module).flatMap((message): WireSite[] => {
    const { node, method } = message;
    if (method.name !== METHOD.subscriptionsListen || isExpected(module, node)) return [];
    const { request } = carrierOf(module, message);
    const early = request === undefined ? undefined : earlySuccessOf(module, request);
    return [
      {
        start: node.start,
        end: node.end,
        shape: 'LISTEN',
        confidence: 'certain',
        outcome: () => heard(module, early),
      },
    ];
  });
}

function heard(module: WireModule, early: EarlySuccess | undefined): WireOutcome {
  if (early === undefined) return { kind: 'kept', reason: `speaks ${MODERN_REVISION}` };
  if (!canMove(module, early))
    return {
      kind: 'marked',
      text: `what follows takes HTTP 200 for success: a listen is open when ${NOTIFICATION.acknowledged} has come`,
      blocks: false,
    };
  return { kind: 'rewritten', reason: 'waits for the acknowledgment', edits: waitEdits(module, early) };
}

function subscriptionMessages(module: WireModule): WireMessage[] {
  return messagesOf(module).filter(
    ({ method, node }) =>
      SUBSCRIBING.includes(method.name) && isMcpPlace(module, node) && !isExpected(module, node),
  );
}

/** `expect(sent).toEqual({ … })`: what a test asserts is no message. */
function isExpected(module: WireModule, node: Node): boolean {
  return module
    .ancestorsOf(node)
    .some(
      (around) =>
        /^(?:expect\(|assert\b|t\.(?:deepEqual|is)\b)/.test(module.textOf(around)) &&
        callsOf(module).includes(around),
    );
}

function outcomeOf(module: WireModule, message: WireMessage, target: Target): WireOutcome {
  const era = eraReaching(module, message.node);
  if (era === 'legacy') return legacyLeg(module, message);
  const { kind } = carrierOf(module, message);
  if (kind === 'http') return postedOutcome(module, message, target);
  const recipe = isSubscribe(message)
    ? pipeRecipe(uriText(module, message))
    : `cancel the listen of this URI by ${NOTIFICATION.cancelled} with its id`;
  if (kind === 'unknown')
    return {
      kind: 'marked',
      text: `no ${MODERN_REVISION} connection takes this request: over HTTP ${isSubscribe(message) ? postRecipe(listenText(module, message)) : 'close the stream of the listen'}; on stdio ${recipe}`,
      blocks: false,
    };
  const obstacle = pipeObstacle(module, message);
  if (obstacle !== undefined)
    return {
      kind: 'marked',
      text: `not migrated: ${obstacle}; on a ${MODERN_REVISION} connection ${recipe}`,
      blocks: true,
    };
  if (target === 'dual' && era === undefined) return forked(module, message, recipe);
  return {
    kind: 'rewritten',
    reason: isSubscribe(message) ? `asks by ${METHOD.subscriptionsListen}` : 'cancels the listen of its URI',
    edits: [
      { ...rangeOf(message), text: replacement(module, message), reason: 'no server of 2026 takes it' },
    ],
  };
}

function isSubscribe({ method }: WireMessage): boolean {
  return method.name === METHOD.resourcesSubscribe;
}

function legacyLeg(module: WireModule, message: WireMessage): WireOutcome {
  if (module.text.includes(METHOD.subscriptionsListen) || !isSubscribe(message))
    return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
  return {
    kind: 'marked',
    text: `this request is right for 2025 connections, and nothing here listens on a ${MODERN_REVISION} one: there, ask for the URI by ${METHOD.subscriptionsListen}`,
    blocks: false,
  };
}

/** What is POSTed belongs to the stream that brings the updates. */
function postedOutcome(module: WireModule, message: WireMessage, target: Target): WireOutcome {
  const stream = streamFor(module, message);
  const instead = isSubscribe(message)
    ? `its URI belongs into the filter of the ${METHOD.subscriptionsListen} that takes the place of the GET stream`
    : `close the ${METHOD.subscriptionsListen} that takes the place of the GET stream, or open one without this URI`;
  if (stream === undefined)
    return {
      kind: 'marked',
      text: `no ${MODERN_REVISION} server takes this request: ${instead}, which is opened elsewhere`,
      blocks: false,
    };
  const { obstacle } = subscriptionsFor(module, stream.request.call);
  const whole = outcomeOfStream(module, stream, target);
  if (whole.kind === 'rewritten' && obstacle === undefined)
    return { kind: 'rewritten', reason: 'its URI is part of the filter of the stream', edits: [] };
  return whole.kind === 'kept'
    ? whole
    : { kind: 'marked', text: `no ${MODERN_REVISION} server takes this request: ${instead}`, blocks: true };
}

function streamFor(module: WireModule, { node }: WireMessage): GetStream | undefined {
  const streams = getStreamsOf(module);
  const owner = classAround(module, node);
  return streams.find(({ request }) => classAround(module, request.call) === owner) ?? streams[0];
}

/** What speaks against writing another message to the same pipe. */
function pipeObstacle(module: WireModule, message: WireMessage): string | undefined {
  const { call, waits } = carrierOf(module, message);
  if (uriOf(module, message) === undefined) return 'which URI it names is not in sight';
  if (call === undefined || waits)
    return 'who sends it waits for an answer, and a listen is only answered when it ends';
  const isUnused = statementOfUnused(module, call) !== undefined || isWrite(module, call);
  if (!isUnused) return 'its result is used';
  if (hasComments(module, message.node)) return 'a comment in it would be lost';
  const id = numberOf(message.id) ?? stringOf(message.id);
  if (id !== undefined && isAskedFor(module, id, message)) return 'its answer is waited for by its id';
  return handshakeOf(module) !== undefined && !forksByEra(module)
    ? `its connection is opened by ${METHOD.initialize}, which makes it one of 2025: a ${MODERN_REVISION} connection opens with ${METHOD.discover} or with any request that carries _meta`
    : undefined;
}

/** `() => child.stdin.write(…)`: whether the pipe is full says nothing about the message. */
function isWrite(module: WireModule, call: Node): boolean {
  return module.textOf(call).includes('.write(') && module.parentOf(call)?.type === 'ArrowFunctionExpression';
}

/** Whether the id stands in a comparison of the module. */
function isAskedFor(module: WireModule, id: string | number, { node }: WireMessage): boolean {
  return [...within(module.program)].some(
    (part) =>
      (numberOf(part) ?? stringOf(part)) === id &&
      ['BinaryExpression', 'SwitchCase'].includes(module.parentOf(part)?.type ?? '') &&
      !(node.start <= part.start && part.end <= node.end),
  );
}

function uriOf(module: WireModule, { params }: WireMessage): Node | undefined {
  const uri = params === undefined ? undefined : valueOf(module, params, 'uri');
  return uri !== undefined && isPure(uri) ? uri : undefined;
}

function uriText(module: WireModule, message: WireMessage): string {
  const uri = uriOf(module, message);
  return uri === undefined ? '[…]' : `[${module.textOf(uri)}]`;
}

function listenText(module: WireModule, message: WireMessage): ListenText {
  return {
    kinds: [],
    uris: uriText(module, message),
    id: listenId(module, message),
    clientInfo: clientInfoAt(module, message.node),
  };
}

/**
 * The id by which the listen of a URI can be cancelled: made of the URI, so that nobody has to keep it. Where nobody
 * cancels, an id that is counted or made stays.
 */
function listenId(module: WireModule, message: WireMessage): string | undefined {
  const uri = uriOf(module, message);
  if (uri !== undefined && cancels(module)) {
    const literal = stringOf(uri);
    return literal === undefined
      ? `\`listen:\${${module.textOf(uri)}}\``
      : quoted(`listen:${literal}`, module.style);
  }
  const { id } = message;
  const isFixed = id === undefined || numberOf(id) !== undefined || stringOf(id) !== undefined;
  return isFixed ? undefined : module.textOf(id);
}

function cancels(module: WireModule): boolean {
  return stringsOf(module).some(({ value }) => value === METHOD.resourcesUnsubscribe);
}

/** On a connection that may be of either era, as the module asks for it. */
function forked(module: WireModule, message: WireMessage, recipe: string): WireOutcome {
  const question = questionFor(module, message.node);
  if (question === undefined || message.form === 'parts')
    return {
      kind: 'marked',
      text: `no ${MODERN_REVISION} connection takes this request: on such a connection ${recipe}`,
      blocks: true,
    };
  const { node, era } = question;
  const asked = module.textOf(node);
  const { start, end } = message.node;
  const text = replacement(module, message);
  const reason = 'as the connection speaks';
  const edits: Edit[] =
    era === 'modern'
      ? [{ start, end: start, text: `${asked} ? ${text} : `, reason }]
      : [
          { start, end: start, text: `${asked} ? `, reason },
          { start: end, end, text: ` : ${text}`, reason },
        ];
  return {
    kind: 'rewritten',
    reason: `a modern connection is sent ${isSubscribe(message) ? METHOD.subscriptionsListen : NOTIFICATION.cancelled}`,
    edits,
  };
}

/** What is replaced: the literal, or the method and params among the arguments. */
function rangeOf({ form, node, method, params }: WireMessage): { start: number; end: number } {
  return form === 'object'
    ? { start: node.start, end: node.end }
    : { start: method.node.start, end: (params ?? method.node).end };
}

function replacement(module: WireModule, message: WireMessage): string {
  const { style, text } = module;
  const listen = listenText(module, message);
  const indent = indentAt(text, message.node.start);
  if (message.form === 'parts') {
    const name = isSubscribe(message) ? METHOD.subscriptionsListen : NOTIFICATION.cancelled;
    const params = isSubscribe(message)
      ? listenParams(listen, indent, style)
      : `{ requestId: ${listen.id ?? ''} }`;
    return `${quoted(name, style)}, ${params}`;
  }
  return isSubscribe(message)
    ? listenMessage(listen, indent, style, message.isWhole)
    : cancelMessage(listen.id ?? '', NOTIFICATION.cancelled, style, message.isWhole);
}
