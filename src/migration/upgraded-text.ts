/** Gives a file that the official codemod has written the look that it had: its head, line ends, quotes and last line. */
import { readFileStyle } from '../codegen/file-style.js';
import { SDK_CODEMOD_MARKER } from '../protocol/index.js';

/** The text as the codemod is given it: it writes `\n` into files of any kind, so that `\r\n` is taken out before. */
export function textForCodemod(text: string): string {
  return isWindows(text) ? text.replaceAll('\r\n', '\n') : text;
}

/** What the codemod has returned, in the look of the original; the original itself where it has changed nothing. */
export function inTheLookOf(original: string, returned: string): string {
  if (returned === textForCodemod(original)) return original;
  const text = likeLastLine(
    original,
    withHead(original, withoutRepeatedMarkers(inStyle(original, returned))),
  );
  return isWindows(original) ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** Only a file of one kind: one that mixes them has no look to restore. */
function isWindows(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

/** The codemod writes imports with `"` and `;`, and names of methods with `'`, whatever the file is written with. */
function inStyle(original: string, returned: string): string {
  const { quote, semicolon } = readFileStyle(original);
  const known = new Set(textForCodemod(original).split('\n'));
  return returned
    .split('\n')
    .map((line) => {
      if (known.has(line) || line.includes(SDK_CODEMOD_MARKER)) return line;
      return line
        .replace(WRITTEN_IMPORT, (_, start: string, name: string) => start + quote + name + quote + semicolon)
        .replace(WRITTEN_METHOD, (_, start: string, name: string) => start + quote + name + quote);
    })
    .join('\n');
}

const WRITTEN_IMPORT = /^((?:import|export|\})[^'"]*\bfrom )"(@modelcontextprotocol\/[^"]+|zod)";$/;
const WRITTEN_METHOD = /(\bset(?:Request|Notification)Handler\(\s*)'([\w/]+)'/;

/** Run again, the codemod repeats a marker when another comment has come between it and its line. */
function withoutRepeatedMarkers(text: string): string {
  const lines = text.split('\n');
  const isRepeated = (line: string, index: number): boolean => {
    if (!line.includes(SDK_CODEMOD_MARKER)) return false;
    for (let above = index - 1; isComment(lines[above]); above -= 1)
      if (lines[above]?.trim() === line.trim()) return true;
    return false;
  };
  return lines.filter((line, index) => !isRepeated(line, index)).join('\n');
}

function isComment(line = ''): boolean {
  return /^\s*(?:\/\/|\/\*.*\*\/\s*$)/.test(line);
}

/** Where all imports are of version 1, it loses comments and blank lines above the first. */
function withHead(original: string, text: string): string {
  const head = headOf(textForCodemod(original));
  const left = headOf(text);
  const start = afterHashBang(text);
  const rest = text.slice(start + left.length);
  const known = new Set(head.split('\n'));
  const added = left.split('\n').filter((line) => !known.has(line) && line !== '');
  const words = head.split('\n').find((line) => /\w/.test(line));
  const isElsewhere = words === undefined || rest.includes(words);
  if (isElsewhere || !added.every((line) => line.includes(SDK_CODEMOD_MARKER))) return text;
  return text.slice(0, start) + head + added.map((line) => `${line}\n`).join('') + rest;
}

/** The comments that a file begins with, and the blank lines behind them. */
function headOf(text: string): string {
  const start = afterHashBang(text);
  const comment = /\s*(?:\/\/.*|\/\*[^]*?\*\/)\s*/y;
  let end = start;
  for (comment.lastIndex = start; comment.test(text);) end = comment.lastIndex;
  return text.slice(start, end);
}

function afterHashBang(text: string): number {
  return /^#!.*\n?/.exec(text)?.[0].length ?? 0;
}

function likeLastLine(original: string, text: string): string {
  const end = /\s*$/.exec(textForCodemod(original))?.[0] ?? '';
  return text.trimEnd() + end;
}

/** A comment in which the official codemod says what it has left to a person. */
export interface OfficialMarker {
  /** From 1. */
  readonly line: number;
  /** Without the tag and the ends of the comment. */
  readonly text: string;
}

/** The comments of the official codemod in a text, in their order. */
export function officialMarkers(text: string): OfficialMarker[] {
  if (!text.includes(SDK_CODEMOD_MARKER)) return [];
  return text.split(/\r?\n/).flatMap((line, index) => {
    const found = MARKER.exec(line);
    return found === null ? [] : [{ line: index + 1, text: found[1] ?? '' }];
  });
}

const MARKER = new RegExp(`/\\*\\s*${SDK_CODEMOD_MARKER}\\s*(.*?)\\s*(?:\\*/|$)`);
