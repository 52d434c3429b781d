// What the official TypeScript SDK calls things, in version 1 and in version 2.
import { METHOD, type Method } from './methods.js';
import { NOTIFICATION, type Notification } from './notifications.js';
import type { FilterField, ListKind } from './filter.js';
import type { Source } from './source.js';

// Packages

export const SDK_SCOPE = '@modelcontextprotocol/';

export const V1_PACKAGE = '@modelcontextprotocol/sdk';

export const V2_CLIENT_PACKAGE = '@modelcontextprotocol/client';
export const V2_SERVER_PACKAGE = '@modelcontextprotocol/server';
export const V2_CORE_PACKAGE = '@modelcontextprotocol/core';
export const V2_NODE_PACKAGE = '@modelcontextprotocol/node';

/** Every official package of generation 2 that code can import; `server-legacy` is the frozen HTTP+SSE transport. */
export const V2_PACKAGES = [
  V2_CLIENT_PACKAGE,
  V2_SERVER_PACKAGE,
  V2_CORE_PACKAGE,
  V2_NODE_PACKAGE,
  '@modelcontextprotocol/express',
  '@modelcontextprotocol/hono',
  '@modelcontextprotocol/fastify',
  '@modelcontextprotocol/server-legacy',
] as const;

/** The official v1-to-v2 codemod: a tool, never imported by the code it changes. */
export const SDK_CODEMOD_PACKAGE = '@modelcontextprotocol/codemod';

/** The comment by which it says what it has left: measured, 2.3.1. */
export const SDK_CODEMOD_MARKER = '@mcp-codemod-error';

/** The first client and server whose `listen()` and change stream have everything that rewritten code uses. */
export const V2_RANGE = '^2.4.0';

export interface CompanionRelease {
  readonly version: string;
  /** The first server that it works with: what its `peerDependencies` say. */
  readonly server: string;
}

/** Packages beside the server, which have version lines of their own; the newest release comes first (npm, 2026-10-23). */
export const SERVER_COMPANIONS: Readonly<Record<string, readonly CompanionRelease[]>> = {
  [V2_NODE_PACKAGE]: [
    { version: '2.1.2', server: '2.4.0' },
    { version: '2.1.1', server: '2.3.0' },
    { version: '2.1.0', server: '2.1.0' },
    { version: '2.0.0', server: '2.0.0' },
  ],
  '@modelcontextprotocol/express': [
    { version: '2.0.2', server: '2.3.0' },
    { version: '2.0.1', server: '2.1.0' },
    { version: '2.0.0', server: '2.0.0' },
  ],
  '@modelcontextprotocol/hono': [
    { version: '2.0.2', server: '2.3.0' },
    { version: '2.0.1', server: '2.1.0' },
    { version: '2.0.0', server: '2.0.0' },
  ],
  '@modelcontextprotocol/fastify': [
    { version: '2.0.1', server: '2.3.0' },
    { version: '2.0.0', server: '2.0.0' },
  ],
};

// Client

export const CLIENT_CLASS = 'Client';

/** Module specifiers that export `Client`. Version 1 resolves some without their extension in CommonJS and bundlers. */
export const CLIENT_MODULES = [
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/index',
  '@modelcontextprotocol/sdk/client',
  V2_CLIENT_PACKAGE,
] as const;

export interface ClientTransportRow {
  readonly name: string;
  readonly kind: 'http' | 'sse' | 'stdio' | 'websocket' | 'memory';
  readonly v1Module: string;
  /** Absent where version 2 has dropped it. */
  readonly v2Module?: string;
}

export const CLIENT_TRANSPORTS = [
  {
    name: 'StreamableHTTPClientTransport',
    kind: 'http',
    v1Module: '@modelcontextprotocol/sdk/client/streamableHttp.js',
    v2Module: V2_CLIENT_PACKAGE,
  },
  {
    name: 'SSEClientTransport',
    kind: 'sse',
    v1Module: '@modelcontextprotocol/sdk/client/sse.js',
    v2Module: V2_CLIENT_PACKAGE,
  },
  {
    name: 'StdioClientTransport',
    kind: 'stdio',
    v1Module: '@modelcontextprotocol/sdk/client/stdio.js',
    v2Module: '@modelcontextprotocol/client/stdio',
  },
  {
    name: 'WebSocketClientTransport',
    kind: 'websocket',
    v1Module: '@modelcontextprotocol/sdk/client/websocket.js',
  },
  {
    name: 'InMemoryTransport',
    kind: 'memory',
    v1Module: '@modelcontextprotocol/sdk/inMemory.js',
    v2Module: V2_CLIENT_PACKAGE,
  },
] as const satisfies readonly ClientTransportRow[];

