/** Code as it can be named in a sentence. */
import type { ts } from 'ts-morph';

/** Long enough to be found in its file, short enough for a line of a report. */
const LONGEST = 60;

/** The text of a node, or a text, on one line, cut off where it gets longer than `longest` characters. */
export function shortText(code: ts.Node | string, longest: number = LONGEST): string {
  const text = (typeof code === 'string' ? code : code.getText()).replaceAll(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
