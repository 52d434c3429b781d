/** What becomes of the package.json of a package whose SDK is upgraded. */
import {
  V1_PACKAGE,
  V2_CLIENT_PACKAGE,
  V2_PACKAGES,
  V2_RANGE,
  V2_SERVER_PACKAGE,
} from '../protocol/index.js';
import { changeEntries, entryText, type EntryChange } from '../workspace/manifest-edit.js';
import {
  DEPENDENCY_FIELDS,
  type DependencyField,
  isRecord,
  type Manifest,
  type StringTable,
} from '../workspace/manifest.js';
import { CATALOG, isLower, rangeInForm, WORKSPACE } from '../workspace/ranges.js';
import type { UpgradeMessage } from './result.js';
import { resolveCatalog, type Workspace } from '../workspace/workspaces.js';

/** What an edit is decided by. */
export interface ManifestInput {
  readonly manifest: Manifest;
  readonly text: string;
  readonly workspace: Workspace | undefined;
  /** SDK packages of version 2 that the code imports. */
  readonly used: ReadonlySet<string>;
  /** The ranges that the official codemod chose, also for what is no SDK package. */
  readonly chosen: StringTable;
  readonly chosenForTests: StringTable;
  /** Who still needs version 1; nobody: it is taken out. */
  readonly neededBy: readonly string[];
}

/** What it comes to. */
export interface ManifestEdit {
  readonly text: string;
  /** Added dependencies with their ranges. */
  readonly added: StringTable;
  readonly removed: boolean;
  /** What a person has to do besides. */
  readonly messages: readonly Pick<UpgradeMessage, 'level' | 'message'>[];
}

/** Replaces version 1 of the SDK by what is used of version 2, in every field that lists it. */
export function upgradeManifest(input: ManifestInput): ManifestEdit {
  const { manifest, text, neededBy } = input;
  const listing = DEPENDENCY_FIELDS.filter((field) => manifest.dependencies[field][V1_PACKAGE] !== undefined);
  const fields = listing.length > 0 ? listing : fieldsOfVersionTwo(manifest);
  const remove = neededBy.length === 0 ? [V1_PACKAGE] : [];
  const sdk = fields.map((field) => ({ field, added: addedTo(field, input) }));
  const others = otherAdditions(fields[0], input);
  const changes = [
    ...sdk.map(({ field, added }) => change(field, remove, added)),
    ...optionalPeers(sdk, remove, input),
  ];
  const withSdk = changeEntries(text, changes);
  const edited = others.reduce(
    (current, { field, added }) => changeEntries(current, [change(field, [], added)]),
    withSdk,
  );
  const added: StringTable = Object.assign({}, ...[...others, ...sdk].map((one) => one.added)) as StringTable;
  const removed = listing.length > 0 && remove.length > 0;
  return { text: edited, added, removed, messages: messagesOf(input, listing, added, removed) };
}

interface Addition {
  readonly field: DependencyField;
  readonly added: StringTable;
}

function change(section: string, remove: readonly string[], ranges: StringTable): EntryChange {
  const add = Object.entries(ranges).map(([name, range]) => [name, JSON.stringify(range)] as const);
  return { section, remove, add: Object.fromEntries(add) };
}

/** Where a package that has come to version 2 already lists it. */
function fieldsOfVersionTwo({ dependencies }: Manifest): DependencyField[] {
  return DEPENDENCY_FIELDS.filter((field) =>
    V2_PACKAGES.some((name) => dependencies[field][name] !== undefined),
  );
}

function addedTo(field: DependencyField, { manifest, used, chosen }: ManifestInput): StringTable {
  const listed = manifest.dependencies[field];
  const form = listed[V1_PACKAGE] ?? '';
  // A package that is a dependency already is not repeated among those of development.
  const isKnown = (name: string): boolean =>
    listed[name] !== undefined ||
    (field === 'devDependencies' && form === '' && manifest.dependencies.dependencies[name] !== undefined);
  const names = [...used].filter((name) => !isKnown(name)).sort();
  return Object.fromEntries(names.map((name) => [name, rangeInForm(form, rangeOf(name, chosen))]));
}

