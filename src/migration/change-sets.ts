/** Turns edits into changed files, and says which of them are written together or not at all. */
import type { Facts } from '../analysis/facts.js';
import { relativePosix } from '../workspace/paths.js';
import type { ComposedEdits } from './compose.js';
import type { DependencyChange } from './dependencies.js';
import { applyEdits } from './edits.js';
import { editsOf, type GroupPlan } from './group-plan.js';
import type { PlanInput } from './plan-input.js';
import type { FileChange } from './result.js';

/**
 * Files that a group's edits tie together are written as one, with the package.json that lists what they need; what the
 * run creates is written before its users.
 */
export function changeSets(
  groups: readonly GroupPlan[],
  { byFile, copies, created, needs }: ComposedEdits,
  dependencies: readonly DependencyChange[],
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
  for (const { change } of dependencies) if (change !== undefined) changes.set(change.file, change);
  const sets = new Map<string, Set<string>>([...changes.keys()].map((file) => [file, new Set([file])]));
  const ties = [
    ...groups.map((plan) => editsOf(plan).map((edit) => edit.file)),
    ...dependencies.flatMap(({ change, users }) => (change === undefined ? [] : [[change.file, ...users]])),
  ];
  for (const tied of ties) {
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
