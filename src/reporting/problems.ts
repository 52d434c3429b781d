/** What a run could not do: errors, and those notes that are as bad as an error. */
import type { ErrorResult, RunResult } from '../migration/result.js';
import type { Note } from '../workspace/note.js';
import { relativePosix } from '../workspace/paths.js';

/** A note as reports show it. */
export interface Remark {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  readonly message: string;
}

/** Whatever could not be read, decided or written: each once. */
export function problemsOf(result: RunResult): readonly ErrorResult[] {
  const all = [...result.errors, ...remarks(result, 'error')];
  const seen = new Set<string>();
  return all.filter(({ file, message }) => {
    const key = `${file}\0${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Whatever was passed over on purpose. */
export function warningsOf(result: RunResult): readonly Remark[] {
  return remarks(result, 'warning');
}

function remarks(result: RunResult, level: Note['level']): Remark[] {
  return result.notes
    .filter((note) => note.level === level)
    .map(({ file, message }) => ({ file: relativePosix(result.root, file), message }));
}
