/**
 * Brings packages from version 1 of the SDK to version 2 before anything is planned: the official codemod does it on a
 * copy, and what it returns is the text that the plan starts from. Nothing is written here.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { V1_PACKAGE } from '../protocol/index.js';
import { listFiles } from '../workspace/files.js';
import { DEPENDENCY_FIELDS, parseManifest, type Manifest, type StringTable } from '../workspace/manifest.js';
import { withManifests, workspaceOf, type PackageInfo, type Packages } from '../workspace/packages.js';
import { isInside, relativePosix, toPosix } from '../workspace/paths.js';
import { scanForTokens } from '../workspace/prefilter.js';
import { isProblem, type Problem } from '../workspace/problem.js';
import { decodeSource } from '../workspace/source-text.js';
import type { CandidateText } from './candidates.js';
import { runOfficialCodemod, type CodemodFailure, type CodemodOutput } from './official-codemod.js';
import { peersOnVersionOne } from './peers-on-version-one.js';
import type { FileChange, UpgradeMessage } from './result.js';
import { sdkPackagesIn } from './sdk-specifiers.js';
import { syntaxFaults } from './syntax-check.js';
import { inTheLookOf, textForCodemod } from './upgraded-text.js';
import { upgradeManifest, type ManifestEdit } from './upgrade-manifest.js';

/** What is upgraded. */
export interface UpgradeInput {
  readonly root: string;
  readonly texts: ReadonlyMap<string, CandidateText>;
  readonly packages: Packages;
}

/** A package that the upgrade was about, as reports tell of it. */
export interface UpgradedPackage {
  /** As its package.json described it before. */
  readonly owner: PackageInfo;
  /** The package.json that lists the SDK for it. */
  readonly manifest: string;
  /** Absolute files that the official codemod changes. */
  readonly files: readonly string[];
  readonly messages: readonly UpgradeMessage[];
}

/** What becomes of the package.json that lists the SDK for some packages. */
export interface UpgradedManifest extends Omit<ManifestEdit, 'text'> {
  /** Absolute path with forward slashes. */
  readonly file: string;
  readonly isChanged: boolean;
}

/** What the upgrade comes to: what the rest of a run starts from. */
export interface SdkUpgrade {
  /** All candidates: upgraded ones with their new text and the bytes that are on disk. */
  readonly texts: Map<string, CandidateText>;
  /** The packages as their package.json will describe them. */
  readonly packages: Packages;
  /** The package.json files that change, as they are on disk. */
  readonly manifests: ReadonlyMap<string, CandidateText>;
  /** Files that are written together or not at all. */
  readonly sets: readonly (readonly FileChange[])[];
  /** Why what is still on version 1 stays there, by path of the package. */
  readonly remaining: ReadonlyMap<string, string>;
  /** Paths of the packages of which nothing is changed at all. */
  readonly failed: ReadonlySet<string>;
  readonly upgraded: readonly UpgradedPackage[];
  readonly manifestEdits: readonly UpgradedManifest[];
  readonly problems: readonly Problem[];
}

/** What the official codemod has made of one package. */
interface PackageRun {
  readonly owner: PackageInfo;
  /** The new texts of the files that it changes. */
  readonly texts: ReadonlyMap<string, string>;
  readonly output: CodemodOutput | undefined;
  readonly messages: readonly UpgradeMessage[];
  readonly problems: readonly Problem[];
}

/** Upgrades every package of which a candidate imports version 1, or which lists it and imports version 2 alone. */
export async function upgradeSdk(input: UpgradeInput): Promise<SdkUpgrade> {
  const runs: PackageRun[] = [];
  for (const owner of concerned(input)) runs.push(await runOn(owner, input));
  const texts = new Map(input.texts);
  for (const run of runs)
    for (const [file, text] of run.texts) {
      const read = texts.get(file);
      if (read !== undefined) texts.set(file, { ...read, text });
    }
  const edits = await manifestChanges(runs, { ...input, texts });
  const manifestTexts = new Map(edits.map(({ change }) => [change.file, change.after]));
  return {
    texts,
    packages: withManifests(input.packages, manifestTexts),
    manifests: new Map(edits.map(({ change, read }) => [change.file, read])),
    sets: changeSetsOf(runs, edits, input),
    remaining: new Map(runs.map((run) => [run.owner.path, reasonToRemain(run)])),
    failed: new Set(runs.flatMap(({ owner, output }) => (output === undefined ? [owner.path] : []))),
    upgraded: runs
      .filter(({ output }) => output !== undefined)
      .map(({ owner, texts: changed, messages }) => ({
        owner,
        manifest: toPosix(manifestOf(owner)),
        files: [...changed.keys()],
        messages,
      })),
    manifestEdits: edits.map(({ change: { file, before, after }, edit }) => ({
      ...edit,
      file,
      isChanged: before !== after,
    })),
    problems: runs.flatMap(({ problems }) => problems),
  };
}

