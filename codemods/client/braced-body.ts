/** The body of an `if`, an `else` or a loop without braces becomes a block when a second statement goes behind it. */
import type { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';

/** What is inserted or replaced. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The changes that put braces around a statement and `addition` behind it; every comment stays where it is. */
export function braced(statement: ts.Statement, addition: string, { text, style }: SourceUnit): Change[] {
  const { eol } = style;
  // `pos` is the end of `)` or `else`: behind it a comment may stand that would swallow a brace.
  const { pos } = statement;
  const start = statement.getStart();
  const between = text.slice(pos, start);
  const outer = indentAt(text, statement.parent.getStart());
  const isOnOwnLine = between.includes('\n');
  const inner = isOnOwnLine ? indentAt(text, start) : outer + style.indent;
  const comment = between.trim() === '' ? '' : `${between.trim()} `;
  const opening = isOnOwnLine
    ? { start: pos, end: pos, text: ' {' }
    : { start: pos, end: start, text: ` {${eol}${inner}${comment}` };
  const end = endOfLineComment(text, statement.end);
  const closing = `${eol}${inner}${addition}${eol}${outer}}`;
  return [opening, { start: end, end, text: closing }];
}
