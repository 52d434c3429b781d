/** A statement that goes, with the line or lines that it has for itself. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';
import { MARKER_TAG } from '../../src/codegen/marker.js';
import { statementListOf } from '../../src/analysis/syntax.js';
import type { FileEdit } from '../codemod.js';

const known = new WeakMap<ts.Node, FileEdit>();

/**
 * The edit that removes it: the same one for everybody who asks. A comment right above it goes with it.
 *
 * @param others what else goes, of which a run of lines may be
 */
export function removedStatement(
  statement: ts.Node,
  { file, text, tree }: SourceUnit,
  others: ReadonlySet<ts.Node> = new Set(),
): FileEdit {
  const before = known.get(statement);
  if (before !== undefined) return before;
  let start = startOf(statement, text, tree);
  let end = endOfLineComment(text, statement.end);
  const lineStart = startOfLine(text, start);
  const lineEnd = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (text.slice(lineStart, start).trim() === '' && lineEnd !== null) {
    start = lineStart;
    end += lineEnd[0].length;
    // Of the blank lines that would meet, one stays; none behind the brace that opens a block.
    const isBlankBefore = followsBlank(statement, text, tree, others);
    const blankAfter = /^(?:[ \t]*\r?\n)+/.exec(text.slice(end));
    if (isBlankBefore && blankAfter !== null) end += blankAfter[0].length;
  }
  const edit = { file, start, end, text: '', reason: 'nothing modern uses it' };
  known.set(statement, edit);
  return edit;
}

function startOfLine(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

/** Whether a blank line stays in front of what follows a statement and the neighbours before it that go as well. */
function followsBlank(
  statement: ts.Node,
  text: string,
  tree: ts.SourceFile,
  others: ReadonlySet<ts.Node>,
): boolean {
  let first = statement;
  for (;;) {
    const start = startOfLine(text, startOf(first, text, tree));
    if (start === 0 || /(?:\n[ \t]*|\{)\r?\n$/.test(text.slice(0, start))) return true;
    const previous = previousOf(first);
    if (previous === undefined || !others.has(previous)) return false;
    first = previous;
  }
}

function previousOf(node: ts.Node): ts.Node | undefined {
  const list = ts.isClassElement(node)
    ? (node.parent as ts.ClassLikeDeclaration).members
    : ts.isStatement(node)
      ? statementListOf(node)
      : undefined;
  const index = list?.findIndex((one: ts.Node) => one === node) ?? 0;
  return list?.[index - 1];
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
