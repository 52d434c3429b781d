import { describe, expect, test } from 'vitest';
import type { ts } from 'ts-morph';
import { createFacts } from '../../src/analysis/facts.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';
import { publishersOf, serverEmitsOf } from '../../src/analysis/server-publishers.js';

/** The publishers of all servers: `a.ts:3 method toolsListChanged request`, each with what is particular about it. */
function publishersIn(files: Record<string, string>): string[] {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  const facts = createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
  const at = (node: ts.Node): string => {
    const { path, tree } = facts.unitOf(node);
    return `${path}:${String(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
  };
  return facts.servers.flatMap((group) => [
    ...publishersOf(facts.world, group).map((publisher) => {
      const { uri, uriHolder, fanOut, iterated, publishedAt } = publisher;
      return [
        at(publisher.node),
        publisher.form,
        publisher.notifications?.map((name) => name.replace('notifications/', '')).join(' + ') ?? '?',
        publisher.reach,
        ...(uri === undefined ? [] : [`uri ${uri.getText()}`]),
        ...(uriHolder === undefined ? [] : [`uri in ${uriHolder.getText()}`]),
        ...(publisher.extraParameters ? ['and more'] : []),
        ...(fanOut === undefined ? [] : [`for each of ${at(fanOut)}`]),
        ...(iterated === undefined ? [] : [`one by one in ${at(iterated)}`]),
        ...(publisher.isFloating ? ['floating'] : []),
        ...(publishedAt.length === 0 ? [] : [`decided by ${publishedAt.map(at).join(', ')}`]),
      ].join(', ');
    }),
    ...serverEmitsOf(facts.world, group).taken.map((node) => `${at(node)}, taken`),
    ...serverEmitsOf(facts.world, group).custom.map(
      ({ call, methods }) => `${at(call)}, custom, ${methods.join(' + ')}`,
    ),
  ]);
}

const HEAD = `import { McpServer, Server } from '@modelcontextprotocol/server';\n`;

/** The publishers of one file, whose first line is the import of the SDK. */
const one = (text: string, path = 'a.ts'): string[] => publishersIn({ [path]: HEAD + text });

const MODULE = `const server = new McpServer({} as any);\n`;

describe('an SDK that a file of the project hands on', () => {
  const EMIT = (name: string): string =>
    `export function f() { const server = new ${name}({} as any); server.sendToolListChanged(); }`;

  test.each([
    [
      'export *',
      `export * from '@modelcontextprotocol/server';`,
      `import { McpServer } from './sdk';`,
      'McpServer',
    ],
    [
      'export * of version 1',
      `export * from '@modelcontextprotocol/sdk/server/mcp.js';`,
      `import { McpServer } from './sdk.js';`,
      'McpServer',
    ],
    [
      'by name',
      `export { McpServer as Mcp } from '@modelcontextprotocol/server';`,
      `import { Mcp } from './sdk';`,
      'Mcp',
    ],
    [
      'as a namespace',
      `export * as mcp from '@modelcontextprotocol/server';`,
      `import { mcp } from './sdk';`,
      'mcp.McpServer',
    ],
    [
      'whole',
      `export * from '@modelcontextprotocol/server';`,
      `import * as sdk from './sdk';`,
      'sdk.McpServer',
    ],
  ])('is the SDK: %s', (_, sdk, imported, name) => {
    expect(publishersIn({ 'sdk.ts': sdk, 'a.ts': `${imported}\n${EMIT(name)}` })).toEqual([
      'a.ts:2, method, tools/list_changed, instance',
    ]);
  });

  test('is not, where that is a class of their own', () => {
    expect(
      publishersIn({
        'sdk.ts': 'export class McpServer { sendToolListChanged() {} }',
        'a.ts': `import { McpServer } from './sdk';\n${EMIT('McpServer')}`,
      }),
    ).toEqual([]);
  });
});

describe('the plain forms', () => {
  test.each<[string, string, string[]]>([
    ['a list change', `server.sendToolListChanged();`, ['a.ts:3, method, tools/list_changed, process']],
    [
      'an update',
      `void server.server.sendResourceUpdated({ uri: 'a://b' });`,
      [`a.ts:3, method, resources/updated, process, uri 'a://b', floating`],
    ],
    [
      'an update with its parameters handed on',
      `export const f = (params: { uri: string }) => server.server.sendResourceUpdated(params);`,
      ['a.ts:3, method, resources/updated, process, uri in params'],
    ],
    [
      'a raw notification with more than a URI',
      `await server.server.notification({ method: 'notifications/resources/updated', params: { uri, title: 'T' } });`,
      ['a.ts:3, notification, resources/updated, process, uri uri, and more'],
    ],
    [
      'a message that is a constant',
      `const CHANGED = { method: 'notifications/prompts/list_changed' } as const;\nserver.server.notification(CHANGED).catch(() => {});`,
      ['a.ts:4, notification, prompts/list_changed, process'],
    ],
    [
      'another notification',
      `server.server.notification({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });`,
      ['a.ts:3, custom, notifications/progress'],
    ],
    [
      'a notification of its own',
      `server.server.notification({ method: 'ide/contextUpdate' });`,
      ['a.ts:3, custom, ide/contextUpdate'],
    ],
    [
      'a bound method',
      `const changed = server.server.sendToolListChanged.bind(server.server);\nchanged();`,
      ['a.ts:4, method, tools/list_changed, process, floating'],
    ],
    ['a method as a value', `export const all = [server.sendToolListChanged];`, ['a.ts:3, taken']],
    ['a method that is asked for', `if (server.sendToolListChanged) console.log(1);`, []],
    [
      'a name of an own method',
      `const f = { sendToolListChangedNotification() {} };\nf.sendToolListChangedNotification();`,
      [],
    ],
  ])('%s', (_, code, expected) => {
    expect(one(MODULE + code)).toEqual(expected);
  });

  test('a message that nobody can read', () => {
    expect(
      one(`${MODULE}export function send(message: any) { return server.server.notification(message); }`),
    ).toEqual(['a.ts:3, computed, ?, process']);
  });
});

describe('methods that are computed', () => {
  test.each<[string, string, string[]]>([
    [
      'by a key out of a table',
      `const TABLE = [{ send: 'sendToolListChanged' }, { send: 'sendPromptListChanged' }] as const;\nfor (const row of TABLE) server[row.send]();`,
      ['a.ts:4, computed, tools/list_changed + prompts/list_changed, process'],
    ],
    [
      'by a key that is a constant',
      `const SEND = 'sendToolListChanged' as const;\nserver[SEND]();`,
      ['a.ts:4, method, tools/list_changed, process'],
    ],
    [
      'by a key from out of sight',
      `export const f = (name: string) => (server as any)[name]();`,
      ['a.ts:3, computed, ?, process'],
    ],
    [
      'by a key that sends nothing',
      `server['close']();\nconst m = 'isConnected' as const;\nserver[m]();`,
      [],
    ],
    [
      'by a template with kinds in sight',
      `for (const kind of ['tools', 'prompts'] as const) await server.server.notification({ method: \`notifications/\${kind}/list_changed\` });`,
      ['a.ts:3, computed, tools/list_changed + prompts/list_changed, process'],
    ],
    [
      'by a template with any kind',
      `export const f = (kind: string) => server.server.notification({ method: \`notifications/\${kind}/list_changed\` as any });`,
      ['a.ts:3, computed, tools/list_changed + prompts/list_changed + resources/list_changed, process'],
    ],
    [
      'one after the other',
      `for (const method of ['notifications/tools/list_changed', 'notifications/prompts/list_changed'] as const) await server.server.notification({ method });`,
      ['a.ts:3, notification, tools/list_changed + prompts/list_changed, process, one by one in a.ts:3'],
    ],
  ])('%s', (_, code, expected) => {
    expect(one(MODULE + code)).toEqual(expected);
  });
});

