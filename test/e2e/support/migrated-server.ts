/** What holds for every server app that is moved as a whole: by the built CLI, for both targets, from both versions of the SDK. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HttpTransport, legacyListener, modernListener } from './listeners.js';
import { commitAll, copyApp, git, migrate, removeApp, typeErrors, type Ran } from './notes-app.js';
import type { Era } from './notes-server.js';
import { folderOf, type ServedApp } from './served-apps.js';
import type { ServerStage } from './server-stage.js';

interface Report {
  sites: { file: string; line: number; shape: string; outcome: string }[];
  markers: { file: string; line: number; text: string }[];
  errors: unknown[];
}

export interface Migrated {
  version: 'v2' | 'v1';
  target: 'dual' | 'modern';
  /** The folder of the migrated copy, once it is made. */
  directory(): string;
}

/** The eras that the target serves. */
export const ERAS_OF: Record<Migrated['target'], readonly Era[]> = {
  dual: ['legacy', 'modern'],
  modern: ['modern'],
};

/** What is particular to the app. */
interface Particular {
  /** What every marker says under a target, in order; none, unless something is left to decide. */
  left?: Partial<Record<Migrated['target'], readonly string[]>>;
  more?: (migrated: Migrated) => void;
}

/** Migrates the app in all four ways and runs it. */
export function describeMigrated(
  app: ServedApp,
  stage: ServerStage,
  { left: leftUnder = {}, more }: Particular = {},
): void {
  describe.each([
    ['v2', 'dual'],
    ['v2', 'modern'],
    ['v1', 'dual'],
    ['v1', 'modern'],
  ] as const)(`${app.name} from %s, --target %s`, (version, target) => {
    const left = leftUnder[target] ?? [];
    const code = left.length === 0 ? 0 : 1;
    const form = `${version}, ${target}`;
    const eras = ERAS_OF[target];
    const flags = version === 'v1' ? ['--sdk-upgrade'] : [];
    let directory = '';
    let ran: Ran;

    beforeAll(async () => {
      directory = await copyApp(folderOf(app, version));
      ran = await migrate(directory, target, ...flags);
    });
    afterAll(() => removeApp(directory));

    it('is moved as a whole', () => {
      const report = JSON.parse(ran.stdout) as Report;
      const outcomes = new Set(report.sites.map(({ outcome }) => outcome));
      expect({ errors: report.errors, code: ran.code }, ran.stderr + ran.stdout).toEqual({
        errors: [],
        code,
      });
      expect(report.markers.map(({ text }) => text)).toEqual(
        left.map((text) => expect.stringContaining(text)),
      );
      expect(outcomes, JSON.stringify(report.sites, undefined, 1)).toContain('rewritten');
    });

    it('is correct under strict', async () => {
      expect(await typeErrors(directory)).toBe('');
    });

    it(
      'tells everybody what they asked for, once',
      { timeout: 120_000 }, // over stdio everybody starts a process, one after the other
      async () => {
        await stage.expectHeard(form, app, directory, eras);
      },
    );

    if (version === 'v2') {
      it('tells of what changes by itself', async () => {
        await stage.expectTicks(form, app, directory, eras);
      });
    }

    if (target === 'modern') {
      it('refuses a client of 2025, and lives on', async () => {
        if (app.wire === 'stdio') {
          const transport = stage.startChild(app, directory, 1000);
          await expect(legacyListener('2025', transport)).rejects.toThrow(REFUSED);
          expect(transport.alive).toBe(true);
          return;
        }
        const server = await stage.start(app, directory);
        const transport = new HttpTransport(server.url, app.headers);
        await expect(legacyListener('2025', transport)).rejects.toThrow(REFUSED);
        await modernListener('modern', new HttpTransport(server.url, app.headers));
      });
    }

    if (target === 'modern' && app.wire === 'http') {
      it.each(['GET', 'DELETE'])('answers %s with 405', async (method) => {
        const { url } = await stage.start(app, directory);
        const headers = { accept: 'text/event-stream', 'mcp-session-id': 'of-before', ...app.headers };
        expect((await fetch(url, { method, headers })).status).toBe(405);
      });
    }

    if (target === 'dual' && version === 'v2' && app.wire === 'http') {
      it("keeps what was there, byte for byte, but for its imports and a signal's function, which has to wait", async () => {
        const diff = await git(directory, 'diff', '--unified=0', '--no-color');
        const lines = diff.split('\n');
        const gone = lines.filter((line) => line.startsWith('-') && !line.startsWith('---'));
        const waits = (line: string): boolean =>
          line.startsWith("-process.on('SIG") &&
          lines.includes(line.replace('-', '+').replace('() =>', 'async () =>'));
        expect(gone.filter((line) => !line.startsWith('-import ') && !waits(line))).toEqual([]);
      });
    }

    more?.({ version, target, directory: () => directory });

    it('has nothing more to do the second time', async () => {
      await commitAll(directory, 'Migrated');
      expect((await migrate(directory, target)).code).toBe(code);
      expect(await git(directory, 'status', '--porcelain')).toBe('');
    });
  });
}

/** What a server of 2026 says to a handshake of 2025. */
const REFUSED = 'Unsupported protocol version: 2025-11-25';
