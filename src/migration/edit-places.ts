/** Where places of a text are once its edits are applied. */
import type { Edit } from '../codegen/edit.js';
import type { Range } from './diagnostics.js';
import { sortEdits } from './edits.js';

/** The place in the text after of a place in the text before that no edit has replaced. */
export function movedPosition(edits: readonly Edit[], position: number): number {
  return edits
    .filter((edit) => edit.end <= position)
    .reduce((moved, edit) => moved + edit.text.length - (edit.end - edit.start), position);
}

/** What each edit has put into the text after. */
export function rangesAfter<E extends Edit>(edits: readonly E[]): Map<E, Range> {
  let shift = 0;
  return new Map(
    sortEdits(edits).map((edit) => {
      const start = edit.start + shift;
      shift += edit.text.length - (edit.end - edit.start);
      return [edit, { start, end: start + edit.text.length }];
    }),
  );
}
