// The names in src/protocol, held against what the installed SDK really exports and has.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import * as v2Client from '@modelcontextprotocol/client';
import * as v2ClientStdio from '@modelcontextprotocol/client/stdio';
import * as v2Core from '@modelcontextprotocol/core';
import * as v2Node from '@modelcontextprotocol/node';
import * as v2Server from '@modelcontextprotocol/server';
import * as v2ServerStdio from '@modelcontextprotocol/server/stdio';
import * as v1Types from '@modelcontextprotocol/sdk/types.js';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as V1McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as V1Server } from '@modelcontextprotocol/sdk/server/index.js';
import { expect, test } from 'vitest';
import * as protocol from '../../src/protocol/index.js';

type Exports = Record<string, unknown>;

const modules: Record<string, Exports> = {
  '@modelcontextprotocol/client': v2Client,
  '@modelcontextprotocol/client/stdio': v2ClientStdio,
  '@modelcontextprotocol/core': v2Core,
  '@modelcontextprotocol/node': v2Node,
  '@modelcontextprotocol/server': v2Server,
  '@modelcontextprotocol/server/stdio': v2ServerStdio,
};

const require = createRequire(import.meta.url);

function declarationsOf(specifier: string): string {
  return readFileSync(require.resolve(specifier).replace(/\.cjs$/, '.d.cts'), 'utf8');
}

function methodOfSchemaObject(schema: unknown): string | undefined {
  const { shape } = schema as { shape?: { method?: { value?: string } } };
  return shape?.method?.value;
}

const INSTALLED = new Set(Object.keys(modules));

test('the legacy revision is the one that both SDK generations negotiate by default', () => {
  expect(v1Types.LATEST_PROTOCOL_VERSION).toBe(protocol.LEGACY_REVISION);
  expect(v2Client.LATEST_PROTOCOL_VERSION).toBe(protocol.LEGACY_REVISION);
});

test('the modern revision can be pinned, the legacy one cannot', async () => {
  const connectPinned = async (pin: string) => {
    const [ours, theirs] = v2Client.InMemoryTransport.createLinkedPair();
    await theirs.close();
    await new v2Client.Client(
      { name: 'test', version: '0' },
      { versionNegotiation: { mode: { pin } } },
    ).connect(ours);
  };
  await expect(connectPinned(protocol.LEGACY_REVISION)).rejects.toThrow('not a modern protocol revision');
  await expect(connectPinned(protocol.MODERN_REVISION)).rejects.not.toThrow('not a modern protocol revision');
});

test.each(Object.entries(protocol.SCHEMA_METHODS).filter(([name]) => name.endsWith('RequestSchema')))(
  'schema %s stands for %s in both generations',
  (name, method) => {
    expect(methodOfSchemaObject((v1Types as Exports)[name])).toBe(method);
    expect(methodOfSchemaObject((v2Core as Exports)[name])).toBe(method);
  },
);

test.each(Object.entries(protocol.SCHEMA_METHODS).filter(([name]) => name.endsWith('NotificationSchema')))(
  'schema %s stands for %s in both generations',
  (name, method) => {
    expect(methodOfSchemaObject((v1Types as Exports)[name])).toBe(method);
    expect(methodOfSchemaObject((v2Core as Exports)[name])).toBe(method);
  },
);

test.each(Object.keys(protocol.SCHEMA_METHODS).filter((name) => name.endsWith('ParamsSchema')))(
  'schema %s exists in both generations',
  (name) => {
    expect(v1Types).toHaveProperty(name);
    expect(v2Core).toHaveProperty(name);
  },
);

