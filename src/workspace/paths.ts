/**
 * Paths as reports show them: relative, with forward slashes on every system.
 */
import { isAbsolute, relative, sep } from 'node:path';

/** The same path with forward slashes. A backslash in a POSIX file name is a character and stays. */
export function toPosix(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** `file` relative to `root`, with forward slashes; `.` for the root itself. */
export function relativePosix(root: string, file: string): string {
  return toPosix(relative(root, file)) || '.';
}

/** Whether `path` is `folder` or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a file is TypeScript, by its name. */
export function isTypeScriptFile(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}
