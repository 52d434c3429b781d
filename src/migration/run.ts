/** Runs a scan or a migration over a workspace and says what was found and done. */
import type { Note } from '../workspace/note.js';
import { listFiles } from '../workspace/files.js';
import { findPackages, type PackageInfo, type Packages } from '../workspace/packages.js';
import { relativePosix, toPosix } from '../workspace/paths.js';
import { createModuleResolver } from '../analysis/module-resolution.js';
import { TELLING_TOKENS } from '../analysis/tokens.js';
import { scanForTokens } from '../workspace/prefilter.js';
import {
  addBarrels,
  readCandidates,
  type Candidates,
  type CandidateText,
  type ImportReading,
} from './candidates.js';
import type { Applied } from './apply-plan.js';
import { addRegistryModules } from './registry-modules.js';
import { editsOf } from './group-plan.js';
import { markerResults } from './marker-results.js';
import type { RunOptions } from './options.js';
import type { Plan } from './plan.js';
import type {
  DependencyResult,
  ErrorResult,
  PackageResult,
  Refusal,
  RunResult,
  SiteResult,
} from './result.js';
import type { SdkUpgrade } from './sdk-upgrade.js';
import type { ReportedSite } from './site-results.js';
import { upgradeResults } from './upgrade-results.js';

/**
 * Scans, or migrates, the workspace.
 *
 * Problems with single files are values in the result, never exceptions; an exception is a fault of this program.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { command, target, onStage } = options;
  onStage?.('listing');
  const listing = await listFiles(options.root, { paths: options.paths, ignore: options.ignore });
  const { root } = listing;
  onStage?.('reading');
  // One spelling of paths from here on: the parser knows forward slashes alone.
  const files = listing.files.map(toPosix);
  const candidates = readCandidates(files);
  const notLookedInto = scanForTokens(listing.singleFileComponents, TELLING_TOKENS).candidates.map(
    ({ file }) => relativePosix(root, file),
  );
  const empty: RunResult = {
    command,
    root,
    repository: listing.repository,
    target,
    dryRun: options.dryRun === true,
    files: { listed: listing.files.length, candidates: 0 },
    packages: [],
    sites: [],
    markers: [],
    errors: errorsOf(root, candidates.problems, listing.notes),
    refusals: [],
    notes: listing.notes,
    notLookedInto,
    changes: [],
    verification: { packages: [] },
    owners: [],
  };
  if (candidates.texts.size === 0) return empty;
  onStage?.('analysing');
  const packages = findPackages(root, [...candidates.texts.keys()], listing.repository);
  // Reads configurations, with a parser of its own: not needed where nothing speaks MCP.
  const { createImportAliases } = await import('../workspace/import-aliases.js');
  const aliases = createImportAliases(packages, listing.repository ?? root);
  const imports = { aliases, resolve: createModuleResolver(aliases) };
  addBarrels(candidates.texts, files, imports.resolve);
  addRegistryModules(candidates.texts, files, imports);
  return runOnCandidates(options, empty, files, candidates, packages, imports);
}

async function runOnCandidates(
  options: RunOptions,
  empty: RunResult,
  files: readonly string[],
  candidates: Candidates,
  found: Packages,
  imports: ImportReading,
): Promise<RunResult> {
  // The parser is loaded here and nowhere before: without a candidate it costs nothing.
  const { makePlan } = await import('./plan.js');
  const { siteResults } = await import('./site-results.js');
  const { applyPlan } = await import('./apply-plan.js');
  const { verified } = await import('./verify-plan.js');
  const { root, target, command } = empty;
  const upgrade = await upgraded(options, root, candidates, found);
  const { texts, packages } = upgrade ?? { texts: candidates.texts, packages: found };
  const input = { root, target, only: options.only, texts, files, packages, imports, upgrade };
  const planned = makePlan(input);
  const { plan, ...verification } = await verified(planned, input, options, empty.repository);
  const reported = siteResults(root, plan.groups);
  const owners = new Map<string, PackageInfo>();
  for (const { planned } of reported)
    owners.set(planned.site.unit.package, packages.ownerOf(planned.site.unit.file));
  for (const [file, { telling }] of texts)
    if (telling) owners.set(packages.ownerOf(file).path, packages.ownerOf(file));
  const errors: ErrorResult[] = [
    ...empty.errors,
    ...errorsOf(root, packages.problems, []),
    ...plan.unparsable.map(({ file, line }) => ({
      file: relativePosix(root, file),
      message: `does not parse (line ${String(line)}), so it was left alone: fix it and run again`,
    })),
  ];
  const read = new Map([...texts, ...(upgrade?.manifests ?? []), ...readManifests(plan)]);
  const applied = await applyPlan(plan, options, empty.repository, read);
  const unwritten = unwrittenFiles(plan, applied, options);
  const dependencies = command === 'scan' ? [] : addedDependencies(plan, unwritten);
  const sortedOwners = [...owners.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    ...empty,
    files: { listed: files.length, candidates: [...texts.values()].filter(({ telling }) => telling).length },
    packages: sortedOwners.map(describePackage),
    owners: sortedOwners,
    sites: reported.map((site) =>
      isUnwritten(site, plan, unwritten) ? leftUnwritten(site.result) : site.result,
    ),
    markers: markerResults(root, texts, applied.changes, reported),
    errors: [
      ...errors,
      ...errorsOf(root, [...(upgrade?.problems ?? []), ...verification.problems, ...applied.problems], []),
    ],
    refusals: [
      ...(command === 'migrate' ? versionOneRefusals(plan.versionOnePackages) : []),
      ...applied.refusals,
    ],
    notes: [...empty.notes, ...generatedNotes(candidates)],
    changes: [...applied.changes].sort((a, b) => (a.path < b.path ? -1 : 1)),
    verification: { packages: verification.packages },
    ...(dependencies.length === 0 ? {} : { dependencies }),
    ...(upgrade === undefined ? {} : { upgrades: upgradeResults(root, upgrade, applied.changes, unwritten) }),
  };
}

/** The package.json files that a plan changes, as they are on disk. */
function readManifests({ dependencies }: Plan): [string, CandidateText][] {
  return dependencies.flatMap(({ change, read }) =>
    change === undefined || read === undefined ? [] : [[change.file, read]],
  );
}

