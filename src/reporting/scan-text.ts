/** A scan as a person reads it: package by package, group by group. */
import type { PackageResult, RunResult, SiteResult } from '../migration/result.js';
import type { Appearance } from './appearance.js';
import { alignedRows, wrapped } from './layout.js';
import {
  type Block,
  leftOutBlocks,
  markerBlock,
  nothingFound,
  outcomeCounts,
  placeBlock,
} from './sections.js';
import { shapeLegend, siteRow } from './site-rows.js';
import { count } from './wording.js';

/** The blocks of the text, in their order. */
export function scanBlocks(result: RunResult, appearance: Appearance): Block[] {
  const { sites, markers } = result;
  const leftOut = [
    ...markerBlock(`${count(markers.length, 'marker')} left to decide:`, markers, appearance),
    ...leftOutBlocks(result, appearance),
  ];
  const packages = packagesOf(result).flatMap((owner) => packageBlocks(owner, result, appearance));
  if (sites.length === 0) {
    return [...placeBlock(result, appearance), ...packages, ...leftOut, nothingFound(result, appearance)];
  }
  return [
    ...placeBlock(result, appearance),
    wrapped(intention(result), appearance.width),
    ...packages,
    legend(result, appearance),
    ...leftOut,
    [summaryLine(result)],
  ];
}

function intention({ target }: RunResult): string {
  return `What mcp-listen migrate --target ${target} would do with each site if the types allow it, and why:`;
}

/** The packages of the run, and any that a site names besides. */
function packagesOf({ packages, sites }: RunResult): PackageResult[] {
  const known = new Set(packages.map(({ path }) => path));
  const others = new Set(sites.map((site) => site.package).filter((path) => !known.has(path)));
  return [
    ...packages,
    ...[...others].map((path) => ({ path, name: path, generation: 'none' as const, sdk: {} })),
  ];
}

function packageBlocks(owner: PackageResult, { sites }: RunResult, appearance: Appearance): Block[] {
  const own = sites.filter((site) => site.package === owner.path);
  const heading = packageLine(owner, appearance);
  if (own.length === 0) return [[heading, '  no site']];
  const [first = [], ...others] = groupsOf(own).map((group) => groupLines(group, appearance));
  return [[heading, ...first], ...others];
}

/** `packages/app  notes-app  v2  @modelcontextprotocol/client 2.4.0` */
function packageLine({ path, name, generation, sdk }: PackageResult, { colors }: Appearance): string {
  const versions = Object.entries(sdk).map(([sdkName, version]) => `${sdkName} ${version}`);
  const described = generation === 'none' ? 'no SDK dependency' : generation;
  return [colors.bold(path), name, described, versions.join(', ')].filter((cell) => cell !== '').join('  ');
}

function groupsOf(sites: readonly SiteResult[]): SiteResult[][] {
  const groups = new Map<string, SiteResult[]>();
  for (const site of sites) {
    const group = groups.get(site.group) ?? [];
    groups.set(site.group, group);
    group.push(site);
  }
  return [...groups.values()];
}

function groupLines(sites: readonly SiteResult[], { colors, width }: Appearance): string[] {
  const [first] = sites;
  if (first === undefined) return [];
  const era = first.side === 'client' ? `  ${eraOf(sites)}` : '';
  return [
    `  ${first.side} ${colors.bold(first.group)}${era}`,
    ...alignedRows(
      sites.map((site) => siteRow(site, colors)),
      '    ',
      width,
    ),
  ];
}

const ERA_WORDS: Readonly<Record<string, string>> = {
  none: 'none asked for, so legacy',
  legacy: 'legacy',
  auto: 'auto, negotiated',
  pin: 'pinned',
  unknown: 'not to be read from its options',
};

/** What the client's constructors say about eras. */
function eraOf(sites: readonly SiteResult[]): string {
  const eras = new Set(sites.flatMap(({ era }) => (era === undefined ? [] : [ERA_WORDS[era] ?? era])));
  return eras.size === 0 ? 'era: constructor out of sight' : `era: ${[...eras].join('; ')}`;
}

function legend({ sites }: RunResult, { width }: Appearance): Block {
  return ['Shapes', ...alignedRows(shapeLegend(sites), '  ', width)];
}

function summaryLine(result: RunResult): string {
  const { sites, markers, errors } = result;
  const groups = new Set(sites.map((site) => site.group)).size;
  const parts = [
    count(groups, 'group'),
    count(packagesOf(result).length, 'package'),
    count(markers.length, 'marker'),
    count(errors.length, 'error'),
  ];
  return `${count(sites.length, 'site')}: ${outcomeCounts(sites)}; ${parts.join(', ')}.`;
}
