/** All rules, in the order of their table. */
import type { Rule } from '../rule.js';
import { requireModernEra } from './require-modern-era.js';
import { noRequestScopedHandler } from './no-request-scoped-handler.js';
import { noWorkInFactory } from './no-work-in-factory.js';
import { getAnswers405 } from './get-answers-405.js';
import { gracefulClose } from './graceful-close.js';
import { noServerRequestOnModern } from './no-server-request-on-modern.js';
import { listenInMethodTables } from './listen-in-method-tables.js';
import { sharedEventBus } from './shared-event-bus.js';
import { ackFirst } from './ack-first.js';
import { tagSubscriptionId } from './tag-subscription-id.js';
import { checkSubscriptionId } from './check-subscription-id.js';
import { waitForAck } from './wait-for-ack.js';
import { stopOnDisconnect } from './stop-on-disconnect.js';
import { listenRequestShape } from './listen-request-shape.js';
import { uniqueListenId } from './unique-listen-id.js';
import { honorFilter } from './honor-filter.js';
import { authorizeFilterUris } from './authorize-filter-uris.js';

export const rules: readonly Rule[] = [
  requireModernEra,
  noRequestScopedHandler,
  noWorkInFactory,
  getAnswers405,
  gracefulClose,
  noServerRequestOnModern,
  listenInMethodTables,
  sharedEventBus,
  ackFirst,
  tagSubscriptionId,
  checkSubscriptionId,
  waitForAck,
  stopOnDisconnect,
  listenRequestShape,
  uniqueListenId,
  honorFilter,
  authorizeFilterUris,
];
