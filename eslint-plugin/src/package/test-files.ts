/** Which files of a package are tests. They wire servers of their own, in the era that they are about. */
import { packageRoot } from './package-root.js';

/** Whether a file is one of tests, by its name or folder within its package. */
export function isTestFile(filename: string): boolean {
  const inPackage = filename.slice(packageRoot(filename)?.length ?? 0);
  return /[.-](?:test|spec)\.[cm]?[jt]sx?$|[\\/](?:__tests__|tests?)[\\/]/.test(inPackage);
}
