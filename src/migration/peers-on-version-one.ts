/** Dependencies that want version 1 of the SDK beside them. */
import { join } from 'node:path';
import { V1_PACKAGE } from '../protocol/index.js';
import { DEPENDENCY_FIELDS, isRecord, readManifest, type Manifest } from '../workspace/manifest.js';
import { isProblem } from '../workspace/problem.js';

/**
 * The installed dependencies of a package that name version 1 as a peer they cannot do without: they break where
 * nobody depends on it any more.
 */
export function peersOnVersionOne({ directory, dependencies }: Manifest): string[] {
  const names = new Set(DEPENDENCY_FIELDS.flatMap((field) => Object.keys(dependencies[field])));
  return [...names].sort().filter((name) => {
    const installed = readManifest(join(directory, 'node_modules', name));
    return installed !== undefined && !isProblem(installed) && needsVersionOne(installed);
  });
}

function needsVersionOne({ dependencies, json }: Manifest): boolean {
  if (dependencies.peerDependencies[V1_PACKAGE] === undefined) return false;
  const meta = isRecord(json['peerDependenciesMeta']) ? json['peerDependenciesMeta'][V1_PACKAGE] : undefined;
  return !(isRecord(meta) && meta['optional'] === true);
}
