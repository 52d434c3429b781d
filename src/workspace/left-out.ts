/**
 * Why a file or folder that the user named yields nothing.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ignoringLines } from './git-listing.js';
import type { Note, NoteKind } from './note.js';
import { isInDependencies } from './skipped-folders.js';
import { fileKind } from './source-files.js';
import type { Target } from './targets.js';

/** How the listing came about. */
export interface ListingRules {
  /** Whether an `ignore` option matches. */
  readonly isIgnored: (path: string) => boolean;
  /** Whether git made the list. */
  readonly byGit: boolean;
}

/** One note for each of the targets, none of which is in the listing. */
export async function explainLeftOut(
  root: string,
  targets: readonly Target[],
  { isIgnored, byGit }: ListingRules,
): Promise<Note[]> {
  const notes: Note[] = [];
  const unexplained: Target[] = [];
  for (const target of targets) {
    const note = plainReason(root, target, isIgnored);
    if (note === undefined) unexplained.push(target);
    else notes.push(note);
  }
  const lines = byGit
    ? await ignoringLines(
        root,
        unexplained.map(({ path }) => path),
      )
    : new Map<string, string>();
  return [...notes, ...unexplained.map((target) => ignoredOrEmpty(target, lines.get(target.path), byGit))];
}

/** A reason that shows without asking git. */
function plainReason(
  root: string,
  { path, isFolder }: Target,
  isIgnored: (path: string) => boolean,
): Note | undefined {
  const kind = fileKind(path);
  if (isInDependencies(path.slice(root.length))) return say('ignored-explicitly', path, DEPENDENCIES);
  if (!isFolder && kind === 'declaration') return say('not-source', path, DECLARATION);
  if (!isFolder && kind === 'other') return say('not-source', path, NOT_SOURCE);
  if (isIgnored(path)) return say('ignored-explicitly', path, IGNORED_BY_OPTION);
  if (isInNestedRepository(root, isFolder ? path : dirname(path)))
    return say('other-repository', path, OTHER_REPOSITORY);
  return undefined;
}

function ignoredOrEmpty({ path, isFolder }: Target, line: string | undefined, byGit: boolean): Note {
  if (line !== undefined) return say('ignored-explicitly', path, ignoredByGit(line));
  if (isFolder) return say('empty', path, EMPTY);
  return say('ignored-explicitly', path, byGit ? NOT_LISTED : IGNORED_WITHOUT_GIT);
}

const DEPENDENCIES =
  'lies in node_modules, which is never processed: change the source of that package instead';
const DECLARATION = 'is a declaration file, which has no code to change: name the source that it belongs to';
const NOT_SOURCE =
  'is neither TypeScript nor JavaScript, so it is not processed: name source files or folders';
const IGNORED_BY_OPTION =
  'is named and ignored at once, so it is not processed: take the pattern out of --ignore';
const OTHER_REPOSITORY =
  'belongs to a submodule or another repository, so it is not processed: run in that repository';
const EMPTY = 'holds no TypeScript or JavaScript source that is not ignored: check the path';
const NOT_LISTED =
  'is not in the list of git, so it is not processed: check the spelling of its path, upper and lower case too';
const IGNORED_WITHOUT_GIT = 'is ignored by a .gitignore, so it is not processed: take the pattern out of it';

function ignoredByGit(line: string): string {
  return `is ignored by git (${line}), so it is not processed: take that line out, or track it (git add -f)`;
}

function say(kind: NoteKind, file: string, message: string): Note {
  return { kind, level: 'warning', file, message };
}

function isInNestedRepository(root: string, folder: string): boolean {
  if (folder === root || dirname(folder) === folder) return false;
  return existsSync(join(folder, '.git')) || isInNestedRepository(root, dirname(folder));
}