export const CLIENT_MEMBER = {
  connect: 'connect',
  close: 'close',
  request: 'request',
  notification: 'notification',
  listen: 'listen',
  subscribeResource: 'subscribeResource',
  unsubscribeResource: 'unsubscribeResource',
  setLoggingLevel: 'setLoggingLevel',
  ping: 'ping',
  sendRootsListChanged: 'sendRootsListChanged',
  setNotificationHandler: 'setNotificationHandler',
  removeNotificationHandler: 'removeNotificationHandler',
  fallbackNotificationHandler: 'fallbackNotificationHandler',
  setRequestHandler: 'setRequestHandler',
  getProtocolEra: 'getProtocolEra',
  getNegotiatedProtocolVersion: 'getNegotiatedProtocolVersion',
  getServerCapabilities: 'getServerCapabilities',
  setVersionNegotiation: 'setVersionNegotiation',
  registerCapabilities: 'registerCapabilities',
  autoOpenedSubscription: 'autoOpenedSubscription',
  transport: 'transport',
  onclose: 'onclose',
  onerror: 'onerror',
  listTools: 'listTools',
  listPrompts: 'listPrompts',
  listResources: 'listResources',
  listResourceTemplates: 'listResourceTemplates',
  readResource: 'readResource',
  callTool: 'callTool',
} as const;

export type ClientMember = (typeof CLIENT_MEMBER)[keyof typeof CLIENT_MEMBER];

export interface LegacyOnlyCall {
  readonly member: ClientMember;
  readonly method: Method | Notification;
  /** `subscription`: a listen takes its place. `blocker`: nothing does, so its client cannot be opted in (T41). */
  readonly role: 'subscription' | 'blocker';
  readonly reason: string;
  readonly source: Source;
}

const REJECTS_ON_MODERN = 'rejects with METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION on a modern connection';
const T41: Source = { page: '@modelcontextprotocol/client@2.4.0', section: 'T2, T41', level: 'measured' };

export const LEGACY_ONLY_CALLS: readonly LegacyOnlyCall[] = [
  {
    member: CLIENT_MEMBER.subscribeResource,
    method: METHOD.resourcesSubscribe,
    role: 'subscription',
    reason: REJECTS_ON_MODERN,
    source: T41,
  },
  {
    member: CLIENT_MEMBER.unsubscribeResource,
    method: METHOD.resourcesUnsubscribe,
    role: 'subscription',
    reason: REJECTS_ON_MODERN,
    source: T41,
  },
  {
    member: CLIENT_MEMBER.setLoggingLevel,
    method: METHOD.setLoggingLevel,
    role: 'blocker',
    reason: REJECTS_ON_MODERN,
    source: T41,
  },
  {
    member: CLIENT_MEMBER.ping,
    method: METHOD.ping,
    role: 'blocker',
    reason: REJECTS_ON_MODERN,
    source: T41,
  },
  {
    member: CLIENT_MEMBER.sendRootsListChanged,
    method: NOTIFICATION.rootsListChanged,
    role: 'blocker',
    reason: REJECTS_ON_MODERN,
    source: T41,
  },
];

export interface LegacyOnlyProperty {
  /** The property chain, from the client: `client.transport.sessionId`. */
  readonly path: readonly string[];
  readonly reason: string;
  readonly source: Source;
}

export const LEGACY_ONLY_PROPERTIES: readonly LegacyOnlyProperty[] = [
  {
    path: [CLIENT_MEMBER.transport, 'sessionId'],
    reason: 'is undefined on a modern connection, which has no session',
    source: T41,
  },
];

/** Keys of the second argument of `new Client`, and of `connect`, with the two values of `mode` that are words. */
export const CLIENT_OPTION = {
  versionNegotiation: 'versionNegotiation',
  mode: 'mode',
  auto: 'auto',
  legacy: 'legacy',
  pin: 'pin',
  probe: 'probe',
  timeoutMs: 'timeoutMs',
  listChanged: 'listChanged',
  onChanged: 'onChanged',
  debounceMs: 'debounceMs',
  autoRefresh: 'autoRefresh',
  capabilities: 'capabilities',
  prior: 'prior',
} as const;

