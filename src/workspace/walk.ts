/**
 * Listing files where git cannot: links are never followed, `.gitignore` is read on the way.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { relativePosix } from './paths.js';

/** Rules of one `.gitignore`, which count below its folder. */
interface IgnoreLevel {
  readonly folder: string;
  readonly rules: Ignore;
}

/** Compares patterns like git's default on this system. */
export function ignoreRules(patterns: string | readonly string[]): Ignore {
  return ignore({ ignorecase: process.platform === 'win32' || process.platform === 'darwin' }).add(patterns);
}

/** What a walk came across. */
export interface Walk {
  readonly files: readonly string[];
  readonly unreadableFolders: readonly string[];
}

/**
 * All regular files under `root`. `skip` says which folders are not entered; it is told whether a
 * package.json lies beside the folder.
 */
export function walk(root: string, skip: (folder: string, besideManifest: boolean) => boolean): Walk {
  const files: string[] = [];
  const unreadableFolders: string[] = [];
  enter(root, levelsAbove(root));
  return { files, unreadableFolders };

  function enter(folder: string, above: readonly IgnoreLevel[]): void {
    const entries = entriesOf(folder);
    if (entries === undefined) {
      unreadableFolders.push(folder);
      return;
    }
    const levels = [...levelIn(folder), ...above];
    const besideManifest = entries.some((entry) => entry.name === 'package.json');
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) {
        if (!isIgnored(levels, path, false)) files.push(path);
      } else if (entry.isDirectory() && !skip(path, besideManifest) && !isIgnored(levels, path, true)) {
        enter(path, levels);
      }
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** The deepest `.gitignore` that has an opinion decides. */
function isIgnored(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of levels) {
    const verdict = rules.test(relativePosix(folder, path) + (isFolder ? '/' : ''));
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

function levelIn(folder: string): IgnoreLevel[] {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) return [];
  try {
    return [{ folder, rules: ignoreRules(readFileSync(file, 'utf8')) }];
  } catch {
    return [];
  }
}

/** Rules of the folders above, up to the top of the repository that git could not read. Deepest first. */
function levelsAbove(root: string): IgnoreLevel[] {
  const levels: IgnoreLevel[] = [];
  for (let folder = root; !existsSync(join(folder, '.git'));) {
    const parent = dirname(folder);
    if (parent === folder) return [];
    folder = parent;
    levels.push(...levelIn(folder));
  }
  return levels;
}
