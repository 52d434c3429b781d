import type { RunningApp } from './notes-app.js';
import type { NotesServer } from './notes-server.js';
import { until } from './until.js';

export interface Counted {
  sent: number;
  got: number;
}

/** What reached the app in each part of its day. */
export interface Counts {
  era: unknown;
  /** One stream, nothing else going on. */
  steady: Counted;
  /** While the set of watched notes changes, back and forth. */
  swap: Counted;
  tools: Counted;
  resources: Counted;
  /** Changes of a note that is no longer watched. */
  unwatched: Counted;
  /** After the stream was cut; over stdio there is no cutting it without the process, see `reconnect`. */
  drop: Counted | undefined;
  /** After the server came back and the app called `reconnect()`. */
  reconnect: Counted;
  reconnectTools: Counted;
  /** Still unwatched after that. */
  reconnectUnwatched: Counted;
  closed: Counted;
}

const [FIRST, SENTINEL, OTHER] = ['notes://today', 'notes://shopping', 'notes://ideas'];
const TOOLS = 'notifications/tools/list_changed';
const RESOURCES = 'notifications/resources/list_changed';

/** Drives the app through a day against one server, counting what is sent and what arrives. */
export async function journey(app: RunningApp, server: NotesServer): Promise<Counts> {
  /** No swap going on, and the one stream is one that the server knows of. */
  const settled = (): Promise<void> => until('exactly one stream of changes', () => server.streams() === 1);

  /** What the server sent before has arrived when this has, since the stream is alive and in order. */
  async function arrived(): Promise<void> {
    const before = app.updates(SENTINEL);
    await server.change(SENTINEL);
    await until(`the change of ${SENTINEL} arrives`, () => app.updates(SENTINEL) > before);
  }

  async function counted(count: () => number, times: number, change: () => Promise<void>): Promise<Counted> {
    const before = count();
    for (let time = 0; time < times; time++) await change();
    await arrived();
    return { sent: times, got: count() - before };
  }
  const updates = (uri: string, times: number): Promise<Counted> =>
    counted(
      () => app.updates(uri),
      times,
      () => server.change(uri),
    );

  await app.call('connect');
  const era = await app.call('era');
  await app.call('watch', FIRST);
  await app.call('watch', SENTINEL);
  await settled();

  const steady = await updates(FIRST, 25);
  await until(
    'the app has read the last version',
    async () => (await app.call('text', FIRST)) === 'version 26',
  );

  const before = app.updates(FIRST);
  const stop = new AbortController();
  let sent = 0;
  const flow = (async () => {
    while (!stop.signal.aborted) {
      await server.change(FIRST);
      sent++;
      await new Promise((resolve) => setTimeout(resolve, 5)); // as fast as the app can read, on a slow machine, too
    }
  })();
  const some = (): Promise<void> => {
    const goal = sent + 25;
    return until('some more changes are sent', () => sent >= goal);
  };
  await some();
  await app.call('watch', OTHER);
  await some();
  await app.call('unwatch', OTHER);
  await some();
  await app.call('watch', OTHER);
  await some();
  stop.abort();
  await flow;
  await settled();
  await arrived();
  const swap = { sent, got: app.updates(FIRST) - before };

  const tools = await counted(
    () => app.received(TOOLS),
    3,
    () => server.toolsChanged(),
  );
  await until('the app knows the new tool', async () =>
    ((await app.call('tools')) as string[]).includes('tool-3'),
  );
  const resources = await counted(
    () => app.received(RESOURCES),
    2,
    () => server.resourcesChanged(),
  );
  await until('the app knows the new note', async () =>
    ((await app.call('resources')) as string[]).includes('notes://extra-5'),
  );

  await app.call('unwatch', FIRST);
  const unwatched = await updates(FIRST, 3);

  let drop: Counted | undefined;
  if (server.wire === 'http') {
    await settled();
    await server.drop();
    await settled();
    drop = await updates(OTHER, 3);
  }

  await server.restart();
  if (server.wire === 'stdio') await until('the app sees that it is alone', () => app.state() === 'lost');
  await app.call('reconnect');
  await settled();
  const reconnect = await updates(OTHER, 5);
  const reconnectTools = await counted(
    () => app.received(TOOLS),
    2,
    () => server.toolsChanged(),
  );
  const reconnectUnwatched = await updates(FIRST, 3);

  const beforeClose = app.updates(OTHER);
  await app.call('close');
  await server.change(OTHER);
  await until('no stream is left', () => server.streams() === 0);
  await app.call('tools'); // whatever had reached the app is reported before this answer
  const closed = { sent: 1, got: app.updates(OTHER) - beforeClose };

  return {
    era,
    steady,
    swap,
    tools,
    resources,
    unwatched,
    drop,
    reconnect,
    reconnectTools,
    reconnectUnwatched,
    closed,
  };
}

/** One line per run: sent/got, part by part. */
export function table(rows: ReadonlyMap<string, Counts>): string {
  const head: (keyof Counts)[] = [
    'era',
    'steady',
    'swap',
    'tools',
    'resources',
    'unwatched',
    'drop',
    'reconnect',
    'reconnectTools',
    'reconnectUnwatched',
    'closed',
  ];
  const cell = (value: unknown): string => {
    if (value === undefined) return '-';
    if (typeof value === 'string') return value;
    const { sent, got } = value as Counted;
    return `${String(sent)}/${String(got)}`;
  };
  const lines = [
    ['sent/got', ...head],
    ...[...rows].map(([name, row]) => [name, ...head.map((key) => cell(row[key]))]),
  ];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}
