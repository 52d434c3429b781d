/**
 * Reading a package.json without trusting what is in it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, type Problem, systemReason } from './problem.js';

/** Where a package.json lists dependencies, the strongest claim first. */
export const DEPENDENCY_FIELDS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;

/** One of {@link DEPENDENCY_FIELDS}. */
export type DependencyField = (typeof DEPENDENCY_FIELDS)[number];

/** Names and ranges (or commands). */
export type StringTable = Readonly<Record<string, string>>;

/** What this project asks of a package.json. */
export interface Manifest {
  readonly file: string;
  readonly directory: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly type: string | undefined;
  readonly packageManager: string | undefined;
  readonly scripts: StringTable;
  readonly dependencies: Readonly<Record<DependencyField, StringTable>>;
  /** Patterns of workspace members (npm, yarn, bun). */
  readonly workspaces: readonly string[];
  /** Everything, for the questions of one caller. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Reads the package.json of a folder: undefined where there is none. */
export function readManifest(directory: string): Manifest | Problem | undefined {
  const file = join(directory, 'package.json');
  const text = readText(file);
  if (text === undefined) return undefined;
  if (typeof text !== 'string')
    return { file, message: `could not be read (${text.reason}): check its permissions` };
  return (
    parseManifest(directory, text) ?? {
      file,
      message: 'is not a JSON object, so its dependencies are unknown: repair it and run again',
    }
  );
}

/** The manifest of a folder by its text, without byte order mark; undefined where that is no JSON object. */
export function parseManifest(directory: string, text: string): Manifest | undefined {
  const json = parseJson(text);
  if (!isRecord(json)) return undefined;
  return {
    file: join(directory, 'package.json'),
    directory,
    name: nonEmpty(json['name']),
    version: nonEmpty(json['version']),
    type: nonEmpty(json['type']),
    packageManager: nonEmpty(json['packageManager']),
    scripts: stringTable(json['scripts']),
    dependencies: {
      dependencies: stringTable(json['dependencies']),
      devDependencies: stringTable(json['devDependencies']),
      peerDependencies: stringTable(json['peerDependencies']),
      optionalDependencies: stringTable(json['optionalDependencies']),
    },
    workspaces: workspacePatterns(json['workspaces']),
    json,
  };
}

/** Whether a parsed value is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those entries of an object that are strings. */
export function stringTable(value: unknown): StringTable {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Those elements of a list that are strings. */
export function stringList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}

/** A list, or yarn's `{ packages: [...] }`. */
function workspacePatterns(value: unknown): string[] {
  return stringList(isRecord(value) ? value['packages'] : value);
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text without its byte order mark. A folder named package.json is no manifest. */
function readText(file: string): string | { readonly reason: string } | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '');
    return absent ? undefined : { reason: systemReason(error) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