describe('emits that their callers decide about', () => {
  test('a helper that is given the method', () => {
    expect(
      one(`${MODULE}const notify = (method: any) => server.server.notification({ method }).catch(() => {});
notify('notifications/tools/list_changed');
notify('ide/other');`),
    ).toEqual([
      'a.ts:3, notification, tools/list_changed, process, decided by a.ts:4',
      'a.ts:4, forwarded, tools/list_changed, process',
    ]);
  });

  test('a helper that is given the message', () => {
    expect(
      one(`${MODULE}function emit(message: any) { void server.server.notification(message); }
export const changed = (uri: string) => emit({ method: 'notifications/resources/updated', params: { uri } });`),
    ).toEqual([
      'a.ts:3, notification, resources/updated, process, floating, decided by a.ts:4',
      'a.ts:4, forwarded, resources/updated, process, uri uri',
    ]);
  });

  test('a method of a session that a loop calls for each', () => {
    expect(
      one(`class Session {
  #server = new Server({} as any, {} as any);
  async updated(uri: string) { await this.#server.sendResourceUpdated({ uri }); }
}
class Hub {
  sessions: Session[] = [];
  add() { this.sessions.push(new Session()); }
  async changed(uri: string) { await Promise.all(this.sessions.map((session) => session.updated(uri))); }
}`),
    ).toEqual([
      'a.ts:4, method, resources/updated, instance, uri uri, decided by a.ts:9',
      'a.ts:9, forwarded, resources/updated, process, uri uri, for each of a.ts:9',
    ]);
  });
});

