/** The command `mcp-listen init`. */
import { type Command, Option } from 'commander';
import { PRESETS, type Preset } from '../protocol/rules.js';
import { DOCUMENTATION, withVersion } from './options.js';

interface Options {
  readonly preset: Preset;
  readonly dryRun?: boolean;
}

/** Adds the command. */
export function addInit(program: Command, version: string): void {
  withVersion(program.command('init'), version)
    .summary("add the plugin to a project's ESLint configuration")
    .description(
      'Adds eslint-plugin-mcp-listen to an existing flat configuration, eslint.config.js, .mjs, .cjs, .ts, .mts or .cts, and shows the diff. A configuration in a form that it does not know is left alone, and what to paste is printed.',
    )
    .argument('[folder]', 'the folder with the configuration; the current one where it is left out')
    .addOption(new Option('--preset <preset>', 'which rules').choices(PRESETS).default('recommended'))
    .option('--dry-run', 'show the diff and write nothing')
    .addHelpText('after', HELP)
    .action(async (folder: string | undefined, options: Options, command: Command) => {
      const { performInit } = await import('./perform-init.js');
      performInit(command, folder ?? '.', options);
    });
}

const HELP = `
Examples:
  mcp-listen init
  mcp-listen init packages/host --preset strict --dry-run

Exit codes:
  0  the plugin is in the configuration
  1  the configuration was left alone: paste what is printed
  2  wrong arguments
${DOCUMENTATION}`;
