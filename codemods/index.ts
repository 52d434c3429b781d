/** All codemods, in the order in which they decide. */
import { appSenders } from './client/app-senders.js';
import { eraOptIn } from './client/era-opt-in.js';
import { methodGuards } from './client/method-guards.js';
import { mocks } from './client/mocks.js';
import { resumption } from './client/resumption.js';
import { listChangedHandlers } from './client/list-changed-handlers.js';
import { subscribeCalls } from './client/subscribe-calls.js';
import { publishCalls } from './server/publish-calls.js';
import type { Codemod } from './codemod.js';
import { stdioEntry } from './server/stdio-entry.js';
import { closing } from './wire/closing.js';
import { getStream } from './wire/get-stream.js';
import { lastEventId } from './wire/last-event-id.js';
import { subscribeMessages } from './wire/subscribe-messages.js';
import { wireCodemods } from './wire/wire-codemod.js';
import { capabilities } from './server/capabilities.js';
import { eventStore } from './server/event-store.js';
import { factoryWork } from './server/factory-work.js';
import { httpEntry } from './server/http-entry.js';
import { severalProcessesMarks } from './server/several-processes.js';
import { subscribeHandlers } from './server/subscribe-handlers.js';
import { subscriberGuards } from './server/subscriber-guards.js';

export const codemods: readonly Codemod[] = [
  subscribeCalls,
  methodGuards,
  appSenders,
  listChangedHandlers,
  resumption,
  mocks,
  eraOptIn,
  publishCalls,
  stdioEntry,
  ...wireCodemods([getStream, subscribeMessages, lastEventId, closing]),
  subscriberGuards,
  subscribeHandlers,
  capabilities,
  factoryWork,
  severalProcessesMarks,
  httpEntry,
  eventStore,
];
