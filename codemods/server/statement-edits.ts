/** Edits of whole statements: what goes in front of one, what takes its place, and what goes away with its line. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';
import { joined, type Lines } from '../../src/codegen/http-front.js';
import type { FileEdit } from '../codemod.js';

/** Blocks of lines in front of a statement and the comments that belong to it, each followed by an empty line. */
export function inFrontOf(
  statement: ts.Node,
  blocks: readonly Lines[],
  unit: SourceUnit,
  reason: string,
): FileEdit {
  const { text, style } = unit;
  const start = startWithComments(statement, unit);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = indentAt(text, start);
  const isOnOwnLine = text.slice(lineStart, start).trim() === '';
  const code = blocks.map((lines) => joined(lines, indent, style) + style.eol + style.eol);
  if (!isOnOwnLine) return { file: unit.file, start, end: start, text: code.join(indent) + indent, reason };
  const gap = isBelowCode(text, lineStart) ? style.eol : '';
  // In front of the indentation: a marker in the lines above may go at the same time.
  return {
    file: unit.file,
    start: lineStart,
    end: lineStart,
    text: gap + code.map((one) => indent + one).join(''),
    reason,
  };
}

/** Whether the line above holds code that does not open a block. */
function isBelowCode(text: string, lineStart: number): boolean {
  const above = text.slice(0, lineStart).split('\n').at(-2)?.trim() ?? '';
  return above !== '' && !/[{[(]$/.test(above);
}

/** Blocks of lines in place of a statement, an empty line between them. */
export function inPlaceOf(
  statement: ts.Node,
  blocks: readonly Lines[],
  unit: SourceUnit,
  reason: string,
): FileEdit {
  const { style } = unit;
  const start = statement.getStart(unit.tree);
  const indent = indentAt(unit.text, start);
  const code = blocks.map((lines) => joined(lines, indent, style)).join(style.eol + style.eol + indent);
  return { file: unit.file, start, end: statement.end, text: code, reason };
}

const removals = new WeakMap<ts.Node, FileEdit>();

/** A statement with its lines and the comments that belong to it: the same edit for everybody who asks. */
export function withoutStatement(statement: ts.Node, unit: SourceUnit, reason: string): FileEdit {
  const known = removals.get(statement);
  if (known !== undefined) return known;
  const { text, file } = unit;
  const from = startWithComments(statement, unit);
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const end = endOfLineComment(text, statement.end);
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  const isAlone = rest !== null && text.slice(lineStart, from).trim() === '';
  const edit = {
    file,
    start: isAlone ? lineStart : from,
    end: isAlone ? end + rest[0].length : end,
    text: '',
    reason,
  };
  removals.set(statement, edit);
  return edit;
}

/** Where a statement begins with the comments that stand right above it. */
export function startWithComments(statement: ts.Node, { text, tree }: SourceUnit): number {
  let start = statement.getStart(tree);
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  for (const { pos, end } of comments.toReversed()) {
    const between = text.slice(end, start);
    const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
    const isOnOwnLine = text.slice(lineStart, pos).trim() === '';
    if (!isOnOwnLine || (between.match(/\n/g) ?? []).length > 1) break;
    start = pos;
  }
  return start;
}
