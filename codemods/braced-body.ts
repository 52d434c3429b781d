/** The body of an `if`, an `else` or a loop without braces becomes a block when another statement goes beside it. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../src/analysis/source-unit.js';
import { endOfLineComment, indentAt } from '../src/codegen/file-style.js';

/** What is inserted or replaced. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines that go into the block, in front of the statement or behind it. */
export interface Company {
  readonly inFront?: readonly string[];
  readonly behind?: readonly string[];
}

/** The changes that put braces around a statement and its company; every comment stays where it is. */
export function braced(statement: ts.Statement, company: Company, { text, style }: SourceUnit): Change[] {
  const { inFront = [], behind = [] } = company;
  const { eol } = style;
  // `pos` is the end of `)` or `else`: behind it a comment may stand that would swallow a brace.
  const { pos } = statement;
  const start = statement.getStart();
  const between = text.slice(pos, start);
  const outer = indentAt(text, statement.parent.getStart());
  const isOnOwnLine = between.includes('\n');
  const inner = isOnOwnLine ? indentAt(text, start) : outer + style.indent;
  const comment = between.trim() === '' ? '' : `${between.trim()} `;
  const first = inFront.map((line) => line + eol + inner).join('');
  const opening = isOnOwnLine
    ? [{ start: pos, end: pos, text: ' {' }, ...(first === '' ? [] : [{ start, end: start, text: first }])]
    : [{ start: pos, end: start, text: ` {${eol}${inner}${comment}${first}` }];
  const end = endOfLineComment(text, statement.end);
  const last = behind.map((line) => eol + inner + line).join('');
  const otherwise = gapBeforeElse(statement, end, text);
  const closing = `${last}${eol}${outer}}${otherwise === undefined ? '' : ' '}`;
  return [...opening, { start: end, end: otherwise ?? end, text: closing }];
}

/** Where the `else` behind a body begins, if nothing but white space comes before it. */
function gapBeforeElse(statement: ts.Statement, end: number, text: string): number | undefined {
  const { parent } = statement;
  if (!ts.isIfStatement(parent) || parent.thenStatement !== statement) return undefined;
  const { elseStatement } = parent;
  const gap = elseStatement === undefined ? undefined : /^\s+(?=else\b)/.exec(text.slice(end));
  return gap === null || gap === undefined ? undefined : end + gap[0].length;
}
