/**
 * The bundled notes app (`fixtures/apps/notes`), migrated by the built CLI and run against real servers:
 * both targets, both eras, HTTP and stdio. What reaches the app is counted; the table is at the end of the output.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  CallFailed,
  commitAll,
  copyApp,
  git,
  migrate,
  ORIGINAL,
  removeApp,
  source,
  typeErrors,
  type Ran,
} from './support/notes-app.js';
import type { Era, Wire } from './support/notes-server.js';
import { expectNothingLost, notesStage } from './support/stage.js';
import { TSX } from './support/stdio-server.js';
import { until } from './support/until.js';

interface Report {
  target: string;
  sites: { file: string; mechanism: string; outcome: string }[];
  markers: { file: string; line: number; text: string }[];
  errors: unknown[];
}

const WIRES: Wire[] = ['http', 'stdio'];
const ERAS: Era[] = ['legacy', 'modern'];
const MARKER = /^[ \t]*\/\/ TODO\(mcp-listen\): .*\n/gm;

const { serve, start, follow, cleanUps } = notesStage();

describe('the app as it was', () => {
  it('is correct under strict', async () => {
    const directory = await copyApp();
    cleanUps.push(() => removeApp(directory));
    expect(await typeErrors(directory)).toBe('');
  });

  it.each(WIRES)('receives everything from a legacy server over %s', async (wire) => {
    const counts = await follow('as it was', ORIGINAL, await serve('legacy', wire));
    expect(counts.era).toBe('legacy');
    expectNothingLost(counts);
  });

  it.each(WIRES)('cannot even connect to a modern server over %s', async (wire) => {
    const server = await serve('modern', wire);
    const app = await start(ORIGINAL, server.target);
    await expect(app.call('connect')).rejects.toThrow(/protocol version/i);
    expect(server.seen()).not.toContain('subscriptions/listen');
  });

  it('loses its notifications on a modern server if it is opted in and nothing else', async () => {
    const directory = await copyApp();
    cleanUps.push(() => removeApp(directory));
    const before = await source(directory, 'src/connection.ts');
    const after = before.replace(
      '{ capabilities: {} }',
      "{ capabilities: {}, versionNegotiation: { mode: 'auto' } }",
    );
    expect(after).not.toBe(before);
    await writeFile(join(directory, 'src/connection.ts'), after);

    const server = await serve('modern', 'http');
    const app = await start(directory, server.target);
    await app.call('connect');
    expect(await app.call('era')).toBe('modern');
    await expect(app.call('watch', 'notes://today')).rejects.toMatchObject({
      code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
    });
    // no stream, nothing that a change of a list could arrive on either
    expect(server.streams()).toBe(0);
    expect(server.seen()).not.toContain('subscriptions/listen');
  });
});

describe.each([
  ['dual', ERAS, /versionNegotiation: \{ mode: 'auto' \}/],
  ['modern', ['modern'] as Era[], /versionNegotiation: \{ mode: \{ pin: '2026-07-28' \} \}/],
] as const)('migrated, --target %s', (target, eras, optIn) => {
  let directory: string;
  let ran: Ran;

  beforeAll(async () => {
    directory = await copyApp();
    ran = await migrate(directory, target);
  });

  afterAll(() => removeApp(directory));

  it('says what it did, and that something is left to decide', () => {
    expect(ran.code, ran.stderr).toBe(1);
    expect(ran.stdout, ran.stderr).not.toBe('');
    const report = JSON.parse(ran.stdout) as Report;
    expect(report.target).toBe(target);
    expect(report.errors).toEqual([]);

    const subscribes = report.sites.filter(({ mechanism }) => mechanism === 'resource-subscribe');
    const outcomes = (file: string): string[] =>
      subscribes.filter((site) => site.file === file).map(({ outcome }) => outcome);
    expect(outcomes('src/notebook.ts')).toEqual(['rewritten', 'rewritten', 'rewritten']);
    expect(outcomes('src/health.ts')).toEqual(['marked', 'marked']);
    expect(new Set(report.markers.map(({ file }) => file))).toEqual(new Set(['src/health.ts']));
  });

  it('changes only what it has to', async () => {
    const changed = (await git(directory, 'status', '--porcelain', '--untracked-files=all'))
      .trimEnd()
      .split('\n');
    expect(changed.sort()).toEqual([
      ' M src/connection.ts',
      ' M src/health.ts',
      ' M src/notebook.ts',
      '?? src/mcp-change-stream.ts',
    ]);
    expect(await source(directory, 'src/connection.ts')).toMatch(optIn);
    const notebook = await source(directory, 'src/notebook.ts');
    expect(notebook).not.toMatch(/\b(un)?subscribeResource\b/);
  });

  it('leaves the health client byte for byte, but for its markers', async () => {
    const migrated = await source(directory, 'src/health.ts');
    expect(migrated.match(MARKER)).not.toBeNull();
    expect(migrated.replace(MARKER, '')).toBe(await source(ORIGINAL, 'src/health.ts'));
  });

  it('is correct under strict', async () => {
    expect(await typeErrors(directory)).toBe('');
  });

  it.each(eras.flatMap((era) => WIRES.map((wire) => [era, wire] as const)))(
    'receives everything from a %s server over %s',
    async (era, wire) => {
      const server = await serve(era, wire);
      const counts = await follow(target, directory, server);
      expect(counts.era).toBe(era);
      expectNothingLost(counts);

      const [used, unused] =
        era === 'modern'
          ? ['subscriptions/listen', 'resources/subscribe']
          : ['resources/subscribe', 'subscriptions/listen'];
      expect(server.seen()).toContain(used);
      expect(server.seen()).not.toContain(unused);
    },
  );

  it('runs from its own command line', async () => {
    const server = await serve('modern', 'http');
    const app = spawn(
      process.execPath,
      [...TSX, 'src/main.ts', '--watch', 'notes://today', '--', ...server.target],
      {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    cleanUps.push(() => void app.kill('SIGKILL'));
    const lines: string[] = [];
    createInterface({ input: app.stdout }).on('line', (line) => lines.push(line));

    await until('the app watches', () => lines.includes('watching'));
    await server.change('notes://today');
    await until('the change is printed', () => lines.includes('notes://today: version 2'));
    const exited = once(app, 'exit');
    app.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it.each(WIRES)('the health client still works against a legacy server over %s', async (wire) => {
    const server = await serve('legacy', wire);
    const app = await start(directory, server.target);
    await app.call('startHealth');
    await until('its stream is open', () => server.streams() === 1);
    expect(await app.call('checkHealth')).toBe('version 1');
    await server.change('notes://health');
    await until('the change arrives', () => app.updates('health') === 1);
    expect(await app.call('checkHealth')).toBe('version 2');
    await app.call('moveHealth', '/elsewhere');
    await app.call('stopHealth');
    expect(server.seen()).toEqual(
      expect.arrayContaining([
        'logging/setLevel',
        'resources/subscribe',
        'ping',
        'notifications/roots/list_changed',
        'resources/unsubscribe',
      ]),
    );
    expect(await app.end()).toBe(0);
  });

  if (target === 'modern') {
    it.each(WIRES)('refuses a legacy server over %s, by name', async (wire) => {
      const server = await serve('legacy', wire);
      const app = await start(directory, server.target);
      const refused = await app.call('connect').catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CallFailed);
      expect(refused).toMatchObject({ name: 'SdkError', code: 'ERA_NEGOTIATION_FAILED' });
      expect(server.seen()).not.toContain('initialize');
    });
  }

  it('has nothing more to do the second time', async () => {
    await commitAll(directory, 'Migrated');
    expect((await migrate(directory, target)).code).toBe(1);
    expect(await git(directory, 'status', '--porcelain')).toBe('');
  });
});
