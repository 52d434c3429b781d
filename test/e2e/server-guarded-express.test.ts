/** The server whose routes ask for a token (`fixtures/apps/guarded-express`), migrated by the built CLI and run. */
import { expect, it } from 'vitest';

import { HttpTransport, legacyListener, modernListener } from './support/listeners.js';
import { describeMigrated } from './support/migrated-server.js';
import { GUARDED_EXPRESS } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';
import { post } from './support/wire-listener.js';

const stage = serverStage();

describeMigrated(GUARDED_EXPRESS, stage, {
  more({ target, directory }) {
    it('lets nobody in without the token', async () => {
      const { url } = await stage.start(GUARDED_EXPRESS, directory());
      const listen = { notifications: { resourceSubscriptions: [GUARDED_EXPRESS.watched] } };
      expect((await post(url, 'server/discover')).status).toBe(401);
      expect((await post(url, 'tools/list')).status).toBe(401);
      expect((await post(url, 'subscriptions/listen', listen)).status).toBe(401);
      expect(
        (await post(url, 'tools/list', {}, { headers: { authorization: 'Bearer guessed' } })).status,
      ).toBe(401);
      expect((await post(url, 'tools/list', {}, { headers: GUARDED_EXPRESS.headers })).status).toBe(200);
      for (const method of ['GET', 'DELETE']) expect((await fetch(url, { method })).status).toBe(401);

      await expect(modernListener('modern', new HttpTransport(url))).rejects.toThrow();
      if (target === 'dual') await expect(legacyListener('2025', new HttpTransport(url))).rejects.toThrow();
    });
  },
});