/** Keys of the SDK's `RequestOptions` that matter to a subscription. */
export const REQUEST_OPTION = {
  signal: 'signal',
  timeout: 'timeout',
  cacheMode: 'cacheMode',
  resumptionToken: 'resumptionToken',
  onresumptiontoken: 'onresumptiontoken',
} as const;

/** Keys of the SDK's request options whose names are its own: a type with one of them was copied from there. */
export const COPIED_OPTIONS = [
  REQUEST_OPTION.onresumptiontoken,
  'onprogress',
  'resetTimeoutOnProgress',
  'maxTotalTimeout',
] as const;

/** What `client.listen()` resolves to: these three and no id (T30). */
export const SUBSCRIPTION_MEMBER = {
  honoredFilter: 'honoredFilter',
  close: 'close',
  closed: 'closed',
} as const;

/** What `subscription.closed` resolves to; `client.close()` gives `remote`, not `local` (T23). */
export const CLOSE_REASON = { local: 'local', graceful: 'graceful', remote: 'remote' } as const;

/** `SdkErrorCode` values that a wrong era or a refused listen gives, and the classes that carry them (T1, T24, T25). */
export const ERA_NEGOTIATION = {
  methodNotSupported: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
  negotiationFailed: 'ERA_NEGOTIATION_FAILED',
  notConnected: 'NOT_CONNECTED',
  connectionClosed: 'CONNECTION_CLOSED',
  requestTimeout: 'REQUEST_TIMEOUT',
  httpNotImplemented: 'CLIENT_HTTP_NOT_IMPLEMENTED',
} as const;

export const ERROR_CLASS = {
  sdk: 'SdkError',
  http: 'SdkHttpError',
  protocol: 'ProtocolError',
} as const;

/**
 * Notifications that `setNotificationHandler` takes with two arguments; with any other it throws, and wants schemas in
 * between (T13). The two that are not ours to listen for are spelt here alone.
 */
export const SPEC_NOTIFICATIONS: readonly string[] = [
  ...Object.values(NOTIFICATION),
  'notifications/elicitation/complete',
  'notifications/tasks/status',
];

// Schemas and types

/**
 * Names of version 1 that stand for a method: its schema constants, and the types inferred from them. Those that do not
 * end in `Schema` are types (a regex on `…Schema` misses them: T5).
 */
export const SCHEMA_METHODS: Readonly<Record<string, Method | Notification>> = {
  SubscribeRequestSchema: METHOD.resourcesSubscribe,
  SubscribeRequestParamsSchema: METHOD.resourcesSubscribe,
  UnsubscribeRequestSchema: METHOD.resourcesUnsubscribe,
  UnsubscribeRequestParamsSchema: METHOD.resourcesUnsubscribe,
  SetLevelRequestSchema: METHOD.setLoggingLevel,
  PingRequestSchema: METHOD.ping,
  InitializeRequestSchema: METHOD.initialize,
  ListToolsRequestSchema: METHOD.toolsList,
  ListPromptsRequestSchema: METHOD.promptsList,
  ListResourcesRequestSchema: METHOD.resourcesList,
  ListResourceTemplatesRequestSchema: METHOD.resourceTemplatesList,
  ReadResourceRequestSchema: METHOD.resourcesRead,
  CreateMessageRequestSchema: METHOD.createMessage,
  ElicitRequestSchema: METHOD.elicit,
  ListRootsRequestSchema: METHOD.rootsList,
  ToolListChangedNotificationSchema: NOTIFICATION.toolsListChanged,
  PromptListChangedNotificationSchema: NOTIFICATION.promptsListChanged,
  ResourceListChangedNotificationSchema: NOTIFICATION.resourcesListChanged,
  ResourceUpdatedNotificationSchema: NOTIFICATION.resourceUpdated,
  ResourceUpdatedNotificationParamsSchema: NOTIFICATION.resourceUpdated,
  CancelledNotificationSchema: NOTIFICATION.cancelled,
  ProgressNotificationSchema: NOTIFICATION.progress,
  LoggingMessageNotificationSchema: NOTIFICATION.message,
  RootsListChangedNotificationSchema: NOTIFICATION.rootsListChanged,
  InitializedNotificationSchema: NOTIFICATION.initialized,
  SubscribeRequest: METHOD.resourcesSubscribe,
  SubscribeRequestParams: METHOD.resourcesSubscribe,
  UnsubscribeRequest: METHOD.resourcesUnsubscribe,
  UnsubscribeRequestParams: METHOD.resourcesUnsubscribe,
  ToolListChangedNotification: NOTIFICATION.toolsListChanged,
  PromptListChangedNotification: NOTIFICATION.promptsListChanged,
  ResourceListChangedNotification: NOTIFICATION.resourcesListChanged,
  ResourceUpdatedNotification: NOTIFICATION.resourceUpdated,
  ResourceUpdatedNotificationParams: NOTIFICATION.resourceUpdated,
};

