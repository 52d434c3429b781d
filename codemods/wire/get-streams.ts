/** GET event streams of MCP that a module opens by hand. */
import { HEADER, MEDIA_TYPE } from '../../src/protocol/index.js';
import { isMcpPlace } from './evidence.js';
import { headersOf, partNamed, type HeaderPart, type HeaderSet } from './headers.js';
import { requestsOf, type HttpRequest } from './http-request.js';
import { isStreamRead } from './response.js';
import { child, isCall, isLoop, list, nameOf, peel, within, type Node } from './tree.js';
import { resolve, textOf, valueOf } from './values.js';
import { classAround, functionAround, type WireModule } from './wire-module.js';

/** A stream. */
export interface GetStream {
  readonly request: HttpRequest;
  /** Its headers; undefined where they are made elsewhere. */
  readonly headers: HeaderSet | undefined;
  /** The part that sends Last-Event-ID, if one does. */
  readonly replay: HeaderPart | undefined;
  readonly shape: 'D2' | 'R9';
  /** What ties it to the messages that belong to it. */
  readonly group: string;
}

const STREAMS = Symbol('streams');

/** The streams of a module. */
export function getStreamsOf(module: WireModule): readonly GetStream[] {
  return module.remember(STREAMS, () =>
    requestsOf(module).flatMap((request) => streamOf(module, request) ?? []),
  );
}

function streamOf(module: WireModule, request: HttpRequest): GetStream | undefined {
  const { call, method, url } = request;
  if (method !== 'GET') return undefined;
  const headers = headersOf(module, request);
  if (!acceptsEvents(module, request, headers)) return undefined;
  // HTTP+SSE of 2024-11-05 is another transport: its stream begins with an `endpoint` event.
  const around = functionAround(module, call) ?? module.program;
  if (/['"]endpoint['"]/.test(module.textOf(classAround(module, call) ?? around))) return undefined;
  if (url !== undefined && /\/sse\b/.test(module.textOf(resolve(module, url)))) return undefined;
  const hasSession = headers !== undefined && partNamed(headers, HEADER.sessionId) !== undefined;
  if (!hasSession && (isOtherPath(module, url) || !isMcpPlace(module, call))) return undefined;
  if (!isStreamRead(module, request)) return undefined;
  const replay = headers?.parts.find(({ names }) => names.includes(HEADER.lastEventId.toLowerCase()));
  const parses = [...within(around)].some((node) => isLoop(node) || isParse(node));
  return {
    request,
    headers,
    replay,
    shape: parses ? 'D2' : 'R9',
    group: `http ${String(classAround(module, call)?.start ?? 0)}`,
  };
}

function isParse(node: Node): boolean {
  const callee = isCall(node) ? child(node, 'callee') : undefined;
  return nameOf(child(callee, 'property')) === 'parse' && nameOf(child(callee, 'object')) === 'JSON';
}

/** A path in plain sight that is not MCP's. */
function isOtherPath(module: WireModule, url: Node | undefined): boolean {
  const value = url === undefined ? undefined : resolve(module, url);
  if (value === undefined || (value.type !== 'TemplateLiteral' && textOf(module, value) === undefined))
    return false;
  const text = module.textOf(value).replace(/^['"`](?:https?:\/\/[^/]*)?/, '');
  return /\/\w/.test(text) && !/mcp/i.test(text);
}

function acceptsEvents(
  module: WireModule,
  { options }: HttpRequest,
  headers: HeaderSet | undefined,
): boolean {
  if (headers !== undefined) {
    const accept = textOf(module, partNamed(headers, HEADER.accept)?.value);
    return accept?.includes(MEDIA_TYPE.eventStream) === true;
  }
  // `headers: await this.headers({ accept: 'text/event-stream' })`
  const given = options === undefined ? undefined : valueOf(module, options.object, 'headers');
  if (given === undefined) return false;
  const made = resolve(module, given);
  return [...within(peel(made))].some(
    (node) => isCall(node) && list(node, 'arguments').some((argument) => mentionsEvents(module, argument)),
  );
}

function mentionsEvents(module: WireModule, argument: Node): boolean {
  return [...within(argument)].some((node) => textOf(module, node) === MEDIA_TYPE.eventStream);
}
