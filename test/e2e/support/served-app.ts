import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { TSX } from './stdio-server.js';

export interface ServedApp {
  readonly url: string;
  end(): Promise<void>;
}

/** Starts an app that serves HTTP on the port it finds in its environment and prints its URL first of all. */
export async function serveApp(directory: string): Promise<ServedApp> {
  const child = spawn(process.execPath, [...TSX, 'src/server.ts'], {
    cwd: directory,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit');

  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void exited.then(([code]) => reject(new Error(`The app ended with ${String(code)}:\n${said}`)));
  });
  return {
    url,
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