function concerned({ texts, packages }: UpgradeInput): Set<PackageInfo> {
  const found = new Set<PackageInfo>();
  for (const [file, { text, telling }] of texts) {
    const owner = packages.ownerOf(file);
    if (!telling || found.has(owner)) continue;
    const imported = sdkPackagesIn(file, text);
    if (imported.has(V1_PACKAGE) || (imported.size > 0 && owner.dependencyFields[V1_PACKAGE] !== undefined))
      found.add(owner);
  }
  return found;
}

function reasonToRemain({ output, texts }: PackageRun): string {
  if (output === undefined)
    return 'the upgrade of its package to version 2 of the SDK failed (see the errors)';
  return texts.size === 0
    ? 'it is on version 1 of the SDK, and the official codemod found nothing in its package to upgrade'
    : 'it still uses version 1 of the SDK, which the official codemod left as it was';
}

async function runOn(owner: PackageInfo, input: UpgradeInput): Promise<PackageRun> {
  const given = new Map(
    givenFiles(owner, input).map(([file, text]) => [relativePosix(owner.directory, file), { file, text }]),
  );
  const result =
    given.size === 0
      ? NOTHING
      : await runOfficialCodemod({
          texts: new Map([...given].map(([path, { text }]) => [path, textForCodemod(text)])),
          dependencies: dependenciesOf(owner),
        });
  const absolute = (path: string | undefined): string => given.get(path ?? '')?.file ?? owner.directory;
  if ('reason' in result) return failedRun(owner, result, absolute, input.root);
  const texts = new Map<string, string>();
  for (const [path, { file, text }] of given) {
    const upgraded = inTheLookOf(text, result.texts.get(path) ?? text);
    if (upgraded === text) continue;
    if (syntaxFaults(file, upgraded).length > 0)
      return failedRun(
        owner,
        { reason: 'its result does not parse', culprits: [path] },
        absolute,
        input.root,
      );
    texts.set(file, upgraded);
  }
  const messages = result.messages
    .filter(({ file, message, level }) => level !== 'error' && !isInMarker(texts, absolute(file), message))
    .map(({ file, line, level, message }): UpgradeMessage => ({
      file: relativePosix(input.root, file === undefined ? manifestOf(owner) : absolute(file)),
      line: file === undefined ? null : line,
      level: level === 'warning' ? 'warning' : 'info',
      message,
    }));
  const problems = result.messages
    .filter(({ level }) => level === 'error')
    .map(({ file, message }) => ({
      file: absolute(file),
      message: `the official codemod could not upgrade it (${message}), so it was left alone: do it by hand`,
    }));
  return { owner, texts, output: result, messages, problems };
}

/** Where only the package.json is behind. */
const NOTHING: CodemodOutput = { texts: new Map(), messages: [], added: {}, addedForTests: {} };

/** What is given to the codemod: sources that import version 1, are written by people, and parse. */
function givenFiles(owner: PackageInfo, { texts, packages }: UpgradeInput): [string, string][] {
  return [...texts].flatMap(([file, { text, telling, generated }]) => {
    if (!telling || generated || packages.ownerOf(file) !== owner) return [];
    if (!sdkPackagesIn(file, text).has(V1_PACKAGE) || syntaxFaults(file, text).length > 0) return [];
    return [[file, text]];
  });
}

function failedRun(
  owner: PackageInfo,
  { reason, culprits }: CodemodFailure,
  absolute: (path: string) => string,
  root: string,
): PackageRun {
  const [first, ...others] = culprits.map(absolute);
  const also =
    others.length === 0 ? '' : ` and on ${others.map((file) => relativePosix(root, file)).join(', ')}`;
  const name = owner.path === '.' ? owner.name : owner.path;
  const problem: Problem =
    first === undefined
      ? {
          file: owner.directory,
          message: `the official codemod failed (${reason}), so nothing of this package was upgraded`,
        }
      : {
          file: first,
          message: `the official codemod fails on it${also} (${reason}), so nothing of ${name} was upgraded: mend it, or leave it out with --ignore, and run again`,
        };
  return { owner, texts: new Map(), output: undefined, messages: [], problems: [problem] };
}

/** What a marker says in the code need not be said again. */
function isInMarker(texts: ReadonlyMap<string, string>, file: string, message: string): boolean {
  return texts.get(file)?.includes(message.replaceAll('*/', '* /')) === true;
}

function manifestOf(owner: PackageInfo): string {
  return owner.sdkManifest ?? owner.manifest ?? owner.directory;
}

