/** What a run found and did: the one value that every report is rendered from. */
import type { Confidence } from '../analysis/site.js';
import type { Target } from '../codegen/negotiation.js';
import type { Mechanism, RuleName, ShapeId } from '../protocol/index.js';
import type { Note } from '../workspace/note.js';
import type { Generation, PackageInfo } from '../workspace/packages.js';

/** What became of a site, or would become of it. */
export type SiteOutcome = 'rewritten' | 'marked' | 'kept' | 'reported';

/** A site with its outcome. Lines and columns count from 1; paths are relative to the root, with forward slashes. */
export interface SiteResult {
  /** Survives moved lines: a hash of package, file, mechanism and the site's own text, with an ordinal. */
  readonly id: string;
  readonly package: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly side: 'client' | 'server' | 'wire';
  readonly shape: ShapeId;
  readonly mechanism: Mechanism;
  /** The client (or server factory) that the site belongs to: `src/connection.ts#client`. */
  readonly group: string;
  readonly confidence: Confidence;
  readonly outcome: SiteOutcome;
  readonly reason: string;
  readonly rule: RuleName | null;
  /** The codemod that the site belongs to. */
  readonly codemod: string;
  /** What the client was told about eras; absent for anything but its constructor. */
  readonly era?: string;
}

/** A marker in the code: one that this run wrote, or one left by an earlier run. */
export interface MarkerResult {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The site it stands above; null for one that no site explains. */
  readonly site: string | null;
}

/** Something that could not be read, decided or written: the exit code says so. */
export interface ErrorResult {
  readonly file: string;
  readonly message: string;
}

/** A package that owns a candidate file. */
export interface PackageResult {
  readonly path: string;
  readonly name: string;
  readonly generation: Generation;
  readonly sdk: Readonly<Record<string, string>>;
}

/** How the types of a package with rewritten files were checked. */
export interface PackageVerification {
  readonly path: string;
  /** Version and whose it is: `5.9.3 (of the project)`; undefined where none was loaded. */
  readonly typescript: string | undefined;
  /** How many files were compared, before and after. */
  readonly files: number;
  readonly checked: boolean;
  /** Why types were not checked, or what of them was not. */
  readonly note: string | undefined;
  /** Checks them afterwards, in the folder of the package; undefined where there is no need, or nothing to check. */
  readonly command: string | undefined;
}

/** What was held against the types. */
export interface Verification {
  /** Packages with rewritten files, those that were rolled back included; none in a scan. */
  readonly packages: readonly PackageVerification[];
}

/** A file before and after. */
export interface FileChange {
  /** Absolute path. */
  readonly file: string;
  /** Relative path with forward slashes. */
  readonly path: string;
  /** Undefined for a file that the run creates. */
  readonly before: string | undefined;
  readonly after: string;
  /** The created files that this one imports: without them nothing is written here. */
  readonly needs?: readonly string[];
}

/** Something that the official codemod says, or that is to be done about a package.json. */
export interface UpgradeMessage {
  readonly file: string;
  /** In the file as the official codemod has left it; null for a package.json. */
  readonly line: number | null;
  /** `warning`: a person has something to do, and no comment in the code says so. */
  readonly level: 'warning' | 'info';
  readonly message: string;
}

/** What `--sdk-upgrade` has done with a package before the migration, by the official codemod. */
export interface UpgradeResult {
  /** Path of the package. */
  readonly package: string;
  /** The files that the official codemod changed; what the migration changed in them comes on top. */
  readonly files: readonly string[];
  /** The package.json that was changed with them; null where none had to be. */
  readonly manifest: string | null;
  /** Dependencies that were added there, with their ranges. */
  readonly added: Readonly<Record<string, string>>;
  /** Whether version 1 of the SDK is no dependency any more. */
  readonly removed: boolean;
  /** Comments of the official codemod that a person must decide about, those of earlier runs included. */
  readonly left: readonly { readonly file: string; readonly line: number; readonly text: string }[];
  readonly messages: readonly UpgradeMessage[];
}

/** What the rewritten code of a package needs that its package.json did not list. */
export interface DependencyResult {
  /** Path of the package. */
  readonly package: string;
  /** The package.json that lists it now; null where that is for a person to do. */
  readonly manifest: string | null;
  /** Names with their ranges. */
  readonly added: Readonly<Record<string, string>>;
  /** What a person has to do besides. */
  readonly messages: readonly string[];
}

/** Why nothing was done although there was something to do. */
export interface Refusal {
  readonly kind: 'uncommitted-changes' | 'version-one';
  readonly message: string;
  /** Package or files that it is about. */
  readonly about: readonly string[];
}

/** The whole of a run. */
export interface RunResult {
  readonly command: 'scan' | 'migrate';
  readonly root: string;
  /** Top folder of the git repository around the root; undefined where there is none. */
  readonly repository: string | undefined;
  readonly target: Target;
  readonly dryRun: boolean;
  /** How many source files were looked at, and how many of them name MCP. */
  readonly files: { readonly listed: number; readonly candidates: number };
  readonly packages: readonly PackageResult[];
  readonly sites: readonly SiteResult[];
  readonly markers: readonly MarkerResult[];
  readonly errors: readonly ErrorResult[];
  readonly refusals: readonly Refusal[];
  /** What was passed over and why: ignored files named explicitly, generated headers. */
  readonly notes: readonly Note[];
  /** Vue, Svelte and Astro files that name MCP and are not looked into. */
  readonly notLookedInto: readonly string[];
  /** Files that the run changed or, in a dry run, would change. */
  readonly changes: readonly FileChange[];
  readonly verification: Verification;
  /** Dependencies that were added with the rewritten code; absent where none were. */
  readonly dependencies?: readonly DependencyResult[];
  /** What the upgrade of the SDK did before; absent without `--sdk-upgrade`. */
  readonly upgrades?: readonly UpgradeResult[];
  /** The packages behind `packages`, for the commands that a report names. */
  readonly owners: readonly PackageInfo[];
}
