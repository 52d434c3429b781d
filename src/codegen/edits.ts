/** The one place that applies edits: sorts them, refuses overlaps, applies once. */
import type { Edit } from './edit.js';

/** Two edits that want the same characters. */
export interface Overlap {
  readonly first: Edit;
  readonly second: Edit;
}

/** The edits in the order of their places; insertions at one place keep the order they were given in. */
export function sortEdits<E extends Edit>(edits: readonly E[]): E[] {
  return edits
    .map((edit, order) => ({ edit, order }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.order - b.order)
    .map(({ edit }) => edit);
}

/**
 * The first two edits that overlap; an insertion at the border of another edit does not, nor does a frame with an edit
 * inside it.
 */
export function findOverlap(edits: readonly Edit[]): Overlap | undefined {
  const frame = edits.find((edit) => edit.frame !== undefined);
  if (frame !== undefined) {
    const others = edits.filter((edit) => edit !== frame);
    const inside = others.filter((edit) => isInside(edit, frame));
    const { start, end, text, reason } = frame;
    const outside = [{ start, end, text, reason }, ...others.filter((edit) => !isInside(edit, frame))];
    return findOverlap(outside) ?? findOverlap(inside);
  }
  const sorted = sortEdits(edits);
  for (const [index, second] of sorted.entries()) {
    const first = sorted[index - 1];
    if (first !== undefined && second.start < first.end) return { first, second };
  }
  return undefined;
}

/** Whether an edit belongs into a frame: what is inserted at its start does, at its end not. */
export function isInside({ start, end }: Edit, frame: Edit): boolean {
  return frame.start <= start && end <= frame.end && start < frame.end;
}

/**
 * The text with all edits applied; every character outside them stays.
 *
 * @throws RangeError when edits overlap or lie outside the text: whoever plans checks with {@link findOverlap} first
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const edit of sortEdits(edits)) {
    if (edit.start < position || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(
        `an edit at ${String(edit.start)}..${String(edit.end)} (${edit.reason}) overlaps or is out of range`,
      );
    }
    parts.push(text.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  parts.push(text.slice(position));
  return parts.join('');
}
