/** The text of what takes the requests of the modern era: a front before old routes, or the one route in their place. */
import { SERVER_SYMBOL } from '../protocol/index.js';
import type { FileStyle } from './file-style.js';
import type { SdkName } from './mcp-handler.js';

/** What a route is written with. */
export interface FrontText {
  /** `app`, as written. */
  readonly receiver: string;
  /** The method that registers: `all`, or `post` where other verbs have other middleware. */
  readonly verb: 'all' | 'post';
  /** The path, as written. */
  readonly path: string;
  /** The middleware before it, as written. */
  readonly middleware: readonly string[];
  /** What is called: the function for Node, or the handler. */
  readonly serve: string;
  /** Conditions that refuse a modern request and answer it: calls, as written. */
  readonly guards: readonly string[];
}

/** A block of lines; the first line is without indentation, which the caller has in place already. */
export type Lines = readonly string[];

/** The lines as text. */
export function joined(lines: Lines, indent: string, style: FileStyle): string {
  return lines
    .map((line, index) => {
      const own = line.replace(/^(?: {2})+/, (lead) => style.indent.repeat(lead.length / 2));
      return index === 0 || line === '' ? own : indent + own;
    })
    .join(style.eol);
}

/** `app.all('/mcp', requireAuth, async (req, res, next) => { … });` of Express: legacy requests go on to the old routes. */
export function expressFront(front: FrontText, sdk: SdkName, { semicolon }: FileStyle): Lines {
  const request = `await ${sdk(SERVER_SYMBOL.toWebRequest)}(req, req.body)`;
  return [
    `${opening(front)}async (req, res, next) => {`,
    `  if (await ${sdk(SERVER_SYMBOL.isLegacyRequest)}(${request})) {`,
    `    next()${semicolon}`,
    `    return${semicolon}`,
    '  }',
    ...front.guards.map((guard) => `  if (!${guard}) return${semicolon}`),
    `  await ${front.serve}(req, res, req.body)${semicolon}`,
    `})${semicolon}`,
  ];
}

/** `app.all('/mcp', requireAuth, (req, res) => serveModern(req, res, req.body));` of Express */
export function expressRoute(front: FrontText, { semicolon }: FileStyle): Lines {
  if (front.guards.length === 0)
    return [`${opening(front)}(req, res) => ${front.serve}(req, res, req.body))${semicolon}`];
  return [
    `${opening(front)}async (req, res) => {`,
    ...front.guards.map((guard) => `  if (!${guard}) return${semicolon}`),
    `  await ${front.serve}(req, res, req.body)${semicolon}`,
    `})${semicolon}`,
  ];
}

/** The front of Hono, which classifies before anybody reads the body. */
export function honoFront(front: FrontText, sdk: SdkName, { semicolon }: FileStyle): Lines {
  return [
    `${opening(front)}async (c, next) => {`,
    `  if (await ${sdk(SERVER_SYMBOL.isLegacyRequest)}(c.req.raw)) return next()${semicolon}`,
    `  return ${answer(front, 'c.req.raw')}${semicolon}`,
    `})${semicolon}`,
  ];
}

/** `app.all('/mcp', (c) => mcpHandler.fetch(c.req.raw));` of Hono */
export function honoRoute(front: FrontText, { semicolon }: FileStyle): Lines {
  return [`${opening(front)}(c) => ${answer(front, 'c.req.raw')})${semicolon}`];
}

/** A hook of Fastify: a route for all verbs beside the old ones would be refused as a duplicate (T47). */
export function fastifyFront(front: FrontText, sdk: SdkName, { semicolon }: FileStyle): Lines {
  const request = `await ${sdk(SERVER_SYMBOL.toWebRequest)}(request.raw, request.body)`;
  return [
    `${front.receiver}.addHook('preHandler', async (request, reply) => {`,
    `  if (request.routeOptions.url !== ${front.path}) return${semicolon}`,
    `  if (await ${sdk(SERVER_SYMBOL.isLegacyRequest)}(${request})) return${semicolon}`,
    `  reply.hijack()${semicolon}`,
    ...front.guards.map((guard) => `  if (!${guard}) return${semicolon}`),
    `  await ${front.serve}(request.raw, reply.raw, request.body)${semicolon}`,
    `})${semicolon}`,
  ];
}

/** The one route of Fastify. */
export function fastifyRoute(front: FrontText, { semicolon }: FileStyle): Lines {
  return [
    `${opening(front)}async (request, reply) => {`,
    `  reply.hijack()${semicolon}`,
    ...front.guards.map((guard) => `  if (!${guard}) return${semicolon}`),
    `  await ${front.serve}(request.raw, reply.raw, request.body)${semicolon}`,
    `})${semicolon}`,
  ];
}

/** The first statement of a function that takes a `Request`. */
export function fetchFront(
  request: string,
  front: Pick<FrontText, 'serve' | 'guards'>,
  sdk: SdkName,
  { semicolon }: FileStyle,
): Lines {
  const legacy = `await ${sdk(SERVER_SYMBOL.isLegacyRequest)}(${request})`;
  return [`if (!(${legacy})) return ${answer(front, request)}${semicolon}`];
}

/** All that is left of a function that takes a `Request`. */
export function fetchBody(
  request: string,
  front: Pick<FrontText, 'serve' | 'guards'>,
  { semicolon }: FileStyle,
): Lines {
  return [`return ${answer(front, request)}${semicolon}`];
}

/** In a listener of `node:http`, behind the statement that has read the body. */
export function nodeFront(
  names: { readonly request: string; readonly response: string; readonly body: string },
  front: Pick<FrontText, 'serve' | 'guards'>,
  sdk: SdkName,
  { semicolon }: FileStyle,
): Lines {
  const { request, response, body } = names;
  const web = `await ${sdk(SERVER_SYMBOL.toWebRequest)}(${request}, ${body})`;
  return [
    `if (!(await ${sdk(SERVER_SYMBOL.isLegacyRequest)}(${web}))) {`,
    ...front.guards.map((guard) => `  if (!${guard}) return${semicolon}`),
    `  await ${front.serve}(${request}, ${response}, ${body})${semicolon}`,
    `  return${semicolon}`,
    '}',
  ];
}

function opening({ receiver, verb, path, middleware }: FrontText): string {
  return `${receiver}.${verb}(${[path, ...middleware].join(', ')}, `;
}

/** Refusals of the guards come first: `refusal ?? mcpHandler.fetch(request)`. */
function answer({ serve, guards }: Pick<FrontText, 'serve' | 'guards'>, request: string): string {
  return [...guards, `${serve}.fetch(${request})`].join(' ?? ');
}
