/** The raw clients of `fixtures/apps`: copied, run as processes of their own, and counted by the lines they print. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { TSX } from './stdio-server.js';
import { until } from './until.js';

const APPS = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url));

/** An app of the folder and its main module. */
export interface RawApp {
  readonly name: string;
  readonly folder: string;
  readonly main: string;
}

export function rawApp(name: string, main: string): RawApp {
  return { name, folder: join(APPS, name), main };
}

/** What an app prints. */
export interface News {
  open?: true;
  era?: string;
  updated?: string;
  tools?: true;
  heard?: string;
  read?: unknown;
  closed?: true;
  ended?: true;
  error?: string;
}

export interface RunningRawApp {
  readonly news: readonly News[];
  /** How many of what it has printed fit. */
  count(fits: (news: News) => boolean): number;
  order(line: string): void;
  /** Lets go of its input: resolves to the exit code, and rejects if something keeps it alive. */
  end(): Promise<number | null>;
  kill(): void;
}

/** Starts a copy of the app. */
export function startRawApp(directory: string, { main }: RawApp, target: readonly string[]): RunningRawApp {
  const node = main.endsWith('.ts') ? TSX : [];
  const child = spawn(process.execPath, [...node, join(directory, main), ...target], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const news: News[] = [];
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => news.push(JSON.parse(line) as News));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    news,
    count: (fits) => news.filter(fits).length,
    order: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.stdin.end();
      await until('the app ends by itself', () => child.exitCode !== null, 10_000).catch((error: unknown) => {
        throw new Error(`The app did not end:\n${said}`, { cause: error });
      });
      return (await exited)[0];
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
