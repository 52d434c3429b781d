/**
 * Folders whose files are nobody's source.
 */
import { basename, dirname, sep } from 'node:path';

const DEPENDENCIES = 'node_modules';
const inDependencies = new RegExp(`(?:^|\\${sep})${DEPENDENCIES}(?:\\${sep}|$)`);

/** Whether a path below the root leads through node_modules, which is skipped even where it is committed. */
export function isInDependencies(path: string): boolean {
  return inDependencies.test(path);
}

/** Build output by its name wherever it is. */
const OUTPUT = new Set(['dist', 'coverage']);
/** Build output only at the top of a package: `src/commands/build` is source. */
const OUTPUT_OF_PACKAGE = new Set(['build', 'out']);

/** Folders that a walk without git does not enter. */
export function isSkippedByWalk(folder: string, atPackageTop: boolean): boolean {
  const name = basename(folder);
  if (name === DEPENDENCIES || name.startsWith('.') || OUTPUT.has(name)) return true;
  return atPackageTop && OUTPUT_OF_PACKAGE.has(name);
}

/**
 * The `dist` folder beside a package.json that a tracked file lies in: committed for those who install from git,
 * and written again by the next build. `hasManifest` says whether a folder has a package.json.
 */
export function trackedOutputFolder(
  file: string,
  hasManifest: (folder: string) => boolean,
): string | undefined {
  for (let at = file.lastIndexOf(DIST); at !== -1; at = at === 0 ? -1 : file.lastIndexOf(DIST, at - 1)) {
    const folder = file.slice(0, at + DIST.length - 1);
    if (hasManifest(dirname(folder))) return folder;
  }
  return undefined;
}

const DIST = `${sep}dist${sep}`;
