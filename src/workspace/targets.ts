/**
 * The files and folders that a user named.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Note } from './note.js';
import { isInside } from './paths.js';

/** A named file or folder that exists below the root. */
export interface Target {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What of the named paths can be looked at, and what is said about the others. */
export interface Targets {
  readonly targets: readonly Target[];
  readonly notes: readonly Note[];
}

/** Finds the named paths, which are absolute or relative to `root`. */
export function resolveTargets(root: string, paths: readonly string[]): Targets {
  const targets: Target[] = [];
  const notes: Note[] = [];
  for (const path of paths) {
    const found = resolveTarget(root, resolve(root, path));
    if ('kind' in found) notes.push(found);
    else targets.push(found);
  }
  return { targets, notes };
}

/** A test for files that were named, or lie in a folder that was. */
export function targetTest(targets: readonly Target[]): (file: string) => boolean {
  const files = new Set(targets.map((target) => target.path));
  const folders = targets.filter((target) => target.isFolder).map(({ path }) => withSeparator(path));
  return (file) => files.has(file) || folders.some((folder) => file.startsWith(folder));
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

function resolveTarget(root: string, named: string): Target | Note {
  const path = withRealFolder(named);
  const state = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (path === undefined || state === undefined) return note('missing', named, MISSING);
  if (!isInside(root, path)) return note('outside', named, OUTSIDE);
  if (state.isSymbolicLink()) return note('link', named, LINK);
  return { path, isFolder: state.isDirectory() };
}

const MISSING = 'no such file or folder: check the path';
const OUTSIDE = 'lies outside the folder that is worked on: run in a folder that holds it';
const LINK = 'is a symbolic link, which is never followed: name the file or folder that it leads to';

function note(kind: 'missing' | 'outside' | 'link', file: string, message: string): Note {
  return { kind, level: 'error', file, message };
}

/** The path by which the listing knows a file: links on the way to it resolved, the file itself not. */
function withRealFolder(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(realpathSync(folder), basename(path));
  } catch {
    return undefined;
  }
}