/** All that the package can import: its own dependencies, and those of the manifest that lists the SDK for it. */
function dependenciesOf(owner: PackageInfo): StringTable {
  const manifests = [owner.sdkManifest, owner.manifest].map((file) => readManifestText(file)?.manifest);
  const tables = manifests.flatMap((manifest) =>
    manifest === undefined
      ? []
      : [...DEPENDENCY_FIELDS].reverse().map((field) => manifest.dependencies[field]),
  );
  return Object.assign({}, ...tables) as StringTable;
}

/** A package.json with its bytes. */
interface ReadManifest {
  readonly manifest: Manifest;
  readonly read: CandidateText;
}

function readManifestText(file: string | undefined): ReadManifest | undefined {
  if (file === undefined) return undefined;
  try {
    const bytes = readFileSync(file);
    const decoded = decodeSource(bytes, file);
    if (isProblem(decoded)) return undefined;
    const { text, bom } = decoded;
    const manifest = parseManifest(dirname(file), text);
    const read = { bytes, text, bom, telling: false, generated: false };
    return manifest === undefined ? undefined : { manifest, read };
  } catch {
    return undefined; // whoever described the package has said so
  }
}

/** An edited package.json. */
interface ManifestChange {
  readonly change: FileChange;
  readonly read: CandidateText;
  readonly edit: ManifestEdit;
}

/** The edits of every package.json that lists the SDK for one of the packages. */
async function manifestChanges(runs: readonly PackageRun[], input: UpgradeInput): Promise<ManifestChange[]> {
  const upgraded = runs.filter(({ output }) => output !== undefined);
  const files = new Set(upgraded.map(({ owner }) => manifestOf(owner)));
  const changes: ManifestChange[] = [];
  for (const file of files) {
    const found = isInside(input.root, file) ? readManifestText(file) : undefined;
    if (found === undefined) continue;
    const own = upgraded.filter(({ owner }) => manifestOf(owner) === file);
    const { manifest, read } = found;
    const edit = upgradeManifest({
      manifest,
      text: read.text,
      workspace: own[0] === undefined ? undefined : workspaceOf(own[0].owner),
      used: usedPackages(own, input),
      chosen: Object.assign({}, ...own.map(({ output }) => output?.added)) as StringTable,
      chosenForTests: Object.assign({}, ...own.map(({ output }) => output?.addedForTests)) as StringTable,
      neededBy: [...(await filesOnVersionOne(file, input)), ...peersOnVersionOne(manifest)],
    });
    const path = relativePosix(input.root, file);
    changes.push({ change: { file: toPosix(file), path, before: read.text, after: edit.text }, read, edit });
  }
  return changes;
}

/** What the candidates of the packages import of version 2. */
function usedPackages(runs: readonly PackageRun[], { texts, packages }: UpgradeInput): Set<string> {
  const owners = new Set(runs.map(({ owner }) => owner));
  const used = new Set<string>();
  for (const [file, { text }] of texts)
    if (owners.has(packages.ownerOf(file))) for (const name of sdkPackagesIn(file, text)) used.add(name);
  used.delete(V1_PACKAGE);
  return used;
}

/**
 * The files that still need version 1 from a manifest, relative to its folder: whatever is there, candidates of this
 * run or not, since taking out a dependency is about all of them.
 */
async function filesOnVersionOne(manifest: string, { texts, packages }: UpgradeInput): Promise<string[]> {
  const folder = dirname(manifest);
  const listing = await listFiles(folder);
  const all = [...listing.files, ...listing.singleFileComponents, ...listing.declarations].map(toPosix);
  const { candidates, problems } = scanForTokens(all, [V1_PACKAGE]);
  const needing = candidates.flatMap(({ file, bytes }) => {
    const text = texts.get(file)?.text ?? bytes.toString('utf8');
    return sdkPackagesIn(file, text).has(V1_PACKAGE) ? [file] : [];
  });
  return [...needing, ...problems.map(({ file }) => file)]
    .filter((file) => manifestOf(packages.ownerOf(file)) === manifest)
    .map((file) => relativePosix(folder, file));
}

/** One set for each package.json: half a package on version 2 would not run. It comes first, see {@link concerned}. */
function changeSetsOf(
  runs: readonly PackageRun[],
  manifests: readonly ManifestChange[],
  { root, texts }: UpgradeInput,
): FileChange[][] {
  const sets = new Map<string, FileChange[]>();
  for (const { owner, texts: upgraded } of runs) {
    const key = toPosix(manifestOf(owner));
    const changes = [...upgraded].map(([file, after]): FileChange => ({
      file,
      path: relativePosix(root, file),
      before: texts.get(file)?.text ?? '',
      after,
    }));
    sets.set(key, [...(sets.get(key) ?? []), ...changes]);
  }
  for (const { change } of manifests)
    if (change.after !== change.before) sets.set(change.file, [change, ...(sets.get(change.file) ?? [])]);
  return [...sets.values()].filter((set) => set.length > 0);
}
