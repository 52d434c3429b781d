/** Which files import a given one, by their text: a file too many costs time, since it is only checked in vain. */
import { basename, dirname } from 'node:path/posix';
import { resolveRelative } from '../analysis/module-resolution.js';
import type { Packages } from '../workspace/packages.js';
import { scanForTokens } from '../workspace/prefilter.js';
import { isProblem } from '../workspace/problem.js';
import { decodeSource } from '../workspace/source-text.js';

/** Finds importers among the source files of the workspace. */
export interface ImporterFinder {
  /** The files that import one of the targets, each with those of the targets. */
  importersOf(targets: readonly string[]): Map<string, string[]>;
  /** Whether a text in `from` imports the target. */
  imports(text: string, from: string, target: string): boolean;
}

export function createImporterFinder(files: readonly string[], packages: Packages): ImporterFinder {
  const listed = new Set(files);

  const imports = (text: string, from: string, target: string): boolean =>
    specifiersOf(text).some((specifier) =>
      specifier.startsWith('.')
        ? resolveRelative(specifier, from, (file) => listed.has(file)) === target
        : mayMean(specifier, target, packages.ownerOf(target).name),
    );

  return {
    imports,
    importersOf(targets) {
      const found = new Map<string, string[]>();
      const tokens = [
        ...new Set(targets.flatMap((target) => importTokens(target, [packages.ownerOf(target).name]))),
      ];
      for (const { file, bytes } of scanForTokens(files, tokens).candidates) {
        const decoded = decodeSource(bytes, file);
        if (isProblem(decoded)) continue;
        const meant = targets.filter((target) => target !== file && imports(decoded.text, file, target));
        if (meant.length > 0) found.set(file, meant);
      }
      return found;
    },
  };
}

/** An alias (`@/lib/connection`, `#connection.js`) by its last part, or the package's own name. */
function mayMean(specifier: string, target: string, packageName: string): boolean {
  if (specifier === packageName || specifier.startsWith(`${packageName}/`)) return true;
  return stemOf(basename(specifier.replace(/^[#~@]/, ''))) === nameOf(target);
}

/** What a file that imports the target has in its text: one of these at least. */
export function importTokens(target: string, otherNames: readonly string[]): string[] {
  const isIndex = stemOf(basename(target)) === 'index';
  const names = ['/', '#', '@', '~', "'", '"'].map((before) => before + nameOf(target));
  const folders = isIndex ? ['.', './', '..', '../', './index', '../index'] : [];
  const quoted = [...otherNames, ...folders].flatMap((path) => [`'${path}`, `"${path}`]);
  return [...names, ...quoted, ...(isIndex ? ['/..', '/index'] : [])];
}

/** What importers call a file: its name without extension, or for an index that of its folder. */
function nameOf(file: string): string {
  const stem = stemOf(basename(file));
  return stem === 'index' ? basename(dirname(file)) : stem;
}

function stemOf(name: string): string {
  return name.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}

/** What a text imports, by the look of it. */
export function specifiersOf(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] ?? '');
}
