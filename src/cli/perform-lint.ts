/** One lint run from the command line. */
import type { Command } from 'commander';
import type { ESLint } from 'eslint';
import { formatted, type LintFormat } from '../lint/formats.js';
import { lint, type LintOptions } from '../lint/lint.js';
import { EXIT } from '../reporting/exit-code.js';
import { relativePosix } from '../workspace/paths.js';
import { findPlaces } from './places.js';

/** What the command line says, without its paths. */
export interface LintRequest extends Pick<LintOptions, 'preset' | 'target' | 'ignore'> {
  readonly fix?: boolean;
  readonly format: LintFormat;
  readonly quiet?: boolean;
  readonly maxWarnings?: number;
}

/** Lints, prints and sets the exit code. */
export async function performLint(
  command: Command,
  paths: readonly string[],
  { format, quiet = false, maxWarnings = Infinity, fix = false, ...options }: LintRequest,
): Promise<void> {
  const places = findPlaces(process.cwd(), paths);
  if (typeof places === 'string') return command.error(`error: ${places}`);
  const outcome = await lint({ ...options, ...places, fix });
  if (typeof outcome === 'string') return command.error(`error: ${outcome}`);
  const { notes, files } = outcome;
  for (const { file, message } of notes)
    process.stderr.write(`mcp-listen: ${relativePosix(places.root, file)}: ${message}\n`);
  const results = quiet ? outcome.results.map(errorsAlone) : outcome.results;
  process.stdout.write(await formatted({ ...outcome, results }, format, places.root));
  if (files.listed === 0) return command.error('error: no source files here');
  if (format === 'stylish' && files.candidates === 0)
    process.stdout.write(`No MCP code in ${String(files.listed)} source files.\n`);
  process.exitCode = exitCodeOf(outcome.results, maxWarnings);
}

function exitCodeOf(results: readonly ESLint.LintResult[], maxWarnings: number): number {
  const errors = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
  const warnings = results.reduce((sum, { warningCount }) => sum + warningCount, 0);
  return errors > 0 || warnings > maxWarnings ? EXIT.left : EXIT.done;
}

function errorsAlone(result: ESLint.LintResult): ESLint.LintResult {
  const messages = result.messages.filter(({ severity }) => severity === 2);
  return { ...result, messages, warningCount: 0, fixableWarningCount: 0 };
}
