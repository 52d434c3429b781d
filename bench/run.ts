/** `npm run bench`: what a run costs beside a plain text search and beside the official codemod (README.md). */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchRules } from './lint.js';
import { type Command, type Measured, measure } from './measure.js';
import { bareNode, gitGrep, knowsOption, listAndSearch, officialCodemod, ours } from './peers.js';
import { buildRepository, commit, type Repository, type RepositorySize } from './repository.js';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** Few files of many are MCP: what a monorepo looks like. */
const MIXED: RepositorySize = { files: 3000, mcp: 60, packages: 40 };
const WITHOUT_MCP: RepositorySize = { files: 19_000, mcp: 0, packages: 40 };

const rounds = Number(process.argv[2] ?? 5);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('npm run bench -- <rounds>');

const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-listen-bench-')));
try {
  console.log(`Node ${process.version}, ${cpus().length} cores, medians of ${rounds} rounds`);
  await mixed();
  await nothingToDo();
  await verification();
  await benchRules(temporary);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function mixed(): Promise<void> {
  const { folder } = built('mixed', MIXED);
  const unverified = knowsOption('--no-verify') ? ['--no-verify'] : [];
  const node = bareNode(folder);
  const grep = gitGrep(folder);
  const search = listAndSearch(folder);
  const scan = ours(folder, 'scan', '.');
  const migrate = ours(folder, 'migrate', '.', '--dry-run', ...unverified);
  const official = officialCodemod(folder);
  const commands = [node, grep, search, scan, migrate, ...(official === undefined ? [] : [official])];
  const of = await measured(commands);

  if (unverified.length === 0) console.log('(this build has no --no-verify)');
  times('scan / git grep', of(scan), of(grep));
  times('scan / git ls-files | grep -F', of(scan), of(search));
  times('migrate --dry-run / git grep', of(migrate), of(grep));
  if (official === undefined) {
    console.log('the official codemod is not installed: nothing to compare with');
    return;
  }
  for (const [name, command] of [
    ['scan', scan],
    ['migrate --dry-run', migrate],
  ] as const) {
    part(`${name}, time of the official codemod's`, of(command), of(official), 'milliseconds', 40);
    part(`${name}, memory of the official codemod's`, of(command), of(official), 'megabytes', 5);
  }
}

async function nothingToDo(): Promise<void> {
  const { folder } = built('without', WITHOUT_MCP);
  const node = bareNode(folder);
  const search = listAndSearch(folder);
  const scan = ours(folder, 'scan', '.');
  const of = await measured([node, search, scan]);
  const ratio = (of(scan).milliseconds - of(node).milliseconds) / of(search).milliseconds;
  console.log(
    `nothing to do, without the start of Node / git ls-files | grep -F: ${ratio.toFixed(1)} (goal: at most 3${verdict(ratio <= 3)})`,
  );
}

/** The types of an application whose dependencies are installed. */
async function verification(): Promise<void> {
  if (!knowsOption('--no-verify')) {
    console.log('\ncost of verification: this build has no --no-verify');
    return;
  }
  const folder = join(temporary, 'notes');
  cpSync(join(PROJECT, 'fixtures/apps/notes'), folder, {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  });
  commit(folder);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  console.log('\nfixtures/apps/notes, its dependencies installed');
  const without = ours(folder, 'migrate', '.', '--dry-run', '--no-verify');
  const verified = ours(folder, 'migrate', '.', '--dry-run');
  const of = await measured([without, verified]);
  const cost = of(verified).milliseconds - of(without).milliseconds;
  console.log(`cost of verification: ${seconds(cost)}`);
}

function built(name: string, size: RepositorySize): Repository {
  const folder = join(temporary, name);
  mkdirSync(folder);
  const repository = buildRepository(folder, size);
  const megabytes = (repository.bytes / 1e6).toFixed(0);
  console.log(
    `\n${size.files} TypeScript files (${megabytes} MB), ${size.mcp} of them MCP, ${size.packages} packages`,
  );
  return repository;
}

/** Measures, and prints a line per command. */
async function measured(commands: readonly Command[]): Promise<(command: Command) => Measured> {
  const results = await measure(commands, rounds);
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const [{ name }, { milliseconds, megabytes }] of results) {
    const memory = megabytes === undefined ? '' : `${megabytes.toFixed(0).padStart(8)} MB`;
    console.log(`  ${name.padEnd(width)}  ${seconds(milliseconds).padStart(9)}${memory}`);
  }
  return (command) => results.get(command) ?? { milliseconds: NaN, megabytes: undefined };
}

/** How many times as long. */
function times(what: string, own: Measured, other: Measured): void {
  console.log(`${what}: ${(own.milliseconds / other.milliseconds).toFixed(1)}`);
}

/** Which part of the peer's, with the goal beside it. */
function part(what: string, own: Measured, peer: Measured, unit: keyof Measured, goal: number): void {
  const [mine, theirs] = [own[unit], peer[unit]];
  if (mine === undefined || theirs === undefined) return;
  const ratio = theirs / mine;
  console.log(`${what}: 1/${ratio.toFixed(1)} (goal: at most 1/${goal}${verdict(ratio >= goal)})`);
}

function verdict(isMet: boolean): string {
  return isMet ? ', met' : ', MISSED';
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
