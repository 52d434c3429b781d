/** The parts that the texts of scan and migrate have in common. */
import type { MarkerResult, Refusal, RunResult, SiteOutcome } from '../migration/result.js';
import { MARKER_TAG } from '../codegen/marker.js';
import { SDK_CODEMOD_PACKAGE, V1_PACKAGE } from '../protocol/index.js';
import type { Appearance, Colors } from './appearance.js';
import { alignedRows, wrapped } from './layout.js';
import { problemsOf, warningsOf } from './problems.js';
import { countOutcomes } from './report.js';
import { count, listed } from './wording.js';

/** `7 rewritten, 3 marked, 1 kept, 0 reported` */
export function outcomeCounts(sites: readonly { readonly outcome: SiteOutcome }[]): string {
  return Object.entries(countOutcomes(sites))
    .map(([outcome, number]) => `${number} ${outcome}`)
    .join(', ');
}

/** Why there is no site, where there is none: no source, no MCP code, or MCP code without a client site. */
export function nothingFound({ files, sites, notLookedInto }: RunResult, { width }: Appearance): string[] | undefined {
  if (sites.length > 0) return undefined;
  return wrapped(whyNothing(files, notLookedInto.length), width);
}

function whyNothing({ listed: all, candidates }: RunResult['files'], components: number): string {
  if (all === 0) return 'Nothing to scan: no TypeScript or JavaScript source files here.';
  if (candidates > 0) {
    return `MCP code, but no client site: ${candidates} of ${count(all, 'source file')} ${candidates === 1 ? 'names' : 'name'} MCP, and none has anything that this tool migrates.`;
  }
  const where = all === 1 ? 'the one source file does not name it' : `none of ${all} source files names it`;
  return components === 0
    ? `No MCP code here: ${where}.`
    : `No MCP code that can be looked into: ${where}; ${components === 1 ? 'the component file above does' : 'the component files above do'}.`;
}

/** What was refused, and the command or flag that gets past it. */
export function refusalLines({ refusals }: RunResult, { colors, width }: Appearance): string[][] {
  return refusals.map((refusal) => [
    ...wrapped(`Refused: ${refusal.message}`, width).map((line) => colors.red(line)),
    ...refusal.about.map((about) => `  ${about}`),
    ...wayOut(refusal).map((line) => `  ${line}`),
  ]);
}
