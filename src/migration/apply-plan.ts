/** Carries a plan out, unless the work tree or the options speak against it. */
import { normalize } from 'node:path';
import { dirtyFiles } from '../workspace/git-state.js';
import { toPosix } from '../workspace/paths.js';
import type { Problem } from '../workspace/problem.js';
import type { CandidateText } from './candidates.js';
import type { RunOptions } from './options.js';
import type { Plan } from './plan.js';
import type { FileChange, Refusal } from './result.js';
import { tryChanges, writeChanges } from './write-changes.js';

/** What came of a plan. */
export interface Applied {
  /** What was written; in a dry run what would have been. */
  readonly changes: readonly FileChange[];
  readonly problems: readonly Problem[];
  readonly refusals: readonly Refusal[];
}

const NOTHING: Applied = { changes: [], problems: [], refusals: [] };

/** Writes the changes of a plan. */
export async function applyPlan(
  plan: Plan,
  options: RunOptions,
  repository: string | undefined,
  texts: ReadonlyMap<string, CandidateText>,
): Promise<Applied> {
  const changes = plan.changeSets.flat();
  if (options.command === 'scan' || changes.length === 0) return NOTHING;
  const refusals = await uncommittedRefusals(plan, options, repository);
  if (refusals.length > 0) return { ...NOTHING, refusals };
  if (options.dryRun === true) return { ...NOTHING, ...tryChanges(plan.changeSets, texts) };
  options.onStage?.('writing');
  const written = writeChanges(plan.changeSets, texts);
  return { ...NOTHING, ...written };
}

/** What speaks against touching the files of a plan; nothing with `--force`. */
export async function uncommittedRefusals(
  plan: Plan,
  options: RunOptions,
  repository: string | undefined,
): Promise<Refusal[]> {
  if (options.force === true) return [];
  const dirty = await uncommitted(repository, plan.changeSets.flat());
  return dirty.length > 0 ? [uncommittedRefusal(dirty)] : [];
}

async function uncommitted(
  repository: string | undefined,
  changes: readonly FileChange[],
): Promise<string[]> {
  if (repository === undefined) return [];
  const existing = changes.filter((change) => change.before !== undefined);
  const dirty = await dirtyFiles(
    repository,
    existing.map((change) => normalize(change.file)),
  );
  const found = new Set((dirty ?? []).map(toPosix));
  return existing.filter((change) => found.has(change.file)).map((change) => change.path);
}

function uncommittedRefusal(paths: readonly string[]): Refusal {
  return {
    kind: 'uncommitted-changes',
    about: paths,
    message: 'uncommitted changes in files that would be changed: commit or stash them, or use --force',
  };
}
