/** All rules, in the order of their table. */
import type { Rule } from '../rule.js';
import { boundedRelisten } from './bounded-relisten.js';
import { closeByTransport } from './close-by-transport.js';
import { invalidateOnNotification } from './invalidate-on-notification.js';
import { noDuplicateDelivery } from './no-duplicate-delivery.js';
import { noEraConfusion } from './no-era-confusion.js';
import { noExtensionOnListen } from './no-extension-on-listen.js';
import { noFatalRefusal } from './no-fatal-refusal.js';
import { noGetStream } from './no-get-stream.js';
import { noLastEventId } from './no-last-event-id.js';
import { noListenDeadline } from './no-listen-deadline.js';
import { noResourceSubscribe } from './no-resource-subscribe.js';
import { noStateFromNotification } from './no-state-from-notification.js';
import { noUncheckedAck } from './no-unchecked-ack.js';
import { noUnfinishedMigration } from './no-unfinished-migration.js';
import { refetchAfterAck } from './refetch-after-ack.js';
import { requireListen } from './require-listen.js';
import { requireModernEra } from './require-modern-era.js';
import { validListenFilter } from './valid-listen-filter.js';
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
];
