/**
 * Writing so that every file is whole at any moment: the old one or the new one.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  linkSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { removeLeftovers, temporaryName } from './leftovers.js';
import { errorCode, isProblem, type Problem, systemReason } from './problem.js';

/**
 * Replaces a file, keeping its mode, if it still holds what was read. Otherwise nothing is written and the
 * problem says why.
 */
export function writeAtomically(
  file: string,
  bytes: Buffer,
  { expected }: { readonly expected: Buffer },
): Problem | undefined {
  return withoutThrowing(file, () => {
    const state = replaceable(file);
    if (isProblem(state)) return state;
    return throughTemporary(file, bytes, PRIVATE, (temporary) => {
      likeOriginal(temporary, state);
      // Checked last, so that the moment in which another program can slip in is as short as it gets.
      const refusal = replaceable(file);
      if (isProblem(refusal)) return refusal;
      if (!readFileSync(file).equals(expected)) return { file, message: CHANGED };
      renameSync(temporary, file);
      return undefined;
    });
  });
}

/** Writes a new file in a folder that exists. What is already there is never overwritten. */
export function createAtomically(file: string, bytes: Buffer): Problem | undefined {
  return withoutThrowing(file, () => {
    const claim = (temporary: string) =>
      claimName(temporary, file) ? undefined : { file, message: OCCUPIED };
    return folderRefusal(file) ?? throughTemporary(file, bytes, BY_UMASK, claim);
  });
}

/** Why a file could not be replaced now, without trying to. */
export function replaceRefusal(
  file: string,
  { expected }: { readonly expected: Buffer },
): Problem | undefined {
  return withoutThrowing(file, () => {
    const state = replaceable(file);
    if (isProblem(state)) return state;
    return readFileSync(file).equals(expected) ? undefined : { file, message: CHANGED };
  });
}

/** Why a file could not be created now, without trying to. */
export function createRefusal(file: string): Problem | undefined {
  return withoutThrowing(file, () =>
    lstatSync(file, { throwIfNoEntry: false }) === undefined
      ? folderRefusal(file)
      : { file, message: OCCUPIED },
  );
}

/** Until the temporary file has the mode of the original, nobody else may read what it holds. */
const PRIVATE = 0o600;
const BY_UMASK = 0o666;

const CHANGED = 'changed on disk since it was read, so it was left alone: run again';
const DELETED = 'was deleted since it was read: run again';
const LINK = 'is no longer a regular file, so it was left alone: run again';
const READ_ONLY = 'is read-only, so it was left alone: make it writable (chmod u+w) and run again';
const FOLDER_READ_ONLY =
  'lies in a folder that cannot be written: make the folder writable (chmod u+w) and run again';
const FOLDER_MISSING = 'cannot be created, since its folder does not exist: create the folder and run again';
const OCCUPIED = 'exists already and is not overwritten: move it away and run again';

/** Any write bit, by the mode itself: to root, permissions would never be an obstacle. */
const WRITE_BITS = 0o222;

function replaceable(file: string): Stats | Problem {
  const state = lstatSync(file, { throwIfNoEntry: false });
  if (state === undefined) return { file, message: DELETED };
  if (!state.isFile()) return { file, message: LINK };
  if (!writable(file, state)) return { file, message: READ_ONLY };
  return folderRefusal(file) ?? state;
}

function folderRefusal(file: string): Problem | undefined {
  const folder = dirname(file);
  const state = statSync(folder, { throwIfNoEntry: false });
  if (state === undefined) return { file, message: FOLDER_MISSING };
  return writable(folder, state) ? undefined : { file, message: FOLDER_READ_ONLY };
}

function writable(path: string, state: Stats): boolean {
  if ((state.mode & WRITE_BITS) === 0) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function withoutThrowing(file: string, write: () => Problem | undefined): Problem | undefined {
  try {
    return write();
  } catch (error) {
    return { file, message: `could not be written (${systemReason(error)}): nothing was changed` };
  }
}

/** Puts the bytes beside the file and hands them to `finish`. Whatever happens, nothing stays behind. */
function throughTemporary(
  file: string,
  bytes: Buffer,
  mode: number,
  finish: (temporary: string) => Problem | undefined,
): Problem | undefined {
  removeLeftovers(dirname(file));
  const temporary = join(dirname(file), temporaryName());
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode });
    return finish(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Mode as it was; owner too, where root edits somebody else's file. */
function likeOriginal(temporary: string, original: Stats): void {
  if (process.getuid?.() === 0) chownSync(temporary, original.uid, original.gid);
  chmodSync(temporary, original.mode & 0o7777);
}

/** Gives the temporary file its name unless somebody was faster. */
function claimName(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // No hard links on this file system: a check and a rename is the best there is.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(temporary, file);
    return true;
  }
}
