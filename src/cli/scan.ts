/** The command `mcp-listen scan`. */
import type { Command } from 'commander';
import {
  DOCUMENTATION,
  EXIT_CODES,
  formatOption,
  ignoreOption,
  type SharedOptions,
  withVersion,
} from './options.js';

/** Adds the command. */
export function addScan(program: Command, version: string): void {
  withVersion(program.command('scan'), version)
    .summary('list what uses the 2025 notifications, and what migrate would do with it')
    .description(
      'Lists every site of client, server and wire code: by package, then by client or server, each with its shape, mechanism, confidence, what migrate would do, and why not. Writes nothing.',
    )
    .argument('[paths...]', 'files and folders; the current folder where there is none')
    .addOption(formatOption())
    .addOption(ignoreOption())
    .addHelpText('after', SCAN_HELP)
    .action(async (paths: string[], options: SharedOptions, command: Command) => {
      const { perform } = await import('./perform.js');
      await perform(command, paths, { ...options, command: 'scan', target: 'dual' });
    });
}

const SCAN_HELP = `
Examples:
  mcp-listen scan
  mcp-listen scan packages/app --ignore "**/*.test.ts,examples"
  mcp-listen scan . --format json > report.json

With --format json, standard output is the report and nothing else. Its schema:
https://unpkg.com/mcp-listen/dist/src/reporting/report.schema.json
${EXIT_CODES}
${DOCUMENTATION}`;
