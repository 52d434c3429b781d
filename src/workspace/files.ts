/**
 * Which files a run is about: by git's own list, else by a walk. What a person named is never dropped in silence.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type GitFailure, isGitFailure } from './git.js';
import { gitListing, regularFileTest } from './git-listing.js';
import { explainLeftOut } from './left-out.js';
import type { Note } from './note.js';
import { isInside, relativePosix } from './paths.js';
import { isInDependencies, isSkippedByWalk, trackedOutputFolder } from './skipped-folders.js';
import { fileKind } from './source-files.js';
import { resolveTargets, type Target, targetTest } from './targets.js';
import { ignoreRules, walk } from './walk.js';

/** Absolute path of a source file. */
export type SourcePath = string;

/** The files of a run. */
export interface FileListing {
  /** The root with its links resolved: every path here starts with it. */
  readonly root: string;
  /** TypeScript and JavaScript source, sorted. */
  readonly files: readonly SourcePath[];
  /** Vue, Svelte and Astro files, sorted: they may hold MCP code and are not migrated. */
  readonly singleFileComponents: readonly string[];
  /** Declarations (`.d.ts`), sorted: never migrated, but they may import what a migration replaces. */
  readonly declarations: readonly string[];
  readonly notes: readonly Note[];
  /** Top folder of the git repository; undefined where there is none or git does not answer. */
  readonly repository: string | undefined;
}

/** Narrows a listing. */
export interface ListOptions {
  /** Files and folders, absolute or relative to the root. None: everything. */
  readonly paths?: readonly string[] | undefined;
  /** Patterns as in `.gitignore`, relative to the root. */
  readonly ignore?: readonly string[] | undefined;
}

/** Lists the source files below `root`. */
export async function listFiles(
  root: string,
  { paths = [], ignore = [] }: ListOptions = {},
): Promise<FileListing> {
  const top = realFolder(root);
  if (top === undefined) return missingRoot(resolve(root));
  const named = resolveTargets(top, paths);
  const targets = paths.length === 0 ? [{ path: top, isFolder: true }] : named.targets;

  const everything = await listEverything(top, targets);
  const isWanted = targetTest(targets);
  const isIgnored = ignoreTest(top, ignore);
  const present = everything.paths
    .filter((path) => isWanted(path) && !isInDependencies(path.slice(top.length)) && !isIgnored(path))
    .filter(everything.isPresent)
    .sort();
  const declarations = present.filter((path) => fileKind(path) === 'declaration');
  const processed = present.filter((path) => fileKind(path) !== 'declaration');
  const leftOut = await explainLeftOut(top, withoutAny(targets, processed), {
    isIgnored,
    byGit: everything.repository !== undefined,
  });
  return {
    root: top,
    files: processed.filter((path) => fileKind(path) === 'source'),
    singleFileComponents: processed.filter((path) => fileKind(path) === 'single-file-component'),
    declarations,
    notes: [
      ...named.notes,
      ...everything.notes,
      ...[...everything.unreadableFolders].sort().map(unreadable),
      ...leftOut,
    ],
    repository: everything.repository,
  };
}

/** Source, single-file components and declarations below the root, before anything is narrowed. */
interface Everything {
  readonly paths: readonly string[];
  /** Whether the path is a regular file that is still there. */
  readonly isPresent: (path: string) => boolean;
  /** Folders that may not be read; all of them once `isPresent` was asked about every path. */
  readonly unreadableFolders: ReadonlySet<string>;
  readonly notes: readonly Note[];
  readonly repository: string | undefined;
}

async function listEverything(root: string, targets: readonly Target[]): Promise<Everything> {
  const listing = await gitListing(root);
  if (isGitFailure(listing)) {
    const unlisted = walked(root, targets);
    return { ...unlisted, notes: [...unlisted.notes, ...noGit(root, listing)] };
  }
  const { sources, notes } = withoutTrackedOutput(listing.paths, targets);
  const unreadableFolders = new Set(listing.unreadableFolders);
  const isPresent = regularFileTest(root, (folder) => unreadableFolders.add(folder));
  return { paths: sources, isPresent, unreadableFolders, notes, repository: listing.repository };
}

function walked(root: string, targets: readonly Target[]): Everything {
  const { files, unreadableFolders } = walk(root, (folder, besideManifest) => {
    if (isInDependencies(folder.slice(root.length))) return true;
    const isNamed = targets.some((target) => isInside(folder, target.path));
    return !isNamed && isSkippedByWalk(folder, besideManifest || dirname(folder) === root);
  });
  return {
    paths: files.filter(isListed),
    isPresent: () => true,
    unreadableFolders: new Set(unreadableFolders),
    notes: [],
    repository: undefined,
  };
}

function isListed(path: string): boolean {
  return fileKind(path) !== 'other';
}

/** Leaves out the `dist` folders that are committed, unless somebody named one. */
function withoutTrackedOutput(paths: readonly string[], targets: readonly Target[]) {
  const manifests = new Set(paths.filter((path) => basename(path) === 'package.json').map(dirname));
  const leftOut = new Set<string>();
  const sources = paths.filter((path) => {
    if (!isListed(path)) return false;
    const folder = trackedOutputFolder(path, (candidate) => manifests.has(candidate));
    if (folder === undefined || targets.some((target) => isInside(folder, target.path))) return true;
    if (fileKind(path) !== 'declaration') leftOut.add(folder);
    return false;
  });
  return { sources, notes: [...leftOut].map(trackedOutput) };
}

/** A test for the `ignore` patterns. */
function ignoreTest(root: string, patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const rules = ignoreRules(patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1/')));
  return (path) => path !== root && rules.ignores(relativePosix(root, path));
}

/** Those targets that none of the files belongs to. */
function withoutAny(targets: readonly Target[], files: readonly string[]): Target[] {
  const listed = new Set(files);
  return targets.filter((target) =>
    target.isFolder ? !files.some(targetTest([target])) : !listed.has(target.path),
  );
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function missingRoot(root: string): FileListing {
  const note: Note = {
    kind: 'missing',
    level: 'error',
    file: root,
    message: 'no such folder: check the path',
  };
  return {
    root,
    files: [],
    singleFileComponents: [],
    declarations: [],
    notes: [note],
    repository: undefined,
  };
}

function trackedOutput(folder: string): Note {
  const message =
    'build output that git tracks, left alone: build it again, or name the folder to have it processed';
  return { kind: 'build-output', level: 'warning', file: folder, message };
}

function unreadable(folder: string): Note {
  const message = 'the folder cannot be read: check its permissions';
  return { kind: 'unreadable', level: 'error', file: folder, message };
}

/** Says why git's list was not used, where there is a repository. */
function noGit(root: string, { failure, message }: GitFailure): Note[] {
  const repository = enclosingRepository(root);
  if (repository === undefined) return [];
  const reason =
    failure === 'not-installed'
      ? 'git could not be run, so files were listed without it: install git to have its ignore rules followed exactly'
      : `git gave no list of files (${message}), so they were listed without it: run git status there and do as it says`;
  return [{ kind: 'no-git', level: 'warning', file: repository, message: reason }];
}

export function enclosingRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : enclosingRepository(parent);
}