describe('fan-out', () => {
  test.each<[string, string, string]>([
    ['for … of', `for (const s of servers) s.sendToolListChanged();`, 'a.ts:5'],
    [
      'forEach over the values of a table',
      `Object.values(byId).forEach(({ server }) => server.sendToolListChanged());`,
      'a.ts:5',
    ],
    ['by the key', `for (const id of Object.keys(byId)) byId[id]!.server.sendToolListChanged();`, 'a.ts:5'],
    [
      'through a constant',
      `for (const id in byId) { const { server } = byId[id]!; server.sendToolListChanged(); }`,
      'a.ts:5',
    ],
  ])('%s', (_, loop, at) => {
    expect(
      one(`const servers = new Set<McpServer>();
const byId: Record<string, { server: McpServer }> = {};
export function open(id: string) { const server = new McpServer({} as any); servers.add(server); byId[id] = { server }; return server; }
${loop}`),
    ).toEqual([`a.ts:5, method, tools/list_changed, process, for each of ${at}`]);
  });

  test('a loop over URIs is none', () => {
    expect(one(`${MODULE}for (const uri of uris) server.server.sendResourceUpdated({ uri });`)).toEqual([
      'a.ts:3, method, resources/updated, process, uri uri, floating',
    ]);
  });
});

describe('when a publisher runs', () => {
  const factory = (body: string): string[] =>
    one(`export function createServer() {
  const server = new McpServer({} as any);
${body}
  return server;
}`);

  test.each<[string, string, string]>([
    [
      'in a tool',
      `  server.registerTool('t', {}, async () => { server.sendToolListChanged(); return {}; });`,
      'request',
    ],
    [
      'in a wrapped handler',
      `  server.registerTool('t', {}, logged(async () => { server.sendToolListChanged(); return {}; }));`,
      'request',
    ],
    [
      'in a function that a tool calls',
      `  const changed = () => server.sendToolListChanged();\n  server.registerTool('t', {}, async () => { changed(); return {}; });`,
      'request',
    ],
    ['in a timer of the factory', `  setInterval(() => server.sendToolListChanged(), 1000);`, 'instance'],
    [
      'in a listener of the factory',
      `  bus.on('changed', () => { server.sendToolListChanged(); });`,
      'instance',
    ],
    [
      'in a timer that a tool starts',
      `  server.registerTool('t', {}, async () => { setTimeout(() => server.sendToolListChanged(), 1); return {}; });`,
      'request',
    ],
    [
      'in a notifier that is handed on',
      `  new Watcher({ changed: () => server.sendToolListChanged() });`,
      'instance',
    ],
    ['while the factory runs', `  server.sendToolListChanged();`, 'construction'],
  ])('%s', (_, body, reach) => {
    expect(factory(body).map((line) => line.split(', ')[3])).toEqual([reach]);
  });

  test('outside the factory, on the only instance there is', () => {
    expect(
      one(`class App {
  private server = new McpServer({} as any);
  changed() { this.server.sendToolListChanged(); }
}
const app = new App();
setInterval(() => app.changed(), 1000);`),
    ).toEqual(['a.ts:4, method, tools/list_changed, process']);
  });
});

