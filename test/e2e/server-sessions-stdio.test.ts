/**
 * The server on stdio (`fixtures/apps/sessions-stdio`), migrated by the built CLI and run. Two rewrites that look right are not:
 * one ends the process of a client that probes first, one tells clients of 2025 what they never asked for, or clients of 2026 nothing.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { legacyListener, modernListener } from './support/listeners.js';
import { describeMigrated } from './support/migrated-server.js';
import { copyApp, migrate, removeApp } from './support/notes-app.js';
import { folderOf, numberIn, order, SESSIONS_STDIO } from './support/served-apps.js';
import { NEVER } from './support/served-process.js';
import { serverStage } from './support/server-stage.js';
import { until } from './support/until.js';

const stage = serverStage();
const { watched, other, change } = SESSIONS_STDIO;
const QUICKLY = 50;
const TICKS = 20;
const LISTENER = 'remove this listener in server.server.onclose';

describeMigrated(SESSIONS_STDIO, stage, {
  // It leaves its listeners behind: that did no harm while the factory ran once.
  left: { dual: [LISTENER, LISTENER], modern: [LISTENER, LISTENER] },
  more({ target, directory }) {
    if (target === 'modern') return;

    it('survives a client that probes and then falls back', async () => {
      const transport = stage.startChild(SESSIONS_STDIO, directory(), QUICKLY, true);
      const listener = await legacyListener('2025, after a probe', transport, watched);
      const before = await numberIn(listener.client, other!.uri);
      await until('the timer has ticked often', async () => {
        return (await numberIn(listener.client, other!.uri)) > before + TICKS;
      });
      expect(listener.updates()).toBe(0);
      await order(listener.client, change);
      await until('a change still arrives', () => listener.updates() === 1);
      await listener.close();
      expect(await transport.ended(), transport.complaints).toBe(0);
    });
  },
});

describe('rewrites that look right', () => {
  const GATE = "ctx.era === 'modern' || subscribed.has(uri)";
  const file = (directory: string): string => join(directory, SESSIONS_STDIO.entry);
  let directory: string;
  let migrated: string;

  beforeAll(async () => {
    directory = await copyApp(folderOf(SESSIONS_STDIO, 'v2'));
    await migrate(directory, 'dual');
    migrated = await readFile(file(directory), 'utf8');
  });
  afterAll(() => removeApp(directory));

  async function rewritten(part: string | RegExp, by: string): Promise<void> {
    const text = migrated.replace(part, by);
    expect(text).not.toBe(migrated);
    await writeFile(file(directory), text);
  }

  it('floating sends end the process of a client that probes', async () => {
    await rewritten(
      /server\.server\.sendResourceUpdated\(\{ uri \}\)\.catch\(.*$/m,
      'void server.server.sendResourceUpdated({ uri });',
    );
    const transport = stage.startChild(SESSIONS_STDIO, directory, QUICKLY, true);
    await legacyListener('2025, after a probe', transport, watched).catch(() => undefined);
    await until('the process is gone', () => !transport.alive);
    expect(transport.complaints).toContain('Not connected');
  });

  it('without the gate, a client of 2025 hears what it never asked for', async () => {
    await rewritten(GATE, 'true');
    const listener = await legacyListener('2025', stage.startChild(SESSIONS_STDIO, directory, NEVER));
    await order(listener.client, change);
    await until('it hears of it', () => listener.updates() === 1);
  });

  it('with the gate as it was, a client of 2026 hears nothing', async () => {
    await rewritten(GATE, 'subscribed.has(uri)');
    const filter = { resourceSubscriptions: [watched], resourcesListChanged: true };
    const listener = await modernListener(
      'modern',
      stage.startChild(SESSIONS_STDIO, directory, NEVER),
      filter,
    );
    await order(listener.client, change);
    // on the same stream, behind it
    await order(listener.client, SESSIONS_STDIO.grow(0));
    await until('the change of the list arrives', () => listener.lists() === 1);
    expect(listener.updates()).toBe(0);
  });
});