function rangeOf(name: string, chosen: StringTable): string {
  const range = chosen[name] ?? ANY_VERSION_TWO;
  const hasListen = name === V2_CLIENT_PACKAGE || name === V2_SERVER_PACKAGE;
  return hasListen && isLower(range, V2_RANGE) ? V2_RANGE : range;
}

/** For a package that the official codemod knows no range of. */
const ANY_VERSION_TWO = '^2.0.0';

/** zod, where the official codemod has put `z.object()` into a package that did not depend on it. */
function otherAdditions(field: DependencyField | undefined, input: ManifestInput): Addition[] {
  const { manifest, chosen, chosenForTests } = input;
  if (field === undefined) return [];
  const others = (ranges: StringTable): StringTable =>
    Object.fromEntries(Object.entries(ranges).filter(([name]) => !SDK_PACKAGES.includes(name)));
  const hasTests = Object.keys(manifest.dependencies.devDependencies).length > 0;
  return [
    { field, added: others(chosen) },
    { field: hasTests ? 'devDependencies' : field, added: others(chosenForTests) },
  ];
}

const SDK_PACKAGES: readonly string[] = [V1_PACKAGE, ...V2_PACKAGES];

/** A peer that was optional is replaced by optional peers. */
function optionalPeers(
  sdk: readonly Addition[],
  remove: readonly string[],
  { text }: ManifestInput,
): EntryChange[] {
  const value = entryText(text, PEERS_META, V1_PACKAGE);
  const peers = sdk.find(({ field }) => field === 'peerDependencies');
  if (value === undefined || peers === undefined) return [];
  const add = Object.fromEntries(Object.keys(peers.added).map((name) => [name, value]));
  return [{ section: PEERS_META, remove, add }];
}

const PEERS_META = 'peerDependenciesMeta';

function messagesOf(
  { manifest, workspace, used, chosen, neededBy }: ManifestInput,
  listing: readonly DependencyField[],
  added: StringTable,
  removed: boolean,
): ManifestEdit['messages'] {
  const warnings: string[] = [];
  const stays =
    listing.length > 0 && neededBy.length > 0
      ? [`${V1_PACKAGE} stays, since it is still needed by ${neededBy.join(', ')}`]
      : [];
  const forms = Object.entries(added).filter(
    ([name, range]) => range.startsWith(CATALOG) && resolveCatalog(range, name, workspace) === range,
  );
  for (const [name, range] of forms)
    warnings.push(`the catalog that ${range} means has no ${name} yet: add it with ${rangeOf(name, chosen)}`);
  for (const [name, range] of Object.entries(added))
    if (range.startsWith(WORKSPACE))
      warnings.push(`${name} is ${range}, as ${V1_PACKAGE} was: the workspace needs that package`);
  if (removed && overrides(manifest).length > 0)
    warnings.push(`names ${V1_PACKAGE} under ${overrides(manifest).join(', ')}, too: change that by hand`);
  if (listing.length === 0 && used.size > 0 && Object.keys(added).length === 0 && !listsAll(manifest, used))
    warnings.push(`lists no ${V1_PACKAGE} to replace: add ${[...used].sort().join(', ')}`);
  return [
    ...warnings.map((message) => ({ level: 'warning' as const, message })),
    ...stays.map((message) => ({ level: 'info' as const, message })),
  ];
}

function listsAll({ dependencies }: Manifest, names: ReadonlySet<string>): boolean {
  return [...names].every((name) =>
    DEPENDENCY_FIELDS.some((field) => dependencies[field][name] !== undefined),
  );
}

/** Fields that pin or bundle the SDK: what they are meant for cannot be carried over. */
function overrides({ json }: Manifest): string[] {
  const pnpm = isRecord(json['pnpm']) ? json['pnpm']['overrides'] : undefined;
  const places: readonly (readonly [string, unknown])[] = [
    ...['overrides', 'resolutions', 'bundleDependencies', 'bundledDependencies'].map(
      (field) => [field, json[field]] as const,
    ),
    ['pnpm.overrides', pnpm],
  ];
  return places.flatMap(([field, value]) =>
    value !== undefined && JSON.stringify(value).includes(`"${V1_PACKAGE}`) ? [field] : [],
  );
}