/** The method that a schema or type of the SDK stands for; safe for any name that source code may hold. */
export function methodOfSchema(name: string): Method | Notification | undefined {
  return Object.hasOwn(SCHEMA_METHODS, name) ? SCHEMA_METHODS[name] : undefined;
}

/** Where version 1 keeps its schemas and types. */
export const V1_TYPES_MODULES = [
  '@modelcontextprotocol/sdk/types.js',
  '@modelcontextprotocol/sdk/types',
] as const;

// Server

export interface ServerClassRow {
  readonly name: 'McpServer' | 'Server';
  readonly v1Modules: readonly string[];
  readonly v2Module: string;
}

export const SERVER_CLASSES: readonly ServerClassRow[] = [
  {
    name: 'McpServer',
    v1Modules: ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/sdk/server/mcp'],
    v2Module: V2_SERVER_PACKAGE,
  },
  {
    name: 'Server',
    v1Modules: [
      '@modelcontextprotocol/sdk/server/index.js',
      '@modelcontextprotocol/sdk/server/index',
      '@modelcontextprotocol/sdk/server',
    ],
    v2Module: V2_SERVER_PACKAGE,
  },
];

export interface ServerTransportRow {
  readonly name: string;
  readonly kind: 'http' | 'sse' | 'stdio' | 'memory';
  readonly v1Module?: string;
  readonly v2Module?: string;
}

/** Transports that a server is wired to by hand: such a server speaks the legacy era alone (T4). */
export const SERVER_TRANSPORTS = [
  {
    name: 'StreamableHTTPServerTransport',
    kind: 'http',
    v1Module: '@modelcontextprotocol/sdk/server/streamableHttp.js',
  },
  { name: 'NodeStreamableHTTPServerTransport', kind: 'http', v2Module: V2_NODE_PACKAGE },
  {
    name: 'WebStandardStreamableHTTPServerTransport',
    kind: 'http',
    v1Module: '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
    v2Module: V2_SERVER_PACKAGE,
  },
  {
    name: 'SSEServerTransport',
    kind: 'sse',
    v1Module: '@modelcontextprotocol/sdk/server/sse.js',
    v2Module: '@modelcontextprotocol/server-legacy/sse',
  },
  {
    name: 'StdioServerTransport',
    kind: 'stdio',
    v1Module: '@modelcontextprotocol/sdk/server/stdio.js',
    v2Module: '@modelcontextprotocol/server/stdio',
  },
  {
    name: 'InMemoryTransport',
    kind: 'memory',
    v1Module: '@modelcontextprotocol/sdk/inMemory.js',
    v2Module: V2_SERVER_PACKAGE,
  },
] as const satisfies readonly ServerTransportRow[];

/** Members of those transports. */
export const TRANSPORT_MEMBER = {
  handleRequest: 'handleRequest',
  send: 'send',
  close: 'close',
  sessionId: 'sessionId',
  onmessage: 'onmessage',
  onclose: 'onclose',
  closeSSEStream: 'closeSSEStream',
  closeStandaloneSSEStream: 'closeStandaloneSSEStream',
} as const;

/** Names of version 2 that serve, classify and publish. */
export const SERVER_SYMBOL = {
  createMcpHandler: 'createMcpHandler',
  serveStdio: 'serveStdio',
  isLegacyRequest: 'isLegacyRequest',
  legacyStatelessFallback: 'legacyStatelessFallback',
  hostHeaderValidationResponse: 'hostHeaderValidationResponse',
  originValidationResponse: 'originValidationResponse',
  hostHeaderValidation: 'hostHeaderValidation',
  originValidation: 'originValidation',
  inMemoryServerEventBus: 'InMemoryServerEventBus',
  toNodeHandler: 'toNodeHandler',
  toWebRequest: 'toWebRequest',
  serverEventBus: 'ServerEventBus',
  serverNotifier: 'ServerNotifier',
  mcpHttpHandler: 'McpHttpHandler',
  mcpServerFactory: 'McpServerFactory',
  mcpRequestContext: 'McpRequestContext',
} as const;

