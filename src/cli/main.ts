#!/usr/bin/env node
/** The command `mcp-listen`. Only what `--help` and `--version` need is loaded here; a command loads the rest. */
import module from 'node:module';
import { Command, CommanderError } from 'commander';
import { faultMessage } from './fault.js';
import { EXIT } from '../reporting/exit-code.js';
import { addExplain } from './explain.js';
import { addInit } from './init.js';
import { addLint } from './lint.js';
import { addMigrate } from './migrate.js';
import { DOCUMENTATION, EXIT_CODES, withVersion } from './options.js';
import { addScan } from './scan.js';
import { readVersion } from './version.js';

const HELP = `
Examples:
  npx mcp-listen scan .                 what is there, and what would become of it
  npx mcp-listen migrate . --dry-run    the diff
  npx mcp-listen migrate .              both eras (--target dual); see mcp-listen migrate --help
  npx mcp-listen lint .                 the rules of eslint-plugin-mcp-listen, without any configuration
${EXIT_CODES}
${DOCUMENTATION}`;

function createProgram(): Command {
  const version = readVersion();
  const program = withVersion(new Command('mcp-listen'), version)
    .description(
      'Moves MCP code from the change notifications of 2025 (resources/subscribe, list_changed) to subscriptions/listen of the 2026-07-28 revision.',
    )
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .addHelpText('after', HELP);
  addScan(program, version);
  addMigrate(program, version);
  addLint(program, version);
  addExplain(program, version);
  addInit(program, version);
  return program;
}

// Compiling TypeScript is a third of a run. Node keeps the result from run to run, from 22.1 on.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();

// Whoever reads our output may stop early (`mcp-listen scan | head`): nothing is left to be said then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed what there is to say, and ends help and version with 0.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.refused;
  } else {
    process.stderr.write(faultMessage(error, process.env['DEBUG'] === 'mcp-listen'));
    process.exitCode = EXIT.refused;
  }
}
