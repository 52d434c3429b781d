/** The parts that the texts of scan and migrate have in common. Each is a block of lines, absent where it has nothing to say. */
import { resolve } from 'node:path';
import { MARKER_TAG } from '../codegen/marker.js';
import type { MarkerResult, Refusal, RunResult, SiteOutcome } from '../migration/result.js';
import { SDK_CODEMOD_PACKAGE } from '../protocol/index.js';
import { quoteArgument } from '../workspace/command-line.js';
import { relativePosix } from '../workspace/paths.js';
import type { Appearance } from './appearance.js';
import { alignedRows, wrapped } from './layout.js';
import { countOutcomes } from './report.js';
import { count } from './wording.js';

/** Lines that belong together. */
export type Block = readonly string[];

/** `7 rewritten, 3 marked, 1 kept, 0 reported` */
export function outcomeCounts(sites: readonly { readonly outcome: SiteOutcome }[]): string {
  return Object.entries(countOutcomes(sites))
    .map(([outcome, number]) => `${number} ${outcome}`)
    .join(', ');
}

/** Where the run took place, when that is not where the reader is: all paths are relative to it. */
export function placeBlock({ root }: RunResult, { cwd }: Appearance): Block[] {
  return root === cwd ? [] : [[`In ${relativePosix(cwd, root)}:`]];
}

/** Why there is no site: no source, no MCP code, or MCP code without anything to migrate. */
export function nothingFound({ files, notLookedInto }: RunResult, { width }: Appearance): Block {
  return wrapped(whyNothing(files, notLookedInto.length), width);
}

function whyNothing({ listed, candidates }: RunResult['files'], components: number): string {
  if (candidates > 0) {
    const verb = candidates === 1 ? 'speaks' : 'speak';
    return `MCP code, but no site: ${candidates} of ${count(listed, 'source file')} ${verb} MCP, with nothing in it that this tool migrates.`;
  }
  const where =
    listed === 0
      ? 'no TypeScript or JavaScript source files here'
      : `${count(listed, 'source file')} looked at, and nothing of MCP in ${listed === 1 ? 'it' : 'them'}`;
  if (components > 0) return `Nothing that can be looked into: ${where}.`;
  return listed === 0 ? `Nothing to scan: ${where}.` : `No MCP code here: ${where}.`;
}

/** What was refused, and the command or flag that gets past it. */
export function refusalBlocks(result: RunResult, appearance: Appearance): Block[] {
  const { colors, width } = appearance;
  return result.refusals.map((refusal) => [
    ...wrapped(`Refused: ${refusal.message}`, width).map((line) => colors.red(line)),
    ...refusal.about.flatMap((about) =>
      aboutLines(refusal, about, result, appearance).map((line) => `  ${line}`),
    ),
  ]);
}

function aboutLines(
  { kind }: Refusal,
  about: string,
  { root, target }: RunResult,
  { cwd }: Appearance,
): string[] {
  switch (kind) {
    case 'version-one': {
      const path = quoteArgument(relativePosix(cwd, resolve(root, about)));
      const modern = target === 'modern' ? ' --target modern' : '';
      return [
        `npx mcp-listen migrate ${path}${modern} --sdk-upgrade`,
        `npx ${SDK_CODEMOD_PACKAGE} v1-to-v2 ${path}`,
      ];
    }
    case 'uncommitted-changes':
      return [about];
  }
}

/** The markers, each with what a person must decide. */
export function markerBlock(
  title: string,
  markers: readonly MarkerResult[],
  { colors, width }: Appearance,
): Block[] {
  if (markers.length === 0) return [];
  const rows = markers.map(({ file, line, text }) => ({
    cells: [`${file}:${line}`],
    sentence: withoutTag(text),
  }));
  return [[colors.yellow(title), ...alignedRows(rows, '  ', width)]];
}

function withoutTag(text: string): string {
  return text.startsWith(MARKER_TAG) ? text.slice(MARKER_TAG.length).replace(/^:?\s*/, '') : text;
}

/** What was not looked at, or could not be: component files, files left out, errors. */
export function leftOutBlocks(result: RunResult, { colors, width }: Appearance): Block[] {
  const { notLookedInto, notes, errors, root } = result;
  const blocks: Block[] = [];
  if (notLookedInto.length > 0) {
    blocks.push([
      `${count(notLookedInto.length, 'component file')} with MCP code not looked into (Vue, Svelte, Astro):`,
      ...notLookedInto.map((file) => `  ${file}`),
    ]);
  }
  const warnings = notes.filter(({ level }) => level === 'warning');
  if (warnings.length > 0) {
    const rows = warnings.map(({ file, message }) => ({
      cells: [relativePosix(root, file)],
      sentence: message,
    }));
    blocks.push([`${count(warnings.length, 'note')}:`, ...alignedRows(rows, '  ', width)]);
  }
  if (errors.length > 0) {
    const rows = errors.map(({ file, message }) => ({ cells: [file], sentence: message }));
    blocks.push([colors.red(`${count(errors.length, 'error')}:`), ...alignedRows(rows, '  ', width)]);
  }
  return blocks;
}
