/** All codemods, in the order in which they decide. */
import { appSenders } from './client/app-senders.js';
import { eraOptIn } from './client/era-opt-in.js';
import { listChangedHandlers } from './client/list-changed-handlers.js';
import { subscribeCalls } from './client/subscribe-calls.js';
import type { Codemod } from './codemod.js';

export const codemods: readonly Codemod[] = [subscribeCalls, appSenders, listChangedHandlers, eraOptIn];
