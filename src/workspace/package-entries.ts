/** Which source files the entries of a package.json may stand for. */
import { join } from 'node:path';
import { isRecord, type Manifest } from './manifest.js';
import { toPosix } from './paths.js';

/**
 * The absolute paths that a subpath of a package may mean, best first, without certain extension.
 *
 * @param subpath `.` or `./client`
 */
export function entriesOf(manifest: Manifest, subpath: string): string[] {
  const exported = exportsOf(manifest.json['exports'], subpath);
  const named = subpath === '.' ? FIELDS.flatMap((field) => leavesOf(manifest.json[field])) : [];
  const conventional =
    subpath === '.'
      ? ['./src/index', './index', './src/main', './lib/index']
      : [subpath, `./src/${subpath.slice(2)}`];
  return [...exported, ...named, ...conventional].flatMap((entry) => sourcesOf(manifest.directory, entry));
}

/** The same for a private name of the package's own, such as `#client`. */
export function privateEntriesOf(manifest: Manifest, specifier: string): string[] {
  return matched(manifest.json['imports'], specifier).flatMap((entry) =>
    sourcesOf(manifest.directory, entry),
  );
}

/** What names the main file, what says source first. */
const FIELDS = ['source', 'types', 'typings', 'module', 'main'];

function exportsOf(exported: unknown, subpath: string): string[] {
  const hasSubpaths = isRecord(exported) && Object.keys(exported).some((key) => key.startsWith('.'));
  if (hasSubpaths) return matched(exported, subpath);
  return subpath === '.' ? leavesOf(exported) : [];
}

/** The targets of the key that a name matches; its star is put into them. */
function matched(table: unknown, name: string): string[] {
  if (!isRecord(table)) return [];
  if (name in table) return leavesOf(table[name]);
  const keys = Object.keys(table)
    .filter((key) => {
      const [before = '', after] = key.split('*');
      return (
        after !== undefined &&
        name.startsWith(before) &&
        name.endsWith(after) &&
        name.length >= key.length - 1
      );
    })
    .sort((a, b) => b.length - a.length);
  const [key] = keys;
  if (key === undefined) return [];
  const [before = '', after = ''] = key.split('*');
  const star = name.slice(before.length, name.length - after.length);
  return leavesOf(table[key]).map((target) => target.replaceAll('*', () => star));
}

/** The files behind conditions, in their order: whichever is source is what we want. */
function leavesOf(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leavesOf);
  return isRecord(target) ? Object.values(target).flatMap(leavesOf) : [];
}

/** A built file, and the source files that it is built from by the usual layouts. */
function sourcesOf(directory: string, entry: string): string[] {
  if (/^(?:#|[a-z]+:)/.test(entry)) return [];
  const path = entry.replace(/^\.\//, '').replace(/\.d(\.[cm]?ts)$/, '$1');
  const built = /^(?:dist|build|lib|out|esm|cjs)\/(?:(?:src|esm|cjs|types)\/)?(.+)$/.exec(path)?.[1];
  const paths = built === undefined ? [path] : [path, `src/${built}`, built];
  return paths.map((one) => toPosix(join(directory, one)));
}
