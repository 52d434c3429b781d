/** The lines that a statement takes up, with the comments that belong to it. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';

/** Whole lines, the end of the last one included. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** The lines of a statement; undefined where it shares one with something else. */
export function extentOf(statement: ts.Node, unit: SourceUnit): Extent | undefined {
  const { text, tree } = unit;
  const start = statement.getStart(tree);
  const line = lineStart(text, start);
  const end = endOfLineComment(text, statement.end);
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (rest === null || text.slice(line, start).trim() !== '') return undefined;
  return { start: withComments(statement, line, text), end: end + rest[0].length };
}

/** From the first of the comments that stand right above, line by line. */
function withComments(statement: ts.Node, line: number, text: string): number {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  let first = line;
  for (const { pos, end } of [...comments].reverse()) {
    const own = lineStart(text, pos);
    const isAbove = /^[ \t]*\r?\n[ \t]*$/.test(text.slice(end, first));
    if (!isAbove || text.slice(own, pos).trim() !== '' || text.startsWith('#!', pos)) break;
    first = own;
  }
  return first;
}

/** The extent with the empty lines behind it. */
export function withEmptyLines({ start, end }: Extent, text: string): Extent {
  return { start, end: end + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0) };
}

/** The start of the line that a position is on. */
export function lineStart(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

/** Starts of the lines between two positions that can be indented: not those inside a template, nor empty ones. */
export function linesBetween(
  { text, tree }: SourceUnit,
  { start, end }: Extent,
  without: readonly Extent[],
): number[] {
  const fixed = [...without, ...templatesIn(tree, start, end)];
  const lines: number[] = [];
  for (let line = start; line < end; line = text.indexOf('\n', line) + 1 || end) {
    const isFixed = fixed.some((one) => one.start <= line && line < one.end);
    if (!isFixed && !/^[ \t]*(?:\r?\n|$)/.test(text.slice(line, end))) lines.push(line);
  }
  return lines;
}

/** What is inside templates, from behind their first character on. */
function templatesIn(tree: ts.SourceFile, start: number, end: number): Extent[] {
  const found: Extent[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= start || node.pos >= end) return;
    const isFixed = ts.isTemplateLiteralToken(node) || ts.isJsxText(node) || ts.isStringLiteral(node);
    if (isFixed) found.push({ start: node.getStart(tree) + 1, end: node.end });
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
