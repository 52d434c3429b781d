/** The report as a value: version 1 of what programs read, described by `report.schema.json`. */
import type { Confidence } from '../analysis/site.js';
import type { Target } from '../codegen/negotiation.js';
import type {
  DependencyResult,
  ErrorResult,
  MarkerResult,
  PackageResult,
  RunResult,
  SiteOutcome,
  UpgradeResult,
} from '../migration/result.js';
import { MECHANISMS, type Mechanism, type RuleName, type ShapeId } from '../protocol/index.js';

/** Raised when a field is removed or changes its meaning; a new field does not raise it. */
export const REPORT_VERSION = 1;

/** One site. Lines and columns count from 1; the end is behind the last character. */
export interface ReportSite {
  /** The same from run to run, also when lines move. */
  readonly id: string;
  /** Path of its package. */
  readonly package: string;
  /** Relative to the root of the run, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly side: 'client' | 'server' | 'wire';
  readonly shape: ShapeId;
  readonly mechanism: Mechanism;
  /** The client, or server factory, that it belongs to: a group is rewritten whole or not at all. */
  readonly group: string;
  readonly confidence: Confidence;
  readonly outcome: SiteOutcome;
  readonly reason: string;
  /** The lint rule that reports the same; null where there is none. */
  readonly rule: RuleName | null;
}

/** Counts. Those of `byOutcome` and those of `byMechanism` each add up to `sites`. */
export interface ReportSummary {
  readonly sites: number;
  readonly byOutcome: Readonly<Record<SiteOutcome, number>>;
  readonly byMechanism: Readonly<Record<Mechanism, number>>;
  readonly packages: number;
  readonly groups: number;
  readonly markers: number;
  readonly errors: number;
  readonly files: {
    /** Source files looked at. */
    readonly listed: number;
    /** Those of them that name MCP. */
    readonly candidates: number;
    /** Changed or created by the run; by a dry run: that would be. */
    readonly changed: number;
    /** Vue, Svelte and Astro files that name MCP. */
    readonly notLookedInto: number;
  };
}

/** The report, version 1. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  readonly target: Target;
  readonly packages: readonly PackageResult[];
  readonly sites: readonly ReportSite[];
  readonly markers: readonly MarkerResult[];
  /** What could not be read, decided or written, and what was refused. */
  readonly errors: readonly ErrorResult[];
  readonly summary: ReportSummary;
  /** What `--sdk-upgrade` did before the migration; absent without it. */
  readonly upgrades?: readonly UpgradeResult[];
  /** Dependencies that the rewritten code needs and that were added with it; absent where none were. */
  readonly dependencies?: readonly DependencyResult[];
}

/** Renders a run as the report, version 1. */
export function toReport(result: RunResult): Report {
  const sites = result.sites.map(toSite);
  const errors = [...result.errors, ...refused(result)].map(({ file, message }) => ({ file, message }));
  return {
    version: REPORT_VERSION,
    target: result.target,
    packages: result.packages.map(({ path, name, generation, sdk }) => ({ path, name, generation, sdk })),
    sites,
    markers: result.markers.map(({ file, line, text, site }) => ({ file, line, text, site })),
    errors,
    summary: {
      sites: sites.length,
      byOutcome: countOutcomes(sites),
      byMechanism: countMechanisms(sites),
      packages: result.packages.length,
      groups: new Set(sites.map((site) => site.group)).size,
      markers: result.markers.length,
      errors: errors.length,
      files: {
        listed: result.files.listed,
        candidates: result.files.candidates,
        changed: result.changes.length,
        notLookedInto: result.notLookedInto.length,
      },
    },
    ...(result.upgrades === undefined ? {} : { upgrades: result.upgrades.map(toUpgrade) }),
    ...(result.dependencies === undefined
      ? {}
      : {
          dependencies: result.dependencies.map(({ package: path, manifest, added, messages }) => ({
            package: path,
            manifest,
            added,
            messages,
          })),
        }),
  };
}

function toUpgrade(upgrade: UpgradeResult): UpgradeResult {
  return {
    package: upgrade.package,
    files: upgrade.files,
    manifest: upgrade.manifest,
    added: upgrade.added,
    removed: upgrade.removed,
    left: upgrade.left.map(({ file, line, text }) => ({ file, line, text })),
    messages: upgrade.messages.map(({ file, line, level, message }) => ({ file, line, level, message })),
  };
}

/** How many sites have each outcome; the counts add up to the number of sites. */
export function countOutcomes(
  sites: readonly { readonly outcome: SiteOutcome }[],
): Record<SiteOutcome, number> {
  const counts = { rewritten: 0, marked: 0, kept: 0, reported: 0 };
  for (const { outcome } of sites) counts[outcome] += 1;
  return counts;
}

/** How many sites use each mechanism; the counts add up to the number of sites. */
export function countMechanisms(
  sites: readonly { readonly mechanism: Mechanism }[],
): Record<Mechanism, number> {
  const counts = Object.fromEntries(MECHANISMS.map((mechanism) => [mechanism, 0])) as Record<
    Mechanism,
    number
  >;
  for (const { mechanism } of sites) counts[mechanism] += 1;
  return counts;
}

/** Field by field, so that what a run knows besides never slips into the format. */
function toSite(site: ReportSite): ReportSite {
  return {
    id: site.id,
    package: site.package,
    file: site.file,
    line: site.line,
    column: site.column,
    endLine: site.endLine,
    endColumn: site.endColumn,
    side: site.side,
    shape: site.shape,
    mechanism: site.mechanism,
    group: site.group,
    confidence: site.confidence,
    outcome: site.outcome,
    reason: site.reason,
    rule: site.rule,
  };
}

/** A refusal is said once for each file or package that it is about, since version 1 has no other place for it. */
function refused(result: RunResult): ErrorResult[] {
  return result.refusals.flatMap(({ about, message }) =>
    (about.length === 0 ? ['.'] : about).map((file) => ({ file, message: `refused: ${message}` })),
  );
}
