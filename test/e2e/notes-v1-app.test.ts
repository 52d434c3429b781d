/**
 * The notes app as it was written for version 1 of the SDK (`fixtures/apps/notes-v1`): upgraded and migrated in one run by
 * the built CLI, then run as the app of version 2 is. What reaches it is counted; the table is at the end of the output.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  commitAll,
  copyApp,
  git,
  migrate,
  ORIGINAL_V1,
  removeApp,
  source,
  typeErrors,
  type Ran,
} from './support/notes-app.js';
import type { Era, Wire } from './support/notes-server.js';
import { expectNothingLost, notesStage } from './support/stage.js';

interface Report {
  sites: { file: string; mechanism: string; outcome: string }[];
  markers: { file: string }[];
  errors: { file: string; message: string }[];
  upgrades?: object[];
}

const MARKER = /^[ \t]*\/\/ TODO\(mcp-listen\): .*\n/gm;

const { serve, follow, cleanUps } = notesStage();

describe('the app as it was', () => {
  it('is correct under strict, with version 1', async () => {
    const directory = await copyApp(ORIGINAL_V1);
    cleanUps.push(() => removeApp(directory));
    expect(await typeErrors(directory)).toBe('');
  });

  it('receives everything from a legacy server over http', async () => {
    const counts = await follow('as it was', ORIGINAL_V1, await serve('legacy', 'http'));
    expect(counts.era).toBe('legacy');
    expectNothingLost(counts);
  });

  it('is refused without the flag, and not touched', async () => {
    const directory = await copyApp(ORIGINAL_V1);
    cleanUps.push(() => removeApp(directory));
    const { code, stdout } = await migrate(directory, 'dual');
    expect(code).toBe(2);
    const { errors, sites } = JSON.parse(stdout) as Report;
    expect(errors.map(({ file }) => file)).toEqual(['.']);
    expect(errors[0]!.message).toContain('--sdk-upgrade');
    expect(new Set(sites.map(({ outcome }) => outcome))).toEqual(new Set(['kept', 'reported']));
    expect(await git(directory, 'status', '--porcelain')).toBe('');
  });
});

describe.each([
  [
    'dual',
    [
      ['legacy', 'http'],
      ['modern', 'http'],
      ['modern', 'stdio'],
    ],
    /versionNegotiation: \{ mode: 'auto' \}/,
  ],
  ['modern', [['modern', 'http']], /versionNegotiation: \{ mode: \{ pin: '2026-07-28' \} \}/],
] as [target: 'dual' | 'modern', servers: [Era, Wire][], optIn: RegExp][])(
  'upgraded and migrated, --target %s',
  (target, servers, optIn) => {
    let directory: string;
    let ran: Ran;

    beforeAll(async () => {
      directory = await copyApp(ORIGINAL_V1);
      ran = await migrate(directory, target, '--sdk-upgrade');
    });

    afterAll(() => removeApp(directory));

    it('says what the official codemod did apart from what it did itself', () => {
      expect(ran.code, ran.stderr).toBe(1);
      const report = JSON.parse(ran.stdout) as Report;
      expect(report.errors).toEqual([]);
      expect(report.upgrades).toEqual([
        {
          package: '.',
          files: ['src/connection.ts', 'src/health.ts'],
          manifest: 'package.json',
          added: { '@modelcontextprotocol/client': '^2.4.0' },
          removed: true,
          left: [],
          messages: [],
        },
      ]);
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
        ' M package.json',
        ' M src/connection.ts',
        ' M src/health.ts',
        ' M src/notebook.ts',
        '?? src/mcp-change-stream.ts',
      ]);
      expect(await source(directory, 'src/connection.ts')).toMatch(optIn);
      const before = await source(ORIGINAL_V1, 'package.json');
      expect(await source(directory, 'package.json')).toBe(
        before.replace('"@modelcontextprotocol/sdk": "^1.32.0"', '"@modelcontextprotocol/client": "^2.4.0"'),
      );
    });

    it('leaves the client that has to stay legacy to the official codemod, but for its markers', async () => {
      const upgraded = (await source(ORIGINAL_V1, 'src/health.ts'))
        .replace('@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/client')
        .replace(/^import .*types\.js';\n\n/m, '')
        .replace('ListRootsRequestSchema', "'roots/list'")
        .replace('ResourceUpdatedNotificationSchema', "'notifications/resources/updated'");
      const migrated = await source(directory, 'src/health.ts');
      expect(migrated.match(MARKER)).not.toBeNull();
      expect(migrated.replace(MARKER, '')).toBe(upgraded);
    });

    it('is correct under strict, with version 2', async () => {
      expect(await typeErrors(directory)).toBe('');
    });

    it.each(servers)('receives everything from a %s server over %s', async (era, wire) => {
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
    });

    it('has nothing more to do the second time', async () => {
      await commitAll(directory, 'Migrated');
      const again = await migrate(directory, target, '--sdk-upgrade');
      expect(again.code).toBe(1);
      expect((JSON.parse(again.stdout) as Report).upgrades).toEqual([]);
      expect(await git(directory, 'status', '--porcelain')).toBe('');
    });
  },
);
