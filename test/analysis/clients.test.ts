import { expect, test, describe } from 'vitest';
import { createFacts } from '../../src/analysis/facts.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';

/** The clients of a workspace, each as the calls found on it: `subscribe src/a.ts:3`. */
function clientsOf(files: Record<string, string>): string[][] {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  const facts = createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
  return facts.clients.map((group) => [
    ...group.creations.map((creation) => `new ${facts.unitOf(creation.node).path} era ${creation.era}`),
    ...group.connects.map((connect) => `connect ${connect.transport ?? 'unknown'}`),
    ...group.subscriptions.map((call) => {
      const unit = facts.unitOf(call.node);
      const line = unit.tree.getLineAndCharacterOfPosition(call.node.getStart()).line + 1;
      return `${call.action} ${call.form} ${unit.path}:${String(line)}${call.era === undefined ? '' : ` on ${call.era}`}${group.certain ? '' : ' (unknown)'}`;
    }),
    ...group.legacyUses.map((use) => `legacy ${use.label}${use.era === undefined ? '' : ` on ${use.era}`}`),
    ...group.unreadable.map(
      (use) => `unreadable ${use.kind} ${use.label}${use.era === undefined ? '' : ` on ${use.era}`}`,
    ),
    ...group.handlers.map((handler) => `${handler.kind} ${handler.notifications?.join('+') ?? '?'}`),
    ...group.listens.map((listen) => `listens ${listen.through}`),
  ]);
}

const one = (text: string, path = 'a.ts'): string[][] => clientsOf({ [path]: text });

