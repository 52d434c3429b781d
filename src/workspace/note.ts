/**
 * What is said about files that a run leaves out.
 */

/** Why a file or folder is left out. */
export type NoteKind =
  /** Named by the user, and ignored by git, by `--ignore`, or because it lies in node_modules. */
  | 'ignored-explicitly'
  /** Written by a tool (see `isGenerated`); said by whoever has read the text. */
  | 'generated'
  /** Build output that git tracks. */
  | 'build-output'
  /** A symbolic link: never followed. */
  | 'link'
  /** No such file or folder. */
  | 'missing'
  /** Not below the root. */
  | 'outside'
  /** Belongs to a submodule or to a repository within this one. */
  | 'other-repository'
  /** Neither TypeScript nor JavaScript source. */
  | 'not-source'
  /** A folder without source. */
  | 'empty'
  /** A folder that may not be read. */
  | 'unreadable'
  /** There is a repository, but git did not answer. */
  | 'no-git';

/** One thing to tell the user about a file or folder. */
export interface Note {
  readonly kind: NoteKind;
  /** `error`: what was asked for could not be done. */
  readonly level: 'error' | 'warning';
  /** Absolute path. */
  readonly file: string;
  /** One line, without the path: what is the matter and what to do. */
  readonly message: string;
}
