/** Turns edits into changed files, and says which of them are written together or not at all. */
import type { Facts } from '../analysis/facts.js';
import { relativePosix } from '../workspace/paths.js';
import type { ComposedEdits } from './compose.js';
import { applyEdits } from './edits.js';
import { editsOf, type GroupPlan } from './group-plan.js';
import type { PlanInput } from './plan-input.js';
import type { FileChange } from './result.js';

/** Files that a group's edits tie together are written as one; what the run creates is written before its users. */
export function changeSets(
  groups: readonly GroupPlan[],
  { byFile, copies, created, needs }: ComposedEdits,
  facts: Facts,
  { root }: PlanInput,
): FileChange[][] {
  const changes = new Map<string, FileChange>();
  for (const unit of facts.units) {
    const edits = byFile.get(unit.file);
    if (edits === undefined) continue;
    const needed = needs.get(unit.file);
    changes.set(unit.file, {
      file: unit.file,
      path: unit.path,
      before: unit.text,
      after: applyEdits(unit.text, edits),
      ...(needed === undefined ? {} : { needs: needed }),
    });
  }
  const sets = new Map<string, Set<string>>([...changes.keys()].map((file) => [file, new Set([file])]));
  for (const plan of groups) {
    const tied = [...new Set(editsOf(plan).map((edit) => edit.file))];
    const merged = new Set(tied.flatMap((file) => [...(sets.get(file) ?? [])]));
    for (const file of merged) sets.set(file, merged);
  }
  const files = [...copies.values()].map(({ copy, text }) => ({ file: copy.file, text }));
  const fresh = [...files, ...created.values()].map(({ file, text }): FileChange[] => [
    { file, path: relativePosix(root, file), before: undefined, after: text },
  ]);
  const rewritten = [...new Set(sets.values())].map((set) =>
    [...set].sort().flatMap((file) => changes.get(file) ?? []),
  );
  return [...fresh, ...rewritten];
}
