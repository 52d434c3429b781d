/** The ranges by which a package.json asks for its dependencies. */

/** A range that stands in a catalog of the workspace. */
export const CATALOG = 'catalog:';

/** A package of the same workspace. */
export const WORKSPACE = 'workspace:';

/**
 * A range in the form of another: `catalog:` and `workspace:` stay what they are. With a literal range the package would
 * leave the catalog unnoticed, and pnpm's `catalogMode: strict` refuses it; an entry that the catalog lacks is named by
 * the package manager itself.
 */
export function rangeInForm(form: string, range: string): string {
  if (form.startsWith(CATALOG)) return form;
  if (!form.startsWith(WORKSPACE)) return range;
  return /^workspace:[*^~]?$/.test(form) ? form : `${WORKSPACE}^`;
}

/** Whether the version that a range begins with is lower than that of another; a range without one is lower than all. */
export function isLower(one: string, other: string): boolean {
  return versionIn(one).localeCompare(versionIn(other), 'en', { numeric: true }) < 0;
}

/** The first version that a range names; empty where it names none. */
export function versionIn(range: string): string {
  return /\d+(?:\.\d+)*/.exec(range)?.[0] ?? '';
}
