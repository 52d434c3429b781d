/** A statement that goes, with the line or lines that it has for itself. */
import type { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';
import type { FileEdit } from '../codemod.js';

const known = new WeakMap<ts.Node, FileEdit>();

/** The edit that removes it: the same one for everybody who asks. Comments above it stay. */
export function removedStatement(statement: ts.Node, { file, text, tree }: SourceUnit): FileEdit {
  const before = known.get(statement);
  if (before !== undefined) return before;
  let start = statement.getStart(tree);
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
