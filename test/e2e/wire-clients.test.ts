/**
 * Clients that speak MCP without the SDK (`fixtures/apps/raw-…`), migrated by the built CLI and run against real servers:
 * what reaches them is counted before and after. The table is at the end of the output.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { startHttpServer } from './support/http-server.js';
import { copyApp, migrate, removeApp, typeErrors } from './support/notes-app.js';
import { NOTES, type Era, type NotesServer } from './support/notes-server.js';
import { rawApp, startRawApp, type News, type RawApp, type RunningRawApp } from './support/raw-app.js';
import { startStdioServer } from './support/stdio-server.js';
import { until } from './support/until.js';

interface Report {
  sites: { shape: string; outcome: string }[];
  errors: unknown[];
}

/** What was sent, and what arrived. */
interface Counts {
  steady: string;
  /** After the stream was cut, or after the URI was let go. */
  later: string;
  closed: string;
}

const [TODAY, SHOPPING] = NOTES;
const rows = new Map<string, Counts>();
const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(() => {
  const lines = [...rows].map(([name, { steady, later, closed }]) =>
    [name.padEnd(44), steady.padEnd(10), later.padEnd(10), closed].join(' '),
  );
  console.log(
    `\nWhat reached the raw clients (sent/arrived)\n\n${['steady', 'later', 'closed'].map((name, index) => (index === 0 ? name.padStart(51) : name.padStart(index === 1 ? 9 : 11))).join('')}\n${lines.join('\n')}\n`,
  );
});

async function copied({ folder }: RawApp): Promise<string> {
  const directory = await copyApp(folder);
  cleanUps.push(() => removeApp(directory));
  return directory;
}

/** A migrated copy, and what the report says of its sites. */
async function migrated(
  app: RawApp,
  target: 'dual' | 'modern',
): Promise<{ directory: string; sites: string[] }> {
  const directory = await copied(app);
  const { stdout } = await migrate(directory, target);
  const { sites, errors } = JSON.parse(stdout) as Report;
  expect(errors).toEqual([]);
  return { directory, sites: sites.map(({ shape, outcome }) => `${shape} ${outcome}`) };
}

function started(directory: string, app: RawApp, target: readonly string[]): RunningRawApp {
  const running = startRawApp(directory, app, target);
  cleanUps.push(() => running.kill());
  return running;
}

async function httpServer(era: Era): Promise<NotesServer> {
  // The handshake of these clients is one of 2025, and a server that answers such requests is what they meet first.
  const server = await startHttpServer(era, 'stateless');
  cleanUps.push(() => server.close());
  return server;
}

async function stdioServer(era: Era): Promise<NotesServer> {
  const server = await startStdioServer(era);
  cleanUps.push(() => server.close());
  return server;
}

const isError = ({ error }: News): boolean => error !== undefined;
const isTools = ({ tools }: News): boolean => tools === true;
const isOf =
  (uri: string) =>
  ({ updated }: News): boolean =>
    updated === uri;

describe.each([
  {
    app: rawApp('raw-http', 'src/main.ts'),
    uris: [TODAY, SHOPPING],
    sites: ['R1 rewritten', 'D2 rewritten', 'REPLAY rewritten'],
  },
  { app: rawApp('raw-http-cjs', 'main.js'), uris: [], sites: ['D2 rewritten'] },
])('$app.name', ({ app, uris, sites }) => {
  /** Changes while the stream is open, after it was cut, and after it was closed. */
  async function follow(name: string, directory: string, server: NotesServer): Promise<void> {
    const running = started(directory, app, [...server.target, ...uris]);
    const isMine = uris.length > 0 ? isOf(TODAY) : isTools;
    const change = uris.length > 0 ? () => server.change(TODAY) : () => server.toolsChanged();
    const arrives = async (times: number): Promise<string> => {
      const before = running.count(isMine);
      for (let time = 0; time < times; time += 1) await change();
      await until('the changes arrive', () => running.count(isMine) >= before + times);
      return `${String(times)}/${String(running.count(isMine) - before)}`;
    };
    await until('the stream is open', () => server.streams() === 1);
    const steady = await arrives(3);
    await server.drop();
    await until('the stream is open again', () => server.streams() === 1);
    const later = await arrives(2);
    running.order('close');
    await until('the stream is closed', () => server.streams() === 0);
    const before = running.count(isMine);
    await change();
    expect(await running.end()).toBe(0);
    const closed = `1/${String(running.count(isMine) - before)}`;
    rows.set(`${app.name}, ${name}, ${server.era} server`, { steady, later, closed });
    expect({ steady, later, closed }).toEqual({ steady: '3/3', later: '2/2', closed: '1/0' });
    expect(running.count(isError)).toBe(0);
  }

  it('receives everything from a 2025 server as it was', async () => {
    await follow('as it was', await copied(app), await httpServer('legacy'));
  });

  it('receives nothing from a server of today as it was', async () => {
    const server = await httpServer('modern');
    const running = started(await copied(app), app, [...server.target, ...uris]);
    await until('it has asked for a stream', () => server.seen().includes('GET'));
    await server.change(TODAY);
    await server.toolsChanged();
    expect(server.streams()).toBe(0);
    running.order('close');
    await running.end();
    expect(running.news.filter((news) => isTools(news) || isOf(TODAY)(news))).toEqual([]);
    rows.set(`${app.name}, as it was, modern server`, { steady: '2/0', later: '', closed: '' });
  });

  it('receives everything from it once it is migrated', async () => {
    const { directory, sites: found } = await migrated(app, 'modern');
    expect(found).toEqual(sites);
    if (app.main.endsWith('.ts')) expect(await typeErrors(directory)).toBe('');
    const server = await httpServer('modern');
    await follow('migrated', directory, server);
    expect(server.seen()).not.toContain('GET');
    expect(server.seen()).not.toContain('resources/subscribe');
  });
});

