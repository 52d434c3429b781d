/**
 * Which files would lose work that is not committed.
 */
import { join } from 'node:path';
import { git, isGitFailure, nulSeparated } from './git.js';

/**
 * Those of the given files (absolute paths) that are modified, staged or untracked.
 * Undefined where there is no repository to ask, or git does not answer.
 */
export async function dirtyFiles(
  repository: string | undefined,
  files: readonly string[],
): Promise<string[] | undefined> {
  if (repository === undefined) return undefined;
  const status = await git(repository, STATUS);
  if (isGitFailure(status)) return undefined;
  // Without renames every record is "XY path".
  const dirty = new Set(nulSeparated(status).map((record) => join(repository, record.slice(3))));
  return files.filter((file) => dirty.has(file));
}

const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--ignore-submodules=all',
];
