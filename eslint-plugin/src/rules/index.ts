/** All rules, in the order of their table. */
import type { Rule } from '../rule.js';
import { ackFirst } from './ack-first.js';
import { authorizeFilterUris } from './authorize-filter-uris.js';
import { checkSubscriptionId } from './check-subscription-id.js';
import { honorFilter } from './honor-filter.js';
import { listenRequestShape } from './listen-request-shape.js';
import { noChangeOnRequestStream } from './no-change-on-request-stream.js';
import { noHandwrittenListen } from './no-handwritten-listen.js';
import { noInstancePush } from './no-instance-push.js';
import { noLostSubscribeCheck } from './no-lost-subscribe-check.js';
import { noProgressOnListen } from './no-progress-on-listen.js';
import { noSilentAdvertising } from './no-silent-advertising.js';
import { noSubscriberGate } from './no-subscriber-gate.js';
import { publishNeedsCapability } from './publish-needs-capability.js';
import { requireModernEra } from './require-modern-era.js';
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
