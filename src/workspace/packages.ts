/**
 * Which package owns a file, and what that package says about the MCP SDK. Only packages that own a file somebody
 * asks about are read, each once.
 */
import { basename, dirname } from 'node:path';
import { V1_PACKAGE, V2_PACKAGES } from '../protocol/sdk.js';
import {
  DEPENDENCY_FIELDS,
  type DependencyField,
  type Manifest,
  parseManifest,
  readManifest,
  type StringTable,
} from './manifest.js';
import { type PackageManager, packageManagerIn } from './package-manager.js';
import { isInside, relativePosix } from './paths.js';
import { isProblem, type Problem } from './problem.js';
import { installedVersion } from './installed-version.js';
import { readWorkspace, resolveCatalog, type Workspace } from './workspaces.js';

/**
 * The SDK generation a package depends on. A manifest cannot show `wire`: that is for `analysis` to say about a
 * package with `none` whose code spells the protocol itself.
 */
export type Generation = 'v1' | 'v2' | 'v1+v2' | 'wire' | 'none';

/** What is known about a package without looking at its code. */
export interface PackageInfo {
  /** Relative to the root with forward slashes; `.` for the root itself. */
  readonly path: string;
  readonly directory: string;
  /** From package.json, else the name of the folder. */
  readonly name: string;
  /** How Node reads its `.js` files. */
  readonly moduleType: 'esm' | 'commonjs';
  readonly generation: Generation;
  /** SDK packages it depends on, with the installed version, else the declared range (`catalog:` resolved). */
  readonly sdk: StringTable;
  /** Which of them are installed. */
  readonly installed: Readonly<Record<string, boolean>>;
  /** Where {@link sdkManifest} lists each of them. */
  readonly dependencyFields: Readonly<Record<string, readonly DependencyField[]>>;
  /** The package.json that lists them: its own, or the workspace root's; undefined where none does. */
  readonly sdkManifest: string | undefined;
  readonly packageManager: PackageManager;
  /** Its package.json; undefined where there is none that can be read. */
  readonly manifest: string | undefined;
  readonly scripts: StringTable;
  /** Names of its development dependencies. */
  readonly devDependencies: readonly string[];
  /** Folder of the workspace that it is the root or a member of. */
  readonly workspace: string | undefined;
}

/** The packages of a run. */
export interface Packages {
  /** The packages that own the given files, sorted by path. */
  readonly list: readonly PackageInfo[];
  /** The owner of any file below the root. */
  readonly ownerOf: (file: string) => PackageInfo;
  /** The package.json of an owner, as it was read to describe it. */
  readonly manifestOf: (owner: PackageInfo) => Manifest | undefined;
  /** The workspace that an owner belongs to, likewise. */
  readonly workspaceOf: (owner: PackageInfo) => Workspace | undefined;
  /** Manifests that could not be understood; complete once all owners were asked for. */
  readonly problems: readonly Problem[];
}

/**
 * Finds the owners of the files: the nearest package.json upwards, no further than the top of the repository, or
 * the root where there is no repository.
 */
export function findPackages(root: string, files: readonly string[], repository?: string): Packages {
  const boundary = repository !== undefined && isInside(repository, root) ? repository : root;
  const folders = folderReader(boundary);
  const owners = new Map<string, PackageInfo>();

  const ownerOf = (file: string): PackageInfo => {
    const directory = folders.owner(dirname(file)) ?? root;
    const known = owners.get(directory) ?? describePackage(root, directory, folders);
    owners.set(directory, known);
    return known;
  };
  const list = [...new Set(files.map(ownerOf))].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    list,
    ownerOf,
    manifestOf: ({ directory }) => folders.manifest(directory),
    workspaceOf: ({ directory }) => folders.workspaceOf(directory),
    problems: folders.problems,
  };
}

/**
 * The same packages, with what they say about the SDK once some manifests have another text.
 *
 * @param texts by absolute path of the package.json
 */
export function withManifests(packages: Packages, texts: ReadonlyMap<string, string>): Packages {
  const described = new Map<PackageInfo, PackageInfo>();
  const describe = (owner: PackageInfo): PackageInfo => {
    const known = described.get(owner) ?? withManifest(owner, texts);
    described.set(owner, known);
    return known;
  };
  return {
    ...packages,
    list: packages.list.map(describe),
    ownerOf: (file) => describe(packages.ownerOf(file)),
  };
}

function withManifest(owner: PackageInfo, texts: ReadonlyMap<string, string>): PackageInfo {
  const { sdkManifest } = owner;
  const text = sdkManifest === undefined ? undefined : texts.get(sdkManifest);
  if (sdkManifest === undefined || text === undefined) return owner;
  const manifest = parseManifest(dirname(sdkManifest), text);
  return { ...owner, ...describeSdk(owner.directory, manifest, workspaceOf(owner)) };
}

/** The workspace that a package belongs to, read again. */
export function workspaceOf({ workspace }: PackageInfo): Workspace | undefined {
  if (workspace === undefined) return undefined;
  const manifest = readManifest(workspace);
  return readWorkspace(workspace, isProblem(manifest) ? undefined : manifest);
}

