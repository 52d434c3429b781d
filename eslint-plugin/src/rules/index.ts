/** All rules, in the order of their table. */
import type { Rule } from '../rule.js';
import { ackFirst } from './ack-first.js';
import { authorizeFilterUris } from './authorize-filter-uris.js';
import { checkSubscriptionId } from './check-subscription-id.js';
import { getAnswers405 } from './get-answers-405.js';
import { gracefulClose } from './graceful-close.js';
import { honorFilter } from './honor-filter.js';
import { listenInMethodTables } from './listen-in-method-tables.js';
import { listenRequestShape } from './listen-request-shape.js';
import { noChangeOnRequestStream } from './no-change-on-request-stream.js';
import { noHandwrittenListen } from './no-handwritten-listen.js';
import { noInstancePush } from './no-instance-push.js';
import { noLostSubscribeCheck } from './no-lost-subscribe-check.js';
import { noProgressOnListen } from './no-progress-on-listen.js';
import { noRequestScopedHandler } from './no-request-scoped-handler.js';
import { noServerRequestOnModern } from './no-server-request-on-modern.js';
import { noSilentAdvertising } from './no-silent-advertising.js';
import { noSubscriberGate } from './no-subscriber-gate.js';
import { noWorkInFactory } from './no-work-in-factory.js';
import { publishNeedsCapability } from './publish-needs-capability.js';
import { requireModernEra } from './require-modern-era.js';
import { sharedEventBus } from './shared-event-bus.js';
import { stopOnDisconnect } from './stop-on-disconnect.js';
import { tagSubscriptionId } from './tag-subscription-id.js';
import { uniqueListenId } from './unique-listen-id.js';
import { waitForAck } from './wait-for-ack.js';

export const rules: readonly Rule[] = [
  requireModernEra,
  noInstancePush,
  noChangeOnRequestStream,
  noProgressOnListen,
  publishNeedsCapability,
  noSilentAdvertising,
  noSubscriberGate,
  noLostSubscribeCheck,
  noHandwrittenListen,
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