export type ServerSymbol = (typeof SERVER_SYMBOL)[keyof typeof SERVER_SYMBOL];

export interface ServerSymbolRow {
  readonly name: ServerSymbol;
  readonly module: string;
  readonly kind: 'value' | 'type';
  /** What it makes of the factory that is its first argument. */
  readonly entry?: 'http' | 'stdio';
}

export const SERVER_SYMBOLS: readonly ServerSymbolRow[] = [
  { name: SERVER_SYMBOL.createMcpHandler, module: V2_SERVER_PACKAGE, kind: 'value', entry: 'http' },
  {
    name: SERVER_SYMBOL.serveStdio,
    module: '@modelcontextprotocol/server/stdio',
    kind: 'value',
    entry: 'stdio',
  },
  { name: SERVER_SYMBOL.isLegacyRequest, module: V2_SERVER_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.legacyStatelessFallback, module: V2_SERVER_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.hostHeaderValidationResponse, module: V2_SERVER_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.originValidationResponse, module: V2_SERVER_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.hostHeaderValidation, module: V2_NODE_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.originValidation, module: V2_NODE_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.inMemoryServerEventBus, module: V2_SERVER_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.toNodeHandler, module: V2_NODE_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.toWebRequest, module: V2_NODE_PACKAGE, kind: 'value' },
  { name: SERVER_SYMBOL.serverEventBus, module: V2_SERVER_PACKAGE, kind: 'type' },
  { name: SERVER_SYMBOL.serverNotifier, module: V2_SERVER_PACKAGE, kind: 'type' },
  { name: SERVER_SYMBOL.mcpHttpHandler, module: V2_SERVER_PACKAGE, kind: 'type' },
  { name: SERVER_SYMBOL.mcpServerFactory, module: V2_SERVER_PACKAGE, kind: 'type' },
  { name: SERVER_SYMBOL.mcpRequestContext, module: V2_SERVER_PACKAGE, kind: 'type' },
];

export const SERVER_MEMBER = {
  server: 'server',
  connect: 'connect',
  close: 'close',
  isConnected: 'isConnected',
  setRequestHandler: 'setRequestHandler',
  registerCapabilities: 'registerCapabilities',
  registerTool: 'registerTool',
  registerPrompt: 'registerPrompt',
  registerResource: 'registerResource',
  request: 'request',
  notification: 'notification',
  sendResourceUpdated: 'sendResourceUpdated',
  sendToolListChanged: 'sendToolListChanged',
  sendPromptListChanged: 'sendPromptListChanged',
  sendResourceListChanged: 'sendResourceListChanged',
  sendLoggingMessage: 'sendLoggingMessage',
  oninitialized: 'oninitialized',
  getClientCapabilities: 'getClientCapabilities',
  getClientVersion: 'getClientVersion',
} as const;

/**
 * What a server knows of its client by the `initialize` handshake, which 2026-07-28 has not (T38): on a modern stdio
 * connection both give nothing, over HTTP they tell of the one request.
 */
export const OF_THE_HANDSHAKE: readonly string[] = [
  SERVER_MEMBER.getClientCapabilities,
  SERVER_MEMBER.getClientVersion,
];

/** Members of a server's HTTP transports. */
export const SERVER_TRANSPORT_MEMBER = {
  handleRequest: 'handleRequest',
  sessionId: 'sessionId',
  closeSSEStream: 'closeSSEStream',
} as const;

/** `handler.notify.*` of `createMcpHandler`, `handler.bus`, and the kinds of event that a bus carries. */
export const HANDLER_MEMBER = { fetch: 'fetch', notify: 'notify', bus: 'bus', close: 'close' } as const;

export interface PublisherRow {
  /** The method of a server instance that emits the change. */
  readonly member: string;
  readonly classes: readonly ('McpServer' | 'Server')[];
  readonly notification: Notification;
  readonly field: FilterField;
  /** The method of `handler.notify` that reaches listen streams (T6). */
  readonly notify: 'toolsChanged' | 'promptsChanged' | 'resourcesChanged' | 'resourceUpdated';
  /** The same as a bus event. */
  readonly event: string;
}

