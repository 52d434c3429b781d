/** Writes a run's changes; files that belong together are all written or all left. */
import { encodeSource } from '../workspace/source-text.js';
import type { Problem } from '../workspace/problem.js';
import { createAtomically, createRefusal, replaceRefusal, writeAtomically } from '../workspace/write.js';
import type { CandidateText } from './candidates.js';
import type { FileChange } from './result.js';

/** What was written and what could not be. */
export interface Written {
  readonly changes: readonly FileChange[];
  readonly problems: readonly Problem[];
}

type Texts = ReadonlyMap<string, CandidateText>;
type Write = (change: FileChange, texts: Texts) => Problem | undefined;

/**
 * Writes each set of files as one: when one of a set is refused (changed on disk, not writable), nothing of the set is
 * written, and what was written of it before gets its old bytes back. A file that others import is created before the
 * first set that needs it, and where that fails those sets are left.
 */
export function writeChanges(sets: readonly (readonly FileChange[])[], texts: Texts): Written {
  return carryOut(sets, texts, writeOne);
}

/** What {@link writeChanges} would come to now. */
export function tryChanges(sets: readonly (readonly FileChange[])[], texts: Texts): Written {
  return carryOut(sets, texts, refusalOf);
}

function carryOut(sets: readonly (readonly FileChange[])[], texts: Texts, write: Write): Written {
  const needed = new Set(sets.flat().flatMap(({ needs }) => needs ?? []));
  const created = new Map(
    sets.flat().flatMap((change) => (needed.has(change.file) ? [[change.file, change]] : [])),
  );
  const outcomes = new Map<string, boolean>();
  const done: FileChange[] = [];
  const problems: Problem[] = [];
  const isThere = (file: string): boolean => {
    const change = created.get(file);
    const known = outcomes.get(file);
    if (known !== undefined || change === undefined) return known ?? true;
    const problem = write(change, texts);
    outcomes.set(file, problem === undefined);
    if (problem === undefined) done.push(change);
    else problems.push(problem);
    return problem === undefined;
  };
  for (const set of sets) {
    if (set.every(({ file }) => created.has(file))) continue;
    const refusal = firstProblem(set, texts, refusalOf);
    if (refusal !== undefined) {
      problems.push(refusal);
      continue;
    }
    if (!set.flatMap(({ needs }) => needs ?? []).every(isThere)) continue;
    const written: FileChange[] = [];
    const problem = firstProblem(set, texts, write, written);
    if (problem === undefined) done.push(...written);
    else problems.push(problem, ...written.flatMap((change) => restore(change, texts)));
  }
  return { changes: done, problems };
}

function firstProblem(
  set: readonly FileChange[],
  texts: Texts,
  write: Write,
  written: FileChange[] = [],
): Problem | undefined {
  for (const change of set) {
    const problem = write(change, texts);
    if (problem !== undefined) return problem;
    written.push(change);
  }
  return undefined;
}

function writeOne(change: FileChange, texts: Texts): Problem | undefined {
  const read = texts.get(change.file);
  if (change.before === undefined || read === undefined) {
    return createAtomically(change.file, Buffer.from(change.after, 'utf8'));
  }
  return writeAtomically(change.file, encodeSource(change.after, read), { expected: read.bytes });
}

function refusalOf(change: FileChange, texts: Texts): Problem | undefined {
  const read = texts.get(change.file);
  if (change.before === undefined || read === undefined) return createRefusal(change.file);
  return replaceRefusal(change.file, { expected: read.bytes });
}

function restore(change: FileChange, texts: Texts): Problem[] {
  const read = texts.get(change.file);
  if (change.before === undefined || read === undefined) return [];
  const problem = writeAtomically(change.file, read.bytes, { expected: encodeSource(change.after, read) });
  return problem === undefined ? [] : [problem];
}
