// The request methods of both eras, and what took the place of those that are gone.
import type { Era } from './revisions.js';
import type { Source } from './source.js';

export const METHOD = {
  resourcesSubscribe: 'resources/subscribe',
  resourcesUnsubscribe: 'resources/unsubscribe',
  subscriptionsListen: 'subscriptions/listen',
  ping: 'ping',
  setLoggingLevel: 'logging/setLevel',
  initialize: 'initialize',
  discover: 'server/discover',
  toolsList: 'tools/list',
  toolsCall: 'tools/call',
  promptsList: 'prompts/list',
  promptsGet: 'prompts/get',
  resourcesList: 'resources/list',
  resourceTemplatesList: 'resources/templates/list',
  resourcesRead: 'resources/read',
  complete: 'completion/complete',
  createMessage: 'sampling/createMessage',
  elicit: 'elicitation/create',
  rootsList: 'roots/list',
} as const;

export type Method = (typeof METHOD)[keyof typeof METHOD];

export interface MethodRow {
  readonly name: Method;
  readonly eras: readonly Era[];
  readonly direction: 'client-to-server' | 'server-to-client' | 'both';
  readonly replacedBy?: Method;
  /** Where the method is defined. */
  readonly source: Source;
  /** For a method of one era only: how we know that the other era does not have it. */
  readonly absence?: Source;
}

const BOTH = ['legacy', 'modern'] as const satisfies readonly Era[];
const LEGACY = ['legacy'] as const satisfies readonly Era[];
const MODERN = ['modern'] as const satisfies readonly Era[];

const REJECTED_BY_CLIENT: Source = {
  page: '@modelcontextprotocol/client@2.4.0',
  section: 'T41',
  level: 'measured',
};
const ANSWERED_404: Source = {
  page: '@modelcontextprotocol/server@2.4.0',
  section: 'T14',
  level: 'measured',
};
const NO_SERVER_REQUESTS: Source = {
  page: 'basic/transports/streamable-http.mdx',
  section: 'E8',
  level: 'MUST NOT',
};

export const METHODS: readonly MethodRow[] = [
  {
    name: METHOD.resourcesSubscribe,
    eras: LEGACY,
    direction: 'client-to-server',
    replacedBy: METHOD.subscriptionsListen,
    source: { page: '2025-11-25/server/resources.mdx', section: 'Subscriptions', level: 'definition' },
    absence: ANSWERED_404,
  },
  {
    name: METHOD.resourcesUnsubscribe,
    eras: LEGACY,
    direction: 'client-to-server',
    replacedBy: METHOD.subscriptionsListen,
    source: { page: '2025-11-25/schema', section: 'UnsubscribeRequest', level: 'definition' },
    absence: REJECTED_BY_CLIENT,
  },
  {
    name: METHOD.subscriptionsListen,
    eras: MODERN,
    direction: 'client-to-server',
    source: { page: 'basic/patterns/subscriptions.mdx', section: 'Opening a Stream', level: 'definition' },
    absence: { page: '@modelcontextprotocol/client@2.4.0', section: 'T1', level: 'measured' },
  },
  {
    name: METHOD.ping,
    eras: LEGACY,
    direction: 'both',
    source: { page: '2025-11-25/basic/utilities/ping.mdx', level: 'definition' },
    absence: REJECTED_BY_CLIENT,
  },
  {
    name: METHOD.setLoggingLevel,
    eras: LEGACY,
    direction: 'client-to-server',
    source: {
      page: '2025-11-25/server/utilities/logging.mdx',
      section: 'Setting Log Level',
      level: 'definition',
    },
    absence: REJECTED_BY_CLIENT,
  },
  {
    name: METHOD.initialize,
    eras: LEGACY,
    direction: 'client-to-server',
    replacedBy: METHOD.discover,
    source: { page: '2025-11-25/basic/lifecycle.mdx', section: 'Initialization', level: 'MUST' },
    absence: { page: 'basic/versioning.mdx', section: 'H17', level: 'SHOULD' },
  },
  {
    name: METHOD.discover,
    eras: MODERN,
    direction: 'client-to-server',
    source: { page: 'schema', section: 'DiscoverRequest', level: 'MUST' },
    absence: { page: '@modelcontextprotocol/client@2.4.0', section: 'T43', level: 'measured' },
  },
  {
    name: METHOD.toolsList,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/tools.mdx', section: 'Listing Tools', level: 'definition' },
  },
  {
    name: METHOD.toolsCall,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/tools.mdx', section: 'Calling Tools', level: 'definition' },
  },
  {
    name: METHOD.promptsList,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/prompts.mdx', section: 'Listing Prompts', level: 'definition' },
  },
  {
    name: METHOD.promptsGet,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/prompts.mdx', section: 'Getting a Prompt', level: 'definition' },
  },
  {
    name: METHOD.resourcesList,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/resources.mdx', section: 'Listing Resources', level: 'definition' },
  },
  {
    name: METHOD.resourceTemplatesList,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/resources.mdx', section: 'Resource Templates', level: 'definition' },
  },
  {
    name: METHOD.resourcesRead,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/resources.mdx', section: 'Reading Resources', level: 'definition' },
  },
  {
    name: METHOD.complete,
    eras: BOTH,
    direction: 'client-to-server',
    source: { page: 'server/utilities/completion.mdx', level: 'definition' },
  },
  {
    name: METHOD.createMessage,
    eras: LEGACY,
    direction: 'server-to-client',
    source: { page: '2025-11-25/client/sampling.mdx', level: 'definition' },
    absence: NO_SERVER_REQUESTS,
  },
  {
    name: METHOD.elicit,
    eras: LEGACY,
    direction: 'server-to-client',
    source: { page: '2025-11-25/client/elicitation.mdx', level: 'definition' },
    absence: NO_SERVER_REQUESTS,
  },
  {
    name: METHOD.rootsList,
    eras: LEGACY,
    direction: 'server-to-client',
    source: { page: '2025-11-25/client/roots.mdx', level: 'definition' },
    absence: NO_SERVER_REQUESTS,
  },
];

/** What no modern peer answers as a request of its own. */
export const LEGACY_ONLY_METHODS: readonly Method[] = METHODS.filter(
  ({ eras }) => !eras.includes('modern'),
).map(({ name }) => name);