describe.each([
  { app: rawApp('raw-stdio', 'src/main.ts'), shape: 'R1' },
  { app: rawApp('raw-stdio-cjs', 'main.js'), shape: 'R2' },
])('$app.name', ({ app, shape }) => {
  /** Changes of a watched note, of one that is not watched any more, and after the end. */
  async function watch(name: string, directory: string, server: NotesServer): Promise<Counts> {
    const running = started(directory, app, server.target);
    await until('the app is connected', () => running.news.some(({ open }) => open));
    for (const uri of [TODAY, SHOPPING]) running.order(`watch ${uri}`);
    const method = server.era === 'legacy' ? 'resources/subscribe' : undefined;
    await until('both notes are asked for', () => {
      const seen = server.seen();
      const asked = seen.filter(
        (one) => one === (method ?? 'subscriptions/listen') || one === 'resources/subscribe',
      );
      return asked.length === 2;
    });
    const settle = async (): Promise<void> => {
      const before = running.count(isOf(SHOPPING));
      await server.change(SHOPPING);
      await until('the other change arrives', () => running.count(isOf(SHOPPING)) > before, 3_000).catch(
        () => undefined,
      );
    };
    for (let time = 0; time < 3; time += 1) await server.change(TODAY);
    await settle();
    const steady = running.count(isOf(TODAY));
    running.order(`unwatch ${TODAY}`);
    await until('the note is let go', () =>
      server.seen().some((one) => one === 'notifications/cancelled' || one === 'resources/unsubscribe'),
    );
    await server.change(TODAY);
    await settle();
    const later = running.count(isOf(TODAY)) - steady;
    running.order('close');
    expect(await running.end()).toBe(0);
    const counts = { steady: `3/${String(steady)}`, later: `1/${String(later)}`, closed: '' };
    rows.set(`${app.name}, ${name}, ${server.era} server`, counts);
    return counts;
  }

  const everything = { steady: '3/3', later: '1/0', closed: '' };
  const nothing = { steady: '3/0', later: '1/0', closed: '' };

  it('receives everything from a 2025 server as it was, and nothing from one of today', async () => {
    const directory = await copied(app);
    expect(await watch('as it was', directory, await stdioServer('legacy'))).toEqual(everything);
    expect(await watch('as it was', directory, await stdioServer('modern'))).toEqual(nothing);
  });

  it('receives everything from it once it is migrated', async () => {
    const { directory, sites } = await migrated(app, 'modern');
    expect(sites).toEqual([`${shape} rewritten`, `${shape} rewritten`]);
    if (app.main.endsWith('.ts')) expect(await typeErrors(directory)).toBe('');
    expect(await watch('modern', directory, await stdioServer('modern'))).toEqual(everything);
  });

  it('serves both kinds of server once it is migrated for both', async () => {
    const { directory, sites } = await migrated(app, 'dual');
    expect(sites).toEqual([`${shape} rewritten`, `${shape} rewritten`]);
    if (app.main.endsWith('.ts')) expect(await typeErrors(directory)).toBe('');
    expect(await watch('dual', directory, await stdioServer('legacy'))).toEqual(everything);
    expect(await watch('dual', directory, await stdioServer('modern'))).toEqual(everything);
  });
});
