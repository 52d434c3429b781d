/** Copies of the bundled notes app: made, migrated, type-checked, and run. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { TSX } from './stdio-server.js';
import { until } from './until.js';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
export const ORIGINAL = join(REPOSITORY, 'fixtures/apps/notes');
/** The same app as it was written for version 1 of the SDK. */
export const ORIGINAL_V1 = join(REPOSITORY, 'fixtures/apps/notes-v1');
const CLI = join(REPOSITORY, 'dist/src/cli/main.js');
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
const DRIVER = fileURLToPath(new URL('./drive-notes.ts', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export function run(file: string, args: string[], cwd: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error ?? new Error(`${file} did not end`));
    });
  });
}

/** A repository of its own with everything committed, and this repository's packages installed. */
export async function copyApp(original = ORIGINAL): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mcp-listen-notes-'));
  await cp(original, directory, { recursive: true, filter: (source) => !source.includes('node_modules') });
  await symlink(join(REPOSITORY, 'node_modules'), join(directory, 'node_modules'), 'junction');
  await git(directory, 'init', '--quiet');
  await commitAll(directory, 'The app as it was');
  return directory;
}

export async function git(directory: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('git', args, directory);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

export async function removeApp(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** As a user would: `mcp-listen migrate . --target <target>`. */
export async function migrate(
  directory: string,
  target: 'dual' | 'modern',
  ...flags: string[]
): Promise<Ran> {
  if (!existsSync(CLI)) throw new Error('The command is not built: npm run build');
  const words = ['migrate', '.', '--target', target, ...flags, '--format', 'json'];
  return run(process.execPath, [CLI, ...words], directory);
}

/** Commits everything, so that the next run finds nothing uncommitted. */
export async function commitAll(directory: string, message: string): Promise<void> {
  const me = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
  await git(directory, 'add', '.');
  await git(directory, ...me, 'commit', '--quiet', '--no-verify', '-m', message);
}

/** What the compiler says under the app's own (strict) configuration; nothing, if all is well. */
export async function typeErrors(directory: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [TSC, '--noEmit', '--pretty', 'false'], directory);
  return stdout + stderr;
}

export function source(directory: string, file: string): Promise<string> {
  return readFile(join(directory, file), 'utf8');
}

export type Call =
  | 'connect'
  | 'reconnect'
  | 'close'
  | 'watch'
  | 'unwatch'
  | 'text'
  | 'era'
  | 'tools'
  | 'resources'
  | 'startHealth'
  | 'checkHealth'
  | 'moveHealth'
  | 'stopHealth';

/** What the app's process reports. */
export interface News {
  updated?: string;
  received?: string;
  state?: string;
  id?: number;
  value?: unknown;
  error?: { name: string; message: string; code?: unknown };
}

export class CallFailed extends Error {
  readonly code: unknown;
  constructor({ name, message, code }: NonNullable<News['error']>) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

export interface RunningApp {
  call(call: Call, argument?: string): Promise<unknown>;
  /** How often the app heard that this resource changed. */
  updates(uri: string): number;
  /** How many notifications of this method came off the wire. */
  received(method: string): number;
  state(): string;
  /** Lets go of the process: resolves to its exit code, rejects if something keeps it alive. */
  end(): Promise<number | null>;
  kill(): void;
}

export async function startApp(directory: string, target: string[]): Promise<RunningApp> {
  const child = fork(DRIVER, [directory, ...target], {
    execArgv: TSX,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const updates = new Map<string, number>();
  const received = new Map<string, number>();
  const answers = new Map<number, (news: News) => void>();
  let state = 'starting';
  let said = '';
  let calls = 0;

  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.on('exit', (code) => {
    const gone: News = { error: { name: 'Exited', message: `The app ended with ${String(code)}:\n${said}` } };
    for (const answer of answers.values()) answer(gone);
  });
  child.on('message', (news: News) => {
    if (news.updated !== undefined) updates.set(news.updated, (updates.get(news.updated) ?? 0) + 1);
    if (news.received !== undefined) received.set(news.received, (received.get(news.received) ?? 0) + 1);
    if (news.state !== undefined) state = news.state;
    if (news.id !== undefined) answers.get(news.id)?.(news);
  });

  await until('the app is loaded', () => {
    if (child.exitCode !== null) throw new Error(`The app did not start:\n${said}`);
    return state === 'ready';
  });

  return {
    async call(call, argument) {
      const id = ++calls;
      const news = await new Promise<News>((resolve) => {
        answers.set(id, resolve);
        child.send({ id, call, argument });
      });
      answers.delete(id);
      if (news.error) throw new CallFailed(news.error);
      return news.value;
    },
    updates: (uri) => updates.get(uri) ?? 0,
    received: (method) => received.get(method) ?? 0,
    state: () => state,
    async end() {
      child.disconnect();
      await until('the app ends by itself', () => child.exitCode !== null, 10_000).catch((error: unknown) => {
        child.kill('SIGKILL');
        throw error;
      });
      return (await exited)[0];
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
