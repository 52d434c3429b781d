/** An edit is a value: a range of a file's text and what comes in its place. Nobody mutates a tree. */
export interface Edit {
  /** First position replaced, in UTF-16 code units of the text without its byte order mark. */
  readonly start: number;
  /** Position after the last one replaced; equal to `start` for an insertion. */
  readonly end: number;
  readonly text: string;
  /** Why, in a few words: shown beside the diff of a group and in error messages. */
  readonly reason: string;
  /** Makes it a frame: a stretch that keeps its text, in which other edits are made, and that changes as a whole. */
  readonly frame?: Frame | undefined;
}

/** What becomes of a stretch of text as a whole, after the edits inside it. Its edit's `text` is empty. */
export interface Frame {
  /** What comes in front of it and behind it. */
  readonly open?: string;
  readonly close?: string;
  /** Starts of lines that get more indentation; what edits add to such a line gets it, too. */
  readonly indent?: { readonly by: string; readonly lines: readonly number[] };
  /** Where the stretch goes, outside of itself. */
  readonly to?: number;
}
