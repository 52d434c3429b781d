/** The command `mcp-listen lint`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DOCUMENTATION, ignoreOption, withVersion } from './options.js';
import { LINT_FORMATS, type LintFormat } from '../lint/formats.js';
import { PRESETS, type Preset } from '../protocol/rules.js';

interface Options {
  readonly preset: Preset;
  readonly target?: 'dual' | 'modern';
  readonly fix?: boolean;
  readonly format: LintFormat;
  readonly ignore?: readonly string[];
  readonly quiet?: boolean;
  readonly maxWarnings?: number;
}

/** Adds the command. */
export function addLint(program: Command, version: string): void {
  withVersion(program.command('lint'), version)
    .summary('run the rules of eslint-plugin-mcp-listen, without any configuration')
    .description(
      'Runs the rules of eslint-plugin-mcp-listen on TypeScript and JavaScript. The project needs no configuration of ESLint; ESLint itself and a TypeScript parser are taken from it.',
    )
    .argument('[paths...]', 'files and folders; the current folder where there is none')
    .addOption(new Option('--preset <preset>', 'which rules').choices(PRESETS).default('recommended'))
    .addOption(
      new Option('--target <target>', 'what the code base speaks: both eras, or 2026-07-28 alone').choices([
        'dual',
        'modern',
      ]),
    )
    .option('--fix', 'mend what the rules can mend safely')
    .addOption(new Option('--format <format>', 'how to report').choices(LINT_FORMATS).default('stylish'))
    .addOption(ignoreOption())
    .option('--quiet', 'report errors alone')
    .option('--max-warnings <number>', 'how many warnings still end with 0', wholeNumber)
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: Options, command: Command) => {
      const { performLint } = await import('./perform-lint.js');
      await performLint(command, paths, options);
    });
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(value);
}

const HELP = `
Examples:
  mcp-listen lint
  mcp-listen lint packages/host --preset strict
  mcp-listen lint . --preset migration --format github   (also code that speaks 2025 alone)
  mcp-listen explain no-unchecked-ack

Where the project has no ESLint, or no parser for TypeScript:
  npx -p mcp-listen -p eslint -p typescript@6 -p @typescript-eslint/parser mcp-listen lint

Exit codes, as ESLint's:
  0  no errors, and no more warnings than allowed
  1  errors, or more warnings than --max-warnings
  2  wrong arguments, or linting could not be done
${DOCUMENTATION}`;
