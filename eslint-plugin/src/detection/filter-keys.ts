/** Keys that are no field of a filter: what was meant by them. */
import { FILTER_FIELDS, type FilterField } from '../../../src/protocol/index.js';

/** What a wrong key stands for. */
export interface Meant {
  readonly field: FilterField;
  /** Whether nothing else can be meant: the field's name with a slip. */
  readonly isSlip: boolean;
}

/** Names that people give the fields, without case and punctuation. */
const OTHER_NAMES: Readonly<Record<string, FilterField>> = {
  tools: 'toolsListChanged',
  toolschanged: 'toolsListChanged',
  toolchanged: 'toolsListChanged',
  prompts: 'promptsListChanged',
  promptschanged: 'promptsListChanged',
  promptchanged: 'promptsListChanged',
  resources: 'resourcesListChanged',
  resourceschanged: 'resourcesListChanged',
  resourcechanged: 'resourcesListChanged',
  uri: 'resourceSubscriptions',
  uris: 'resourceSubscriptions',
  resourceuris: 'resourceSubscriptions',
  resourceupdates: 'resourceSubscriptions',
  resourcesupdated: 'resourceSubscriptions',
  resourceupdated: 'resourceSubscriptions',
};

/** The field that a key was meant for; undefined where it may be anything. */
export function fieldMeant(key: string): Meant | undefined {
  const bare = key.replaceAll(/[^a-z]/gi, '').toLowerCase();
  const near = FILTER_FIELDS.find(({ field }) => distance(bare, field.toLowerCase()) <= 2);
  if (near !== undefined) return { field: near.field, isSlip: true };
  const field = Object.hasOwn(OTHER_NAMES, bare) ? OTHER_NAMES[bare] : undefined;
  return field === undefined ? undefined : { field, isSlip: false };
}

/** How many letters have to be added, taken away or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < other.length; column += 1) {
      const changed = (row[column] ?? 0) + (one.charAt(index) === other.charAt(column) ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
