/** `paths` and `baseUrl` of tsconfig.json: which files an import may mean by its own name. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { isRecord, stringList } from './manifest.js';
import { isInside, toPosix } from './paths.js';

/** What one configuration maps. */
export interface PathMappings {
  /** The absolute paths that a specifier may stand for, best first, without certain extension. */
  targetsOf(specifier: string): string[];
  /** Names without wildcard, each with what it stands for. */
  readonly exact: ReadonlyMap<string, readonly string[]>;
}

/** Finds the mappings that hold in a folder: those of the nearest configuration, no further than the boundary. */
export function createPathMappingsFinder(boundary: string): (folder: string) => PathMappings | undefined {
  const byFolder = new Map<string, PathMappings | undefined>();
  const find = (folder: string): PathMappings | undefined => {
    if (byFolder.has(folder)) return byFolder.get(folder);
    const own = CONFIG_NAMES.map((name) => readMappings(join(folder, name))).find(
      (found) => found !== undefined,
    );
    const above = dirname(folder);
    const isLast = folder === boundary || above === folder || !isInside(boundary, above);
    const found = own ?? (isLast ? undefined : find(above));
    byFolder.set(folder, found);
    return found;
  };
  return find;
}

const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];

interface Mapping {
  readonly before: string;
  readonly after: string | undefined;
  readonly targets: readonly string[];
}

/** The mappings of a configuration with those of the ones it refers to: a solution has none of its own. */
function readMappings(file: string): PathMappings | undefined {
  const own = readOptions(file, dirname(file), new Set());
  if (own === undefined) return undefined;
  const all = [
    own,
    ...own.references.flatMap((reference) => readOptions(reference, dirname(reference), new Set()) ?? []),
  ];
  const mappings = all.flatMap((options) => options.mappings ?? []);
  const bases = all.flatMap((options) => options.base ?? []);
  return {
    exact: new Map(
      mappings.flatMap(({ before, after, targets }) => (after === undefined ? [[before, targets]] : [])),
    ),
    targetsOf(specifier) {
      const mapped = mappings
        .filter((mapping) => matches(mapping, specifier))
        .sort((a, b) => weight(b) - weight(a))
        .flatMap(({ before, after, targets }) => {
          const star = specifier.slice(before.length, specifier.length - (after?.length ?? 0));
          return targets.map((target) => target.replace('*', () => star));
        });
      return [...mapped, ...bases.map((base) => toPosix(join(base, specifier)))];
    },
  };
}

function matches({ before, after }: Mapping, specifier: string): boolean {
  if (after === undefined) return specifier === before;
  return (
    specifier.length >= before.length + after.length &&
    specifier.startsWith(before) &&
    specifier.endsWith(after)
  );
}

/** TypeScript takes the exact name, else the longest beginning. */
function weight({ before, after }: Mapping): number {
  return after === undefined ? Number.POSITIVE_INFINITY : before.length;
}

interface Options {
  readonly mappings: readonly Mapping[] | undefined;
  readonly base: string | undefined;
  readonly references: readonly string[];
}

/** @param main folder of the configuration that the run of `extends` began with: `${configDir}` means it */
function readOptions(file: string, main: string, seen: Set<string>): Options | undefined {
  const json = seen.has(file) ? undefined : readJson(file);
  if (json === undefined) return undefined;
  seen.add(file);
  const folder = dirname(file);
  const absolute = (path: string): string => toPosix(resolve(folder, path.replace('${configDir}', main)));
  const compilerOptions = isRecord(json['compilerOptions']) ? json['compilerOptions'] : {};
  // The last of several bases wins.
  const bases = [json['extends']]
    .flat()
    .flatMap((base) => (typeof base === 'string' && base.startsWith('.') ? [base] : []))
    .map((base) => readOptions(configFile(resolve(folder, base)), main, seen))
    .reverse();
  const { baseUrl, paths } = compilerOptions;
  const base =
    typeof baseUrl === 'string' ? absolute(baseUrl) : bases.find((one) => one?.base !== undefined)?.base;
  return {
    base,
    mappings: isRecord(paths)
      ? mappingsOf(paths, (target) =>
          base === undefined
            ? absolute(target)
            : toPosix(resolve(base, target.replace('${configDir}', main))),
        )
      : bases.find((one) => one?.mappings !== undefined)?.mappings,
    references: (Array.isArray(json['references']) ? json['references'] : []).flatMap((reference: unknown) =>
      isRecord(reference) && typeof reference['path'] === 'string'
        ? [configFile(resolve(folder, reference['path']))]
        : [],
    ),
  };
}

function mappingsOf(
  paths: Readonly<Record<string, unknown>>,
  absolute: (target: string) => string,
): Mapping[] {
  return Object.entries(paths).map(([name, targets]) => {
    const [before = '', after] = name.split('*');
    return { before, after, targets: stringList(targets).map(absolute) };
  });
}

/** A base or reference may be spelled without its extension, a reference as its folder. */
function configFile(path: string): string {
  return path.endsWith('.json')
    ? path
    : readJson(`${path}.json`) === undefined
      ? join(path, 'tsconfig.json')
      : `${path}.json`;
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), [], {
      allowTrailingComma: true,
    });
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined; // what cannot be read maps nothing; checking types says what is wrong with it
  }
}
