/**
 * The programming interface of `mcp-listen`: a run as a value, and its renderings.
 *
 * ```ts
 * const result = await run({ command: 'migrate', root: '.', target: 'dual', dryRun: true });
 * process.stdout.write(unifiedDiff(result.changes));
 * process.exitCode = exitCode(result);
 * ```
 *
 * Lines and columns count from 1. Paths are relative to the root with forward slashes, unless their description says
 * otherwise. What goes wrong with a file is a value in `errors`, what is refused one in `refusals`; an exception is a
 * fault of this package.
 *
 * @packageDocumentation
 */
export { codemods } from '../codemods/index.js';
export type { Codemod } from '../codemods/codemod.js';
export type { Target } from './codegen/negotiation.js';
export type { RunOptions, Stage } from './migration/options.js';
export type {
  ErrorResult,
  FileChange,
  MarkerResult,
  PackageResult,
  PackageVerification,
  Refusal,
  RunResult,
  SiteOutcome,
  SiteResult,
  UpgradeMessage,
  UpgradeResult,
  Verification,
} from './migration/result.js';
export { run } from './migration/run.js';
export { unifiedDiff } from './reporting/diff.js';
export { EXIT, exitCode, type ExitCode } from './reporting/exit-code.js';
export { toJson } from './reporting/json.js';
export {
  REPORT_VERSION,
  toReport,
  type Report,
  type ReportSite,
  type ReportSummary,
} from './reporting/report.js';
