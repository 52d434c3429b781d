/**
 * Which package manager a project uses.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifest.js';

/** The package managers that commands can be written for. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What a folder says: the `packageManager` field first, then its lock file. */
export function packageManagerIn(
  directory: string,
  manifest: Manifest | undefined,
): PackageManager | undefined {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(manifest?.packageManager ?? '')?.[1];
  if (named !== undefined) return named as PackageManager;
  return LOCK_FILES.find(([file]) => existsSync(join(directory, file)))?.[1];
}

const LOCK_FILES: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-workspace.yaml', 'pnpm'],
];
