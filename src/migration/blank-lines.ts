/** Empty lines that would meet where lines are taken out: of those around a gap, one is enough. */
import type { FileEdit } from '../../codemods/codemod.js';
import { sortEdits } from './edits.js';

interface Range {
  start: number;
  end: number;
}

/** Lines that go, one after the other, with nothing but empty lines between. */
interface Gap extends Range {
  /** Those empty lines. */
  readonly between: Range[];
}

/** The edits that take the superfluous ones away; the edits given stay as they are. */
export function blankLineEdits(file: string, text: string, edits: readonly FileEdit[]): FileEdit[] {
  return gapsIn(text, edits).flatMap((gap) =>
    [...gap.between, ...superfluous(text, gap)]
      .filter((range) => !edits.some((edit) => edit.start > range.start && edit.start < range.end))
      .map((range) => ({ file, ...range, text: '', reason: 'empty lines that would meet' })),
  );
}

function superfluous(text: string, { start, end }: Gap): Range[] {
  const above = /(?:^|\n)((?:[ \t]*\r?\n)+)$/.exec(text.slice(0, start))?.[1] ?? '';
  const below = /^(?:[ \t]*\r?\n)+/.exec(text.slice(end))?.[0] ?? '';
  const isAtTop = /(?:^|[{[(])\s*$/.test(text.slice(0, start - above.length));
  const isAtBottom = /^\s*(?:[}\])]|$)/.test(text.slice(end));
  if (isAtBottom) return above === '' ? [] : [{ start: start - above.length, end: start }];
  const isDoubled = below !== '' && (above !== '' || isAtTop);
  return isDoubled ? [{ start: end, end: end + below.length }] : [];
}

function gapsIn(text: string, edits: readonly FileEdit[]): Gap[] {
  const gaps: Gap[] = [];
  let last: Gap | undefined;
  for (const { start, end, text: put, frame } of sortEdits(edits)) {
    const isRemoval = put === '' && frame === undefined && isLineStart(text, start) && isLineStart(text, end);
    const between = last === undefined ? '' : text.slice(last.end, start);
    if (!isRemoval) {
      last = undefined;
    } else if (last !== undefined && between.trim() === '') {
      if (between !== '') last.between.push({ start: last.end, end: start });
      last.end = end;
    } else {
      last = { start, end, between: [] };
      gaps.push(last);
    }
  }
  return gaps;
}

function isLineStart(text: string, position: number): boolean {
  return position === 0 || position === text.length || text[position - 1] === '\n';
}
