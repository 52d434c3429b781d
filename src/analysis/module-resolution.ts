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
 * The files that a path without certain extension can mean, best first.
 *
 * @param target absolute path as the specifier spells it
 */
export function sourcePathsFor(target: string): string[] {
  const extension = path.posix.extname(target);
  const emitted = SOURCE_OF_EMITTED[extension];
  const stem = target.slice(0, target.length - extension.length);
  return [
    ...(SOURCE_EXTENSIONS.includes(extension) ? [target] : []),
    ...(emitted ?? []).map((source) => stem + source),
    ...SOURCE_EXTENSIONS.map((source) => target + source),
    ...SOURCE_EXTENSIONS.map((source) => `${target}/index${source}`),
  ];
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
  return sourcePathsFor(path.posix.join(path.posix.dirname(from), specifier)).find(isKnown);
}

/** Finds the file that a specifier means among known ones; undefined for a package from elsewhere. */
export type ModuleResolver = (
  specifier: string,
  from: string,
  isKnown: (file: string) => boolean,
) => string | undefined;

/** Resolves relative specifiers, and those that the workspace gives a meaning of its own. */
export function createModuleResolver(aliases: ImportAliases): ModuleResolver {
  return (specifier, from, isKnown) =>
    resolveRelative(specifier, from, isKnown) ??
    aliases.targetsOf(specifier, from).flatMap(sourcePathsFor).find(isKnown);
}
