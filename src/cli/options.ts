/** Options and help that the commands share. */
import { type Command, Option } from 'commander';

/** The options of every command. */
export interface SharedOptions {
  readonly format: 'text' | 'json';
  readonly ignore?: readonly string[];
}

/** Adds the version to a command, so that it is understood everywhere. */
export function withVersion(command: Command, version: string): Command {
  return command.version(version, '-v, --version', 'print the version');
}

export function formatOption(): Option {
  return new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text');
}

export function ignoreOption(): Option {
  return new Option(
    '--ignore <globs>',
    'leave out what these patterns match, as in .gitignore; separated by commas, or given again',
  ).argParser(collected);
}

/**
 * Collects values that are separated by commas or given by repeating the option. Not a list that goes on until the
 * next option: in `--ignore dist src` that would take the path for a pattern and widen the run in silence.
 */
export function collected(value: string, previous: readonly string[] = []): readonly string[] {
  const values = value.split(',').map((each) => each.trim());
  return [...previous, ...values.filter((each) => each !== '')];
}

export const EXIT_CODES = `
Exit codes:
  0  done, and nothing is left to decide (scan: also with findings)
  1  done, but something is left: markers to decide, files that could not be read or written
  2  refused, or called with wrong arguments
  3  nothing to scan: no source files, or no MCP code in them`;

export const DOCUMENTATION = `
Documentation: https://www.npmjs.com/package/mcp-listen`;
