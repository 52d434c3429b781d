/** Where the server apps are run: what a test starts is ended, and what reached their clients is counted and shown. */
import { afterAll, afterEach, expect } from 'vitest';

import { audience, audienceOverStdio, type Heard } from './audience.js';
import { ChildTransport, ProbingTransport } from './child-transport.js';
import { HttpTransport, legacyListener, modernListener, type Listener } from './listeners.js';
import type { Era } from './notes-server.js';
import type { ServedApp } from './served-apps.js';
import { startServed, type ServedProcess } from './served-process.js';
import { PERIOD, ticking } from './ticking.js';

export interface ServerStage {
  start(app: ServedApp, directory: string, period?: number): Promise<ServedProcess>;
  /** A process that is its client's alone, over stdio. */
  startChild(app: ServedApp, directory: string, period: number, probes?: boolean): ChildTransport;
  /** Everybody hears everything that is theirs exactly once, and nothing else. The form stands in the table at the end of the output. */
  expectHeard(form: string, app: ServedApp, directory: string, eras: readonly Era[]): Promise<void>;
  /** The same of what the app changes by itself, every so often. */
  expectTicks(form: string, app: ServedApp, directory: string, eras: readonly Era[]): Promise<void>;
  /** What else has to be undone after the test, the last first. */
  readonly cleanUps: (() => Promise<unknown> | undefined)[];
}

/** The stage of a test file. */
export function serverStage(): ServerStage {
  const rows: string[][] = [];
  const cleanUps: ServerStage['cleanUps'] = [];

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  afterAll(() => {
    console.log(`\nWhat reached the clients, expected/got\n\n${table(rows)}\n`);
  });

  const start: ServerStage['start'] = async (app, directory, period) => {
    const server = await startServed(app, directory, period);
    cleanUps.push(() => server.stop());
    return server;
  };

  const startChild: ServerStage['startChild'] = (app, directory, period, probes = false) => {
    const child = new (probes ? ProbingTransport : ChildTransport)(directory, app.entry, period);
    cleanUps.push(() => child.kill());
    return child;
  };

  return {
    cleanUps,
    start,
    startChild,

    async expectHeard(form, app, directory, eras) {
      let heard: Heard[];
      if (app.wire === 'http') {
        const server = await start(app, directory);
        heard = await audience(server, app, eras);
        expect(server.complaints()).toBe('');
      } else {
        heard = await audienceOverStdio(app, eras, (period, probes) =>
          startChild(app, directory, period, probes),
        );
      }
      for (const { client, updates, lists } of heard) {
        const cells = [updates, lists].map(({ expected, got }) => `${String(expected)}/${String(got)}`);
        rows.push([`${app.name} ${form}`, client, ...cells]);
      }
      for (const { client, updates, lists, ids, expectedIds, ends } of heard) {
        expect({ client, updates: updates.got, lists: lists.got, ids, ends }).toEqual({
          client,
          updates: updates.expected,
          lists: lists.expected,
          ids: expectedIds,
          ends: [],
        });
      }
    },

    async expectTicks(form, app, directory, eras) {
      const uri = app.other?.uri ?? app.watched;
      const listen = async (open: () => ChildTransport | HttpTransport, era: Era): Promise<Listener> => {
        const transport = open();
        const listener =
          era === 'modern'
            ? await modernListener('modern, listens', transport, { resourceSubscriptions: [uri] })
            : await legacyListener('2025, subscribed', transport, uri);
        if (era === 'legacy' && transport instanceof HttpTransport) await transport.streamOpen();
        cleanUps.push(() => listener.close());
        return listener;
      };
      const report = ({ name }: Listener, changes: number, got: number): void => {
        rows.push([`${app.name} ${form}, timer`, name, `${String(changes)}/${String(got)}`, '-']);
      };

      if (app.wire === 'stdio') {
        for (const era of eras) {
          const listener = await listen(() => startChild(app, directory, PERIOD), era);
          const { changes, heard } = await ticking(uri, listener, [listener]);
          report(listener, changes, heard[0]!);
          expect(heard).toEqual([changes]);
        }
        return;
      }
      const server = await start(app, directory, PERIOD);
      const listeners: Listener[] = [];
      for (const era of eras) {
        listeners.push(await listen(() => new HttpTransport(server.url, app.headers), era));
      }
      const { changes, heard } = await ticking(uri, listeners[0]!, listeners);
      for (const [index, listener] of listeners.entries()) report(listener, changes, heard[index]!);
      expect(heard).toEqual(listeners.map(() => changes));
      expect(server.alive()).toBe(true);
    },
  };
}

function table(rows: readonly string[][]): string {
  const lines = [['app', 'client', 'updates', 'lists'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}