describe('an expression is an SDK client', () => {
  test.each([
    [
      'by import and constructor',
      `import { Client } from '@modelcontextprotocol/client';\nconst c = new Client({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'under an alias',
      `import { Client as Mcp } from '@modelcontextprotocol/client';\nconst c = new Mcp({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'through a namespace',
      `import * as mcp from '@modelcontextprotocol/client';\nconst c = new mcp.Client({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'from version 1',
      `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nconst c = new Client({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'from a dynamic import',
      `const { Client } = await import('@modelcontextprotocol/client');\nconst c = new Client({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'from a dynamic import kept whole',
      `const sdk = await import('@modelcontextprotocol/client');\nconst c = new sdk.Client({} as any);\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'from require in TypeScript',
      `const { Client } = require('@modelcontextprotocol/client');\nconst c = new Client({});\nc.subscribeResource({ uri: 'a' });`,
    ],
    [
      'behind a cast',
      `import { Client } from '@modelcontextprotocol/client';\nconst c: unknown = new Client({} as any);\n(c as any).subscribeResource({ uri: 'a' });`,
    ],
    [
      'as a subclass',
      `import { Client } from '@modelcontextprotocol/client';\nclass Mine extends Client {}\nnew Mine({} as any).subscribeResource({ uri: 'a' });`,
    ],
    [
      'that may be undefined',
      `import { Client } from '@modelcontextprotocol/client';\nlet c: Client | undefined = new Client({} as any);\nc?.subscribeResource({ uri: 'a' });`,
    ],
    [
      'with a non-null assertion',
      `import { Client } from '@modelcontextprotocol/client';\nlet c: Client | null = new Client({} as any);\n c!.subscribeResource({ uri: 'a' });`,
    ],
    [
      'by element access',
      `import { Client } from '@modelcontextprotocol/client';\nconst c = new Client({} as any);\nc['subscribeResource']({ uri: 'a' });`,
    ],
  ])('%s', (_name, text) => {
    const line = text.split('\n').length;
    expect(one(text)).toEqual([['new a.ts era none', `subscribe method a.ts:${String(line)}`]]);
  });

  test.each([
    [
      'require',
      `const { Client } = require('@modelcontextprotocol/client');\nconst c = new Client({});\nc.subscribeResource({ uri: 'a' });`,
      3,
    ],
    [
      'require kept whole',
      `const sdk = require('@modelcontextprotocol/client');\nconst c = new sdk.Client({});\nc.subscribeResource({ uri: 'a' });`,
      3,
    ],
    [
      'a field set in a constructor',
      `import { Client } from '@modelcontextprotocol/client';\nclass Host {\n  constructor() { this.client = new Client({}); }\n  watch(uri) { return this.client.subscribeResource({ uri }); }\n}`,
      4,
    ],
    [
      'a parameter typed in a comment',
      `import { Client } from '@modelcontextprotocol/client';\nconst c = new Client({});\n/** @param {Client} client */\nfunction watch(client) { client.subscribeResource({ uri: 'a' }); }\nwatch(c);`,
      4,
    ],
  ])('in JavaScript: %s', (_name, text, line) => {
    expect(one(text, 'a.js')).toEqual([['new a.js era none', `subscribe method a.js:${String(line)}`]]);
  });

  test.each([
    [
      'annotated parameter',
      `import type { Client } from '@modelcontextprotocol/client';\nexport function watch(c: Client, uri: string) { return c.subscribeResource({ uri }); }`,
      2,
    ],
    [
      'value of a Map',
      `import type { Client } from '@modelcontextprotocol/client';\nexport async function watch(all: Map<string, Client>) {\n  const c = all.get('x');\n  if (!c) return;\n  await c.subscribeResource({ uri: 'a' });\n}`,
      5,
    ],
    [
      'loop over the values of a Map',
      `import type { Client } from '@modelcontextprotocol/client';\nexport function all(m: Map<string, Client>) {\n  for (const [, c] of m) c.subscribeResource({ uri: 'a' });\n}`,
      3,
    ],
    [
      'declared return type',
      `import type { Client } from '@modelcontextprotocol/client';\ndeclare function make(): Promise<Client>;\n(await make()).subscribeResource({ uri: 'a' });`,
      3,
    ],
    [
      'property of an interface',
      `import type { Client } from '@modelcontextprotocol/client';\ninterface Entry { client: Client }\nexport const f = (e: Entry) => e.client.subscribeResource({ uri: 'a' });`,
      3,
    ],
    [
      'generic with a constraint',
      `import type { Client } from '@modelcontextprotocol/client';\nexport function f<C extends Client>(c: C) { return c.subscribeResource({ uri: 'a' }); }`,
      2,
    ],
  ])('out of sight, by its type: %s', (_name, text, line) => {
    expect(one(text)).toEqual([[`subscribe method a.ts:${String(line)}`]]);
  });

  test('through re-exports and a barrel of the project', () => {
    expect(
      clientsOf({
        'sdk.ts': `export { Client as McpClient } from '@modelcontextprotocol/client';`,
        'index.ts': `export * from './sdk.js';`,
        'a.ts': `import { McpClient } from './index.js';\nnew McpClient({} as any).subscribeResource({ uri: 'a' });`,
      }),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:2']]);
  });

  test('a bound method is found where it is taken', () => {
    expect(
      one(
        `import { Client } from '@modelcontextprotocol/client';\nconst c = new Client({} as any);\nconst f = c.subscribeResource.bind(c);\nf({ uri: 'a' });`,
      ),
    ).toEqual([['new a.ts era none', 'subscribe reference a.ts:3']]);
  });

  test('a receiver without a name is unknown, too', () => {
    expect(
      one(
        `import { getClient } from '@modelcontextprotocol/elsewhere';\ngetClient('x').subscribeResource({ uri: 'a' });`,
      ),
    ).toEqual([['subscribe method a.ts:2 (unknown)']]);
  });

  test('a receiver that nothing explains is unknown, not a client', () => {
    expect(
      one(
        `import { useMcp } from '@modelcontextprotocol/elsewhere';\nconst { client } = useMcp();\nclient.subscribeResource({ uri: 'a' });`,
      ),
    ).toEqual([['subscribe method a.ts:3 (unknown)']]);
  });
});

describe('a look-alike is not a client', () => {
  test.each([
    [
      'a wrapper class',
      `class Wrapper { subscribeResource(uri: string) { return uri; } }\nnew Wrapper().subscribeResource('a');`,
    ],
    [
      'a wrapper of the same signature',
      `interface Managed { subscribeResource(p: { uri: string }): Promise<void> }\nexport const f = (m: Managed) => m.subscribeResource({ uri: 'a' });`,
    ],
    [
      'a registry',
      `import 'x';\nconst registry = { subscribeResource(session: string, uri: string) { return session + uri; } };\nregistry.subscribeResource('s', 'u');`,
    ],
    [
      'a class named Client from elsewhere',
      `import { Client } from 'pg';\nconst c = new Client();\nc.connect();`,
    ],
    [
      'an HTTP server that listens',
      `import http from 'node:http';\nconst client = http.createServer();\nclient.listen(3000);`,
    ],
    [
      'an untyped value with a string argument',
      `export const f = (client) => client.subscribeResource('a://b');`,
    ],
  ])('%s', (_name, text) => {
    expect(one(text)).toEqual([]);
  });
});

describe('everything that can hold one client is one group', () => {
  test('a field set in one method and used in others, across files', () => {
    expect(
      clientsOf({
        'host.ts': `import { Client } from '@modelcontextprotocol/client';\nexport class Host {\n  client!: Client;\n  start() { this.client = new Client({} as any); }\n}`,
        'use.ts': `import { Host } from './host.js';\nconst host = new Host();\nhost.client.subscribeResource({ uri: 'a' });\nhost.client.ping();`,
      }),
    ).toEqual([['new host.ts era none', 'subscribe method use.ts:3', 'legacy ping()']]);
  });

  test('a helper that is handed the client', () => {
    expect(
      clientsOf({
        'log.ts': `import type { Client } from '@modelcontextprotocol/client';\nexport async function level(client: Client) { await client.setLoggingLevel('debug'); }`,
        'a.ts': `import { Client } from '@modelcontextprotocol/client';\nimport { level } from './log.js';\nconst c = new Client({} as any);\nawait level(c);\nawait c.subscribeResource({ uri: 'a' });`,
      }),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:5', 'legacy setLoggingLevel()']]);
  });

  test('a factory, its awaited result, and a Map in between', () => {
    expect(
      one(
        `import { Client } from '@modelcontextprotocol/client';
const all = new Map<string, Client>();
async function open() { const client = new Client({} as any); return client; }
export async function start(name: string) { const c = await open(); all.set(name, c); }
export const watch = (name: string) => all.get(name)?.subscribeResource({ uri: 'a' });
export const stop = () => { for (const c of all.values()) c.ping(); };`,
      ),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:5', 'legacy ping()']]);
  });

  test('a narrower type does not hide a call', () => {
    expect(
      one(
        `import { Client } from '@modelcontextprotocol/client';
interface Pingable { ping(): Promise<unknown> }
const beat = (p: Pingable) => p.ping();
const c = new Client({} as any);
beat(c);
c.subscribeResource({ uri: 'a' });`,
      ),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:6', 'legacy ping()']]);
  });

  test('an object that holds a client and is taken apart', () => {
    expect(
      one(
        `import { Client } from '@modelcontextprotocol/client';
async function connect() { const client = new Client({} as any); return { client, name: 'x' }; }
const { client, name } = await connect();
client.subscribeResource({ uri: name });`,
      ),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:4']]);
  });

  test('React state and its setter', () => {
    expect(
      one(
        `import { useState } from 'react';
import { Client } from '@modelcontextprotocol/client';
export function useMcp() {
  const [client, setClient] = useState<Client | null>(null);
  const open = () => { setClient(new Client({} as any)); };
  const watch = () => client?.subscribeResource({ uri: 'a' });
  return { open, watch };
}`,
        'a.tsx',
      ),
    ).toEqual([['new a.tsx era none', 'subscribe method a.tsx:6']]);
  });

  test('two clients stay two', () => {
    expect(
      one(
        `import { Client } from '@modelcontextprotocol/client';
const a = new Client({} as any);
const b = new Client({} as any);
a.subscribeResource({ uri: 'a' });
b.ping();`,
      ),
    ).toEqual([
      ['new a.ts era none', 'subscribe method a.ts:4'],
      ['new a.ts era none', 'legacy ping()'],
    ]);
  });

  test('tuples keep their parts apart', () => {
    expect(
      one(
        `import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
async function pair(): Promise<[Client, InMemoryTransport]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({} as any);
  await client.connect(near);
  return [client, far];
}
const [client, transport] = await pair();
await transport.close();
await client.subscribeResource({ uri: 'a' });`,
      ),
    ).toEqual([['new a.ts era none', 'connect memory', 'subscribe method a.ts:10']]);
  });
});

describe('the era of a client', () => {
  const withOptions = (options: string): string[][] =>
    clientsOf({
      'options.ts': `export const imported = Object.freeze({ versionNegotiation: { mode: 'legacy' } });`,
      'a.ts': `import { Client } from '@modelcontextprotocol/client';
import { imported } from './options.js';
declare const given: any;
const options = { versionNegotiation: { mode: 'auto' } } as const;
const MODE = 'legacy';
const versionNegotiation = { mode: MODE } as const;
const plain = { capabilities: {} };
const stays = { capabilities: {}, versionNegotiation: { mode: 'legacy' } } as const;
const again = { ...stays, debouncedNotificationMethods: [] };
const table = { stays };
new Client({} as any, ${options});`,
    });
  test.each([
    ['{}', 'none'],
    ['{ capabilities: {} }', 'none'],
    ["{ versionNegotiation: { mode: 'auto' } }", 'auto'],
    ["{ versionNegotiation: { mode: 'legacy' } }", 'legacy'],
    ["{ versionNegotiation: { mode: { pin: '2026-07-28' } } }", 'pin'],
    ['{ versionNegotiation: {} }', 'none'],
    ['options', 'auto'],
    ['given', 'unknown'],
    ['{ ...given }', 'unknown'],
    ["{ ...given, versionNegotiation: { mode: 'auto' } }", 'auto'],
    ['{ versionNegotiation: given }', 'unknown'],
    ["{ versionNegotiation: { mode: 'auto' }, ...given }", 'unknown'],
    ["{ versionNegotiation: { mode: 'auto' }, ...stays }", 'legacy'],
    ["{ ...stays, versionNegotiation: { mode: 'auto' } }", 'auto'],
    ['{ ...stays }', 'legacy'],
    ['{ ...again }', 'legacy'],
    ['again', 'legacy'],
    ['{ ...table.stays, capabilities: {} }', 'legacy'],
    ['{ ...plain, ...(given && plain) }', 'none'],
    ['{ ...(given && stays) }', 'unknown'],
    ['{ ...(given ? plain : stays) }', 'unknown'],
    ['{ [given]: {} }', 'unknown'],
    ['{ versionNegotiation: { ...stays.versionNegotiation } }', 'legacy'],
    ['{ versionNegotiation }', 'legacy'],
    ['{ versionNegotiation: { mode: MODE } }', 'legacy'],
    ['imported', 'legacy'],
    ['{ ...imported }', 'legacy'],
  ])('%s is %s', (options, era) => {
    expect(withOptions(options)).toEqual([[`new a.ts era ${era}`]]);
  });
});

describe('a place that has checked the era', () => {
  const within = (code: string): string | undefined =>
    one(
      `import { Client } from '@modelcontextprotocol/client';
const c = new Client({} as any);
export async function f() { ${code} }`,
    )[0]?.find((line) => line.startsWith('subscribe'));
  const CALL = `await c.subscribeResource({ uri: 'a' });`;
  test.each([
    [`if (c.getProtocolEra() === 'modern') { return; } else { ${CALL} }`, 'legacy'],
    [`if (c.getProtocolEra() !== 'modern') { ${CALL} }`, 'legacy'],
    [`if (c.getProtocolEra() === 'legacy') ${CALL}`, 'legacy'],
    [`if ('modern' === c.getProtocolEra()) return; ${CALL}`, 'legacy'],
    [`const modern = c.getProtocolEra() === 'modern'; if (!modern) { ${CALL} }`, 'legacy'],
    [`const era = c.getProtocolEra(); if (era === 'modern') { return; } ${CALL}`, 'legacy'],
    [`switch (c.getProtocolEra()) { case 'legacy': ${CALL} }`, 'legacy'],
    [`c.getProtocolEra() === 'legacy' && c.subscribeResource({ uri: 'a' });`, 'legacy'],
    [`c.getProtocolEra() === 'modern' ? 0 : c.subscribeResource({ uri: 'a' });`, 'legacy'],
    [`if (c.getProtocolEra() === 'modern') { ${CALL} }`, 'modern'],
    [`if (c.getProtocolEra() === 'modern') console.log('x'); ${CALL}`, undefined],
    [`if (Math.random() > 0.5) { ${CALL} }`, undefined],
  ])('%s runs on %s', (code, era) => {
    expect(within(code)).toBe(`subscribe method a.ts:3${era === undefined ? '' : ` on ${era}`}`);
  });
});

test('handlers are read from strings, schemas, aliases, constants and hand-written schemas', () => {
  expect(
    one(`import { Client } from '@modelcontextprotocol/client';
import { ToolListChangedNotificationSchema as Tools, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
const PROMPTS = 'notifications/prompts/list_changed';
const Own = z.object({ method: z.literal('ide/changed') });
const c = new Client({} as any);
c.setNotificationHandler('notifications/resources/updated', () => 1);
c.setNotificationHandler(Tools, () => 1);
c.setNotificationHandler(types.ResourceListChangedNotificationSchema, () => 1);
c.setNotificationHandler(PROMPTS, () => 1);
c.setNotificationHandler(LoggingMessageNotificationSchema, () => 1);
c.setNotificationHandler(Own, () => 1);
for (const s of [Tools]) c.setNotificationHandler(s, () => 1);
c.fallbackNotificationHandler = async (n) => { switch (n.method) { case 'notifications/tools/list_changed': return; } };`),
  ).toEqual([
    [
      'new a.ts era none',
      'handler notifications/resources/updated',
      'handler notifications/tools/list_changed',
      'handler notifications/resources/list_changed',
      'handler notifications/prompts/list_changed',
      'handler notifications/message',
      'handler ide/changed',
      'handler notifications/tools/list_changed',
      'fallback notifications/tools/list_changed',
    ],
  ]);
});

describe('handlers registered from a list or a table', () => {
  const kinds = (code: string): string[] =>
    one(`import { Client } from '@modelcontextprotocol/client';
import { ToolListChangedNotificationSchema as T, PromptListChangedNotificationSchema as P } from '@modelcontextprotocol/sdk/types.js';
const c = new Client({} as any);
const on = () => {
  refetch();
};
${code}`)[0]?.slice(1) ?? [];
  const BOTH = ['handler notifications/tools/list_changed+notifications/prompts/list_changed'];
  test.each([
    ['a loop over an array', `for (const s of [T, P]) c.setNotificationHandler(s, on);`],
    ['forEach over an array', `[T, P].forEach((s) => c.setNotificationHandler(s, on));`],
    [
      'a constant array',
      `const ALL = [T, P] as const; for (const s of ALL) { c.setNotificationHandler(s, on); }`,
    ],
    ['pairs', `for (const [s, f] of [[T, on], [P, on]] as const) c.setNotificationHandler(s, f);`],
    [
      'rows',
      `for (const row of [{ schema: T, run: on }, { schema: P, run: on }]) c.setNotificationHandler(row.schema, row.run);`,
    ],
    [
      'rows taken apart',
      `[{ schema: T }, { schema: P }].forEach(({ schema }) => c.setNotificationHandler(schema, on));`,
    ],
    [
      'an object by its keys',
      `const map = { tools: T, prompts: P }; Object.keys(map).forEach((k) => c.setNotificationHandler(map[k], on));`,
    ],
    [
      'the values of an object',
      `const map = { tools: T, prompts: P }; for (const s of Object.values(map)) c.setNotificationHandler(s, on);`,
    ],
    [
      'the entries of an object',
      `const map = { tools: T, prompts: P }; for (const [k, s] of Object.entries(map)) c.setNotificationHandler(s, on);`,
    ],
    [
      'method strings',
      `for (const m of ['notifications/tools/list_changed', 'notifications/prompts/list_changed'] as const) c.setNotificationHandler(m, on);`,
    ],
    ['a condition', `c.setNotificationHandler(Math.random() > 0.5 ? T : P, on);`],
  ])('%s', (_name, code) => {
    expect(kinds(code)).toEqual(BOTH);
  });

  test.each([
    [
      'a list from elsewhere',
      `declare const list: any[]; for (const s of list) c.setNotificationHandler(s, on);`,
      'handler ?',
    ],
    [
      'a list that is only partly known',
      `declare const more: any[]; for (const s of [T, ...more]) c.setNotificationHandler(s, on);`,
      'handler ?',
    ],
    ['a bound method', `const set = c.setNotificationHandler.bind(c); set(T, on);`, 'handler ?'],
    ['the private map', `(c as any)._notificationHandlers.set('x', on);`, 'handler ?'],
    [
      'an empty function',
      `c.setNotificationHandler(T, () => {});`,
      'removal notifications/tools/list_changed',
    ],
    [
      'a removal',
      `c.removeNotificationHandler('notifications/tools/list_changed');`,
      'removal notifications/tools/list_changed',
    ],
    [
      'a fallback by reference',
      `const f = (n: any) => { if (n.method === 'notifications/tools/list_changed') on(); }; c.fallbackNotificationHandler = f;`,
      'fallback notifications/tools/list_changed',
    ],
  ])('%s', (_name, code, expected) => {
    expect(kinds(code)).toEqual([expected]);
  });

  test('a fallback that names nothing handles whatever comes', () => {
    expect(kinds(`c.fallbackNotificationHandler = async (n) => { console.log(n.method); };`)).toEqual([
      'fallback notifications/tools/list_changed+notifications/prompts/list_changed+notifications/resources/list_changed+notifications/resources/updated',
    ]);
  });
});

describe('a client that is read through another type than it was put in by', () => {
  const PRE = `import { Client } from '@modelcontextprotocol/client';\n`;
  test.each([
    [
      'an interface over an inferred object',
      `interface Ctx { client: Client }
function beat(c: Ctx) { return c.client.ping(); }
async function make() { const client = new Client({} as any); client.subscribeResource({ uri: 'a' }); return { client, n: 1 }; }
beat(await make());`,
    ],
    [
      'an interface over a class',
      `interface Has { client: Client }
class Impl implements Has { client = new Client({} as any); watch() { return this.client.subscribeResource({ uri: 'a' }); } }
function beat(h: Has) { return h.client.ping(); }
beat(new Impl());`,
    ],
    [
      'an abstract property',
      `abstract class Base { abstract client: Client; beat() { return this.client.ping(); } }
class Sub extends Base { client = new Client({} as any); watch() { return this.client.subscribeResource({ uri: 'a' }); } }`,
    ],
    [
      'a property that Object.assign fills',
      `class Host { client!: Client; constructor() { const client = new Client({} as any); client.subscribeResource({ uri: 'a' }); Object.assign(this, { client }); } beat() { return this.client.ping(); } }`,
    ],
  ])('%s', (_name, code) => {
    const groups = one(PRE + code);
    expect(groups.filter((lines) => lines.some((line) => line.startsWith('subscribe')))).toEqual([
      expect.arrayContaining(['new a.ts era none', 'legacy ping()']),
    ]);
  });
});

test('a clause that is fallen into has checked nothing', () => {
  expect(
    one(`import { Client } from '@modelcontextprotocol/client';
const c = new Client({} as any);
switch (c.getProtocolEra()) {
  case 'modern':
    console.log('x');
  case 'legacy':
    c.ping();
}`),
  ).toEqual([['new a.ts era none', 'legacy ping()']]);
});

test('options that are written to later say nothing about the era', () => {
  expect(
    one(`import { Client } from '@modelcontextprotocol/client';
const options: any = {};
options.versionNegotiation = { mode: 'legacy' };
new Client({} as any, options);`),
  ).toEqual([['new a.ts era unknown']]);
});

describe('a check of the era counts for the client that was asked', () => {
  const PRE = `import { Client } from '@modelcontextprotocol/client';\n`;
  const pings = (code: string): string[] =>
    one(PRE + code)
      .flat()
      .filter((line) => line.startsWith('legacy'));
  const CLASS = (body: string): string =>
    `class Host { client = new Client({} as any); other = new Client({} as any); era?: string; ${body} }`;
  const SET = `async start() { await this.client.connect({} as any); this.era = this.client.getProtocolEra(); }`;
  test.each([
    ['a property', CLASS(`${SET} beat() { if (this.era === 'legacy') this.client.ping(); }`)],
    [
      'a property of another object',
      `${CLASS(SET)} export function beat(host: Host) { if (host.era === 'legacy') host.client.ping(); }`,
    ],
    [
      'a property that is set from the name that goes into the client’s own',
      `class Host { client?: Client; era?: string;
        async start() { const client = new Client({} as any); this.client = client; this.era = client.getProtocolEra(); }
        beat() { if (this.era === 'legacy') this.client?.ping(); } }`,
    ],
    [
      'a property that is taken back',
      CLASS(
        `${SET} stop() { this.era = undefined; } beat() { if (this.era === 'legacy') this.client.ping(); }`,
      ),
    ],
    [
      'a getter',
      CLASS(
        `get now() { return this.client.getProtocolEra(); } beat() { if (this.now === 'legacy') this.client.ping(); }`,
      ),
    ],
    [
      'a method',
      CLASS(
        `isOld() { return this.client.getProtocolEra() === 'legacy'; } beat() { if (this.isOld()) this.client.ping(); }`,
      ),
    ],
    [
      'a function that is handed the client',
      `const isOld = (client: Client) => client.getProtocolEra() === 'legacy'; const c = new Client({} as any); if (isOld(c)) c.ping();`,
    ],
    [
      'a constant for the client',
      CLASS(
        `beat() { const { client } = this; if (this.client.getProtocolEra() === 'legacy') client.ping(); }`,
      ),
    ],
    [
      'this of a subclass',
      `class Own extends Client { beat() { if (this.getProtocolEra() === 'legacy') super.ping(); } } new Own({} as any);`,
    ],
  ])('%s', (_name, code) => {
    expect(pings(code)).toEqual(['legacy ping() on legacy']);
  });

  test.each([
    [
      'another client',
      `const c = new Client({} as any); const other = new Client({} as any); if (other.getProtocolEra() === 'legacy') c.ping();`,
    ],
    [
      'another client, by an early exit',
      `const c = new Client({} as any); const other = new Client({} as any); export function f() { if (other.getProtocolEra() === 'modern') return; c.ping(); }`,
    ],
    [
      'another property',
      CLASS(`beat() { if (this.other.getProtocolEra() === 'legacy') this.client.ping(); }`),
    ],
    [
      'the same property of another object',
      `${CLASS('')} export function beat(a: Host, b: Host) { if (a.client.getProtocolEra() === 'legacy') b.client.ping(); }`,
    ],
    [
      'a property that keeps the era of another client',
      CLASS(
        `start() { this.era = this.other.getProtocolEra(); } beat() { if (this.era === 'legacy') this.client.ping(); }`,
      ),
    ],
    [
      'a property that is also set to something else',
      CLASS(
        `${SET} force(era: string) { this.era = era; } beat() { if (this.era === 'legacy') this.client.ping(); }`,
      ),
    ],
    [
      'a property of the same name in another class',
      `class Other { era?: string; client = new Client({} as any); start() { this.era = this.client.getProtocolEra(); } }
       class Host { era?: string; client = new Client({} as any); beat() { if (this.era === 'legacy') this.client.ping(); } }`,
    ],
    [
      'a function that is handed another client',
      `const isOld = (client: Client) => client.getProtocolEra() === 'legacy'; const c = new Client({} as any); const other = new Client({} as any); if (isOld(other)) c.ping();`,
    ],
  ])('not %s', (_name, code) => {
    expect(pings(code)).toEqual(['legacy ping()']);
  });
});

describe('a use that does not name what it calls', () => {
  const uses = (code: string, path = 'a.ts'): string[] =>
    one(
      `import { Client } from '@modelcontextprotocol/client';\nimport { z } from 'zod';\ndeclare const S: any;\nconst c = new Client({} as any);\n${code}`,
      path,
    )[0]?.slice(1) ?? [];
  test.each([
    ['a method taken by a pattern', `const { ping } = c;`, ['legacy ping()']],
    ['under another name', `const { setLoggingLevel: level } = c;`, ['legacy setLoggingLevel()']],
    ['by an assignment', `let ping: any; ({ ping } = c);`, ['legacy ping()']],
    ['by a parameter', `const beat = ({ ping }: Client) => ping; beat(c);`, ['legacy ping()']],
    [
      'by a parameter of a narrower type',
      `const beat = ({ ping }: { ping(): any }) => ping; beat(c);`,
      ['legacy ping()'],
    ],
    ['by a pattern in a pattern', `const { client: { ping } } = { client: c };`, ['legacy ping()']],
    ['by a constant key', `const key = 'ping'; const { [key]: beat } = c;`, ['legacy ping()']],
    [
      'by a key from out of sight',
      `export const f = (key: keyof Client) => { const { [key]: method } = c; return method; };`,
      ['unreadable name [key]: method'],
    ],
    ['a subscription taken by a pattern', `const { subscribeResource } = c;`, ['subscribe reference a.ts:5']],
    ['a method of both eras', `const { listTools, callTool: call } = c;`, []],
    [
      'a request taken and called',
      `const { request } = c; request({ method: 'ping' }, S);`,
      [`legacy request 'ping'`],
    ],
    ['a request taken and called well', `const { request } = c; request({ method: 'tools/list' }, S);`, []],
    ['a request taken and handed on', `const { request } = c; S(request);`, ['unreadable taken request']],
    [
      'a registration taken',
      `const { setNotificationHandler } = c;`,
      ['unreadable taken setNotificationHandler'],
    ],
    [
      'a key from out of sight',
      `export const f = (name: string) => (c as any)[name]();`,
      ['unreadable name (c as any)[name]'],
    ],
    [
      'a key without a call',
      `export const f = (name: keyof Client) => c[name];`,
      ['unreadable name c[name]'],
    ],
    ['a key that is a call of 2025', `const key = 'ping'; c[key]();`, ['legacy ping()']],
    ['a key that is one of two', `c[Math.random() > 0.5 ? 'ping' : 'listTools']();`, ['legacy ping()']],
    [
      'a key that chooses the subscription',
      `export const f = (on: boolean) => c[on ? 'subscribeResource' : 'unsubscribeResource']({ uri: 'a' });`,
      ['subscribe computed a.ts:5'],
    ],
    ['a key of a known list', `for (const key of ['listTools', 'listPrompts'] as const) c[key]();`, []],
    ['a key by its type', `export const f = (key: 'listTools' | 'listPrompts') => c[key]();`, []],
    [
      'a key that callers hand in',
      `function f(key: string) { return (c as any)[key](); }\nf('listTools'); f('listPrompts');`,
      [],
    ],
    [
      'a key of which one caller hands in a call of 2025',
      `function f(key: string) { return (c as any)[key](); }\nf('listTools'); f('ping');`,
      ['legacy ping()'],
    ],
    ['a bound request', `export const send = c.request.bind(c);`, ['unreadable taken c.request']],
    [
      'a bound request that is called',
      `const send = c.request.bind(c); send({ method: 'tools/list' }, S);`,
      [],
    ],
    [
      'a bound request that pings',
      `const send = c.request.bind(c); send({ method: 'ping' }, S);`,
      [`legacy request 'ping'`],
    ],
    ['a request by call()', `c.request.call(c, { method: 'ping' }, S);`, [`legacy request 'ping'`]],
    ['a request as a value', `S(c.request);`, ['unreadable taken c.request']],
    ['a method as a value', `S(c.ping);`, ['legacy ping()']],
    [
      'a request that a test looks at',
      `declare const expect: any; expect(c.request).toBe(1); c.request = S; if (c.request) S();`,
      [],
    ],
    [
      'a request from out of sight',
      `export const forward = (req: any) => c.request(req, S);`,
      ['unreadable name c.request(req, …)'],
    ],
    [
      'a request with a method from out of sight',
      `export const send = (method: string, params: any) => c.request({ method, params }, S);`,
      ['unreadable name c.request(…)'],
    ],
    [
      'a notification with a method from out of sight',
      `export const send = (method: string) => c.notification({ method });`,
      ['unreadable name c.notification(…)'],
    ],
    ['a method of both eras', `c.request({ method: 'tools/list' }, S);`, []],
    ['a constant method', `const method = 'ping'; c.request({ method }, S);`, [`legacy request 'ping'`]],
    [
      'a method from a loop',
      `for (const method of ['tools/list', 'prompts/list']) c.request({ method }, S);`,
      [],
    ],
    [
      'a method by its type',
      `export const f = (method: 'tools/list' | 'prompts/list') => c.request({ method }, S);`,
      [],
    ],
    [
      'a method by a type with a call of 2025',
      `export const f = (method: 'tools/list' | 'ping') => c.request({ method }, S);`,
      ['unreadable name c.request(…)'],
    ],
    ['a method that an enum names', `enum M { Tools = 'tools/list' } c.request({ method: M.Tools }, S);`, []],
    ['a request in a constant', `const req = { method: 'tools/list', params: {} }; c.request(req, S);`, []],
    [
      'a request that is changed by what is spread into it',
      `export const f = (rest: any) => c.request({ method: 'tools/list', ...rest }, S);`,
      ['unreadable name c.request(…)'],
    ],
    [
      'parameters that are spread',
      `const cursor = { params: {} }; c.request({ method: 'tools/list', ...cursor }, S);`,
      [],
    ],
    [
      'a private sender whose callers are all in sight',
      `class Host { private send(method: string, params?: any) { return c.request({ method, params }, S); }\n list() { return this.send('tools/list'); } get() { return this.send('prompts/get'); } }`,
      [],
    ],
    [
      'a private sender of which one caller pings',
      `class Host { private send(method: string) { return c.request({ method }, S); }\n list() { return this.send('tools/list'); } beat() { return this.send('ping'); } }`,
      [`legacy request 'ping'`],
    ],
    [
      'a sender that code out of sight can call',
      `export class Host { send(method: string) { return c.request({ method }, S); }\n list() { return this.send('tools/list'); } }`,
      ['unreadable name c.request(…)'],
    ],
    [
      'a gateway that hands on one kind of request',
      `declare const server: any; server.setRequestHandler('tools/list', (request: any) => c.request(request, S));`,
      [],
    ],
    [
      'a gateway that hands on whatever comes',
      `declare const server: any; server.fallbackRequestHandler = (request: any) => c.request(request, S);`,
      ['unreadable name c.request(request, …)'],
    ],
    [
      'a method that is replaced by one that hands on',
      `const send = c.request.bind(c); c.request = (request: any, ...rest: any[]) => { S(request.method); return send(request, ...rest); };`,
      [],
    ],
    [
      'a check of the era',
      `export const forward = (req: any) => c.getProtocolEra() === 'legacy' ? c.request(req, S) : undefined;`,
      ['unreadable name c.request(req, …) on legacy'],
    ],
  ])('%s: %s', (_name, code, expected) => {
    expect(uses(code)).toEqual(expected);
  });

  test('another library’s client under the same property name is none', () => {
    expect(
      one(`import { Client } from '@modelcontextprotocol/client';
import type { AxiosInstance } from 'axios';
interface Http { client: AxiosInstance }
class Host { client = new Client({} as any); watch() { return this.client.subscribeResource({ uri: 'a' }); } }
export function get(http: Http, method: 'get' | 'post', config: any) {
  http.client[method]('/x');
  const { client } = http;
  client[config.method]();
  return http.client.request(config) ?? client.request({ method, url: '/x' });
}`),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:4']]);
  });

  test('an override that hands on sends nothing of its own', () => {
    expect(
      one(`import { Client } from '@modelcontextprotocol/client';
class Logged extends Client { request(request: any, ...rest: any[]) { console.log(request.method); return super.request(request, ...rest); } }
const c = new Logged({} as any);
c.subscribeResource({ uri: 'a' });`),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:4']]);
  });

  test('a container of clients by a computed name is no method', () => {
    expect(
      one(`import { Client } from '@modelcontextprotocol/client';
const all: Record<string, Client> = {};
export const open = (name: string) => { all[name] = new Client({} as any); };
export const watch = (name: string) => all[name].subscribeResource({ uri: 'a' });`),
    ).toEqual([['new a.ts era none', 'subscribe method a.ts:4']]);
  });
});
