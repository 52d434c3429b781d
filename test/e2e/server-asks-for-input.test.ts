/**
 * The server one of whose tools asks the client (`fixtures/apps/asks-for-input`): on a modern connection that tool could not work,
 * so nothing of the server is moved, and all of it says why. Clients of 2025 have it as before.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HttpTransport, legacyListener } from './support/listeners.js';
import {
  commitAll,
  copyApp,
  git,
  migrate,
  removeApp,
  source,
  typeErrors,
  type Ran,
} from './support/notes-app.js';
import { ASKS_FOR_INPUT, folderOf } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';

interface Report {
  sites: { line: number; outcome: string }[];
  markers: { file: string; line: number; text: string }[];
  errors: unknown[];
}

const MARKER = /^[ \t]*\/\/ TODO\(mcp-listen\): .*\n/gm;

const { start, expectHeard } = serverStage();

describe.each([
  ['v2', 'dual'],
  ['v2', 'modern'],
  ['v1', 'dual'],
  ['v1', 'modern'],
] as const)('asks-for-input from %s, --target %s', (version, target) => {
  const flags = version === 'v1' ? ['--sdk-upgrade'] : [];
  let directory: string;
  let ran: Ran;

  beforeAll(async () => {
    directory = await copyApp(folderOf(ASKS_FOR_INPUT, version));
    ran = await migrate(directory, target, ...flags);
  });
  afterAll(() => removeApp(directory));

  it('marks all of it, with what stands in the way', () => {
    const { sites, markers, errors } = JSON.parse(ran.stdout) as Report;
    expect({ code: ran.code, errors }, ran.stderr).toEqual({ code: 1, errors: [] });
    expect(markers.length).toBeGreaterThan(0);
    expect(markers.filter(({ text }) => !text.includes('elicitInput'))).toEqual([]);
    expect(sites.filter(({ outcome }) => outcome === 'rewritten')).toEqual([]);
    expect(sites.filter(({ outcome }) => outcome === 'marked')).not.toEqual([]);
  });

  it('changes nothing else', async () => {
    const migrated = await source(directory, 'src/index.ts');
    expect(migrated.match(MARKER)).not.toBeNull();
    if (version === 'v2') {
      expect(migrated.replace(MARKER, '')).toBe(await source(folderOf(ASKS_FOR_INPUT, 'v2'), 'src/index.ts'));
    }
    expect(migrated).not.toMatch(/createMcpHandler|toNodeHandler|isLegacyRequest/);
    expect(await typeErrors(directory)).toBe('');
  });

  it('still tells clients of 2025 what they asked for', async () => {
    await expectHeard(`${version}, ${target}`, ASKS_FOR_INPUT, directory, ['legacy']);
  });

  it('still asks', async () => {
    const { url } = await start(ASKS_FOR_INPUT, directory);
    const transport = new HttpTransport(url);
    const { client, close } = await legacyListener('2025', transport);
    await transport.streamOpen();
    const { content } = await client.callTool({ name: 'forget', arguments: { name: 'bob' } });
    expect(content).toEqual([{ type: 'text', text: 'forgotten' }]);
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(['ada']);
    await close();
  });

  it('has nothing more to do the second time', async () => {
    await commitAll(directory, 'Migrated');
    expect((await migrate(directory, target)).code).toBe(1);
    expect(await git(directory, 'status', '--porcelain')).toBe('');
  });
});
