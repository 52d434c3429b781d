/**
 * From bytes to text and back without a lost byte: encoding, byte order mark, line endings.
 */
import { isUtf8 } from 'node:buffer';
import type { Problem } from './problem.js';

/** Larger files are not read: no hand-written source is that large, and a parser would take minutes. */
export const MAXIMUM_BYTES = 4 * 1024 * 1024;

/** The text of a file and what is needed to write it back as it was. */
export interface SourceText {
  /** Without the byte order mark. Line endings as they are in the file. */
  readonly text: string;
  /** Whether the file starts with a byte order mark. */
  readonly bom: boolean;
  /** The line ending that most lines have; `\n` for a file of one line. */
  readonly eol: '\n' | '\r\n';
  /** Whether the file has both. */
  readonly mixedEol: boolean;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the bytes of a source file. `file` is only named in the problem. */
export function decodeSource(bytes: Buffer, file: string): SourceText | Problem {
  const message = unreadable(bytes);
  if (message !== undefined) return { file, message };
  const bom = bytes.subarray(0, BOM.length).equals(BOM);
  const text = bytes.toString('utf8', bom ? BOM.length : 0);
  return { text, bom, ...lineEndings(text) };
}

/** The bytes of a text that {@link decodeSource} read. */
export function encodeSource(text: string, { bom }: { readonly bom: boolean }): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return bom ? Buffer.concat([BOM, bytes]) : bytes;
}

/** Whether the bytes start with the byte order mark of UTF-16, and which. */
export function utf16Order(bytes: Buffer): 'little' | 'big' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'little';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'big';
  return undefined;
}

/** What is said about a file of more than {@link MAXIMUM_BYTES}. */
export const TOO_LARGE = `larger than ${MAXIMUM_BYTES / 1024 / 1024} MiB, so it was not read: migrate it by hand, or ignore it if it is generated`;

/** What is said about a file in UTF-16. */
export const UTF16 = 'encoded as UTF-16: save it as UTF-8 and run again';
const BINARY = 'holds NUL bytes, so it is binary or UTF-16: save it as UTF-8, or ignore it';
const NOT_UTF8 = 'not valid UTF-8: save it as UTF-8 and run again';

function unreadable(bytes: Buffer): string | undefined {
  if (bytes.length > MAXIMUM_BYTES) return TOO_LARGE;
  if (utf16Order(bytes) !== undefined) return UTF16;
  if (bytes.includes(0)) return BINARY;
  return isUtf8(bytes) ? undefined : NOT_UTF8;
}

function lineEndings(text: string): Pick<SourceText, 'eol' | 'mixedEol'> {
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf++;
    else lf++;
  }
  return { eol: crlf > lf ? '\r\n' : '\n', mixedEol: lf > 0 && crlf > 0 };
}

/**
 * Whether the comments before the first code say that a tool wrote the file: `@generated`, or the words
 * "generated" and "do not edit" of many generators.
 */
export function isGenerated(text: string): boolean {
  const header = leadingComments(text);
  if (/(?<![\w-])@generated\b/.test(header)) return true;
  return /\bgenerated\b/i.test(header) && /\bdo not (?:edit|modify)\b/i.test(header);
}

function leadingComments(text: string): string {
  return /^(?:#!.*)?(?:\s*(?:\/\/.*|\/\*[^]*?\*\/))*/.exec(text)?.[0] ?? '';
}
