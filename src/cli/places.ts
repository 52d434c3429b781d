/** From the paths on the command line to the folder that a run is about. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../workspace/paths.js';

/** The folder of a run, and what of it is looked at. */
export interface Places {
  readonly root: string;
  /** Absolute paths; none: everything below the root. */
  readonly paths: readonly string[];
}

/**
 * Finds the root of a run: the folder in which the command was typed, unless a single path belongs to another project.
 * A project is a folder with a package.json or a repository. So `scan src` reports `src/…`, while `scan packages/app`
 * and `scan /elsewhere/app/src` work in that project, as if the command had been typed there.
 *
 * @param cwd without links in it, as `process.cwd()` is
 * @returns a message where the paths make no sense
 */
export function findPlaces(cwd: string, paths: readonly string[]): Places | string {
  const named = paths.map((path) => ({ path, absolute: resolve(cwd, path) }));
  const missing = named.find(({ absolute }) => !existsSync(absolute));
  if (missing !== undefined) return `no such file or folder: ${missing.path}`;
  const [first] = named;
  if (first === undefined) return { root: cwd, paths: [] };
  if (named.length === 1) return placesOfOne(cwd, first.absolute);
  const outside = named.find(({ absolute }) => !isInside(cwd, absolute));
  if (outside === undefined) return { root: cwd, paths: named.map(({ absolute }) => absolute) };
  return `${outside.path} lies outside ${cwd}: several paths have to lie in the folder where the command is run`;
}

function placesOfOne(cwd: string, path: string): Places {
  const real = realpathSync(path);
  const folder = statSync(real).isDirectory() ? real : dirname(real);
  const project = projectOf(folder);
  const isHere = isInside(cwd, real);
  // A project that holds the current folder does not widen the run beyond it.
  const root = isHere && (project === undefined || isInside(project, cwd)) ? cwd : (project ?? folder);
  return { root, paths: real === root ? [] : [real] };
}

/** The nearest folder that is a project, this one first. */
function projectOf(folder: string): string | undefined {
  if (PROJECT_SIGNS.some((sign) => existsSync(join(folder, sign)))) return folder;
  return dirname(folder) === folder ? undefined : projectOf(dirname(folder));
}

const PROJECT_SIGNS = ['package.json', '.git'];
