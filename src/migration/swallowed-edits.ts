/** What becomes of edits inside a stretch that another edit of the same group takes out or replaces as a whole. */
import type { FileEdit } from '../../codemods/codemod.js';

/**
 * A server's edits without those that a larger one makes void: a gate that opens in a route that goes altogether, a
 * handler that is removed by itself and with the block around it.
 */
export function withoutSwallowed(edits: readonly FileEdit[]): FileEdit[] {
  return edits.filter(
    (edit, index) => !edits.some((other, at) => other !== edit && swallows(other, edit, at < index)),
  );
}

function swallows(outer: FileEdit, inner: FileEdit, isEarlier: boolean): boolean {
  if (outer.file !== inner.file || outer.frame !== undefined || inner.frame !== undefined) return false;
  if (inner.start < outer.start || outer.end < inner.end) return false;
  const isSame = inner.start === outer.start && inner.end === outer.end;
  if (isSame) return isEarlier && inner.start < inner.end && inner.text === outer.text;
  // What is inserted at the border of a stretch stands beside it.
  return inner.start < inner.end || (outer.start < inner.start && inner.end < outer.end);
}
