/**
 * Shows what a user would see: migrates a copy of the bundled notes app in a temporary folder, command by command.
 * `npm start` builds first.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const cli = join(repository, 'dist/src/cli/main.js');
const tsc = join(repository, 'node_modules/typescript/bin/tsc');
if (!existsSync(cli)) throw new Error('The command is not built yet: npm run build');

const copy = mkdtempSync(join(tmpdir(), 'mcp-listen-demo-'));
cpSync(join(repository, 'fixtures/apps/notes'), copy, {
  recursive: true,
  filter: (source) => !source.includes('node_modules'),
});
symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'), 'junction'); // as if `npm install` had run

/** Prints the command line, then its output; returns how it ended. */
function run(commandLine: string, file: string, args: string[]): number {
  console.log(`\n$ ${commandLine}`);
  const { status, error } = spawnSync(file, args, { cwd: copy, stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

const listen = (...args: string[]): number =>
  run(['npx mcp-listen', ...args].join(' '), process.execPath, [cli, ...args]);

function git(...args: string[]): void {
  const status = run(['git', ...args].join(' '), 'git', ['--no-pager', ...args]);
  if (status !== 0) throw new Error(`git ${args[0] ?? ''} ended with ${String(status)}`);
}

const me = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false'];
const committed =
  spawnSync('git', ['init', '--quiet'], { cwd: copy }).status === 0 &&
  spawnSync('git', ['add', '.'], { cwd: copy }).status === 0 &&
  spawnSync('git', [...me, 'commit', '--quiet', '--no-verify', '-m', 'Before'], { cwd: copy }).status === 0;
if (!committed) throw new Error(`git could not commit the copy in ${copy}`);

console.log(`The notes app, as it was written for the 2025 revision, copied to ${copy}`);
listen('scan', '.');
listen('migrate', '.', '--dry-run');
const migrated = listen('migrate', '.');
git('add', '--intent-to-add', '.'); // so that the new file shows, too
git('diff', '--stat');
const checked = run('npx tsc --noEmit', process.execPath, [tsc, '--noEmit']);
console.log(checked === 0 ? 'No errors.' : 'The result does not type-check.');

console.log(`\nThe migrated copy is in ${copy} (git diff shows everything).`);
if (migrated === 1) {
  console.log('Left for a person to decide, each with its reason:');
  run('git grep -n "TODO(mcp-listen)"', 'git', ['--no-pager', 'grep', '-n', 'TODO(mcp-listen)']);
}
process.exitCode = checked !== 0 || migrated > 1 ? 1 : 0;
