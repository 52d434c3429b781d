/** Where the notes app is run against a server: what a test file starts is ended, and what reached the app is counted. */
import { afterAll, afterEach, expect } from 'vitest';

import { startHttpServer } from './http-server.js';
import { journey, table, type Counts } from './journey.js';
import { startApp, type RunningApp } from './notes-app.js';
import type { Era, NotesServer, Wire } from './notes-server.js';
import { startStdioServer } from './stdio-server.js';

export interface Stage {
  serve(era: Era, wire: Wire): Promise<NotesServer>;
  start(directory: string, target: string[]): Promise<RunningApp>;
  /** Runs the app through its day. The name stands in the table at the end of the output. */
  follow(name: string, directory: string, server: NotesServer): Promise<Counts>;
  /** What else has to be undone after the test, the last first. */
  readonly cleanUps: (() => Promise<void> | void)[];
}

/** The stage of a test file. */
export function notesStage(): Stage {
  const rows = new Map<string, Counts>();
  const cleanUps: Stage['cleanUps'] = [];

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  afterAll(() => {
    console.log(`\nWhat reached the notes app\n\n${table(rows)}\n`);
  });

  const start = async (directory: string, target: string[]): Promise<RunningApp> => {
    const app = await startApp(directory, target);
    cleanUps.push(() => app.kill());
    return app;
  };

  return {
    cleanUps,
    start,
    async serve(era, wire) {
      const server = await (wire === 'http' ? startHttpServer(era) : startStdioServer(era));
      cleanUps.push(() => server.close());
      return server;
    },
    async follow(name, directory, server) {
      const app = await start(directory, server.target);
      const counts = await journey(app, server);
      rows.set(`${name}, ${server.era} ${server.wire}`, counts);
      expect(await app.end(), 'exit code of the app').toBe(0);
      return counts;
    },
  };
}

/** Everything once, during a swap of the stream at least once, and nothing that nobody watches. */
export function expectNothingLost(counts: Counts): void {
  const { swap, era } = counts;
  expect(swap.got).toBeGreaterThanOrEqual(swap.sent);
  if (era === 'legacy') expect(swap.got).toBe(swap.sent);
  for (const part of ['steady', 'tools', 'resources', 'drop', 'reconnect', 'reconnectTools'] as const) {
    expect(counts[part]?.got, part).toBe(counts[part]?.sent);
  }
  for (const part of ['unwatched', 'reconnectUnwatched', 'closed'] as const) {
    expect(counts[part].got, part).toBe(0);
  }
}
