/**
 * Facts of a package that stand in other files than the one that is linted: found by a search for words in their text,
 * never by parsing. Built once per process and package, read again per file when its time of change moves.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** The other files of a package. */
export interface PackageIndex {
  /** Whether the text of another file of the package matches. */
  some(pattern: RegExp): boolean;
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'lib', 'coverage', 'vendor']);
/** Larger files are bundles. */
const LARGEST = 1_000_000;
const MOST_FILES = 5_000;
/** Within one lint run nobody writes; an editor asks again later. */
const FRESH_MS = 2_000;

interface IndexedFile {
  readonly time: number;
  /** Undefined for a file that does not mention MCP. */
  readonly text: string | undefined;
}

interface IndexedPackage {
  listedAt: number;
  readonly files: Map<string, IndexedFile>;
  readonly answers: Map<string, ReadonlySet<string>>;
}

const packages = new Map<string, IndexedPackage>();

/** The index of the package that a file belongs to; undefined where there is no package. */
export function packageIndex(filename: string): PackageIndex | undefined {
  const root = packageRoot(filename);
  if (root === undefined) return undefined;
  return {
    some(pattern) {
      const matching = filesMatching(indexed(root), pattern);
      return matching.size > (matching.has(filename) ? 1 : 0);
    },
  };
}

function filesMatching(index: IndexedPackage, pattern: RegExp): ReadonlySet<string> {
  const key = String(pattern);
  const known = index.answers.get(key);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const [file, { text }] of index.files) if (text !== undefined && pattern.test(text)) found.add(file);
  index.answers.set(key, found);
  return found;
}

function indexed(root: string): IndexedPackage {
  const index = packages.get(root) ?? { listedAt: 0, files: new Map(), answers: new Map() };
  packages.set(root, index);
  if (Date.now() - index.listedAt < FRESH_MS) return index;
  if (refresh(root, index)) index.answers.clear();
  index.listedAt = Date.now();
  return index;
}

/** Reads what is new or changed; whether anything was. */
function refresh(root: string, index: IndexedPackage): boolean {
  const gone = new Set(index.files.keys());
  let isChanged = false;
  for (const file of sourceFiles(root)) {
    gone.delete(file);
    const time = timeOf(file);
    if (time === undefined || index.files.get(file)?.time === time) continue;
    index.files.set(file, { time, text: mcpText(file) });
    isChanged = true;
  }
  for (const file of gone) index.files.delete(file);
  return isChanged || gone.size > 0;
}

function timeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined || found.size > LARGEST ? undefined : found.mtimeMs;
}

function mcpText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return /mcp|modelcontext|notif|listChanged|subscri|protocolEra|\.bus\b/i.test(text) ? text : undefined;
  } catch {
    return undefined; // a file that cannot be read says nothing
  }
}

/** The source files of a package, without those of packages within it. */
function sourceFiles(root: string): string[] {
  const found: string[] = [];
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined && found.length < MOST_FILES; folder = queue.pop()) {
    const entries = entriesOf(folder);
    if (folder !== root && entries.some((entry) => entry.name === 'package.json')) continue;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name) && !entry.name.startsWith('.')) queue.push(join(folder, entry.name));
      } else if (entry.isFile() && SOURCE.test(entry.name)) found.push(join(folder, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that cannot be read has no files for us
  }
}
