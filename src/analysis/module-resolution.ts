/** Which file of the workspace a module specifier means, by the set of files that are known. */
import path from 'node:path';
import type { ImportAliases } from '../workspace/import-aliases.js';

const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** What an emitted extension may stand for in source. */
const SOURCE_OF_EMITTED: Record<string, readonly string[]> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/**
 * The first file that a path without certain extension can mean.
 *
 * @param target absolute path as the specifier spells it
 */
export function sourcePathFor(target: string, isKnown: (file: string) => boolean): string | undefined {
  const extension = path.posix.extname(target);
  if (SOURCE_EXTENSIONS.includes(extension) && isKnown(target)) return target;
  const stem = target.slice(0, target.length - extension.length);
  return (
    firstKnown(stem, SOURCE_OF_EMITTED[extension] ?? [], isKnown) ??
    firstKnown(target, SOURCE_EXTENSIONS, isKnown) ??
    firstKnown(`${target}/index`, SOURCE_EXTENSIONS, isKnown)
  );
}

function firstKnown(
  stem: string,
  extensions: readonly string[],
  isKnown: (file: string) => boolean,
): string | undefined {
  for (const extension of extensions) if (isKnown(stem + extension)) return stem + extension;
  return undefined;
}

/**
 * Resolves a relative specifier among known files.
 *
 * @returns the absolute file, or undefined for a package or a file that nobody knows
 */
export function resolveRelative(
  specifier: string,
  from: string,
  isKnown: (file: string) => boolean,
): string | undefined {
  if (
    !specifier.startsWith('./') &&
    !specifier.startsWith('../') &&
    specifier !== '.' &&
    specifier !== '..'
  ) {
    return undefined;
  }
  return sourcePathFor(path.posix.join(path.posix.dirname(from), specifier), isKnown);
}

/** Finds the file that a specifier means among known ones; undefined for a package from elsewhere. */
export type ModuleResolver = (
  specifier: string,
  from: string,
  isKnown: (file: string) => boolean,
) => string | undefined;

/** Resolves relative specifiers, and those that the workspace gives a meaning of its own. */
export function createModuleResolver(aliases: ImportAliases): ModuleResolver {
  // What a specifier may mean is the same for all files of a folder; most are packages from elsewhere, and asked for often.
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (specifier: string, from: string): readonly string[] => {
    const key = `${path.posix.dirname(from)}\0${specifier}`;
    const known = targets.get(key) ?? aliases.targetsOf(specifier, from);
    targets.set(key, known);
    return known;
  };
  return (specifier, from, isKnown) => {
    const relative = resolveRelative(specifier, from, isKnown);
    if (relative !== undefined) return relative;
    for (const target of targetsOf(specifier, from)) {
      const found = sourcePathFor(target, isKnown);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