test('type names that stand for a method are exported by both generations', () => {
  const v1 = readFileSync(
    require.resolve('@modelcontextprotocol/sdk/types.js').replace(/\.js$/, '.d.ts'),
    'utf8',
  );
  const v2 = declarationsOf('@modelcontextprotocol/client');
  for (const name of Object.keys(protocol.SCHEMA_METHODS).filter((each) => !each.endsWith('Schema'))) {
    expect(v1, name).toMatch(new RegExp(`export type ${name} =`));
    expect(v2, name).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test('methodOfSchema does not mistake a property of every object for a schema', () => {
  expect(protocol.methodOfSchema('SubscribeRequestSchema')).toBe(protocol.METHOD.resourcesSubscribe);
  expect(protocol.methodOfSchema('constructor')).toBeUndefined();
  expect(protocol.methodOfSchema('toString')).toBeUndefined();
});

test('requests of the modern era alone have a schema in version 2 and none in version 1', () => {
  expect(methodOfSchemaObject(v2Core.SubscriptionsListenRequestSchema)).toBe(
    protocol.METHOD.subscriptionsListen,
  );
  expect(methodOfSchemaObject(v2Core.DiscoverRequestSchema)).toBe(protocol.METHOD.discover);
  expect(methodOfSchemaObject(v2Core.SubscriptionsAcknowledgedNotificationSchema)).toBe(
    protocol.NOTIFICATION.acknowledged,
  );
  expect(v1Types).not.toHaveProperty('SubscriptionsListenRequestSchema');
});

test('every method and notification string occurs in a schema of the SDK', () => {
  const known = new Set(
    [...Object.values(v2Core), ...Object.values(v1Types)].map(methodOfSchemaObject).filter(Boolean),
  );
  for (const name of [...Object.values(protocol.METHOD), ...Object.values(protocol.NOTIFICATION)]) {
    expect(known, name).toContain(name);
  }
});

test('the filter has the fields of the SDK schema, no more and no fewer', () => {
  expect(protocol.FILTER_FIELDS.map(({ field }) => field).sort()).toEqual(
    Object.keys(v2Core.SubscriptionFilterSchema.shape).sort(),
  );
  const list = protocol.FILTER_FIELDS.filter(({ listChangedOption }) => listChangedOption);
  expect(list.map(({ field }) => field)).toEqual(protocol.LIST_KINDS);
  expect(Object.keys(v2Core.SubscriptionsListenRequestParamsSchema.shape)).toContain(protocol.FILTER_PARAM);
});

test('each filter field agrees with the schema and the refetch calls of the SDK', () => {
  for (const { notification, v1NotificationSchema, refetch, refetchCalls } of protocol.FILTER_FIELDS) {
    expect(protocol.methodOfSchema(v1NotificationSchema)).toBe(notification);
    expect(refetchCalls).toHaveLength(refetch.length);
    for (const call of refetchCalls) {
      expect(v2Client.Client.prototype).toHaveProperty(call);
      expect(Object.values(protocol.CLIENT_MEMBER)).toContain(call);
    }
  }
});

test('capability members are those of the SDK schema', () => {
  const { shape } = v2Core.ServerCapabilitiesSchema;
  for (const { capability } of protocol.FILTER_FIELDS) {
    const group = shape[capability.group].unwrap() as { shape: object };
    expect(group.shape).toHaveProperty(capability.member);
  }
});

test('_meta keys are the constants of the SDK', () => {
  expect(protocol.META).toEqual({
    subscriptionId: v2Client.SUBSCRIPTION_ID_META_KEY,
    protocolVersion: v2Client.PROTOCOL_VERSION_META_KEY,
    clientInfo: v2Client.CLIENT_INFO_META_KEY,
    clientCapabilities: v2Client.CLIENT_CAPABILITIES_META_KEY,
    logLevel: v2Client.LOG_LEVEL_META_KEY,
  });
});

test('error codes are those of the SDK', () => {
  const { ProtocolErrorCode } = v2Client;
  expect(protocol.ERROR_CODE).toMatchObject({
    methodNotFound: ProtocolErrorCode.MethodNotFound,
    invalidParams: ProtocolErrorCode.InvalidParams,
    internal: ProtocolErrorCode.InternalError,
    missingCapability: ProtocolErrorCode.MissingRequiredClientCapability,
    unsupportedVersion: ProtocolErrorCode.UnsupportedProtocolVersion,
  });
});

test('a POST whose headers are missing is refused with the header-mismatch code', async () => {
  const handler = v2Server.createMcpHandler(() => new v2Server.McpServer({ name: 'test', version: '0' }));
  const { META, HEADER, METHOD, MODERN_REVISION, ERROR_CODE } = protocol;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: METHOD.subscriptionsListen,
    params: {
      [protocol.FILTER_PARAM]: { toolsListChanged: true },
      _meta: { [META.protocolVersion]: MODERN_REVISION, [META.clientCapabilities]: {} },
    },
  });
  const post = (headers: Record<string, string>) =>
    handler.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        body,
        headers: {
          [HEADER.accept]: protocol.ACCEPT_BOTH,
          'Content-Type': protocol.MEDIA_TYPE.json,
          ...headers,
        },
      }),
    );

  const refused = await post({ [HEADER.protocolVersion]: MODERN_REVISION });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { code: ERROR_CODE.headerMismatch } });

  const served = await post({
    [HEADER.protocolVersion]: MODERN_REVISION,
    [HEADER.method]: METHOD.subscriptionsListen,
  });
  expect(served.status).toBe(200);
  expect(served.headers.get('content-type')).toContain(protocol.MEDIA_TYPE.eventStream);
  const { value } = await served.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toContain(protocol.NOTIFICATION.acknowledged);
  await handler.close();
});

