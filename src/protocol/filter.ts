// The filter of `subscriptions/listen`: each field with the notification it asks for and the capability that backs it.
import { METHOD, type Method } from './methods.js';
import { NOTIFICATION, type Notification } from './notifications.js';
import type { Source } from './source.js';

/** The three fields that are booleans. */
export type ListKind = 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged';

export type FilterField = ListKind | 'resourceSubscriptions';

export interface FilterFieldRow {
  readonly field: FilterField;
  readonly notification: Notification;
  /** What the server must advertise, else the field is missing from the acknowledgment (T11). */
  readonly capability: {
    readonly group: 'tools' | 'prompts' | 'resources';
    readonly member: 'listChanged' | 'subscribe';
  };
  /** The key of the SDK client's `listChanged` option that opens a stream for the same kind (T44). */
  readonly listChangedOption?: 'tools' | 'prompts' | 'resources';
  /** What a client asks again once it was told of a change. */
  readonly refetch: readonly Method[];
  /** The same, as methods of the SDK's `Client`. */
  readonly refetchCalls: readonly string[];
  readonly v1NotificationSchema: string;
  readonly source: Source;
}

export const FILTER_FIELDS: readonly FilterFieldRow[] = [
  {
    field: 'toolsListChanged',
    notification: NOTIFICATION.toolsListChanged,
    capability: { group: 'tools', member: 'listChanged' },
    listChangedOption: 'tools',
    refetch: [METHOD.toolsList],
    refetchCalls: ['listTools'],
    v1NotificationSchema: 'ToolListChangedNotificationSchema',
    source: { page: 'schema', section: 'SubscriptionFilter.toolsListChanged', level: 'definition' },
  },
  {
    field: 'promptsListChanged',
    notification: NOTIFICATION.promptsListChanged,
    capability: { group: 'prompts', member: 'listChanged' },
    listChangedOption: 'prompts',
    refetch: [METHOD.promptsList],
    refetchCalls: ['listPrompts'],
    v1NotificationSchema: 'PromptListChangedNotificationSchema',
    source: { page: 'schema', section: 'SubscriptionFilter.promptsListChanged', level: 'definition' },
  },
  {
    field: 'resourcesListChanged',
    notification: NOTIFICATION.resourcesListChanged,
    capability: { group: 'resources', member: 'listChanged' },
    listChangedOption: 'resources',
    refetch: [METHOD.resourcesList, METHOD.resourceTemplatesList],
    refetchCalls: ['listResources', 'listResourceTemplates'],
    v1NotificationSchema: 'ResourceListChangedNotificationSchema',
    source: { page: 'schema', section: 'SubscriptionFilter.resourcesListChanged', level: 'definition' },
  },
  {
    field: 'resourceSubscriptions',
    notification: NOTIFICATION.resourceUpdated,
    capability: { group: 'resources', member: 'subscribe' },
    refetch: [METHOD.resourcesRead],
    refetchCalls: ['readResource'],
    v1NotificationSchema: 'ResourceUpdatedNotificationSchema',
    source: { page: 'server/resources.mdx', section: 'Capabilities', level: 'definition' },
  },
];

export const LIST_KINDS = [
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
] as const satisfies readonly ListKind[];

/** The member of `params` that holds the filter, in the request and in the acknowledgment (A2, B4). */
export const FILTER_PARAM = 'notifications';

/** What an extension adds to the stream: no part of the core filter. */
export interface ExtensionFieldRow {
  readonly field: string;
  /** The capability by which both sides declare the extension. */
  readonly capability: string;
  /** The notification that the field asks for. */
  readonly notification: string;
  /** The request that tells the same without a stream. */
  readonly poll: string;
  readonly source: Source;
}

/** Fields of extensions: sent by clients of SDK 2.0 to 2.4, dropped in silence by their servers, and taken out of `honoredFilter` (T13). */
export const EXTENSION_FILTER_FIELDS: readonly ExtensionFieldRow[] = [
  {
    field: 'taskIds',
    capability: 'io.modelcontextprotocol/tasks',
    notification: 'notifications/tasks',
    poll: 'tasks/get',
    source: { page: 'SEP-2663', section: 'J1', level: 'definition' },
  },
];
