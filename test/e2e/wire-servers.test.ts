/**
 * Servers that speak MCP without the SDK (`fixtures/apps/raw-server-…`), migrated by the built CLI: what a server has to do
 * for 2026-07-28 is a person's work, so every site is asserted, and that the code does what it did before.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { copyApp, migrate, removeApp } from './support/notes-app.js';

interface Report {
  sites: { file: string; line: number; shape: string; outcome: string }[];
  markers: { file: string; line: number; text: string }[];
  errors: unknown[];
}

const APPS = fileURLToPath(new URL('../../fixtures/apps', import.meta.url));
const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function migrated(
  app: string,
  target: 'dual' | 'modern',
): Promise<{ directory: string; report: Report }> {
  const directory = await copyApp(join(APPS, app));
  cleanUps.push(() => removeApp(directory));
  const { stdout } = await migrate(directory, target);
  const report = JSON.parse(stdout) as Report;
  expect(report.errors).toEqual([]);
  return { directory, report };
}

const sitesOf = ({ sites }: Report): string[] =>
  sites.map(({ file, line, shape, outcome }) => `${file}:${String(line)} ${shape} ${outcome}`);

/** Where the markers are, and how each begins and ends. */
const markersOf = ({ markers }: Report): string[] =>
  markers.map(({ file, line, text }) => {
    const [, what = ''] = /^TODO\(mcp-listen\): ([^:]*):/.exec(text) ?? [];
    return `${file}:${String(line)} ${what} ${/\(([\w-]+)\)$/.exec(text)?.[1] ?? ''}`;
  });

const SENT = 'no 2026-07-28 client sends this';
const STREAM = 'a 2026-07-28 client gets this on its listen stream alone';
const TABLE = 'listen-in-method-tables';

describe.each([
  {
    app: 'raw-server-stdio',
    sites: ['src/main.ts:11 R7 marked', 'src/protocol.ts:10 R5 marked', 'src/protocol.ts:25 R3 marked'],
    markers: [
      `src/main.ts:11 ${STREAM} tag-subscription-id`,
      `src/protocol.ts:10 security-relevant ${TABLE}`,
      `src/protocol.ts:27 ${SENT} ${TABLE}`,
    ],
  },
  {
    app: 'raw-server-stdio-cjs',
    sites: ['main.js:6 R4 marked', 'main.js:25 R7 marked'],
    markers: [`main.js:4 ${SENT} R4`, `main.js:26 ${STREAM} tag-subscription-id`],
  },
  {
    app: 'raw-server-fetch',
    sites: [
      'src/headers.ts:1 R11 reported',
      'src/sessions.ts:21 R7 marked',
      'src/worker.ts:17 R10 kept',
      'src/worker.ts:19 R10 kept',
      'src/worker.ts:42 R3 marked',
    ],
    markers: [`src/sessions.ts:21 ${STREAM} tag-subscription-id`, `src/worker.ts:42 ${SENT} ${TABLE}`],
  },
  {
    app: 'raw-server-fetch-cjs',
    sites: [
      'worker.js:20 R10 kept',
      'worker.js:24 R10 kept',
      'worker.js:34 R3 marked',
      'worker.js:42 R7 marked',
    ],
    markers: [`worker.js:35 ${SENT} ${TABLE}`, `worker.js:43 ${STREAM} tag-subscription-id`],
  },
])('$app', ({ app, sites, markers }) => {
  it('is found in full, and marked once where something is defined or sent', async () => {
    const { report } = await migrated(app, 'dual');
    expect(sitesOf(report)).toEqual(sites);
    expect(markersOf(report)).toEqual(markers);
  });

  it('keeps its GET stream until a listen is answered, whatever the target', async () => {
    const { report } = await migrated(app, 'modern');
    expect(sitesOf(report)).toEqual(sites.map((site) => site.replace('R10 kept', 'R10 marked')));
  });
});

describe('a marked server', () => {
  it('does for its clients of 2025 what it did before', async () => {
    const original = join(APPS, 'raw-server-stdio-cjs');
    const { directory } = await migrated('raw-server-stdio-cjs', 'dual');
    const before = await talkTo(join(original, 'main.js'));
    expect(before).toHaveLength(6);
    expect(await talkTo(join(directory, 'main.js'))).toEqual(before);
  });

  it('says what a listen takes, from its first message to its last', async () => {
    const { directory } = await migrated('raw-server-fetch', 'dual');
    const text = await readFile(join(directory, 'src/worker.ts'), 'utf8');
    const [marker = ''] = /\/\/ TODO.*/.exec(text) ?? [];
    expect(marker).toBe(
      '// TODO(mcp-listen): no 2026-07-28 client sends this: keep it for those of 2025 and answer subscriptions/listen ' +
        'beside it by a stream: first notifications/subscriptions/acknowledged with what of params.notifications is ' +
        'advertised and this caller may read, then only what that filter asks for, every message with the ' +
        "request's id in params._meta['io.modelcontextprotocol/subscriptionId'], comments as keep-alive, a disconnect " +
        "taken for a cancel, and on shutdown an empty result with resultType 'complete' (listen-in-method-tables)",
    );
  });
});

/** What a server on stdio writes while a client subscribes, changes a resource twice, and lets go of it. */
async function talkTo(file: string): Promise<unknown[]> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const uri = 'todo:///milk';
  const requests = [
    { method: 'resources/subscribe', params: { uri } },
    { method: 'tools/call', params: { arguments: { uri, text: 'one' } } },
    { method: 'resources/unsubscribe', params: { uri } },
    { method: 'tools/call', params: { arguments: { uri, text: 'two' } } },
  ];
  for (const [id, request] of requests.entries())
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
  child.stdin.end();
  const messages: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) messages.push(JSON.parse(line));
  return messages;
}
