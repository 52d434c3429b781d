/** The server on Express that keeps a transport per session (`fixtures/apps/sessions-express`), migrated by the built CLI and run. */
import { expect, it } from 'vitest';

import { HttpTransport, legacyListener } from './support/listeners.js';
import { describeMigrated } from './support/migrated-server.js';
import { folderOf, order, SESSIONS_EXPRESS } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';
import { until } from './support/until.js';

const stage = serverStage();
const { watched, change } = SESSIONS_EXPRESS;

/** What a client of 2025 missed while its stream was broken is in the event store. */
async function expectResumed(directory: string): Promise<void> {
  const { url } = await stage.start(SESSIONS_EXPRESS, directory);
  const transport = new HttpTransport(url);
  const listener = await legacyListener('2025, subscribed', transport, watched);
  await transport.streamOpen();
  await order(listener.client, change);
  await until('the first change arrives', () => listener.updates() === 1);

  transport.breakStream();
  await order(listener.client, change);
  await order(listener.client, change);
  expect(listener.updates()).toBe(1);
  await transport.streamOpen(2);
  await until('what was missed arrives', () => listener.updates() >= 3);
  await order(listener.client, change);
  await until('the last change arrives', () => listener.updates() >= 4);
  expect(listener.updates()).toBe(4);
  await listener.close();
}

it('as it was: a broken stream of a client of 2025 is resumed', () =>
  expectResumed(folderOf(SESSIONS_EXPRESS, 'v2')));

describeMigrated(SESSIONS_EXPRESS, stage, {
  more({ target, directory }) {
    if (target === 'modern') return;
    it('a broken stream of a client of 2025 is resumed', () => expectResumed(directory()));
  },
});
