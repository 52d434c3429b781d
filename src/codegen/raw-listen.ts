/** The text of a listen request that code sends by hand. */
import {
  ACCEPT_BOTH,
  FILTER_PARAM,
  HEADER,
  MEDIA_TYPE,
  META,
  METHOD,
  MODERN_REVISION,
  type ListKind,
} from '../protocol/index.js';
import { quoted, type FileStyle } from './file-style.js';

/** What a listen request says. */
export interface ListenText {
  /** The kinds that the filter asks for. */
  readonly kinds: readonly ListKind[];
  /** The expression of the list of URIs, as written: `[uri]`, `[...uris]`. */
  readonly uris?: string | undefined;
  /** The expression of the id, as written. */
  readonly id?: string | undefined;
  /** The expression of who the client is, as written. */
  readonly clientInfo?: string | undefined;
}

/** The id of a request that nobody names again. */
export const UNIQUE_ID = 'crypto.randomUUID()';

/** `{ toolsListChanged: true, resourceSubscriptions: [uri] }` */
export function filterText({ kinds, uris }: ListenText): string {
  const entries = kinds.map((kind) => `${kind}: true`);
  return `{ ${[...entries, ...(uris === undefined ? [] : [`resourceSubscriptions: ${uris}`])].join(', ')} }`;
}

/** The lines of the request's `params`, the braces around them included. */
function paramsLines(listen: ListenText, indent: string, style: FileStyle): string[] {
  const text = (value: string): string => quoted(value, style);
  const at = (level: number): string => indent + style.indent.repeat(level);
  return [
    '{',
    `${at(1)}${FILTER_PARAM}: ${filterText(listen)},`,
    `${at(1)}_meta: {`,
    `${at(2)}${text(META.protocolVersion)}: ${text(MODERN_REVISION)},`,
    `${at(2)}${text(META.clientCapabilities)}: {},`,
    ...(listen.clientInfo === undefined ? [] : [`${at(2)}${text(META.clientInfo)}: ${listen.clientInfo},`]),
    `${at(1)}},`,
    `${indent}}`,
  ];
}

/**
 * The `params` of a listen request.
 *
 * @param indent the indentation of the line on which the object begins
 */
export function listenParams(listen: ListenText, indent: string, style: FileStyle): string {
  return paramsLines(listen, indent, style).join(style.eol);
}

/**
 * The JSON-RPC message, as an object literal.
 *
 * @param indent the indentation of the line on which the object begins
 * @param isWhole whether nobody adds `jsonrpc` on its way
 */
export function listenMessage(listen: ListenText, indent: string, style: FileStyle, isWhole = true): string {
  const text = (value: string): string => quoted(value, style);
  const inner = indent + style.indent;
  return [
    '{',
    ...(isWhole ? [`${inner}jsonrpc: ${text('2.0')},`] : []),
    `${inner}id: ${listen.id ?? UNIQUE_ID},`,
    `${inner}method: ${text(METHOD.subscriptionsListen)},`,
    `${inner}params: ${listenParams(listen, inner, style)},`,
    `${indent}}`,
  ].join(style.eol);
}

/** The headers of a listen request, each as `name: value`; of `spell` those that the file spells in its own way. */
export function listenHeaders(
  style: FileStyle,
  spell: (header: string) => string = (header) => header,
): { readonly name: string; readonly value: string }[] {
  const text = (value: string): string => quoted(value, style);
  const key = (name: string): string => (/^[A-Za-z]+$/.test(name) ? name : text(name));
  return [
    { name: key(spell('content-type')), value: text(MEDIA_TYPE.json) },
    { name: key(spell(HEADER.accept.toLowerCase())), value: text(ACCEPT_BOTH) },
    { name: key(spell(HEADER.protocolVersion)), value: text(MODERN_REVISION) },
    { name: key(spell(HEADER.method)), value: text(METHOD.subscriptionsListen) },
  ];
}

/** How the options of a request carry its body: `fetch` a text, axios an object. */
export type BodyOption = 'body' | 'data' | 'none';

/**
 * The options of a `fetch`, or of another client that takes them, which opens a listen stream.
 *
 * @param listen what is asked for; a list of kinds asks for them
 * @param kept other headers and options, as written
 * @param indent the indentation of the line on which the object begins
 */
export function listenPostOptions(
  listen: readonly ListKind[] | ListenText,
  kept: {
    readonly headers: readonly string[];
    readonly options: readonly string[];
    /** Spreads that must not override what a listen needs. */
    readonly spreads?: readonly string[];
  },
  indent: string,
  style: FileStyle,
  form: {
    readonly body?: BodyOption;
    readonly hasMethod?: boolean;
    readonly spell?: (header: string) => string;
  } = {},
): string {
  const { body = 'body', hasMethod = true, spell } = form;
  const asked: ListenText = 'kinds' in listen ? listen : { kinds: listen };
  const at = (level: number): string => indent + style.indent.repeat(level);
  const message = body === 'none' ? '' : listenMessage(asked, at(1), style);
  const lines = [
    '{',
    ...(hasMethod ? [`${at(1)}method: ${quoted('POST', style)},`] : []),
    `${at(1)}headers: {`,
    ...(kept.spreads ?? []).map((spread) => `${at(2)}${spread},`),
    ...listenHeaders(style, spell).map(({ name, value }) => `${at(2)}${name}: ${value},`),
    ...kept.headers.map((header) => `${at(2)}${header},`),
    `${at(1)}},`,
    ...(body === 'body' ? [`${at(1)}body: JSON.stringify(${message}),`] : []),
    ...(body === 'data' ? [`${at(1)}data: ${message},`] : []),
    ...kept.options.map((option) => `${at(1)}${option},`),
    `${indent}}`,
  ];
  return lines.join(style.eol);
}

/**
 * A cancellation of a request of ours, as an object literal on one line.
 *
 * @param id the expression of the id that is cancelled, as written
 */
export function cancelMessage(id: string, method: string, style: FileStyle, isWhole = true): string {
  const text = (value: string): string => quoted(value, style);
  return `{ ${isWhole ? `jsonrpc: ${text('2.0')}, ` : ''}method: ${text(method)}, params: { requestId: ${id} } }`;
}
