// The notifications of both eras, and what carries them in the modern one.
import type { Era } from './revisions.js';
import type { Source } from './source.js';

export const NOTIFICATION = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
  resourceUpdated: 'notifications/resources/updated',
  acknowledged: 'notifications/subscriptions/acknowledged',
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  message: 'notifications/message',
  rootsListChanged: 'notifications/roots/list_changed',
  initialized: 'notifications/initialized',
} as const;

/** How the names of list changes end: what stands in the text of a name that is put together when the code runs. */
export const LIST_CHANGED_TAIL = '/list_changed';

export type Notification = (typeof NOTIFICATION)[keyof typeof NOTIFICATION];

export interface NotificationRow {
  readonly name: Notification;
  readonly eras: readonly Era[];
  readonly direction: 'client-to-server' | 'server-to-client' | 'both';
  /**
   * The stream that a modern server may send it on: the listen stream, or the response stream of the request it
   * belongs to, never the other one (E1, E2). Absent where no server sends it, or the texts disagree (D7).
   */
  readonly carrier?: 'listen' | 'request';
  readonly source: Source;
}

const BOTH = ['legacy', 'modern'] as const satisfies readonly Era[];

export const NOTIFICATIONS: readonly NotificationRow[] = [
  {
    name: NOTIFICATION.toolsListChanged,
    eras: BOTH,
    direction: 'server-to-client',
    carrier: 'listen',
    source: { page: 'server/tools.mdx', section: 'List Changed Notification', level: 'SHOULD' },
  },
  {
    name: NOTIFICATION.promptsListChanged,
    eras: BOTH,
    direction: 'server-to-client',
    carrier: 'listen',
    source: { page: 'server/prompts.mdx', section: 'List Changed Notification', level: 'SHOULD' },
  },
  {
    name: NOTIFICATION.resourcesListChanged,
    eras: BOTH,
    direction: 'server-to-client',
    carrier: 'listen',
    source: { page: 'server/resources.mdx', section: 'List Changed Notification', level: 'SHOULD' },
  },
  {
    name: NOTIFICATION.resourceUpdated,
    eras: BOTH,
    direction: 'server-to-client',
    carrier: 'listen',
    source: { page: 'schema', section: 'ResourceUpdatedNotification', level: 'definition' },
  },
  {
    name: NOTIFICATION.acknowledged,
    eras: ['modern'],
    direction: 'server-to-client',
    carrier: 'listen',
    source: { page: 'basic/patterns/subscriptions.mdx', section: 'Acknowledgment', level: 'MUST' },
  },
  {
    name: NOTIFICATION.cancelled,
    eras: BOTH,
    direction: 'both',
    source: { page: 'basic/patterns/cancellation.mdx', section: 'D7', level: 'disputed' },
  },
  {
    name: NOTIFICATION.progress,
    eras: BOTH,
    direction: 'both',
    carrier: 'request',
    source: { page: 'basic/transports/streamable-http.mdx', section: 'E1', level: 'MUST NOT' },
  },
  {
    name: NOTIFICATION.message,
    eras: BOTH,
    direction: 'server-to-client',
    carrier: 'request',
    source: { page: 'server/utilities/logging.mdx', section: 'E1', level: 'MUST NOT' },
  },
  {
    name: NOTIFICATION.rootsListChanged,
    eras: ['legacy'],
    direction: 'client-to-server',
    source: { page: '2025-11-25/client/roots.mdx', section: 'Root List Changes', level: 'definition' },
  },
  {
    name: NOTIFICATION.initialized,
    eras: ['legacy'],
    direction: 'client-to-server',
    source: { page: '2025-11-25/basic/lifecycle.mdx', section: 'Initialization', level: 'MUST' },
  },
];
