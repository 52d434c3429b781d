/** All codemods, in the order in which they decide. */
import { appSenders } from './client/app-senders.js';
import { eraOptIn } from './client/era-opt-in.js';
import { methodGuards } from './client/method-guards.js';
import { mocks } from './client/mocks.js';
import { resumption } from './client/resumption.js';
import { listChangedHandlers } from './client/list-changed-handlers.js';
import { subscribeCalls } from './client/subscribe-calls.js';
import type { Codemod } from './codemod.js';
import { stdioEntry } from './server/stdio-entry.js';
import { closing } from './wire/closing.js';
import { getStream } from './wire/get-stream.js';
import { lastEventId } from './wire/last-event-id.js';
import { subscribeMessages } from './wire/subscribe-messages.js';
import { wireCodemod } from './wire/wire-codemod.js';

export const codemods: readonly Codemod[] = [
  subscribeCalls,
  methodGuards,
  appSenders,
  listChangedHandlers,
  resumption,
  mocks,
  eraOptIn,
  stdioEntry,
  ...[getStream, subscribeMessages, lastEventId, closing].map(wireCodemod),
];