test('run-time error names and classes are those of the SDK', () => {
  for (const code of Object.values(protocol.ERA_NEGOTIATION)) {
    expect(Object.values(v2Client.SdkErrorCode)).toContain(code);
  }
  for (const name of Object.values(protocol.ERROR_CLASS)) expect(v2Client).toHaveProperty(name);
});

test('every member we name exists on a version 2 client', () => {
  const client: object = new v2Client.Client({ name: 'test', version: '0' });
  for (const member of Object.values(protocol.CLIENT_MEMBER)) {
    // Two are declared and set by the user; they have no value before that.
    if (member === 'onclose' || member === 'onerror' || member === 'fallbackNotificationHandler') continue;
    expect(member in client, member).toBe(true);
  }
  const declarations = v2ClientSources().join('');
  for (const member of ['onclose', 'onerror', 'fallbackNotificationHandler', 'sessionId']) {
    expect(declarations, member).toContain(member);
  }
});

test('legacy-only calls exist on clients of both generations, so that they still type-check', () => {
  for (const { member } of protocol.LEGACY_ONLY_CALLS) {
    expect(V1Client.prototype, member).toHaveProperty(member);
    expect(v2Client.Client.prototype, member).toHaveProperty(member);
  }
});

test('legacy-only calls reject on a modern connection, with the error that we name', async () => {
  const handler = v2Server.createMcpHandler(
    () =>
      new v2Server.McpServer(
        { name: 'test', version: '0' },
        { capabilities: { resources: { subscribe: true }, logging: {} } },
      ),
    { legacy: 'reject' },
  );
  const client = new v2Client.Client(
    { name: 'test', version: '0' },
    {
      capabilities: { roots: { listChanged: true } },
      versionNegotiation: { mode: { pin: protocol.MODERN_REVISION } },
    },
  );
  await client.connect(
    new v2Client.StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  );
  expect(client.getProtocolEra()).toBe('modern' satisfies protocol.Era);
  expect(client.transport?.sessionId).toBeUndefined();
  const calls = client as unknown as Record<string, (argument: unknown) => Promise<unknown>>;
  for (const { member } of protocol.LEGACY_ONLY_CALLS) {
    const argument = member === 'setLoggingLevel' ? 'info' : { uri: 'test://a' };
    await expect(
      member === 'ping' || member === 'sendRootsListChanged'
        ? calls[member]!(undefined)
        : calls[member]!(argument),
      member,
    ).rejects.toMatchObject({ code: protocol.ERA_NEGOTIATION.methodNotSupported });
  }
  await client.close();
  await handler.close();
});

test('option names occur in the declarations of the client', () => {
  const declarations = v2ClientSources().join('');
  const words = [
    ...Object.values(protocol.CLIENT_OPTION),
    ...Object.values(protocol.REQUEST_OPTION),
    ...protocol.COPIED_OPTIONS,
    ...Object.values(protocol.SUBSCRIPTION_MEMBER),
    ...Object.values(protocol.CLOSE_REASON),
  ];
  for (const word of words) expect(declarations, word).toMatch(new RegExp(`\\b${word}\\b`));
});

function v2ClientSources(): string[] {
  const entry = require.resolve('@modelcontextprotocol/client').replace(/\.cjs$/, '.d.cts');
  return declarationFilesReachedFrom(entry);
}

/** The bundled declarations are split into chunks; the entry names the chunks it imports. */
function declarationFilesReachedFrom(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const text = readFileSync(entry, 'utf8');
  const chunks = [...text.matchAll(/from "(\.\/[^"]+)\.cjs"/g)].map(([, chunk]) =>
    resolve(dirname(entry), `${chunk!}.d.cts`),
  );
  return [text, ...chunks.flatMap((chunk) => declarationFilesReachedFrom(chunk, seen))];
}

test('client transports live in the modules we name', async () => {
  for (const { name, v1Module, ...rest } of protocol.CLIENT_TRANSPORTS) {
    const v1: unknown = await import(v1Module);
    expect(v1, v1Module).toHaveProperty(name);
    if ('v2Module' in rest) expect(modules[rest.v2Module], rest.v2Module).toHaveProperty(name);
    else for (const each of Object.values(modules)) expect(each).not.toHaveProperty(name);
  }
});

test('server transports live in the modules we name', async () => {
  for (const row of protocol.SERVER_TRANSPORTS as readonly protocol.ServerTransportRow[]) {
    if (row.v1Module !== undefined) {
      const v1: unknown = await import(row.v1Module);
      expect(v1, row.v1Module).toHaveProperty(row.name);
    }
    if (row.v2Module !== undefined && INSTALLED.has(row.v2Module)) {
      expect(modules[row.v2Module], row.v2Module).toHaveProperty(row.name);
    }
  }
});

