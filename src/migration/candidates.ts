/** From the listing of files to the texts that are analysed, parsing nothing. */
import { readFileSync } from 'node:fs';
import { resolveRelative } from '../analysis/module-resolution.js';
import { SUPPORTING_TOKENS, TELLING_TOKENS } from '../analysis/tokens.js';
import { isChangeStreamFile } from './change-stream-file.js';
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
 * Reads the files that hold one of our tokens, and the barrels through which they import each other. Copies of the managed
 * stream are ours and not the user's code: they are passed over.
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
  const listed = new Set(files);
  addBarrels(texts, listed);
  return { texts, problems };
}

/** Files without our words that only hand on what a candidate exports. */
function addBarrels(texts: Map<string, CandidateText>, listed: ReadonlySet<string>): void {
  const queue = [...texts].map(([file, { text }]) => ({ file, text }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const specifier of relativeSpecifiers(next.text)) {
      const target = resolveRelative(specifier, next.file, (file) => listed.has(file));
      if (target === undefined || texts.has(target)) continue;
      const read = readText(target);
      if (read === undefined || !isBarrel(read.text)) continue;
      texts.set(target, read);
      queue.push({ file: target, text: read.text });
    }
  }
}

/**
 * Adds the files that import one of the given files: a client that leaves its file by an export goes there.
 *
 * @returns whether there were any that were not read yet
 */
export function addImporters(
  texts: Map<string, CandidateText>,
  files: readonly string[],
  exporters: ReadonlySet<string>,
): boolean {
  if (exporters.size === 0) return false;
  const stems = [...exporters].map((file) => `/${stemOf(file)}`);
  const unread = files.filter((file) => !texts.has(file));
  const listed = new Set(files);
  let added = false;
  for (const { file, bytes } of scanForTokens(unread, stems).candidates) {
    const decoded = decodeSource(bytes, file);
    if (isProblem(decoded)) continue;
    const imports = relativeSpecifiers(decoded.text).some((specifier) => {
      const target = resolveRelative(specifier, file, (known) => listed.has(known));
      return target !== undefined && exporters.has(target);
    });
    if (!imports) continue;
    texts.set(file, {
      bytes,
      text: decoded.text,
      bom: decoded.bom,
      telling: false,
      generated: isGenerated(decoded.text),
    });
    added = true;
  }
  if (added) addBarrels(texts, listed);
  return added;
}

function readText(file: string): CandidateText | undefined {
  try {
    const bytes = readFileSync(file);
    const decoded = decodeSource(bytes, file);
    if (isProblem(decoded)) return undefined;
    return {
      bytes,
      text: decoded.text,
      bom: decoded.bom,
      telling: false,
      generated: isGenerated(decoded.text),
    };
  } catch {
    return undefined; // the scan has reported what could not be read
  }
}

function relativeSpecifiers(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])(\.{1,2}\/?[^'"\n]*)\1/g);
  return [...found].map((match) => match[2] ?? '');
}

/** A file whose exports come from elsewhere. */
function isBarrel(text: string): boolean {
  return /\bexport\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;'"\n]*\bfrom\b/.test(text);
}

function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[cm]?[jt]sx?$/, '');
  if (name !== 'index') return name;
  const folder = file.slice(0, file.lastIndexOf('/'));
  return folder.slice(folder.lastIndexOf('/') + 1);
}