export const PUBLISHERS: readonly PublisherRow[] = [
  {
    member: SERVER_MEMBER.sendToolListChanged,
    classes: ['McpServer', 'Server'],
    notification: NOTIFICATION.toolsListChanged,
    field: 'toolsListChanged',
    notify: 'toolsChanged',
    event: 'tools_list_changed',
  },
  {
    member: SERVER_MEMBER.sendPromptListChanged,
    classes: ['McpServer', 'Server'],
    notification: NOTIFICATION.promptsListChanged,
    field: 'promptsListChanged',
    notify: 'promptsChanged',
    event: 'prompts_list_changed',
  },
  {
    member: SERVER_MEMBER.sendResourceListChanged,
    classes: ['McpServer', 'Server'],
    notification: NOTIFICATION.resourcesListChanged,
    field: 'resourcesListChanged',
    notify: 'resourcesChanged',
    event: 'resources_list_changed',
  },
  {
    member: SERVER_MEMBER.sendResourceUpdated,
    classes: ['Server'],
    notification: NOTIFICATION.resourceUpdated,
    field: 'resourceSubscriptions',
    notify: 'resourceUpdated',
    event: 'resource_updated',
  },
];

/** Methods of what `registerTool` and its kin return: each emits a list change by itself (H8). */
export const REGISTRATION_MEMBERS = ['enable', 'disable', 'update', 'remove'] as const;

export interface RegisteringRow {
  readonly member: string;
  /** The list that it adds to: an `McpServer` advertises `listChanged` for it by itself (T11). */
  readonly field: ListKind;
  /** The types of what it returns. */
  readonly returns: readonly string[];
}

export const REGISTERING: readonly RegisteringRow[] = [
  { member: SERVER_MEMBER.registerTool, field: 'toolsListChanged', returns: ['RegisteredTool'] },
  { member: SERVER_MEMBER.registerPrompt, field: 'promptsListChanged', returns: ['RegisteredPrompt'] },
  {
    member: SERVER_MEMBER.registerResource,
    field: 'resourcesListChanged',
    returns: ['RegisteredResource', 'RegisteredResourceTemplate'],
  },
];

export interface ServerRequestRow {
  readonly member: 'elicitInput' | 'createMessage' | 'listRoots' | 'ping';
  readonly method: Method;
  readonly source: Source;
}

const T42: Source = { page: '@modelcontextprotocol/server@2.4.0', section: 'T42', level: 'measured' };

/** What a server asks its client for: not available in the modern era, so it blocks the factory's group. */
export const SERVER_REQUESTS: readonly ServerRequestRow[] = [
  { member: 'elicitInput', method: METHOD.elicit, source: T42 },
  { member: 'createMessage', method: METHOD.createMessage, source: T42 },
  { member: 'listRoots', method: METHOD.rootsList, source: T42 },
  { member: 'ping', method: METHOD.ping, source: T42 },
];

/** How a request handler sends on its own request's stream: version 1's `extra`, version 2's `ctx.mcpReq` (T10). */
export const REQUEST_CONTEXT = {
  sendNotification: 'sendNotification',
  sendRequest: 'sendRequest',
  mcpReq: 'mcpReq',
  notify: 'notify',
  send: 'send',
  relatedRequestId: 'relatedRequestId',
  era: 'era',
} as const;

/** Types of what a request handler is given as its last argument, in version 2 and in version 1. */
export const REQUEST_CONTEXT_TYPES = ['ServerContext', 'RequestHandlerExtra'] as const;

/** The same on `ctx.mcpReq`, beside `send()`. */
export const CONTEXT_REQUESTS = ['elicitInput', 'requestSampling'] as const;

/** Options of a transport or handler that belong to one era or to hosting. */
export const SERVER_OPTION = {
  legacy: 'legacy',
  reject: 'reject',
  stateless: 'stateless',
  bus: 'bus',
  maxSubscriptions: 'maxSubscriptions',
  sessionIdGenerator: 'sessionIdGenerator',
  eventStore: 'eventStore',
  enableJsonResponse: 'enableJsonResponse',
  allowedHosts: 'allowedHosts',
  allowedOrigins: 'allowedOrigins',
  enableDnsRebindingProtection: 'enableDnsRebindingProtection',
} as const;

/** The interface that version 1's replay is built on (section J). */
export const EVENT_STORE_TYPE = 'EventStore';

/** Its methods. */
export const EVENT_STORE_MEMBER = { store: 'storeEvent', replay: 'replayEventsAfter' } as const;
