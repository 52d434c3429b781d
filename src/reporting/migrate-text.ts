/** A migration as a person reads it: what became of each site, what is left to decide, what comes next. */
import type {
  FileChange,
  PackageVerification,
  RunResult,
  SiteOutcome,
  SiteResult,
} from '../migration/result.js';
import type { Appearance } from './appearance.js';
import { hasWorkLeft } from './exit-code.js';
import { alignedRows } from './layout.js';
import { nextSteps } from './next-steps.js';
import {
  type Block,
  leftOutBlocks,
  markerBlock,
  nothingFound,
  outcomeCounts,
  placeBlock,
  refusalBlocks,
} from './sections.js';
import { siteRow } from './site-rows.js';
import { dependencyBlocks } from './dependency-text.js';
import { upgradeBlocks } from './upgrade-text.js';
import { count } from './wording.js';

/** The blocks of the text, in their order. */
export function migrateBlocks(result: RunResult, appearance: Appearance): Block[] {
  const { sites, markers } = result;
  const place = placeBlock(result, appearance);
  const leftOut = leftOutBlocks(result, appearance);
  const refused = refusalBlocks(result, appearance);
  const upgrades = upgradeBlocks(result, isWritten(result), appearance);
  if (sites.length === 0 && upgrades.length === 0) {
    return [
      ...place,
      ...markersLeft(result, appearance),
      ...leftOut,
      ...refused,
      nothingFound(result, appearance),
    ];
  }
  return [
    ...place,
    ...upgrades,
    ...OUTCOMES.flatMap((outcome) => outcomeBlock(outcome, sites, result, appearance)),
    ...changeBlock(result),
    ...dependencyBlocks(result, isWritten(result), appearance),
    ...verificationBlock(result, appearance),
    ...markersLeft(result, appearance),
    ...leftOut,
    ...refused,
    ...nextSteps(result, appearance),
    [summaryLine(result, markers.length)],
  ];
}

const OUTCOMES: readonly SiteOutcome[] = ['rewritten', 'marked', 'kept', 'reported'];

const TITLES: Readonly<Record<SiteOutcome, string>> = {
  rewritten: 'rewritten',
  marked: 'left for a person, with a marker',
  kept: 'kept unchanged',
  reported: 'reported only',
};

function outcomeBlock(
  outcome: SiteOutcome,
  sites: readonly SiteResult[],
  result: RunResult,
  { colors, width }: Appearance,
): Block[] {
  const own = sites.filter((site) => site.outcome === outcome);
  if (own.length === 0) return [];
  const rows = own.map((site) => siteRow(site, colors));
  const would = isWritten(result) ? '' : 'would be ';
  return [
    [
      `${colors.bold(count(own.length, 'site'))} ${would}${TITLES[outcome]}:`,
      ...alignedRows(rows, '  ', width),
    ],
  ];
}

/** Whether what the sites say has happened, rather than would happen. */
function isWritten({ dryRun, refusals }: RunResult): boolean {
  return !dryRun && !refusals.some(({ kind }) => kind === 'uncommitted-changes');
}

function changeBlock(result: RunResult): Block[] {
  const { changes } = result;
  if (changes.length === 0) return [];
  const title = result.dryRun ? 'Files that would change:' : 'Files changed:';
  return [[title, ...changes.map((change) => `  ${changeLine(change)}`)]];
}

function changeLine({ path, before }: FileChange): string {
  return before === undefined ? `${path} (new)` : path;
}

/** What was held against the types, and with which TypeScript. */
function verificationBlock({ verification }: RunResult, { width }: Appearance): Block[] {
  const { packages } = verification;
  if (packages.length === 0) return [];
  const rows = packages.map((checked) => ({
    cells: [checked.path],
    sentence: verificationSentence(checked),
  }));
  return [['Types, before and after:', ...alignedRows(rows, '  ', width)]];
}

function verificationSentence({ checked, files, typescript, note, command }: PackageVerification): string {
  if (checked) {
    const compared = `${count(files, 'file')} compared, with TypeScript ${typescript ?? ''}`;
    return note === undefined ? compared : `${compared}; ${note}`;
  }
  const afterwards = command === undefined ? '' : `; to check them: ${command}`;
  return `not checked: ${note ?? ''}${afterwards}`;
}

function markersLeft({ markers, dryRun }: RunResult, appearance: Appearance): Block[] {
  const title = `${count(markers.length, 'marker')} ${dryRun ? 'that would be ' : ''}left to decide:`;
  return markerBlock(title, markers, appearance);
}

/** Never says "complete" while something is left. */
function summaryLine(result: RunResult, markers: number): string {
  const { sites, changes, errors, refusals, upgrades = [] } = result;
  const left = upgrades.flatMap((upgrade) => upgrade.left).length;
  const parts = [
    `${count(changes.length, 'file')} ${result.dryRun ? 'to change' : 'changed'}`,
    count(markers, 'marker'),
    ...(left === 0
      ? []
      : [count(left, 'comment of the official codemod', 'comments of the official codemod')]),
    count(errors.length, 'error'),
  ];
  const counts = `${count(sites.length, 'site')}: ${outcomeCounts(sites)}; ${parts.join(', ')}.`;
  if (refusals.length > 0) return `Refused. ${counts}`;
  if (result.dryRun) return `Dry run, nothing was written. ${counts}`;
  if (errors.length > 0 || hasWorkLeft(result)) return `Not finished. ${counts}`;
  return `Done, nothing left to decide. ${counts}`;
}
