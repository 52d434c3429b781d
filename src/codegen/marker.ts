/** The comment that tells a person what is left to decide. */
import type { FileStyle } from './file-style.js';
import { printable } from './printable.js';

/** What every marker starts with: what people search for, what `scan` counts, what `no-unfinished-migration` reports. */
export const MARKER_TAG = 'TODO(mcp-listen)';

/**
 * A marker on a line of its own.
 *
 * @param what what a person must decide, one sentence without its full stop
 * @param reference the rule or shape it belongs to
 */
export function markerLine(what: string, reference: string, indent: string, style: FileStyle): string {
  return `${markerComment(what, reference)}${style.eol}${indent}`;
}

/** The comment itself. */
export function markerComment(what: string, reference: string): string {
  return `// ${MARKER_TAG}: ${printable(what)} (${reference})`;
}

/** Whether a comment is a marker as we write them, of this rule or shape: one with a word of a person behind it is not. */
export function isMarkerOf(comment: string, reference: string): boolean {
  return comment.startsWith(`// ${MARKER_TAG}: `) && comment.endsWith(` (${reference})`);
}

/**
 * Whether the comments before a statement hold a marker already.
 *
 * @param from where the white space and comments before the statement begin
 * @param to where the statement itself begins
 */
export function isMarked(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes(MARKER_TAG);
}

/** A marker found in a text. */
export interface FoundMarker {
  /** Position of the tag. */
  readonly position: number;
  readonly text: string;
}

/** All markers of a text, in their order. A marker is a comment: the tag inside a string is none. */
export function findMarkers(text: string): FoundMarker[] {
  const found: FoundMarker[] = [];
  for (const match of text.matchAll(/^[^\n]*?(?:\/\/|\/\*|\*|^)\s*(TODO\(mcp-listen\):?[^\r\n]*)/gm)) {
    const [whole, tail] = match;
    if (tail === undefined) continue;
    found.push({
      position: match.index + whole.length - tail.length,
      text: tail.replace(/\s*\*\/\s*\}?\s*$/, ''),
    });
  }
  return found;
}