test('Client is exported by every module listed for it', async () => {
  for (const specifier of protocol.CLIENT_MODULES.filter((each) => !each.endsWith('/index'))) {
    const exports: unknown = await import(specifier);
    expect(exports, specifier).toHaveProperty(protocol.CLIENT_CLASS);
  }
});

test('server classes live in the modules we name', async () => {
  for (const { name, v1Modules, v2Module } of protocol.SERVER_CLASSES) {
    expect(modules[v2Module]).toHaveProperty(name);
    for (const specifier of v1Modules.filter((each) => each.endsWith('.js') || each.endsWith('/server'))) {
      const exports: unknown = await import(specifier);
      expect(exports, specifier).toHaveProperty(name);
    }
  }
});

test('serving and publishing names are exported by the modules we name', () => {
  for (const { name, module, kind } of protocol.SERVER_SYMBOLS) {
    if (kind === 'value') expect(modules[module], name).toHaveProperty(name);
    else expect(declarationsOf(module), name).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test('publishers exist on the classes we name, in both generations, and nowhere else', () => {
  const classes = {
    McpServer: [V1McpServer.prototype, v2Server.McpServer.prototype],
    Server: [V1Server.prototype, v2Server.Server.prototype],
  };
  for (const { member, classes: owners } of protocol.PUBLISHERS) {
    for (const [name, prototypes] of Object.entries(classes)) {
      for (const prototype of prototypes) {
        expect(member in prototype, `${name}.${member}`).toBe(owners.includes(name as 'Server'));
      }
    }
  }
});

test('members of a server exist on one of its two classes', () => {
  const mcpServer = new v2Server.McpServer({ name: 'test', version: '0' });
  for (const member of Object.values(protocol.SERVER_MEMBER)) {
    expect(member in mcpServer || member in mcpServer.server, member).toBe(true);
  }
});

test('what a server asks its client for are methods of Server', () => {
  for (const { member } of protocol.SERVER_REQUESTS) {
    expect(v2Server.Server.prototype, member).toHaveProperty(member);
    expect(V1Server.prototype, member).toHaveProperty(member);
  }
});

test('the notifier has exactly the methods we name, and each publishes the event we name', async () => {
  const handler = v2Server.createMcpHandler(() => new v2Server.McpServer({ name: 'test', version: '0' }));
  const events: string[] = [];
  handler.bus.subscribe(({ kind }) => events.push(kind));
  expect(Object.keys(handler).sort()).toEqual(Object.values(protocol.HANDLER_MEMBER).sort());
  expect(Object.keys(handler.notify).sort()).toEqual(protocol.PUBLISHERS.map(({ notify }) => notify).sort());
  for (const { notify, event } of protocol.PUBLISHERS) {
    handler.notify[notify]('test://a');
    expect(events.at(-1)).toBe(event);
  }
  await handler.close();
});

test('what registerTool returns has the members that emit by themselves', () => {
  const server = new v2Server.McpServer({ name: 'test', version: '0' });
  const tool = server.registerTool('a', {}, () => ({ content: [] }));
  for (const member of protocol.REGISTRATION_MEMBERS) expect(tool).toHaveProperty(member);
});

test('registering methods and the types that they return are those of the SDK', () => {
  const entry = require.resolve('@modelcontextprotocol/server').replace(/\.cjs$/, '.d.cts');
  const declarations = declarationFilesReachedFrom(entry).join('');
  for (const { member, returns } of protocol.REGISTERING) {
    expect(v2Server.McpServer.prototype, member).toHaveProperty(member);
    for (const type of returns) expect(declarations).toContain(`type ${type} = `);
  }
  expect(declarations).toContain(`type ${protocol.REQUEST_CONTEXT_TYPES[0]} = `);
  const v1 = require.resolve('@modelcontextprotocol/sdk/shared/protocol.js').replace(/\.js$/, '.d.ts');
  const versionOne = readFileSync(v1, 'utf8');
  expect(versionOne).toContain(`type ${protocol.REQUEST_CONTEXT_TYPES[1]}<`);
  for (const name of VERSION_ONE) expect(versionOne).toContain(`${name}: `);
});

/** What version 1 hands to a handler. */
const VERSION_ONE: readonly string[] = ['sendNotification', 'sendRequest'];

test('option names of servers occur in the declarations of the SDK', () => {
  const entry = require.resolve('@modelcontextprotocol/server').replace(/\.cjs$/, '.d.cts');
  const declarations = declarationFilesReachedFrom(entry).join('');
  const words = [
    ...Object.values(protocol.SERVER_OPTION),
    ...Object.values(protocol.REQUEST_CONTEXT).filter((each) => !VERSION_ONE.includes(each)),
    protocol.EVENT_STORE_TYPE,
  ];
  for (const word of words) expect(declarations, word).toMatch(new RegExp(`\\b${word}\\b`));
});
