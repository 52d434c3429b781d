/** One file under analysis: where it is, what it says, how it is written, and lazily its tree. */
import type { ts } from 'ts-morph';
import { readFileStyle, type FileStyle } from '../codegen/file-style.js';

/** One file of the workspace. */
export interface SourceUnit {
  /** Absolute path with forward slashes. */
  readonly file: string;
  /** Path relative to the workspace's root, with forward slashes. */
  readonly path: string;
  /** Path of the owning package relative to the workspace's root, `.` for the root itself. */
  readonly package: string;
  /** The text without its byte order mark. */
  readonly text: string;
  readonly style: FileStyle;
  readonly tree: ts.SourceFile;
}

/** Puts a unit together; the style is read when something is composed for the file. */
export function createSourceUnit(
  place: Pick<SourceUnit, 'file' | 'path' | 'package' | 'text'>,
  tree: ts.SourceFile,
): SourceUnit {
  let style: FileStyle | undefined;
  return {
    ...place,
    tree,
    get style() {
      style ??= readFileStyle(place.text);
      return style;
    },
  };
}
