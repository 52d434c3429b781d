/** The server on Hono that keeps a web-standard transport per session (`fixtures/apps/sessions-hono`), migrated by the built CLI and run. */
import { describeMigrated } from './support/migrated-server.js';
import { SESSIONS_HONO } from './support/served-apps.js';
import { serverStage } from './support/server-stage.js';

describeMigrated(SESSIONS_HONO, serverStage());
