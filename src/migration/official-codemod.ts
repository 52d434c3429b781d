/**
 * Runs the official v1-to-v2 codemod on copies of files, in a temporary folder, and brings back what it has made of
 * them. Never in place: it reads no `.gitignore`, writes as it goes, and walks up to any package.json above its folder.
 *
 * It is called as a module rather than as a command, so that what it has to say arrives as data.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as OfficialModule from '@modelcontextprotocol/codemod';
import { SDK_CODEMOD_PACKAGE, V1_PACKAGE } from '../protocol/index.js';
import { isRecord, stringTable, type StringTable } from '../workspace/manifest.js';
import { toPosix } from '../workspace/paths.js';

/** What the codemod is given: one package. */
export interface CodemodInput {
  /** Texts by their paths relative to the package, with forward slashes. */
  readonly texts: ReadonlyMap<string, string>;
  /** What the package depends on: it tells clients from servers by that, and whether zod is there. */
  readonly dependencies: StringTable;
}

/** Something the codemod says. */
export interface CodemodMessage {
  /** Relative to the package; undefined for what is said about the package.json. */
  readonly file: string | undefined;
  readonly line: number;
  readonly message: string;
  /** `error`: it has left the file as it was. What it calls a known gap of version 2 is `info`. */
  readonly level: 'error' | 'warning' | 'info';
}

/** What it has made of a package. */
export interface CodemodOutput {
  readonly texts: ReadonlyMap<string, string>;
  readonly messages: readonly CodemodMessage[];
  /** The ranges that it has added, by package. */
  readonly added: StringTable;
  /** The same for what only tests need. */
  readonly addedForTests: StringTable;
}

/** Why there is nothing to bring back. */
export interface CodemodFailure {
  readonly reason: string;
  /** The files on which it fails, where that can be found out. */
  readonly culprits: readonly string[];
}

type Official = typeof OfficialModule;
type Migration = NonNullable<ReturnType<Official['getMigration']>>;

/** Runs it. What it throws is a failure in the result. */
export async function runOfficialCodemod(input: CodemodInput): Promise<CodemodOutput | CodemodFailure> {
  let folder: string | undefined;
  try {
    const official = await import('@modelcontextprotocol/codemod');
    const migration = official.getMigration('v1-to-v2');
    if (migration === undefined) return failure(`${SDK_CODEMOD_PACKAGE} has no migration v1-to-v2`);
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-listen-upgrade-'));
    const unseen = UNSEEN_FOLDERS.find((name) => toPosix(folder ?? '').includes(`/${name}/`));
    if (unseen !== undefined)
      return failure(`it passes over folders named ${unseen}, as in ${folder}: set TMPDIR to another`);
    return runIn(folder, input, official, migration);
  } catch (error) {
    return failure(firstLine(error));
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function runIn(
  folder: string,
  { texts, dependencies }: CodemodInput,
  official: Official,
  migration: Migration,
): CodemodOutput | CodemodFailure {
  const copies = new Map([...texts.keys()].map((path) => [path, join(folder, visible(path))]));
  const originals = new Map([...copies].map(([path, copy]) => [toPosix(copy), path]));
  const manifest = join(folder, 'package.json');
  const before = { ...dependencies, [V1_PACKAGE]: dependencies[V1_PACKAGE] ?? '^1.0.0' };
  for (const [path, copy] of copies) {
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, texts.get(path) ?? '');
  }
  // There has to be one here: without it, the codemod goes on to a package.json above this folder.
  writeFileSync(manifest, JSON.stringify({ dependencies: before }));
  try {
    const result = official.run(migration, { targetDir: folder });
    const additional = additions(before, readFileSync(manifest, 'utf8'));
    // A comment that it could not place, it adds when it is run again; nothing is to be left for a second run of ours.
    if ([...copies.values()].some((copy) => readFileSync(copy, 'utf8').includes(V1_PACKAGE)))
      official.run(migration, { targetDir: folder });
    const warnings = (result.packageJsonChanges ?? []).flatMap((change) => change.warnings ?? []);
    return {
      texts: new Map([...copies].map(([path, copy]) => [path, readFileSync(copy, 'utf8')])),
      messages: [
        ...result.diagnostics.map(({ file, line, message, level, category }) => ({
          file: originals.get(toPosix(file)),
          line,
          message,
          level: category === undefined ? level : ('info' as const),
        })),
        ...warnings.map((message) => ({ file: undefined, line: 1, message, level: 'warning' as const })),
      ],
      ...additional,
    };
  } catch (error) {
    const culprits = [...copies].filter(([, copy]) => failsOn(copy, official, migration));
    return { reason: firstLine(error), culprits: culprits.map(([path]) => path) };
  }
}

/** It does not name the file on which it fails: each is tried by itself, writing nothing. */
function failsOn(file: string, official: Official, migration: Migration): boolean {
  try {
    official.run(migration, { targetDir: file, dryRun: true });
    return false;
  } catch {
    return true;
  }
}

function additions(before: StringTable, manifest: string): Pick<CodemodOutput, 'added' | 'addedForTests'> {
  const json: unknown = JSON.parse(manifest);
  const addedTo = (field: string): StringTable => {
    const after = Object.entries(stringTable(isRecord(json) ? json[field] : undefined));
    return Object.fromEntries(after.filter(([name]) => before[name] === undefined));
  };
  return { added: addedTo('dependencies'), addedForTests: addedTo('devDependencies') };
}

/** Folders that the codemod does not enter, wherever they are; to us they may be source. */
const UNSEEN_FOLDERS = [
  'node_modules',
  'dist',
  'build',
  'coverage',
  '__generated__',
  '.git',
  '.next',
  '.nuxt',
];

/** A path that the codemod sees: it enters no folder whose name starts with a dot either. */
function visible(path: string): string {
  return path
    .split('/')
    .map((part) => (part.startsWith('.') || UNSEEN_FOLDERS.includes(part) ? `seen-${part}` : part))
    .join('/');
}

function failure(reason: string): CodemodFailure {
  return { reason, culprits: [] };
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/\.$/, '');
}
