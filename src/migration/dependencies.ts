/** What the package.json of a package has to list beside what it lists, so that its rewritten code runs. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SDK_SCOPE, SERVER_COMPANIONS, V2_RANGE, V2_SERVER_PACKAGE } from '../protocol/index.js';
import { changeEntries } from '../workspace/manifest-edit.js';
import {
  DEPENDENCY_FIELDS,
  type DependencyField,
  parseManifest,
  type Manifest,
  type StringTable,
} from '../workspace/manifest.js';
import type { PackageInfo } from '../workspace/packages.js';
import { isInside, relativePosix, toPosix } from '../workspace/paths.js';
import { isProblem } from '../workspace/problem.js';
import { CATALOG, isLower, rangeInForm, versionIn } from '../workspace/ranges.js';
import { decodeSource } from '../workspace/source-text.js';
import { resolveCatalog } from '../workspace/workspaces.js';
import type { CandidateText } from './candidates.js';
import { editsOf, type GroupPlan } from './group-plan.js';
import type { PlanInput } from './plan-input.js';
import type { DependencyResult, FileChange } from './result.js';

/** What becomes of one package.json. */
export interface DependencyChange {
  readonly result: DependencyResult;
  /** Undefined where it is not ours to write: it lies outside of what is migrated, or cannot be read. */
  readonly change: FileChange | undefined;
  /** As it is on disk. */
  readonly read: CandidateText | undefined;
  /** The rewritten files that need it. */
  readonly users: readonly string[];
}

/** The changes that the rewritten groups need; none where everything is listed already. */
export function dependencyChanges(groups: readonly GroupPlan[], input: PlanInput): DependencyChange[] {
  const byManifest = new Map<string, Need>();
  for (const plan of groups) {
    for (const { site, outcome } of plan.sites) {
      if (outcome.kind !== 'rewritten') continue;
      const owner = input.packages.ownerOf(site.unit.file);
      const names = packagesOf(outcome.imports ?? [], outcome.needs ?? []);
      if (names.length === 0) continue;
      const file = owner.sdkManifest ?? owner.manifest ?? owner.directory;
      const need = byManifest.get(file) ?? { owner, names: new Set(), users: new Set() };
      byManifest.set(file, need);
      for (const name of names) need.names.add(name);
      for (const edit of editsOf(plan)) need.users.add(edit.file);
    }
  }
  return [...byManifest].flatMap(([file, need]) => changeOf(file, need, input));
}

interface Need {
  readonly owner: PackageInfo;
  readonly names: Set<string>;
  readonly users: Set<string>;
}

/** The packages of the SDK behind imports, and those that are named besides. */
function packagesOf(imports: readonly { readonly module: string }[], needs: readonly string[]): string[] {
  const modules = imports.map(({ module }) => module).filter((module) => module.startsWith(SDK_SCOPE));
  return [...modules.map((module) => module.split('/').slice(0, 2).join('/')), ...needs];
}

function changeOf(file: string, { owner, names, users }: Need, input: PlanInput): DependencyChange[] {
  const known = readManifestText(file, input);
  const listed = [known?.manifest, input.packages.manifestOf(owner)].flatMap((manifest) =>
    manifest === undefined
      ? []
      : DEPENDENCY_FIELDS.flatMap((field) => Object.keys(manifest.dependencies[field])),
  );
  const missing = [...names].filter((name) => !listed.includes(name)).sort();
  if (missing.length === 0) return [];
  const path = relativePosix(input.root, file);
  const form = formOf(owner, known?.manifest);
  const added = Object.fromEntries(missing.map((name) => [name, rangeInForm(form, rangeOf(name, owner))]));
  const result: DependencyResult = {
    package: owner.path,
    manifest: known === undefined ? null : path,
    added,
    messages: messagesOf(added, owner, input),
  };
  if (known === undefined) return [{ result, change: undefined, read: undefined, users: [...users] }];
  const add = Object.fromEntries(Object.entries(added).map(([name, range]) => [name, JSON.stringify(range)]));
  const sections = fieldsOf(owner).map((section) => ({ section, remove: [], add }));
  const { before, read } = known;
  const after = changeEntries(before, sections);
  return [{ result, change: { file: toPosix(file), path, before, after }, read, users: [...users] }];
}

/** Where the server is listed, there goes what is used beside it. */
function fieldsOf({ dependencyFields }: PackageInfo): readonly DependencyField[] {
  return dependencyFields[V2_SERVER_PACKAGE] ?? Object.values(dependencyFields)[0] ?? ['dependencies'];
}

/** The range by which the server is listed, `catalog:` among them. */
function formOf(owner: PackageInfo, manifest: Manifest | undefined): string {
  const ranges = fieldsOf(owner).map((field) => manifest?.dependencies[field][V2_SERVER_PACKAGE]);
  return ranges.find((range) => range !== undefined) ?? '';
}

/** The newest release that works with the server at hand; where a newer one would not, that release and no other. */
function rangeOf(name: string, { sdk }: PackageInfo): string {
  const server = versionIn(sdk[V2_SERVER_PACKAGE] ?? '');
  const releases = SERVER_COMPANIONS[name];
  if (releases === undefined) return V2_RANGE;
  const fitting =
    releases.find((release) => server === '' || !isLower(server, release.server)) ?? releases[0];
  const version = fitting?.version ?? '';
  return fitting === releases[0] ? `^${version}` : version;
}

function messagesOf(added: StringTable, owner: PackageInfo, { packages }: PlanInput): string[] {
  const workspace = packages.workspaceOf(owner);
  return Object.entries(added).flatMap(([name, range]) =>
    range.startsWith(CATALOG) && resolveCatalog(range, name, workspace) === range
      ? [`the catalog that ${range} means has no ${name} yet: add it with ${rangeOf(name, owner)}`]
      : [],
  );
}

/** A package.json as the upgrade of the SDK leaves it, else as it is on disk. */
function readManifestText(
  file: string,
  { root, upgrade }: PlanInput,
): { manifest: Manifest; before: string; read: CandidateText } | undefined {
  if (!isInside(root, file)) return undefined;
  const read = upgrade?.manifests.get(toPosix(file)) ?? readText(file);
  const upgraded = upgrade?.sets.flat().find((change) => change.file === toPosix(file))?.after;
  const before = upgraded ?? read?.text;
  const manifest = before === undefined ? undefined : parseManifest(dirname(file), before);
  return read === undefined || manifest === undefined || before === undefined
    ? undefined
    : { manifest, before, read };
}

function readText(file: string): CandidateText | undefined {
  try {
    const bytes = readFileSync(file);
    const decoded = decodeSource(bytes, file);
    if (isProblem(decoded)) return undefined;
    return { bytes, text: decoded.text, bom: decoded.bom, telling: false, generated: false };
  } catch {
    return undefined; // who described the package has said so
  }
}
