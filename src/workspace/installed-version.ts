/**
 * The version of a dependency that Node would load.
 */
import { dirname, join } from 'node:path';
import { readManifest } from './manifest.js';
import { isProblem } from './problem.js';

/** Looks in `node_modules` of the folder and of every folder above it, as Node does. */
export function installedVersion(directory: string, name: string): string | undefined {
  const manifest = readManifest(join(directory, 'node_modules', name));
  if (manifest !== undefined && !isProblem(manifest)) return manifest.version;
  const parent = dirname(directory);
  return parent === directory ? undefined : installedVersion(parent, name);
}
