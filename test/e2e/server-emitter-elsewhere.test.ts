/** The server whose changes happen in another module than its hosting (`fixtures/apps/emitter-elsewhere`), migrated by the built CLI and run. */
import { expect, it } from 'vitest';

import { describeMigrated } from './support/migrated-server.js';
import { source } from './support/notes-app.js';
import { EMITTER_ELSEWHERE } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';

describeMigrated(EMITTER_ELSEWHERE, serverStage(), {
  // What forgets a session is left of the registry: nobody calls it any more.
  left: { modern: ['no modern client subscribes, so subscriptions stays empty'] },
  more({ directory }) {
    it('imports in no circle', async () => {
      const importsOf = async (file: string): Promise<string[]> =>
        [...(await source(directory(), `src/${file}`)).matchAll(/from '\.\/(.+)\.js'/g)].map(
          ([, name]) => name!,
        );
      expect(await importsOf('mcp-changes.ts')).toEqual([]);
      expect(await importsOf('stock.ts')).toEqual(['mcp-changes']);
    });
  },
});
