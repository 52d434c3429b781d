/** Turns frames into plain edits: stretches of text that are wrapped, indented, or go elsewhere, with the edits inside them. */
import type { Edit, Frame } from '../codegen/edit.js';
import { applyEdits, isInside } from './edits.js';

/** The edits of one file without frames: each frame becomes the replacement that it comes to. */
export function withoutFrames<E extends Edit>(text: string, edits: readonly E[]): E[] {
  const frames = edits.filter(({ frame }) => frame !== undefined);
  // The innermost first, so that a frame finds only plain edits inside it.
  frames.sort((a, b) => a.end - a.start - (b.end - b.start));
  const moved = new Set<E>();
  let current = [...edits];
  for (const edit of frames) {
    const inside = current.filter((other) => other !== edit && !moved.has(other) && isInside(other, edit));
    const content = contentOf(text, edit, inside);
    const { to } = edit.frame ?? {};
    const placed =
      to === undefined
        ? [plain(edit, edit.start, edit.end, content)]
        : [plain(edit, edit.start, edit.end, ''), plain(edit, to, to, content)];
    if (to !== undefined) for (const one of placed.slice(1)) moved.add(one);
    current = current.flatMap((other) => (other === edit ? placed : inside.includes(other) ? [] : [other]));
  }
  return current;
}

function plain<E extends Edit>(edit: E, start: number, end: number, text: string): E {
  return { ...edit, start, end, text, frame: undefined };
}

function contentOf(text: string, { start, end, frame = {} }: Edit, inside: readonly Edit[]): string {
  const { open = '', close = '' } = frame;
  const shifted = indented(text, inside, frame).map((edit) => ({
    ...edit,
    start: edit.start - start,
    end: edit.end - start,
  }));
  return open + applyEdits(text.slice(start, end), shifted) + close;
}

/** The edits of a frame, and the insertions that indent its lines. */
function indented(text: string, edits: readonly Edit[], { indent }: Frame): Edit[] {
  if (indent === undefined) return [...edits];
  const { by } = indent;
  const lines = new Set(indent.lines);
  const isKept = (line: number): boolean =>
    !edits.some((edit) => {
      const isWithin = edit.start < line && line < edit.end;
      return isWithin || (edit.start === line && edit.end > line && edit.text === '' && endsLine(text, edit));
    });
  const insertions = indent.lines
    .filter(isKept)
    .map((line): Edit => ({ start: line, end: line, text: by, reason: 'indented' }));
  const inner = edits.map((edit) => {
    const line = text.lastIndexOf('\n', edit.start - 1) + 1;
    if (!lines.has(line)) return edit;
    const continued = edit.text.replaceAll(/\n(?!\r?\n|$)/g, `\n${by}`);
    const isLineInFront = edit.start === edit.end && edit.start === line && edit.text.endsWith('\n');
    return { ...edit, text: isLineInFront ? continued + by : continued };
  });
  return [...insertions, ...inner];
}

function endsLine(text: string, { end }: Edit): boolean {
  return text.charAt(end - 1) === '\n';
}
