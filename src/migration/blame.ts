/** Which groups are rolled back for a new error. */
import type { Range } from './diagnostics.js';
import { rangesAfter } from './edit-places.js';
import { editsOf, type GroupPlan } from './group-plan.js';
import type { Plan } from './plan.js';
import type { GainedFault } from './verify-types.js';

/** Finds the groups behind the errors of a plan. */
export interface Blame {
  /** Those that are most likely to have caused it; none where no rewritten group can have. */
  culprits(fault: GainedFault): readonly GroupPlan[];
  /** All that can have caused it. */
  suspects(fault: GainedFault): readonly GroupPlan[];
}

/**
 * An error is put down to the groups that have an edit in the smallest piece of code around it that has one. Where that
 * is the whole file (an error at an import) or another file (an importer, the copy of the stream), all that can have
 * caused it are to blame. A group blamed in vain is lost to the migration, and no more than that: the error is still
 * there in the next check and is put down to the next.
 */
export function createBlame(plan: Plan): Blame {
  const rewritten = plan.groups.filter((group) => editsOf(group).length > 0);
  const places = placesOf(plan, rewritten);

  const suspects = (fault: GainedFault): GroupPlan[] => {
    const copy = [...plan.edits.copies].find(
      ([
        ,
        {
          copy: { file },
        },
      ]) => file === fault.file,
    );
    if (copy !== undefined) return rewritten.filter((group) => usesStreamIn(copy[0], group, plan));
    if (plan.edits.created.has(fault.file)) return rewritten.filter((group) => creates(fault.file, group));
    const files = new Set([fault.file, ...fault.causes]);
    return rewritten.filter((group) => editsOf(group).some((edit) => files.has(edit.file)));
  };

  return {
    suspects,
    culprits(fault) {
      for (const range of fault.enclosing) {
        const inside = (places.get(fault.file) ?? []).filter((place) => overlap(place.range, range));
        if (inside.length > 0) return [...new Set(inside.map(({ group }) => group))];
      }
      return suspects(fault);
    },
  };
}

interface Place {
  readonly group: GroupPlan;
  readonly range: Range;
}

/** Where the text of each group stands, by file. */
function placesOf({ edits }: Plan, groups: readonly GroupPlan[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const [file, own] of edits.byFile) {
    const ranges = rangesAfter(own);
    const ofFile = groups.flatMap((group) =>
      editsOf(group).flatMap((edit) => {
        const range = ranges.get(edit);
        return range === undefined ? [] : [{ group, range }];
      }),
    );
    places.set(file, ofFile);
  }
  return places;
}

function overlap(one: Range, other: Range): boolean {
  return one.start <= other.end && other.start <= one.end;
}

/** Whether the group asks for a file to be created. */
function creates(file: string, { sites }: GroupPlan): boolean {
  return sites.some(
    ({ outcome }) => outcome.kind === 'rewritten' && outcome.files?.some((one) => one.file === file) === true,
  );
}

/** Whether the group's edits use the managed stream in files of the package. */
function usesStreamIn(packagePath: string, { sites }: GroupPlan, { facts }: Plan): boolean {
  const files = new Set(facts.units.filter((unit) => unit.package === packagePath).map((unit) => unit.file));
  return sites.some(
    ({ outcome }) =>
      outcome.kind === 'rewritten' && (outcome.streamFiles ?? []).some((file) => files.has(file)),
  );
}
