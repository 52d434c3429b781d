/** From the listing of files to the texts that are analysed, parsing nothing. */
import { readFileSync } from 'node:fs';
import type { ModuleResolver } from '../analysis/module-resolution.js';
import { SUPPORTING_TOKENS, TELLING_TOKENS } from '../analysis/tokens.js';
import { isChangeStreamFile } from '../codegen/change-stream.js';
import type { ImportAliases } from '../workspace/import-aliases.js';
import { importTokens, specifiersOf } from './importers.js';
import { containsToken, scanForTokens } from '../workspace/prefilter.js';
import { isProblem, type Problem } from '../workspace/problem.js';
import { decodeSource, isGenerated } from '../workspace/source-text.js';

/** A file as it was read. */
export interface CandidateText {
  readonly bytes: Buffer;
  readonly text: string;
  readonly bom: boolean;
  /** Whether the file itself speaks MCP, rather than standing between files that do. */
  readonly telling: boolean;
  readonly generated: boolean;
}

/** What is analysed. */
export interface Candidates {
  /** By absolute file. */
  readonly texts: Map<string, CandidateText>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the files that hold one of our tokens. Copies of the managed stream are ours and not the user's code: they are
 * passed over.
 */
export function readCandidates(all: readonly string[]): Candidates {
  const files = all.filter((file) => !isChangeStreamFile(file));
  const scan = scanForTokens(files, [...TELLING_TOKENS, ...SUPPORTING_TOKENS]);
  const problems: Problem[] = [...scan.problems];
  const texts = new Map<string, CandidateText>();
  const isMcp = scan.candidates.some(({ bytes }) => containsToken(bytes, TELLING_TOKENS));
  for (const { file, bytes } of isMcp ? scan.candidates : []) {
    const telling = containsToken(bytes, TELLING_TOKENS);
    const decoded = decodeSource(bytes, file);
    if (!isProblem(decoded)) {
      texts.set(file, {
        bytes,
        text: decoded.text,
        bom: decoded.bom,
        telling,
        generated: isGenerated(decoded.text),
      });
    } else if (telling) {
      problems.push(decoded);
    }
  }
  return { texts, problems };
}

/** Adds the files without our words that only hand on what a candidate exports: the barrels between them. */
export function addBarrels(
  texts: Map<string, CandidateText>,
  files: readonly string[],
  resolve: ModuleResolver,
): void {
  const listed = new Set(files);
  // Most of what is imported is no barrel, and imported by many.
  const looked = new Set<string>();
  const queue = [...texts].map(([file, read]) => ({ file, read }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const specifier of specifiersIn(next.read)) {
      const target = resolve(specifier, next.file, (file) => listed.has(file));
      if (target === undefined || texts.has(target) || looked.has(target)) continue;
      looked.add(target);
      const read = readSupporting(target);
      if (read === undefined || !handsOn(read)) continue;
      texts.set(target, read);
      queue.push({ file: target, read });
    }
  }
}

/** How a workspace's imports are read. */
export interface ImportReading {
  readonly resolve: ModuleResolver;
  readonly aliases: ImportAliases;
}

/**
 * Adds the files that import one of the given files, directly or through barrels: a client that leaves its file by an
 * export goes there.
 *
 * @returns whether there were any that were not read yet
 */
export function addImporters(
  texts: Map<string, CandidateText>,
  files: readonly string[],
  exporters: ReadonlySet<string>,
  { resolve, aliases }: ImportReading,
): boolean {
  const listed = new Set(files);
  const isListed = (file: string): boolean => listed.has(file);
  const exporting = new Set(exporters);
  const before = texts.size;
  for (let fresh = [...exporters]; fresh.length > 0;) {
    const importers = [...filesNaming(texts, files, fresh, aliases)].filter(([file, read]) =>
      specifiersIn(read).some((specifier) => {
        const target = resolve(specifier, file, isListed);
        return target !== undefined && exporting.has(target);
      }),
    );
    for (const [file, read] of importers) texts.set(file, read);
    fresh = importers.flatMap(([file, read]) => (handsOn(read) && !exporting.has(file) ? [file] : []));
    for (const file of fresh) exporting.add(file);
  }
  if (texts.size === before) return false;
  addBarrels(texts, files, resolve);
  return true;
}

const specifiers = new WeakMap<CandidateText, readonly string[]>();

/** What a file imports, looked for once in its text. */
export function specifiersIn(read: CandidateText): readonly string[] {
  const known = specifiers.get(read) ?? specifiersOf(read.text);
  specifiers.set(read, known);
  return known;
}

/** The files whose text has a name by which one of the given ones may be imported; of those that are read, the barrels. */
function filesNaming(
  texts: ReadonlyMap<string, CandidateText>,
  files: readonly string[],
  exporters: readonly string[],
  aliases: ImportAliases,
): Map<string, CandidateText> {
  const tokens = [...new Set(exporters.flatMap((file) => importTokens(file, aliases.namesOf(file))))];
  const found = new Map<string, CandidateText>();
  for (const [file, read] of texts)
    if (handsOn(read) && tokens.some((token) => read.text.includes(token))) found.set(file, read);
  const unread = files.filter((file) => !texts.has(file) && !isChangeStreamFile(file));
  for (const { file, bytes } of scanForTokens(unread, tokens).candidates) {
    const decoded = decodeSource(bytes, file);
    if (!isProblem(decoded)) found.set(file, supporting(bytes, decoded));
  }
  return found;
}

function supporting(bytes: Buffer, { text, bom }: { text: string; bom: boolean }): CandidateText {
  return { bytes, text, bom, telling: false, generated: isGenerated(text) };
}

/** A file that is read for what others do with it; undefined where that cannot be done. */
export function readSupporting(file: string): CandidateText | undefined {
  try {
    const bytes = readFileSync(file);
    const decoded = decodeSource(bytes, file);
    if (isProblem(decoded)) return undefined;
    return supporting(bytes, decoded);
  } catch {
    return undefined; // the scan has reported what could not be read
  }
}

const barrels = new WeakMap<CandidateText, boolean>();

/** Whether exports of a file come from elsewhere. */
function handsOn(read: CandidateText): boolean {
  const known =
    barrels.get(read) ?? /\bexport\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;'"\n]*\bfrom\b/.test(read.text);
  barrels.set(read, known);
  return known;
}
