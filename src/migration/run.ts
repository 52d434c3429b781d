/** Runs a scan or a migration over a workspace and says what was found and done. */
import { normalize } from 'node:path';
import type { Note } from '../workspace/note.js';
import { listFiles } from '../workspace/files.js';
import { dirtyFiles } from '../workspace/git-state.js';
import { findPackages, type PackageInfo, type Packages } from '../workspace/packages.js';
import { relativePosix, toPosix } from '../workspace/paths.js';
import { TELLING_TOKENS } from '../analysis/tokens.js';
import { findMarkers } from '../codegen/marker.js';
import { scanForTokens } from '../workspace/prefilter.js';
import { readCandidates, type Candidates } from './candidates.js';
import type { RunOptions } from './options.js';
import type { ErrorResult, FileChange, MarkerResult, PackageResult, Refusal, RunResult } from './result.js';

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
    owners: [],
  };
  if (candidates.texts.size === 0) return empty;
  onStage?.('analysing');
  const packages = findPackages(root, [...candidates.texts.keys()], listing.repository);
  return runOnCandidates(options, empty, files, candidates, packages, listing.repository);
}

async function runOnCandidates(
  options: RunOptions,
  empty: RunResult,
  files: readonly string[],
  candidates: Candidates,
  packages: Packages,
  repository: string | undefined,
): Promise<RunResult> {
  // The parser is loaded here and nowhere before: without a candidate it costs nothing.
  const { makePlan } = await import('./plan.js');
  const { siteResults } = await import('./site-results.js');
  const { root, target, command } = empty;
  const { texts } = candidates;
  const plan = makePlan({ root, target, only: options.only, texts, files, packages });
  const reported = siteResults(root, plan.groups);
  const owners = new Map<string, PackageInfo>();
  for (const { planned } of reported)
    owners.set(planned.site.unit.package, packages.ownerOf(planned.site.unit.file));
  for (const [file, { telling }] of texts)
    if (telling) owners.set(packages.ownerOf(file).path, packages.ownerOf(file));
  const refusals: Refusal[] = command === 'migrate' ? versionOneRefusals(plan.versionOnePackages) : [];
  const errors: ErrorResult[] = [
    ...empty.errors,
    ...errorsOf(root, packages.problems, []),
    ...plan.unparsable.map(({ file, line }) => ({
      file: relativePosix(root, file),
      message: `does not parse (line ${String(line)}), so it was left alone: fix it and run again`,
    })),
  ];
  let changes: readonly FileChange[] = command === 'migrate' ? plan.changeSets.flat() : [];
  if (command === 'migrate' && changes.length > 0 && options.force !== true) {
    const dirty = await uncommitted(repository, changes);
    if (dirty.length > 0) {
      refusals.push(uncommittedRefusal(dirty));
      changes = [];
    }
  }
  if (changes.length > 0 && options.dryRun !== true) {
    options.onStage?.('writing');
    const { writeChanges } = await import('./write-changes.js');
    const written = writeChanges(plan.changeSets, texts);
    changes = written.changes;
    errors.push(...errorsOf(root, written.problems, []));
  }
  const sortedOwners = [...owners.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    ...empty,
    files: { listed: files.length, candidates: [...texts.values()].filter(({ telling }) => telling).length },
    packages: sortedOwners.map(describePackage),
    owners: sortedOwners,
    sites: reported.map(({ result }) => result),
    markers: markersIn(root, candidates, changes, reported),
    errors,
    refusals,
    notes: [...empty.notes, ...generatedNotes(candidates)],
    changes: [...changes].sort((a, b) => (a.path < b.path ? -1 : 1)),
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
        'on version 1 of the SDK, which has no listen(): upgrade it first with npx @modelcontextprotocol/codemod v1-to-v2',
    },
  ];
}

async function uncommitted(
  repository: string | undefined,
  changes: readonly FileChange[],
): Promise<string[]> {
  if (repository === undefined) return [];
  const existing = changes.filter((change) => change.before !== undefined);
  const dirty = await dirtyFiles(
    repository,
    existing.map((change) => normalize(change.file)),
  );
  const found = new Set((dirty ?? []).map(toPosix));
  return existing.filter((change) => found.has(change.file)).map((change) => change.path);
}

function uncommittedRefusal(paths: readonly string[]): Refusal {
  return {
    kind: 'uncommitted-changes',
    about: paths,
    message: 'uncommitted changes in files that would be changed: commit or stash them, or use --force',
  };
}

/** The markers of every candidate file as the run leaves it. */
function markersIn(
  root: string,
  { texts }: Candidates,
  changes: readonly FileChange[],
  reported: readonly { result: { id: string; file: string; line: number } }[],
): MarkerResult[] {
  const after = new Map(changes.map((change) => [change.file, change.after]));
  const markers: MarkerResult[] = [];
  for (const [file, { text }] of texts) {
    const current = after.get(file) ?? text;
    const path = relativePosix(root, file);
    for (const found of findMarkers(current)) {
      const line = current.slice(0, found.position).split('\n').length;
      markers.push({
        file: path,
        line,
        text: found.text,
        site: siteBelow(path, line, current, text, reported),
      });
    }
  }
  return markers.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** The site that the marker stands above: the first one of the file on the first line of code under it. */
function siteBelow(
  path: string,
  line: number,
  current: string,
  original: string,
  reported: readonly { result: { id: string; file: string; line: number } }[],
): string | null {
  const lines = current.split('\n');
  let below = line;
  while (/^\s*(\/\/|$)/.test(lines[below] ?? 'x')) below += 1;
  const code = lines[below];
  const candidates = reported.filter(({ result }) => result.file === path);
  const originalLines = original.split('\n');
  const exact = candidates.find(({ result }) => originalLines[result.line - 1] === code);
  return exact?.result.id ?? null;
}
