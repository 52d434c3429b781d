/** Runs the built command as a user would: in a child process, its output in pipes. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
if (!existsSync(CLI)) throw new Error(`${CLI} is not there: npm run build`);

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `mcp-listen` in a folder and waits for its end. */
export function mcpListen(
  cwd: string,
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...environment };
    const child = spawn(process.execPath, [CLI, ...parameters], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

const MANIFEST = JSON.stringify({
  name: 'watcher',
  type: 'module',
  dependencies: { '@modelcontextprotocol/client': '^2.4.0' },
});

const CLIENT = `import { Client } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'watcher', version: '1.0.0' });

export async function start(transport: Transport): Promise<void> {
  await client.connect(transport);
}

export async function watch(uri: string): Promise<void> {
  await client.subscribeResource({ uri });
}

export async function unwatch(uri: string): Promise<void> {
  await client.unsubscribeResource({ uri });
}
`;

/** A project whose one client can be migrated. */
export const MIGRATABLE = { 'package.json': MANIFEST, 'src/watch.ts': CLIENT };

/** The same with a call that only exists on the legacy era. */
export const BLOCKED = {
  'package.json': MANIFEST,
  'src/watch.ts': `${CLIENT}
export async function check(): Promise<void> {
  await client.ping();
}
`,
};
