/** One run from the command line: options in, report and exit code out. Everything heavy is loaded from here on. */
import type { Command } from 'commander';
import { printable } from '../codegen/printable.js';
import type { RunOptions } from '../migration/options.js';
import type { RunResult } from '../migration/result.js';
import { run } from '../migration/run.js';
import { exitCode } from '../reporting/exit-code.js';
import { toJson } from '../reporting/json.js';
import { toText } from '../reporting/text.js';
import { relativePosix } from '../workspace/paths.js';
import { findPlaces } from './places.js';
import { progressOn } from './progress.js';
import { appearanceOf } from './terminal.js';
import { unknownCodemod } from './unknown-codemod.js';

/** What the command line says, without its paths. */
export type Request = Omit<RunOptions, 'root' | 'paths' | 'onStage'> & { readonly format: 'text' | 'json' };

/** Runs, prints and sets the exit code. What makes no sense ends through the command's own error. */
export async function perform(command: Command, paths: readonly string[], request: Request): Promise<void> {
  const { format, ...options } = request;
  const cwd = process.cwd();
  const places = findPlaces(cwd, paths);
  if (typeof places === 'string') return command.error(`error: ${places}`);
  const unknown = await unknownCodemod(options.only ?? []);
  if (unknown !== undefined) return command.error(`error: ${unknown}`);
  if (options.only?.length === 0) return command.error("error: option '--only <codemods>' names no codemod");

  const progress = progressOn(process.stderr);
  const result = await run({ ...options, ...places, onStage: progress.show }).finally(progress.clear);
  if (format === 'json') {
    process.stderr.write(complaints(result));
    process.stdout.write(toJson(result));
  } else {
    process.stdout.write(await asText(result, cwd));
  }
  process.exitCode = exitCode(result);
}

async function asText(result: RunResult, cwd: string): Promise<string> {
  const appearance = appearanceOf(process.stdout, process.env, cwd);
  const text = toText(result, appearance);
  if (!result.dryRun || result.changes.length === 0) return text;
  const { colouredDiff } = await import('../reporting/diff.js');
  return `${colouredDiff(result.changes, appearance.colors)}\n${text}`;
}

/** What a person should hear although a program reads the report; notes have no place in it at all. */
function complaints({ root, notes, errors, refusals, verification }: RunResult): string {
  const passedOver = notes.filter(({ level }) => level === 'warning');
  return [
    ...passedOver.map(({ file, message }) => `${relativePosix(root, file)}: ${message}`),
    ...errors.map(({ file, message }) => `${file}: ${message}`),
    ...verification.packages
      .filter(({ command }) => command !== undefined)
      .map(
        ({ path, note, command }) =>
          `${path}: types not checked: ${note ?? ''}; to check them: ${command ?? ''}`,
      ),
    ...refusals.map(({ message, about }) => `refused: ${message} (${about.join(', ')})`),
  ]
    .map((line) => `mcp-listen: ${printable(line)}\n`)
    .join('');
}
