/** All rules, in the order of their table. */
import type { Rule } from '../rule.js';
import { ackFirst } from './ack-first.js';
import { authorizeFilterUris } from './authorize-filter-uris.js';
import { boundedRelisten } from './bounded-relisten.js';
import { checkSubscriptionId } from './check-subscription-id.js';
import { closeByTransport } from './close-by-transport.js';
import { getAnswers405 } from './get-answers-405.js';
import { gracefulClose } from './graceful-close.js';
import { honorFilter } from './honor-filter.js';
import { invalidateOnNotification } from './invalidate-on-notification.js';
import { listenInMethodTables } from './listen-in-method-tables.js';
import { listenRequestShape } from './listen-request-shape.js';
import { noChangeOnRequestStream } from './no-change-on-request-stream.js';
import { noDuplicateDelivery } from './no-duplicate-delivery.js';
import { noEraConfusion } from './no-era-confusion.js';
import { noExtensionOnListen } from './no-extension-on-listen.js';
import { noFatalRefusal } from './no-fatal-refusal.js';
import { noGetStream } from './no-get-stream.js';
import { noHandwrittenListen } from './no-handwritten-listen.js';
import { noInstancePush } from './no-instance-push.js';
import { noLastEventId } from './no-last-event-id.js';
import { noListenDeadline } from './no-listen-deadline.js';
import { noLostSubscribeCheck } from './no-lost-subscribe-check.js';
import { noProgressOnListen } from './no-progress-on-listen.js';
import { noRequestScopedHandler } from './no-request-scoped-handler.js';
import { noResourceSubscribe } from './no-resource-subscribe.js';
import { noServerRequestOnModern } from './no-server-request-on-modern.js';
import { noSilentAdvertising } from './no-silent-advertising.js';
import { noStateFromNotification } from './no-state-from-notification.js';
import { noSubscriberGate } from './no-subscriber-gate.js';
import { noUncheckedAck } from './no-unchecked-ack.js';
import { noUnfinishedMigration } from './no-unfinished-migration.js';
import { noWorkInFactory } from './no-work-in-factory.js';
import { publishNeedsCapability } from './publish-needs-capability.js';
import { refetchAfterAck } from './refetch-after-ack.js';
import { requireListen } from './require-listen.js';
import { requireModernEra } from './require-modern-era.js';
import { sharedEventBus } from './shared-event-bus.js';
import { stopOnDisconnect } from './stop-on-disconnect.js';
import { tagSubscriptionId } from './tag-subscription-id.js';
import { uniqueListenId } from './unique-listen-id.js';
import { validListenFilter } from './valid-listen-filter.js';
import { waitForAck } from './wait-for-ack.js';
import { watchSubscriptionEnd } from './watch-subscription-end.js';

export const rules: readonly Rule[] = [
  noResourceSubscribe,
  noGetStream,
  noLastEventId,
  noDuplicateDelivery,
  closeByTransport,
  noUnfinishedMigration,
  requireModernEra,
  noUncheckedAck,
  requireListen,
  validListenFilter,
  refetchAfterAck,
  noStateFromNotification,
  boundedRelisten,
  watchSubscriptionEnd,
  noFatalRefusal,
  noListenDeadline,
  noExtensionOnListen,
  invalidateOnNotification,
  noEraConfusion,
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
