/** Code as it can be named in a sentence. */
import type { ts } from 'ts-morph';
import { MARKER_TAG } from '../codegen/marker.js';

/** Long enough to be found in its file, short enough for a line of a report. */
const LONGEST = 60;

/** Markers are not the user's code: a sentence that quotes them would be another one after each run. */
const MARKERS = new RegExp(String.raw`//[ \t]*${MARKER_TAG.replaceAll(/[()]/g, String.raw`\$&`)}.*\s*`, 'g');

/** The text of a node, or a text, on one line, without markers, cut off where it gets longer than `longest` characters. */
export function shortText(code: ts.Node | string, longest: number = LONGEST): string {
  const whole = typeof code === 'string' ? code : code.getText();
  const text = whole.replaceAll(MARKERS, '').replaceAll(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
