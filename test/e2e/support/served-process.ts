/** A server app as a process of its own, reached over HTTP at the address that it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { ServedApp } from './served-apps.js';
import { TSX } from './stdio-server.js';
import { until } from './until.js';

const ROUTES = fileURLToPath(new URL('./serve-routes.ts', import.meta.url));

/** Longer than any test: nothing changes but by a tool call. */
export const NEVER = 2 ** 30;

export interface ServedProcess {
  readonly url: URL;
  /** What it wrote to its error output. */
  complaints(): string;
  alive(): boolean;
  stop(): Promise<void>;
}

export async function startServed(
  app: ServedApp,
  directory: string,
  period: number = NEVER,
): Promise<ServedProcess> {
  const script = app.entry.endsWith('route.ts') ? [ROUTES, app.entry] : [app.entry];
  const child = spawn(process.execPath, [...TSX, ...script], {
    cwd: directory,
    env: { ...process.env, PORT: '0', PERIOD: String(period) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  const address = (): string | undefined => /http:\/\/\S+(?=\n)/.exec(said)?.[0];

  await until(`${app.name} says where it is`, () => {
    if (child.exitCode !== null) throw new Error(`${app.name} did not start:\n${complained}`);
    return address() !== undefined;
  });
  return {
    url: new URL(address()!),
    complaints: () => complained,
    alive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
