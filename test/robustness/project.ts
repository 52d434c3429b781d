/** A small project with something the matter, and what the command says about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { MIGRATABLE, mcpListen, type Ran } from '../cli/command.js';

/** The text of a client that can be migrated, and what becomes of it. */
export const CLIENT = MIGRATABLE['src/watch.ts'];
export const MIGRATED = CLIENT.replace(
  "import type { Transport } from '@modelcontextprotocol/client';\n",
  "$&import { changeStream } from './mcp-change-stream.js';\n",
)
  .replace("version: '1.0.0' }", "version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } }")
  .replace('client.subscribeResource({ uri })', 'changeStream(client).subscribe(uri)')
  .replace('client.unsubscribeResource({ uri })', 'changeStream(client).unsubscribe(uri)');

/** Migrates a project as a user would; without types, which are not what these tests are about. */
export function migrate(project: string, ...parameters: string[]): Promise<Ran> {
  return mcpListen(project, ['migrate', '.', '--no-verify', ...parameters]);
}

/** The lines of the section of errors: `path — what is wrong: what to do`. */
export function errorsIn(stdout: string): string[] {
  const section = /^(\d+) errors?:\n((?: {2}.*\n)+)/m.exec(stdout);
  const lines = (section?.[2] ?? '').split('\n').filter((line) => line !== '');
  expect(lines).toHaveLength(Number(section?.[1] ?? 0));
  return lines.map((line) => line.trim().replace(/ +— /, ' — '));
}

/** The text of a file of the project. */
export function textOf(project: string, path: string): string {
  return readFileSync(join(project, path), 'utf8');
}
