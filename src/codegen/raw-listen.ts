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

/**
 * The options of a `fetch` that opens a listen stream.
 *
 * @param kinds what the filter asks for
 * @param kept other headers and options, as written
 * @param indent the indentation of the line on which the object begins
 */
export function listenPostOptions(
  kinds: readonly ListKind[],
  kept: { readonly headers: readonly string[]; readonly options: readonly string[] },
  indent: string,
  style: FileStyle,
): string {
  const { eol } = style;
  const text = (value: string): string => quoted(value, style);
  const at = (level: number): string => indent + style.indent.repeat(level);
  const filter = kinds.map((kind) => `${kind}: true`).join(', ');
  const lines = [
    '{',
    `${at(1)}method: ${text('POST')},`,
    `${at(1)}headers: {`,
    `${at(2)}${text('content-type')}: ${text(MEDIA_TYPE.json)},`,
    `${at(2)}${HEADER.accept.toLowerCase()}: ${text(ACCEPT_BOTH)},`,
    `${at(2)}${text(HEADER.protocolVersion)}: ${text(MODERN_REVISION)},`,
    `${at(2)}${text(HEADER.method)}: ${text(METHOD.subscriptionsListen)},`,
    ...kept.headers.map((header) => `${at(2)}${header},`),
    `${at(1)}},`,
    `${at(1)}body: JSON.stringify({`,
    `${at(2)}jsonrpc: ${text('2.0')},`,
    `${at(2)}id: crypto.randomUUID(),`,
    `${at(2)}method: ${text(METHOD.subscriptionsListen)},`,
    `${at(2)}params: {`,
    `${at(3)}${FILTER_PARAM}: { ${filter} },`,
    `${at(3)}_meta: {`,
    `${at(4)}${text(META.protocolVersion)}: ${text(MODERN_REVISION)},`,
    `${at(4)}${text(META.clientCapabilities)}: {},`,
    `${at(3)}},`,
    `${at(2)}},`,
    `${at(1)}}),`,
    ...kept.options.map((option) => `${at(1)}${option},`),
    `${indent}}`,
  ];
  return lines.join(eol);
}
