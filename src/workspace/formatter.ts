/**
 * The project's own formatter. Its command is told, never run: formatting is not part of a migration's diff.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteArgument } from './command-line.js';
import { type Manifest, readManifest } from './manifest.js';
import type { PackageManager } from './package-manager.js';
import type { PackageInfo } from './packages.js';
import { relativePosix } from './paths.js';
import { isProblem } from './problem.js';

/** Where the command is run and how far up configuration may lie. */
export interface FormatterScope {
  /** Folder in which the command is run. */
  readonly root: string;
  readonly repository: string | undefined;
}

/**
 * The command line that formats the given files (absolute paths) of a package, or undefined where the project shows
 * no formatter. A configuration file tells more than a dependency, the nearer folder more than the one above it.
 */
export function formatterCommand(
  owner: Pick<PackageInfo, 'directory' | 'packageManager'>,
  files: readonly string[],
  { root, repository }: FormatterScope,
): string | undefined {
  if (files.length === 0) return undefined;
  const folders = foldersUpTo(owner.directory, repository ?? root);
  const formatter =
    byConfiguration(folders) ?? byDependency(folders) ?? (hasEslint(folders) ? ESLINT : undefined);
  if (formatter === undefined) return undefined;
  const paths = files.map((file) => quoteArgument(relativePosix(root, file)));
  return [RUNNERS[owner.packageManager], formatter.command, ...paths].join(' ');
}

interface Formatter {
  readonly package: string;
  readonly command: string;
  readonly configuration: readonly string[];
  /** Key of package.json that holds the configuration. */
  readonly manifestKey?: string;
}

const FORMATTERS: readonly Formatter[] = [
  {
    package: 'prettier',
    command: 'prettier --write',
    configuration: [
      ...['', '.json', '.json5', '.yaml', '.yml', '.toml'].map((extension) => `.prettierrc${extension}`),
      ...scripts('.prettierrc'),
      ...scripts('prettier.config'),
    ],
    manifestKey: 'prettier',
  },
  {
    package: '@biomejs/biome',
    command: 'biome format --write',
    configuration: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'],
  },
  {
    package: 'dprint',
    command: 'dprint fmt',
    configuration: ['dprint.json', 'dprint.jsonc', '.dprint.json', '.dprint.jsonc'],
  },
];

/** No formatter by trade, so the last resort. */
const ESLINT: Formatter = {
  package: 'eslint',
  command: 'eslint --fix',
  configuration: [
    ...scripts('eslint.config'),
    ...['', '.js', '.cjs', '.json', '.yaml', '.yml'].map((extension) => `.eslintrc${extension}`),
  ],
  manifestKey: 'eslintConfig',
};

const RUNNERS: Readonly<Record<PackageManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

function scripts(name: string): string[] {
  return ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((extension) => `${name}.${extension}`);
}

interface Folder {
  readonly directory: string;
  readonly manifest: Manifest | undefined;
}

function foldersUpTo(directory: string, boundary: string): Folder[] {
  const found = readManifest(directory);
  const folder = { directory, manifest: isProblem(found) ? undefined : found };
  const parent = dirname(directory);
  return directory === boundary || parent === directory
    ? [folder]
    : [folder, ...foldersUpTo(parent, boundary)];
}

function byConfiguration(folders: readonly Folder[]): Formatter | undefined {
  return nearest(folders, (folder) => FORMATTERS.find((formatter) => isConfigured(formatter, folder)));
}

function byDependency(folders: readonly Folder[]): Formatter | undefined {
  return nearest(folders, (folder) => FORMATTERS.find((formatter) => dependsOn(formatter, folder)));
}

function hasEslint(folders: readonly Folder[]): boolean {
  return folders.some((folder) => isConfigured(ESLINT, folder));
}

function nearest(
  folders: readonly Folder[],
  look: (folder: Folder) => Formatter | undefined,
): Formatter | undefined {
  for (const folder of folders) {
    const found = look(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isConfigured({ configuration, manifestKey }: Formatter, { directory, manifest }: Folder): boolean {
  if (manifestKey !== undefined && manifest?.json[manifestKey] !== undefined) return true;
  return configuration.some((name) => existsSync(join(directory, name)));
}

function dependsOn(formatter: Formatter, { manifest }: Folder): boolean {
  return [manifest?.dependencies.devDependencies, manifest?.dependencies.dependencies].some(
    (table) => table?.[formatter.package] !== undefined,
  );
}
