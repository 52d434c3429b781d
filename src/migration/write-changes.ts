/** Writes a run's changes; files that belong together are all written or all left. */
import { encodeSource } from '../workspace/source-text.js';
import { isProblem, type Problem } from '../workspace/problem.js';
import { createAtomically, writeAtomically } from '../workspace/write.js';
import type { CandidateText } from './candidates.js';
import type { FileChange } from './result.js';

/** What was written and what could not be. */
export interface Written {
  readonly changes: readonly FileChange[];
  readonly problems: readonly Problem[];
}

/**
 * Writes each set of files as one: when one of a set is refused (changed on disk, not writable), those of the set that
 * were written before it get their old bytes back.
 */
export function writeChanges(
  sets: readonly (readonly FileChange[])[],
  texts: ReadonlyMap<string, CandidateText>,
): Written {
  const written: FileChange[] = [];
  const problems: Problem[] = [];
  for (const set of sets) {
    const done: FileChange[] = [];
    const problem = writeSet(set, texts, done);
    if (problem === undefined) {
      written.push(...done);
      continue;
    }
    problems.push(problem, ...done.flatMap((change) => restore(change, texts)));
  }
  return { changes: written, problems };
}

function writeSet(
  set: readonly FileChange[],
  texts: ReadonlyMap<string, CandidateText>,
  done: FileChange[],
): Problem | undefined {
  for (const change of set) {
    const problem = writeOne(change, texts);
    if (problem !== undefined) return problem;
    done.push(change);
  }
  return undefined;
}

function writeOne(change: FileChange, texts: ReadonlyMap<string, CandidateText>): Problem | undefined {
  const read = texts.get(change.file);
  if (change.before === undefined || read === undefined) {
    return createAtomically(change.file, Buffer.from(change.after, 'utf8'));
  }
  return writeAtomically(change.file, encodeSource(change.after, read), { expected: read.bytes });
}

function restore(change: FileChange, texts: ReadonlyMap<string, CandidateText>): Problem[] {
  const read = texts.get(change.file);
  // A created file does no harm where nothing imports it, and the next run uses it.
  if (change.before === undefined || read === undefined) return [];
  const problem = writeAtomically(change.file, read.bytes, { expected: encodeSource(change.after, read) });
  return problem !== undefined && isProblem(problem) ? [problem] : [];
}
