/**
 * The bundled server apps (`fixtures/apps`) as they were written, for both versions of the SDK: what a client of 2025 has of them.
 * That is what a migration to both eras must not take away. The counts are at the end of the output.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { REPOSITORY, typeErrors } from './support/notes-app.js';
import { HttpTransport, modernListener } from './support/listeners.js';
import {
  ASKS_FOR_INPUT,
  EMITTER_ELSEWHERE,
  folderOf,
  GUARDED_EXPRESS,
  SESSIONS_EXPRESS,
  SESSIONS_HONO,
  SESSIONS_NEXT,
  SESSIONS_STDIO,
} from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';

const APPS = [
  SESSIONS_EXPRESS,
  SESSIONS_STDIO,
  SESSIONS_HONO,
  SESSIONS_NEXT,
  EMITTER_ELSEWHERE,
  GUARDED_EXPRESS,
  ASKS_FOR_INPUT,
];

const { start, startChild, expectHeard, expectTicks, cleanUps } = serverStage();

it('are correct under strict', async () => {
  // all in one program, with the options that each of them has
  const directory = await mkdtemp(join(tmpdir(), 'mcp-listen-servers-'));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  const folders = APPS.flatMap((app) => [folderOf(app, 'v2'), folderOf(app, 'v1')]);
  const configuration = {
    extends: join(folders[0]!, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(REPOSITORY, 'node_modules/@types')] },
    include: folders,
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(configuration));
  expect(await typeErrors(directory)).toBe('');
});

describe.each(APPS.map((app) => [app.name, app] as const))('%s', (_, app) => {
  describe.each(['v2', 'v1'] as const)('for %s of the SDK', (version) => {
    const folder = folderOf(app, version);

    it('tells clients of 2025 what they asked for', async () => {
      await expectHeard(version, app, folder, ['legacy']);
    });

    it('does not know clients of 2026', async () => {
      const transport =
        app.wire === 'http'
          ? new HttpTransport((await start(app, folder)).url, app.headers)
          : startChild(app, folder, 1000);
      await expect(modernListener('modern', transport)).rejects.toMatchObject({
        code: 'ERA_NEGOTIATION_FAILED',
      });
    });
  });
});

it.each([SESSIONS_EXPRESS, SESSIONS_STDIO].map((app) => [app.name, app] as const))(
  'the timer of %s is heard',
  async (_, app) => {
    await expectTicks('v2', app, folderOf(app, 'v2'), ['legacy']);
  },
);
