/**
 * Workspaces of npm, yarn, bun and pnpm: which packages are members, and what `catalog:` stands for.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import type * as Yaml from 'yaml';
import { isRecord, type Manifest, stringList, stringTable, type StringTable } from './manifest.js';
import { errorCode, type Problem, systemReason } from './problem.js';

/** A folder that declares workspace members. */
export interface Workspace {
  readonly directory: string;
  /** Folders of the members; the workspace's own folder is one of them. */
  readonly members: ReadonlySet<string>;
  /** Ranges by catalog name, then by package name. */
  readonly catalogs: Readonly<Record<string, StringTable>>;
  /** What could not be understood. */
  readonly problems: readonly Problem[];
}

/** Reads the workspace that a folder declares: undefined where it declares none. */
export function readWorkspace(directory: string, manifest: Manifest | undefined): Workspace | undefined {
  const pnpm = readYaml(join(directory, 'pnpm-workspace.yaml'));
  const patterns = [...(manifest?.workspaces ?? []), ...stringList(pnpm.content?.['packages'])];
  if (patterns.length === 0 && pnpm.content === undefined && pnpm.problem === undefined) return undefined;
  const yarn = readYaml(join(directory, '.yarnrc.yml'));
  const bun = manifest?.json['workspaces'];
  return {
    directory,
    members: members(directory, patterns),
    catalogs: Object.assign(
      {},
      ...[pnpm.content, yarn.content, manifest?.json, isRecord(bun) ? bun : undefined].map(catalogsIn),
    ) as Record<string, StringTable>,
    problems: [pnpm.problem, yarn.problem].filter((problem) => problem !== undefined),
  };
}

/** The range behind `catalog:` and `catalog:name`; every other range as it is. */
export function resolveCatalog(range: string, name: string, workspace: Workspace | undefined): string {
  if (!range.startsWith(CATALOG)) return range;
  const catalog = range.slice(CATALOG.length).trim() || DEFAULT_CATALOG;
  return workspace?.catalogs[catalog]?.[name] ?? range;
}

const CATALOG = 'catalog:';
const DEFAULT_CATALOG = 'default';

/** pnpm, yarn and bun agree on the form: `catalog` is the default one, `catalogs` has the named ones. */
function catalogsIn(content: Readonly<Record<string, unknown>> | undefined): Record<string, StringTable> {
  if (content === undefined) return {};
  const named = isRecord(content['catalogs']) ? Object.entries(content['catalogs']) : [];
  const catalogs = Object.fromEntries(named.map(([name, ranges]) => [name, stringTable(ranges)]));
  return isRecord(content['catalog'])
    ? { ...catalogs, [DEFAULT_CATALOG]: stringTable(content['catalog']) }
    : catalogs;
}

/** The folders that the patterns mean, found on disk: a pattern says nothing about a folder without package.json. */
function members(directory: string, patterns: readonly string[]): Set<string> {
  const manifests = globSync(patterns.map(manifestPattern), {
    cwd: directory,
    ignore: ['**/node_modules/**'],
    expandDirectories: false,
    followSymbolicLinks: false,
  });
  return new Set([directory, ...manifests.map((manifest) => resolve(directory, dirname(manifest)))]);
}

function manifestPattern(pattern: string): string {
  return `${pattern.replace(/^(!?)\.?\//, '$1').replace(/\/+$/, '')}/package.json`;
}

interface YamlFile {
  readonly content?: Record<string, unknown>;
  readonly problem?: Problem;
}

function readYaml(file: string): YamlFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    return { problem: { file, message: unread(systemReason(error)) } };
  }
  try {
    const content: unknown = yamlParser().parse(text);
    return { content: isRecord(content) ? content : {} };
  } catch {
    return { problem: { file, message: INVALID } };
  }
}

const INVALID = 'is not valid YAML, so its catalogs and members are unknown: repair it and run again';

function unread(reason: string): string {
  return `could not be read (${reason}), so its catalogs and members are unknown: check its permissions and run again`;
}

/** Loaded where a file needs it: most repositories have none, and it takes as long as starting Node. */
function yamlParser(): Pick<typeof Yaml, 'parse'> {
  return createRequire(import.meta.url)('yaml') as typeof Yaml;
}
