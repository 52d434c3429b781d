/** The command `mcp-listen migrate`. */
import { type Command, Option } from 'commander';
import type { Target } from '../codegen/negotiation.js';
import {
  collected,
  DOCUMENTATION,
  EXIT_CODES,
  formatOption,
  ignoreOption,
  type SharedOptions,
  withVersion,
} from './options.js';

interface MigrateOptions extends SharedOptions {
  readonly target: Target;
  readonly dryRun?: boolean;
  readonly only?: readonly string[];
  readonly force?: boolean;
  readonly sdkUpgrade?: boolean;
  /** False with `--no-verify`. */
  readonly verify: boolean;
}

/** Adds the command. */
export function addMigrate(program: Command, version: string): void {
  withVersion(program.command('migrate'), version)
    .summary('rewrite what is certain, and mark what a person must decide')
    .description(
      'Rewrites what is certain and puts a marker, TODO(mcp-listen), where a person must decide. A client or a server is rewritten whole or not at all. Asks nothing; files with uncommitted changes are not touched without --force.',
    )
    .argument('[paths...]', 'files and folders; the current folder where there is none')
    .addOption(
      new Option('--target <target>', 'which eras the result is made for (see below)')
        .choices(['dual', 'modern'])
        .default('dual'),
    )
    .option('--dry-run', 'print the unified diff and write nothing')
    .addOption(
      new Option(
        '--only <codemods>',
        'run these codemods alone; separated by commas, or given again',
      ).argParser(collected),
    )
    .addOption(ignoreOption())
    .option('--force', 'change files that have uncommitted changes')
    .option('--sdk-upgrade', 'bring packages on version 1 of the SDK to version 2 first (see below)')
    .option('--no-verify', 'do not check types (see below)')
    .addOption(formatOption())
    .addHelpText('after', MIGRATE_HELP)
    .action(async (paths: string[], options: MigrateOptions, command: Command) => {
      const { perform } = await import('./perform.js');
      await perform(command, paths, { ...options, command: 'migrate' });
    });
}

const MIGRATE_HELP = `
Targets:
  dual    both eras: clients speak 2026-07-28 where the server does, 2025-11-25 and older where it does not;
          servers serve clients of both. Nothing that a legacy peer needs is removed.
  modern  2026-07-28 alone: clients cannot connect to a legacy server, servers refuse legacy clients.

Types are compared before and after, with the project's own TypeScript where it has one. A client or server
whose rewriting would gain an error stays as it was, with a marker that quotes the error.

Version 1 of the SDK (@modelcontextprotocol/sdk) knows no listen stream. With --sdk-upgrade the official
codemod, @modelcontextprotocol/codemod v1-to-v2, goes over a copy of such a package first; its changes,
package.json included, are written together with those of the migration, and are reported apart. Without it
the package is refused.

Examples:
  mcp-listen migrate . --dry-run
  mcp-listen migrate . --sdk-upgrade
  mcp-listen migrate packages/app --target modern
  mcp-listen migrate . --only client/subscribe-calls,client/era-opt-in

With --format json, standard output is the report and nothing else, also with --dry-run.
${EXIT_CODES}
A dry run ends with the code that the real run would have.
${DOCUMENTATION}`;