function describePackage(root: string, directory: string, folders: FolderReader): PackageInfo {
  const manifest = folders.manifest(directory);
  const workspace = folders.workspaceOf(directory);
  return {
    path: relativePosix(root, directory),
    directory,
    name: manifest?.name ?? basename(directory),
    moduleType: manifest?.type === 'module' ? 'esm' : 'commonjs',
    ...describeSdk(directory, sdkManifestOf(directory, folders), workspace),
    packageManager: folders.packageManager(directory),
    manifest: manifest?.file,
    scripts: manifest?.scripts ?? {},
    devDependencies: Object.keys(manifest?.dependencies.devDependencies ?? {}),
    workspace: workspace?.directory,
  };
}

type SdkDescription = Pick<
  PackageInfo,
  'generation' | 'sdk' | 'installed' | 'dependencyFields' | 'sdkManifest'
>;

function describeSdk(
  directory: string,
  manifest: Manifest | undefined,
  workspace: Workspace | undefined,
): SdkDescription {
  const sdk: Record<string, string> = {};
  const installed: Record<string, boolean> = {};
  const dependencyFields: Record<string, readonly DependencyField[]> = {};
  for (const [name, { fields, range }] of manifest === undefined ? [] : sdkDependencies(manifest)) {
    const version = installedVersion(directory, name);
    sdk[name] = version ?? resolveCatalog(range, name, workspace);
    installed[name] = version !== undefined;
    dependencyFields[name] = fields;
  }
  return {
    generation: generationOf(Object.keys(sdk)),
    sdk,
    installed,
    dependencyFields,
    sdkManifest: manifest?.file,
  };
}

interface Dependency {
  readonly fields: readonly DependencyField[];
  /** Of the first field. */
  readonly range: string;
}

/** The SDK packages that a manifest lists, with the fields that list them. */
function sdkDependencies(manifest: Manifest): Map<string, Dependency> {
  const found = new Map<string, Dependency>();
  for (const name of [V1_PACKAGE, ...V2_PACKAGES]) {
    const fields = DEPENDENCY_FIELDS.filter((field) => manifest.dependencies[field][name] !== undefined);
    const range = fields[0] === undefined ? undefined : manifest.dependencies[fields[0]][name];
    if (range !== undefined) found.set(name, { fields, range });
  }
  return found;
}

function generationOf(names: readonly string[]): Generation {
  const v1 = names.includes(V1_PACKAGE);
  const v2 = V2_PACKAGES.some((name) => names.includes(name));
  if (v1) return v2 ? 'v1+v2' : 'v1';
  return v2 ? 'v2' : 'none';
}

/**
 * The manifest that lists the SDK for a package. A package.json without a name (`{ "type": "module" }`) only sets
 * the module type of its folder: the package above it has the dependencies. A member of a workspace that lists no
 * SDK uses the one of the workspace's root.
 */
function sdkManifestOf(directory: string, folders: FolderReader): Manifest | undefined {
  const manifest = folders.manifest(directory);
  if (manifest !== undefined && sdkDependencies(manifest).size > 0) return manifest;
  if (manifest?.name === undefined) {
    const above = folders.ownerAbove(directory);
    return above === undefined ? undefined : sdkManifestOf(above, folders);
  }
  const workspaceRoot = folders.workspaceOf(directory)?.directory;
  const shared = workspaceRoot === undefined ? undefined : folders.manifest(workspaceRoot);
  return shared !== undefined && sdkDependencies(shared).size > 0 ? shared : undefined;
}

/** What folders say, each asked once. */
interface FolderReader {
  /** The folder of the nearest package.json, this folder's first. */
  owner(directory: string): string | undefined;
  /** The same, from the folder above. */
  ownerAbove(directory: string): string | undefined;
  manifest(directory: string): Manifest | undefined;
  /** The workspace that the package in this folder is the root or a member of. */
  workspaceOf(directory: string): Workspace | undefined;
  packageManager(directory: string): PackageManager;
  readonly problems: readonly Problem[];
}

function folderReader(boundary: string): FolderReader {
  const problems: Problem[] = [];
  const manifestOrProblem = remembered(readManifest, (found) => {
    if (isProblem(found)) problems.push(found);
  });
  const manifest = (directory: string) => {
    const found = manifestOrProblem(directory);
    return isProblem(found) ? undefined : found;
  };
  const workspaceIn = remembered(
    (directory: string) => readWorkspace(directory, manifest(directory)),
    (found) => problems.push(...(found?.problems ?? [])),
  );
  const nearest = <Found>(
    directory: string,
    look: (folder: string) => Found | undefined,
  ): Found | undefined => {
    const found = look(directory);
    if (found !== undefined || directory === boundary || dirname(directory) === directory) return found;
    return nearest(dirname(directory), look);
  };
  const owner = (directory: string) =>
    nearest(directory, (folder) => (manifestOrProblem(folder) === undefined ? undefined : folder));

  return {
    problems,
    owner,
    ownerAbove: (directory) => (directory === boundary ? undefined : owner(dirname(directory))),
    manifest,
    workspaceOf: (directory) =>
      nearest(directory, (folder) => {
        const workspace = workspaceIn(folder);
        return workspace?.members.has(directory) === true ? workspace : undefined;
      }),
    packageManager: (directory) =>
      nearest(directory, (folder) => packageManagerIn(folder, manifest(folder))) ?? 'npm',
  };
}

/** A function of a folder that answers each question once; `first` sees each new answer. */
function remembered<Answer>(ask: (directory: string) => Answer, first: (answer: Answer) => void) {
  const answers = new Map<string, Answer>();
  return (directory: string): Answer => {
    if (answers.has(directory)) return answers.get(directory) as Answer;
    const answer = ask(directory);
    answers.set(directory, answer);
    first(answer);
    return answer;
  };
}
