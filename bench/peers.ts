/** The commands that are measured: ours, and what they are held against. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUPPORTING_TOKENS, TELLING_TOKENS } from '../src/analysis/tokens.js';
import { SDK_CODEMOD_PACKAGE } from '../src/protocol/index.js';
import type { Command } from './measure.js';

const CLI = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

const TOKENS = [...TELLING_TOKENS, ...SUPPORTING_TOKENS].flatMap((token) => ['-e', token]);

/** The built program. Ends with 0 or 1 where there is MCP code, with 3 where there is none. */
export function ours(cwd: string, ...parameters: readonly string[]): Command {
  const name = ['mcp-listen', ...parameters].join(' ');
  return { name, file: process.execPath, parameters: [CLI, ...parameters], cwd, codes: [0, 1, 3] };
}

/** Whether the built `migrate` knows the option. */
export function knowsOption(option: string): boolean {
  return execFileSync(process.execPath, [CLI, 'migrate', '--help'], { encoding: 'utf8' }).includes(option);
}

export function bareNode(cwd: string): Command {
  return { name: 'node -e 0', file: process.execPath, parameters: ['-e', '0'], cwd, codes: [0] };
}

/** One process, several threads, the same tokens. Ends with 1 where nothing is found. */
export function gitGrep(cwd: string): Command {
  const parameters = ['grep', '--files-with-matches', '--fixed-strings', ...TOKENS];
  return { name: 'git grep', file: 'git', parameters, cwd, codes: [0, 1] };
}

/** The list of files by git, and the same tokens in them. `xargs` ends with 123 where some search found nothing. */
export function listAndSearch(cwd: string): Command {
  const script = 'git ls-files -z | xargs -0 grep -lF "$@"';
  const parameters = ['-c', script, 'sh', ...TOKENS];
  return { name: 'git ls-files | grep -F', file: 'sh', parameters, cwd, codes: [0, 1, 123] };
}

/** The dry run of the SDK's own codemod; undefined where it is not installed. */
export function officialCodemod(cwd: string): Command | undefined {
  const program = programOf(SDK_CODEMOD_PACKAGE, 'mcp-codemod');
  if (program === undefined) return undefined;
  const parameters = ['v1-to-v2', '.', '--dry-run'];
  return {
    name: [SDK_CODEMOD_PACKAGE, ...parameters].join(' '),
    file: process.execPath,
    parameters: [program, ...parameters],
    cwd,
    codes: [0, 1],
    rounds: 3,
  };
}

/** The file that a package installs as a command. Its manifest may not be exported, so it is looked for. */
function programOf(name: string, command: string): string | undefined {
  let folder: string;
  try {
    folder = dirname(createRequire(import.meta.url).resolve(name));
  } catch {
    return undefined;
  }
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  const program = bin[command];
  return program === undefined ? undefined : join(folder, program);
}
