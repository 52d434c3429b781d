/**
 * The search in bytes that decides which files are parsed at all.
 *
 * Measured on 3,000 files (22 MB) with 30 tokens: one pass with a shift table 0.03 s, a regular expression
 * 0.12 s, `includes` per token 0.21 s, asynchronous reads 0.28 s and more. Hence synchronous, one pass.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { sep } from 'node:path';
import { errorCode, type Problem, systemReason } from './problem.js';
import { MAXIMUM_BYTES, TOO_LARGE, UTF16, utf16Order } from './source-text.js';
import { type TokenSearch, tokenSearch } from './token-search.js';

/** A file that holds one of the tokens, as it was read. */
export interface Candidate {
  readonly file: string;
  readonly bytes: Buffer;
}

/** What a scan found. */
export interface TokenScan {
  readonly candidates: readonly Candidate[];
  /** Files that could not be read, or that hold a token and cannot be handled (UTF-16, too large). */
  readonly problems: readonly Problem[];
}

/** Whether any of the tokens occurs in the bytes of a UTF-8 file. */
export function containsToken(bytes: Buffer, tokens: readonly string[]): boolean {
  return tokens.some((token) => bytes.includes(token));
}

/** Reads the files and gives those that hold one of the tokens. Parses nothing, keeps nothing of the others. */
export function scanForTokens(files: readonly string[], tokens: readonly string[]): TokenScan {
  const candidates: Candidate[] = [];
  const problems: Problem[] = [];
  if (tokens.length === 0) return { candidates, problems };

  const search = encodingAwareSearch(tokens);
  for (const file of files) {
    try {
      const found = searchFile(file, search);
      if (found === undefined) continue;
      if (typeof found === 'string') problems.push({ file, message: found });
      else candidates.push({ file, bytes: found });
    } catch (error) {
      problems.push({ file, message: unread(file, error) });
    }
  }
  return { candidates, problems };
}

const DELETED = 'was deleted since it was listed: run again';
const NAME_NOT_UTF8 = 'cannot be read, since its path is not valid UTF-8: rename it and run again';
/** TypeScript takes it for a separator and then does not find the file. */
const BACKSLASH = 'cannot be parsed, since its path has a backslash: rename it and run again';

function unread(file: string, error: unknown): string {
  if (errorCode(error) !== 'ENOENT') {
    return `could not be read (${systemReason(error)}): check its permissions`;
  }
  return file.includes('\uFFFD') ? NAME_NOT_UTF8 : DELETED;
}

/** All files pass through this one buffer, so that only candidates cost memory. One byte more shows "too large". */
const BUFFER_BYTES = MAXIMUM_BYTES + 1;
let shared: Buffer | undefined;

/** The bytes of a file with a token, or why such a file cannot be handled. */
function searchFile(file: string, search: EncodingAwareSearch): Buffer | string | undefined {
  const buffer = (shared ??= Buffer.allocUnsafeSlow(BUFFER_BYTES));
  const descriptor = openSync(file, 'r');
  try {
    const length = fill(descriptor, buffer, 0);
    if (length > MAXIMUM_BYTES) return largeFileMatches(descriptor, buffer, search) ? TOO_LARGE : undefined;
    const bytes = buffer.subarray(0, length);
    const encoding = utf16Order(bytes) ?? 'utf8';
    if (!search.in(encoding)(bytes)) return undefined;
    if (encoding !== 'utf8') return UTF16;
    return sep === '/' && file.includes('\\') ? BACKSLASH : Buffer.from(bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Goes on through a large file in pieces that overlap by more than the longest token. */
function largeFileMatches(descriptor: number, buffer: Buffer, search: EncodingAwareSearch): boolean {
  const matches = search.in(utf16Order(buffer) ?? 'utf8');
  let length = buffer.length;
  while (length > search.overlap) {
    if (matches(buffer.subarray(0, length))) return true;
    buffer.copyWithin(0, length - search.overlap, length);
    length = fill(descriptor, buffer, search.overlap);
  }
  return false;
}

/** Reads until the buffer is full or the file ends; gives how much of the buffer is filled. */
function fill(descriptor: number, buffer: Buffer, from: number): number {
  let length = from;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

type Encoding = 'utf8' | 'little' | 'big';

interface EncodingAwareSearch {
  in(encoding: Encoding): TokenSearch;
  /** No token is longer than this in any encoding. */
  readonly overlap: number;
}

function encodingAwareSearch(tokens: readonly string[]): EncodingAwareSearch {
  const utf8 = tokenSearch(tokens);
  const inOrder = (order: 'little' | 'big'): TokenSearch => {
    const needles = tokens.map((token) => utf16(token, order));
    return (bytes) => needles.some((needle) => bytes.includes(needle));
  };
  return {
    in: (encoding) => (encoding === 'utf8' ? utf8 : inOrder(encoding)),
    overlap: Math.max(...tokens.map((token) => 3 * token.length)),
  };
}

function utf16(token: string, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.from(token, 'utf16le');
  return order === 'little' ? bytes : bytes.swap16();
}
