/** A statement that goes, with the line or lines that it has for itself. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';
import { MARKER_TAG } from '../../src/codegen/marker.js';
import type { FileEdit } from '../codemod.js';

const known = new WeakMap<ts.Node, FileEdit>();

/** The edit that removes it: the same one for everybody who asks. A comment right above it goes with it. */
export function removedStatement(statement: ts.Node, { file, text, tree }: SourceUnit): FileEdit {
  const before = known.get(statement);
  if (before !== undefined) return before;
  let start = startOf(statement, text, tree);
  let end = endOfLineComment(text, statement.end);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (text.slice(lineStart, start).trim() === '' && lineEnd !== null) {
    start = lineStart;
    end += lineEnd[0].length;
    // Of the two blank lines that would meet, one stays.
    const isBlankBefore = /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, start)) || start === 0;
    const blankAfter = /^[ \t]*\r?\n/.exec(text.slice(end));
    if (isBlankBefore && blankAfter !== null) end += blankAfter[0].length;
  }
  const edit = { file, start, end, text: '', reason: 'nothing modern uses it' };
  known.set(statement, edit);
  return edit;
}

/** A comment on lines of its own right above a statement is about it; the one that a file begins with is about the file. */
function startOf(statement: ts.Node, text: string, tree: ts.SourceFile): number {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  let start = statement.getStart(tree);
  for (const { pos, end } of comments.toReversed()) {
    const isRightAbove = /^[ \t]*\r?\n[ \t]*$/.test(text.slice(end, start));
    const isOnOwnLine = text.slice(text.lastIndexOf('\n', pos - 1) + 1, pos).trim() === '';
    if (!isRightAbove || !isOnOwnLine || pos === 0 || text.startsWith(`// ${MARKER_TAG}`, pos)) break;
    start = pos;
  }
  return start;
}
