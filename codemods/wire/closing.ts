/**
 * How a raw client ends its stream: over HTTP a listen ends when its stream is aborted, not by a message or a DELETE.
 *
 * A transform module of jscodeshift: `npx jscodeshift -t …/closing.js src`.
 */
import type { Target } from '../../src/codegen/negotiation.js';
import { MEDIA_TYPE, METHOD, MODERN_REVISION, NOTIFICATION } from '../../src/protocol/index.js';
import { isNameOnly, isVisibleAt, ownerOf } from './bindings.js';
import { eraReaching } from './era.js';
import { isMcpPlace } from './evidence.js';
import { getStreamsOf } from './get-streams.js';
import { requestsOf, type HttpRequest } from './http-request.js';
import { needsSession } from './session-guards.js';
import { hasComments } from './text-edits.js';
import { child, isMember, memberName, nameOf, peel, within, type Node } from './tree.js';
import { valueOf } from './values.js';
import { carrierOf, messagesOf, statementOfUnused, type WireMessage } from './wire-messages.js';
import { classAround, type WireModule } from './wire-module.js';
import { sparingTests } from './test-code.js';
import type { WireCore, WireOutcome, WireSite } from './wire-site.js';
import { PARSER, wireTransform } from './wire-transform.js';

/** The codemod for what ends a stream: cancellations and DELETEs. */
export const closing: WireCore = {
  name: 'wire/closing',
  removes: 'wire-message',
  tokens: [NOTIFICATION.cancelled, 'DELETE'],
  beside: [METHOD.subscriptionsListen, MEDIA_TYPE.eventStream],

  findIn(module) {
    return sparingTests(
      module,
      [...cancellations(module), ...deletes(module)].sort((a, b) => a.start - b.start),
    );
  },
};

export const parser = PARSER;

export default wireTransform(closing);

/** A listen that the module POSTs. */
interface PostedListen {
  readonly message: WireMessage;
  readonly request: HttpRequest;
}

function postedListens(module: WireModule): PostedListen[] {
  return messagesOf(module).flatMap((message) => {
    if (message.method.name !== METHOD.subscriptionsListen) return [];
    const { request } = carrierOf(module, message);
    return request === undefined ? [] : [{ message, request }];
  });
}

/** Cancellations that name a listen of the module. */
function cancellations(module: WireModule): WireSite[] {
  const listens = messagesOf(module).filter(({ method }) => method.name === METHOD.subscriptionsListen);
  if (listens.length === 0) return [];
  const posted = postedListens(module);
  return messagesOf(module).flatMap((message): WireSite[] => {
    if (message.method.name !== NOTIFICATION.cancelled || eraReaching(module, message.node) === 'legacy')
      return [];
    const listen = listens.find((one) => isSameId(module, message, one));
    if (listen === undefined) return [];
    const { kind, call } = carrierOf(module, message);
    const ended = posted.find((one) => one.message === listen);
    return [
      {
        start: message.node.start,
        end: message.node.end,
        shape: 'CLOSING',
        confidence: 'certain',
        outcome: () =>
          kind === 'http' && ended !== undefined && call !== undefined
            ? aborted(module, call, ended)
            : { kind: 'kept', reason: 'on a pipe a listen ends by its cancellation' },
      },
    ];
  });
}

function isSameId(module: WireModule, cancellation: WireMessage, listen: WireMessage): boolean {
  const named =
    cancellation.params === undefined ? undefined : valueOf(module, cancellation.params, 'requestId');
  if (named === undefined || listen.id === undefined) return false;
  return module.textOf(named) === module.textOf(listen.id);
}

/** `controller.abort()` in the place of the message, where the stream has a controller that can be named there. */
function aborted(module: WireModule, call: Node, { request }: PostedListen): WireOutcome {
  const controller = controllerOf(module, request, call);
  const statement = statementOfUnused(module, call);
  const expression = child(statement, 'expression');
  if (controller === undefined || expression === undefined || hasComments(module, expression))
    return {
      kind: 'marked',
      text: 'over HTTP a listen ends when its stream is closed, and nothing else ends it: give its request the signal of an AbortController and abort that',
      blocks: false,
    };
  const reason = 'over HTTP a listen ends when its stream is closed';
  return {
    kind: 'rewritten',
    reason,
    edits: [
      { start: expression.start, end: expression.end, text: `${module.textOf(controller)}.abort()`, reason },
    ],
  };
}

/** `controller` of `signal: controller.signal`, where the place can name it. */
function controllerOf(module: WireModule, { options }: HttpRequest, place: Node): Node | undefined {
  const signal = options === undefined ? undefined : valueOf(module, options.object, 'signal');
  const member = signal === undefined ? undefined : peel(signal);
  const controller =
    isMember(member) && memberName(member) === 'signal' ? child(member, 'object') : undefined;
  if (controller === undefined) return undefined;
  const isNamed = [...within(controller)].every((node) => {
    if (node.type === 'ThisExpression') return classAround(module, node) === classAround(module, place);
    return node.type !== 'Identifier' || isNameOnly(module, node) || isVisibleAt(module, node, place);
  });
  const inner = peel(controller);
  const isPlain = nameOf(inner) !== undefined || (isMember(inner) && ownerOf(module, inner) !== undefined);
  return isNamed && isPlain ? inner : undefined;
}

/** DELETEs of a session, or of a listen that has none. */
function deletes(module: WireModule): WireSite[] {
  const posted = postedListens(module);
  const streams = getStreamsOf(module);
  if (posted.length === 0 && streams.length === 0) return [];
  return requestsOf(module).flatMap((request): WireSite[] => {
    const { call, method } = request;
    if (method !== 'DELETE' || !isMcpPlace(module, call)) return [];
    const ended = posted.find((one) => isSameUrl(module, one.request, request));
    const isSession = streams.some((stream) => isSameUrl(module, stream.request, request));
    if (ended === undefined && !isSession) return [];
    return [
      {
        start: call.start,
        end: call.end,
        shape: 'CLOSING',
        confidence: 'certain',
        outcome: (target) =>
          isSession || /session/i.test(module.textOf(call))
            ? sessionOutcome(module, call, target)
            : ended === undefined
              ? sessionOutcome(module, call, target)
              : aborted(module, call, ended),
      },
    ];
  });
}

function sessionOutcome(module: WireModule, call: Node, target: Target): WireOutcome {
  if (target === 'dual' || eraReaching(module, call) === 'legacy')
    return { kind: 'kept', reason: 'ends a 2025 session' };
  if (needsSession(module, call))
    return { kind: 'kept', reason: 'only runs with a session, which no modern server gives' };
  return {
    kind: 'marked',
    text: `no server of ${MODERN_REVISION} has sessions to DELETE: abort the stream, and drop this`,
    blocks: false,
  };
}

function isSameUrl(module: WireModule, one: HttpRequest, other: HttpRequest): boolean {
  return (
    one.url !== undefined && other.url !== undefined && module.textOf(one.url) === module.textOf(other.url)
  );
}
