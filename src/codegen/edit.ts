/** An edit is a value: a range of a file's text and what comes in its place. Nobody mutates a tree. */
export interface Edit {
  /** First position replaced, in UTF-16 code units of the text without its byte order mark. */
  readonly start: number;
  /** Position after the last one replaced; equal to `start` for an insertion. */
  readonly end: number;
  readonly text: string;
  /** Why, in a few words: shown beside the diff of a group and in error messages. */
  readonly reason: string;
}
