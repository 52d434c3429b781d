/** The route module of Next.js that keeps a web-standard transport per session (`fixtures/apps/sessions-next`), migrated by the built CLI and run. */
import { describeMigrated } from './support/migrated-server.js';
import { SESSIONS_NEXT } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';

describeMigrated(SESSIONS_NEXT, serverStage());