function addedDependencies({ dependencies }: Plan, unwritten: ReadonlySet<string>): DependencyResult[] {
  return dependencies
    .filter(({ change }) => change === undefined || !unwritten.has(change.file))
    .map(({ result }) => result);
}

/** The candidates and packages after the official codemod, where it is asked for. */
async function upgraded(
  { command, sdkUpgrade, onStage }: RunOptions,
  root: string,
  { texts }: Candidates,
  packages: Packages,
): Promise<SdkUpgrade | undefined> {
  if (command === 'scan' || sdkUpgrade !== true) return undefined;
  onStage?.('upgrading');
  const { upgradeSdk } = await import('./sdk-upgrade.js');
  const upgrade = await upgradeSdk({ root, texts, packages });
  onStage?.('analysing');
  return upgrade;
}

/** Files whose change was planned and refused by the disk. */
function unwrittenFiles(plan: Plan, applied: Applied, options: RunOptions): Set<string> {
  if (options.command === 'scan' || applied.refusals.length > 0) return new Set();
  const written = new Set(applied.changes.map((change) => change.file));
  return new Set(plan.changeSets.flat().flatMap(({ file }) => (written.has(file) ? [] : [file])));
}

function isUnwritten({ planned }: ReportedSite, plan: Plan, unwritten: ReadonlySet<string>): boolean {
  if (unwritten.size === 0 || planned.outcome.kind === 'kept' || planned.outcome.kind === 'reported')
    return false;
  const group = plan.groups.find(({ group: candidate }) => candidate === planned.site.group);
  const files = [
    planned.site.unit.file,
    ...(group === undefined ? [] : editsOf(group).map((edit) => edit.file)),
  ];
  return files.some((file) => unwritten.has(file));
}

function leftUnwritten(result: SiteResult): SiteResult {
  return {
    ...result,
    outcome: 'reported',
    reason: 'its file could not be written (see the errors), so it was left as it was',
  };
}

/** Files that a tool writes are said, since their sites are left to that tool. */
function generatedNotes({ texts }: Candidates): Note[] {
  return [...texts]
    .filter(([, { telling, generated }]) => telling && generated)
    .map(([file]) => ({
      kind: 'generated',
      level: 'warning',
      file,
      message: 'says that it is generated, so it was left alone: change what generates it',
    }));
}

function describePackage(owner: PackageInfo): PackageResult {
  return { path: owner.path, name: owner.name, generation: owner.generation, sdk: owner.sdk };
}

function errorsOf(
  root: string,
  problems: readonly { file: string; message: string }[],
  notes: readonly Note[],
): ErrorResult[] {
  const serious = notes.filter((note) => note.level === 'error');
  return [...problems, ...serious].map(({ file, message }) => ({ file: relativePosix(root, file), message }));
}

function versionOneRefusals(paths: readonly string[]): Refusal[] {
  if (paths.length === 0) return [];
  return [
    {
      kind: 'version-one',
      about: paths,
      message:
        'on version 1 of the SDK, which has no listen(): upgrade it in the same run with --sdk-upgrade, or by itself first',
    },
  ];
}