describe('the stream of a request', () => {
  test.each<[string, string]>([
    [
      'version 2',
      `async (_a: any, ctx: any) => { await ctx.mcpReq.notify({ method: 'notifications/tools/list_changed' }); return {}; }`,
    ],
    [
      'version 1',
      `async (_a: any, extra: any) => { await extra.sendNotification({ method: 'notifications/tools/list_changed' }); return {}; }`,
    ],
    [
      'taken apart',
      `async (_a: any, { sendNotification }: any) => { await sendNotification({ method: 'notifications/tools/list_changed' }); return {}; }`,
    ],
    ['handed on', `async (_a: any, ctx: any) => add(ctx)`],
  ])('%s', (_, handler) => {
    expect(
      one(`${MODULE}server.registerTool('t', {}, ${handler});
async function add(ctx: any) { await ctx.mcpReq.notify({ method: 'notifications/tools/list_changed' }); return {}; }`),
    ).toEqual([
      `a.ts:${handler.includes('add(ctx)') ? '4' : '3'}, request-stream, tools/list_changed, ${handler.includes('add(ctx)') ? 'process' : 'request'}`,
    ]);
  });

  test('progress belongs there', () => {
    expect(
      one(
        `${MODULE}server.registerTool('t', {}, async (_a: any, ctx: any) => { await ctx.mcpReq.notify({ method: 'notifications/progress' }); return {}; });`,
      ),
    ).toEqual([]);
  });

  test('somebody else may have a method of the name', () => {
    expect(
      one(
        `${MODULE}export function f(mailer: any) { mailer.sendNotification({ method: 'notifications/tools/list_changed' }); }`,
      ),
    ).toEqual([]);
  });
});

describe('what the SDK emits by itself', () => {
  test.each<[string, string, string[]]>([
    ['registering while the server is built', `server.registerTool('t', {}, async () => ({}));`, []],
    [
      'registering in a tool',
      `server.registerTool('t', {}, async () => { server.registerPrompt('p', {}, async () => ({})); return {}; });`,
      ['a.ts:3, implied, prompts/list_changed, request'],
    ],
    [
      'registering behind the connection',
      `await server.connect(transport);\nserver.registerTool('t', {}, async () => ({}));`,
      ['a.ts:4, implied, tools/list_changed, process'],
    ],
    [
      'switching off while the server is built',
      `const tool = server.registerTool('t', {}, async () => ({}));\ntool.disable();`,
      [],
    ],
    [
      'switching off in a timer',
      `const tool = server.registerTool('t', {}, async () => ({}));\nsetTimeout(() => tool.disable(), 1000);`,
      ['a.ts:4, implied, tools/list_changed, process'],
    ],
    [
      'by a function that a tool calls',
      `const add = () => server.registerTool('u', {}, async () => ({}));\nserver.registerTool('t', {}, async () => { add(); return {}; });`,
      ['a.ts:3, implied, tools/list_changed, process'],
    ],
    [
      'something else that can be removed',
      `const map = { remove() {} };\nsetTimeout(() => map.remove(), 1);`,
      [],
    ],
  ])('%s', (_, code, expected) => {
    expect(one(MODULE + code)).toEqual(expected);
  });
});

describe('across files', () => {
  test('a subclass emits on itself, and a helper is in another file', () => {
    expect(
      publishersIn({
        'server.ts': `import { McpServer } from '@modelcontextprotocol/server';
export class Catalog extends McpServer { add() { this.sendToolListChanged(); } }`,
        'main.ts': `import { Catalog } from './server.js';
import { changed } from './changed.js';
const catalog = new Catalog({} as any);
changed(catalog);`,
        'changed.ts': `import type { McpServer } from '@modelcontextprotocol/server';
export function changed(server: McpServer) { server.sendPromptListChanged(); }`,
      }),
    ).toEqual([
      'changed.ts:2, method, prompts/list_changed, process',
      'server.ts:2, method, tools/list_changed, process',
    ]);
  });
});
