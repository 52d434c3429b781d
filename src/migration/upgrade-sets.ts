/** Joins the changes of the upgrade of the SDK with those of the plan that was made on top of it. */
import type { FileChange } from './result.js';
import type { SdkUpgrade } from './sdk-upgrade.js';

/** The sets of a plan, with each file's change told from what is on disk, and whole packages written together. */
export function withUpgrade(
  planned: readonly (readonly FileChange[])[],
  upgrade: Pick<SdkUpgrade, 'sets'> | undefined,
): (readonly FileChange[])[] {
  if (upgrade === undefined) return [...planned];
  let sets = [...planned];
  for (const upgraded of upgrade.sets) {
    const files = new Set(upgraded.map(({ file }) => file));
    const isTied = (set: readonly FileChange[]): boolean => set.some(({ file }) => files.has(file));
    const tied = sets.filter(isTied).flat();
    const joined = upgraded.map((change) => {
      const ours = tied.find(({ file }) => file === change.file);
      return ours === undefined ? change : { ...ours, before: change.before };
    });
    const others = tied.filter(({ file }) => !files.has(file));
    sets = [...sets.filter((set) => !isTied(set)), [...joined, ...others]];
  }
  return sets;
}
