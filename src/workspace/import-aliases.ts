/** What an import that is not relative may mean within the workspace: mapped paths, private names, names of packages. */
import { dirname } from 'node:path';
import { isProblem } from './problem.js';
import { type Manifest, readManifest } from './manifest.js';
import { entriesOf, privateEntriesOf } from './package-entries.js';
import type { PackageInfo, Packages } from './packages.js';
import { createPathMappingsFinder } from './path-mappings.js';

/** The names by which files of the workspace are imported. */
export interface ImportAliases {
  /** The absolute paths that a specifier in a file may mean, best first, without certain extension. */
  targetsOf(specifier: string, from: string): readonly string[];
  /** Names that may mean the file without holding its own: of its package, and mapped ones without wildcard. */
  namesOf(file: string): readonly string[];
}

/** @param boundary the folder above which no configuration is looked for */
export function createImportAliases(packages: Packages, boundary: string): ImportAliases {
  const mappingsIn = createPathMappingsFinder(boundary);
  const membersOf = memberReader(packages);
  const byPackage = (specifier: string, owner: PackageInfo): string[] => {
    const { name, subpath } = splitSpecifier(specifier);
    const own = packages.manifestOf(owner);
    const meant = own?.name === name ? own : membersOf(owner).get(name);
    return meant === undefined ? [] : entriesOf(meant, subpath);
  };

  return {
    targetsOf(specifier, from) {
      if (/^(?:node:|https?:|\.{0,2}\/)/.test(specifier)) return [];
      const owner = packages.ownerOf(from);
      const own = specifier.startsWith('#') ? packages.manifestOf(owner) : undefined;
      return [
        ...(own === undefined ? [] : privateEntriesOf(own, specifier)),
        ...(mappingsIn(dirname(from))?.targetsOf(specifier) ?? []),
        ...byPackage(specifier, owner),
      ];
    },
    namesOf(file) {
      const exact = [...(mappingsIn(dirname(file))?.exact ?? [])].filter(([, targets]) =>
        targets.some((target) => withoutExtension(target) === withoutExtension(file)),
      );
      return [packages.ownerOf(file).name, ...exact.map(([name]) => name)];
    },
  };
}

function withoutExtension(file: string): string {
  return file.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}

function splitSpecifier(specifier: string): { readonly name: string; readonly subpath: string } {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  const rest = parts.slice(length).join('/');
  return { name: parts.slice(0, length).join('/'), subpath: rest === '' ? '.' : `./${rest}` };
}

/** The members of a package's workspace by name; read once per workspace. */
function memberReader(packages: Packages): (owner: PackageInfo) => ReadonlyMap<string, Manifest> {
  const byWorkspace = new Map<string, ReadonlyMap<string, Manifest>>();
  return (owner) => {
    const { workspace: directory } = owner;
    if (directory === undefined) return NO_MEMBERS;
    const known = byWorkspace.get(directory) ?? readMembers(packages.workspaceOf(owner)?.members ?? []);
    byWorkspace.set(directory, known);
    return known;
  };
}

const NO_MEMBERS: ReadonlyMap<string, Manifest> = new Map();

function readMembers(directories: Iterable<string>): Map<string, Manifest> {
  const named = new Map<string, Manifest>();
  for (const directory of directories) {
    const manifest = readManifest(directory);
    if (manifest !== undefined && !isProblem(manifest) && manifest.name !== undefined)
      named.set(manifest.name, manifest);
  }
  return named;
}
