import { describe, expect, it } from 'vitest';
import { noResourceSubscribe } from '../../../eslint-plugin/src/rules/no-resource-subscribe.js';
import { packageReports } from '../support/packages.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const PINNED = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n`;
const LEGACY = `${IMPORT}const client = new Client({ name: 'a', version: '1' });\n`;
const FROM_ELSEWHERE = `import type { Client } from '@modelcontextprotocol/client';\n`;

const HEALTH = `await client.subscribeResource({ uri: 'notes://health' });\n`;

const FORKED = `if (client.getProtocolEra() === 'modern') {
  const subscription = await client.listen({ resourceSubscriptions: ['notes://health'] });
  if (!subscription.honoredFilter.resourceSubscriptions?.includes('notes://health')) {
    await subscription.close();
    throw new Error('The server does not send updates of notes://health');
  }
} else {
  await client.subscribeResource({ uri: 'notes://health' });
}
`;

testRule(noResourceSubscribe, {
  valid: [
    {
      name: 'the legacy branch behind a function that asks for the era',
      code: `${DUAL}const isModern = () => client.getProtocolEra() === 'modern';\nexport const watch = async (uri) => {\n  if (isModern()) return reopen(uri);\n  await client.subscribeResource({ uri });\n};\n`,
    },
    {
      name: 'the same, in code that is on its way',
      options: [{ includeLegacy: true }],
      code: `${FROM_ELSEWHERE}export const bridge = (client: Client) => {\n  function isModern() {\n    return client.getProtocolEra() === 'modern';\n  }\n  return async (uri: string) => {\n    if (isModern()) return reopen(uri);\n    await client.subscribeResource({ uri });\n  };\n};\n`,
    },
    {
      name: 'the legacy branch behind a method that asks a field for the era',
      options: [{ includeLegacy: true }],
      code: `${IMPORT}export class Host {\n  client = new Client({ name: 'a', version: '1' });\n  async connect(transport) {\n    await this.client.connect(transport);\n    this.protocolEra = this.client.getProtocolEra();\n  }\n  isModernEra() {\n    return this.protocolEra === 'modern';\n  }\n  async watch(uri) {\n    if (this.isModernEra()) await this.reopen(uri);\n    else await this.client.subscribeResource({ uri });\n  }\n}\n`,
    },
    { name: 'a client that never opts in', code: LEGACY + HEALTH },
    { name: 'the legacy branch of a fork', code: DUAL + FORKED },
    {
      name: 'behind a guard for the legacy era',
      code: `${DUAL}export async function watch(uri) {\n  if (client.getProtocolEra() === 'modern') return client.listen({ resourceSubscriptions: [uri] });\n  await client.subscribeResource({ uri });\n}\n`,
    },
    {
      name: 'a function that only the legacy branch calls',
      code: `${DUAL}const subscribe = (uri) => client.subscribeResource({ uri });\nexport const watch = (uri) => (client.getProtocolEra() === 'modern' ? client.listen({ resourceSubscriptions: [uri] }) : subscribe(uri));\n`,
    },
    {
      name: 'the client comes from elsewhere',
      code: `${FROM_ELSEWHERE}export const watch = (client: Client, uri: string) => client.subscribeResource({ uri });\n`,
    },
    {
      name: 'a wrapper of that name',
      code: `import { Hub } from './hub.js';\nimport '@modelcontextprotocol/client';\nexport const watch = (uri) => new Hub().subscribeResource({ uri });\n`,
    },
    {
      name: 'a registry of that name beside a client that negotiates',
      code: `${DUAL}export const watch = (registry, session, uri) => registry.subscribeResource(session, uri);\n`,
    },
    {
      name: 'a test that expects it to reject',
      code: `${DUAL}await expect(client.subscribeResource({ uri: 'a://b' })).rejects.toThrow();\nawait assert.rejects(client.unsubscribeResource({ uri: 'a://b' }));\n`,
    },
    {
      name: 'a command, a route and a table',
      code: `${DUAL}export const scopes = { 'resources/subscribe': 'read' };\nexport const run = (verb) => (verb === 'resources/subscribe' ? { method: 'resources/subscribe' } : client.listTools());\n`,
    },
    {
      name: 'a command, a route and a table, on the way',
      code: `export const scopes = { 'resources/subscribe': 'read' };\nexport const run = (app, verb) => {\n  app.route('resources/subscribe', { uri: '/' });\n  return verb === 'resources/subscribe' ? { method: 'resources/subscribe', params: {} } : undefined;\n};\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'a raw message of a file that speaks 2025 alone',
      code: `export const watch = (send, uri) => send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });\n`,
    },
    {
      name: 'a raw message behind a question for the era',
      code: `export const watch = (send, era, uri) => {\n  if (era === 'modern') send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [uri] } } });\n  else send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });\n};\n`,
    },
    {
      name: 'a client that is kept on the legacy era, on the way',
      code: `${IMPORT}const STAYS = { versionNegotiation: { mode: 'legacy' } };\nconst client = new Client({ name: 'a', version: '1' }, { ...STAYS, capabilities: {} });\n${HEALTH}`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'a client of a server in the same process, on the way',
      code: `import { Client, InMemoryTransport } from '@modelcontextprotocol/client';\nconst [near, far] = InMemoryTransport.createLinkedPair();\nconst client = new Client({ name: 'a', version: '1' });\nawait client.connect(near);\n${HEALTH}`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the legacy branch of a fork, on the way',
      code: DUAL + FORKED,
      options: [{ includeLegacy: true }],
    },
  ],
  invalid: [
    {
      name: 'the modern branch behind a function that asks for the era',
      code: `${DUAL}const isLegacy = () => client.getProtocolEra() === 'legacy';\nexport const watch = async (uri) => {\n  if (isLegacy()) return;\n  await client.request({ method: 'resources/subscribe', params: { uri } });\n};\n`,
      errors: [{ messageId: 'onModern', line: 6 }],
    },
    {
      name: 'functions that answer something else, something more, or with a promise, which is always true',
      code: `${DUAL}const isReady = () => client.getServerCapabilities() === undefined;\nfunction isModern() {\n  if (closed) return false;\n  return client.getProtocolEra() === 'modern';\n}\nconst isNew = async () => client.getProtocolEra() === 'modern';\nexport const watch = async (uri) => {\n  if (isReady()) return;\n  if (isModern()) return;\n  if (isNew()) return;\n  await client.request({ method: 'resources/subscribe', params: { uri } });\n};\n`,
      errors: [{ messageId: 'onModern', line: 13 }],
    },
    {
      name: 'a client that negotiates',
      code: DUAL + HEALTH,
      typed: true,
      errors: [
        {
          messageId: 'onModern',
          line: 3,
          column: 7,
          data: { what: 'subscribeResource()' },
          suggestions: [{ messageId: 'listenWhereModern', output: DUAL + FORKED }],
        },
      ],
    },
    {
      name: 'a pinned client, in a function, with a name for the URI',
      code: `${PINNED}export async function watch(uri) {\n    await client.subscribeResource({ uri });\n    return () => client.unsubscribeResource({ uri });\n}\n`,
      errors: [
        {
          messageId: 'onModern',
          line: 4,
          suggestions: [
            {
              messageId: 'listenWhereModern',
              output: `${PINNED}export async function watch(uri) {\n    const subscription = await client.listen({ resourceSubscriptions: [uri] });\n    if (!subscription.honoredFilter.resourceSubscriptions?.includes(uri)) {\n        await subscription.close();\n        throw new Error(\`The server does not send updates of \${uri}\`);\n    }\n    return () => client.unsubscribeResource({ uri });\n}\n`,
            },
          ],
        },
        { messageId: 'onModern', line: 5, data: { what: 'unsubscribeResource()' } },
      ],
    },
    {
      name: 'no suggestion where a comment, an option or a value is in the way',
      code: `${DUAL}await client.subscribeResource({ uri: /* the page */ 'a://b' });\nawait client.subscribeResource({ uri: 'a://b' }, { timeout: 5 });\nawait client.subscribeResource({ uri: next() });\nvoid client.subscribeResource({ uri: 'a://b' });\n`,
      errors: [3, 4, 5, 6].map((line) => ({ messageId: 'onModern', line })),
    },
    {
      name: 'the modern branch',
      code: `${FROM_ELSEWHERE}export async function watch(client: Client, uri: string) {\n  if (client.getProtocolEra() === 'modern') return client.subscribeResource({ uri });\n}\n`,
      errors: [{ messageId: 'onModern', line: 3 }],
    },
    {
      name: 'as a request',
      code: `${DUAL}await client.request({ method: 'resources/unsubscribe', params: { uri: 'a://b' } });\n`,
      errors: [{ messageId: 'onModern', line: 3, data: { what: 'resources/unsubscribe' } }],
    },
    {
      name: 'in a private field, swallowed',
      code: `${IMPORT}export class Pane {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n  close(uri) {\n    return this.#client.unsubscribeResource({ uri }).catch(() => {});\n  }\n}\n`,
      errors: [{ messageId: 'onModern', line: 5 }],
    },
    {
      name: 'a client that never opts in, where the target is modern',
      code: LEGACY + HEALTH,
      settings: { target: 'modern' },
      errors: [{ messageId: 'legacyClient', line: 3 }],
    },
    {
      name: 'a client that never opts in, on the way',
      code: LEGACY + HEALTH,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyClient', line: 3 }],
    },
    {
      name: 'a client of version 1, on the way',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nexport const watch = (client: Client, uri: string) => client.subscribeResource({ uri });\n`,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyClient', line: 2 }],
    },
    {
      name: 'a client that a method of the class says it returns',
      code: `import type { Client } from '@modelcontextprotocol/client';\ninterface Entry {\n  client: Client;\n}\nexport class Hub {\n  private async connected(id: string): Promise<Entry> {\n    return load(id);\n  }\n  async watch(id: string, uri: string) {\n    const entry = await this.connected(id);\n    await entry.client.subscribeResource({ uri });\n  }\n}\n`,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyClient', line: 11 }],
    },
    {
      name: 'a wrapper that the settings name',
      code: `import { Hub } from './hub.js';\nimport '@modelcontextprotocol/client';\nconst hub = new Hub();\nexport const watch = (uri) => hub.subscribeResource({ uri });\n`,
      settings: { wrappers: ['Hub'], target: 'modern' },
      errors: [{ messageId: 'legacyClient', line: 4 }],
    },
    {
      name: 'a raw message in a file that speaks the modern era',
      code: `const VERSION = '2026-07-28';\nexport const watch = (send, uri) => send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri, _meta: { 'io.modelcontextprotocol/protocolVersion': VERSION } } });\n`,
      errors: [{ messageId: 'rawMessage', line: 2, data: { what: 'resources/subscribe' } }],
    },
    {
      name: 'what is given to functions that send, on the way',
      code: `export const watch = (rpc, sendRequest, uri) => {\n  sendRequest({ method: 'resources/subscribe', params: { uri } });\n  rpc('resources/unsubscribe', { uri });\n};\n`,
      options: [{ includeLegacy: true }],
      errors: [
        { messageId: 'legacyMessage', line: 2 },
        { messageId: 'legacyMessage', line: 3 },
      ],
    },
    {
      name: 'a raw message, on the way',
      code: `export const watch = (send, uri) => send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });\n`,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyMessage', line: 1 }],
    },
  ],
});

describe('a client from elsewhere', () => {
  const reportsOn = packageReports(noResourceSubscribe);
  const watch = `import type { Client } from '@modelcontextprotocol/client';\nexport const watch = (client: Client, uri: string) => client.subscribeResource({ uri });\n`;
  const open = `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;

  it('is reported where another file of the package opts in', () => {
    expect(reportsOn({ 'watch.ts': watch, 'open.ts': open })).toEqual(['onUnknown 2']);
  });

  it('is not where none does, or where one asks for the era', () => {
    expect(reportsOn({ 'watch.ts': watch })).toEqual([]);
    const asks = `import { client } from './open.js';\nif (client.getProtocolEra() === 'legacy') await watch(client);\n`;
    expect(reportsOn({ 'watch.ts': watch, 'open.ts': open, 'main.ts': asks })).toEqual([]);
  });
});
