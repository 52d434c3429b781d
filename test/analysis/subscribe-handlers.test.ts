import { describe, expect, test } from 'vitest';
import { createFacts, type Facts } from '../../src/analysis/facts.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';

function factsOf(files: Record<string, string>): Facts {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  return createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
}

/** The handlers of a file's servers: `subscribe by schema: check "!known(uri)"`. */
function handlersOf(files: Record<string, string> | string): string[] {
  const facts = factsOf(typeof files === 'string' ? { 'a.ts': files } : files);
  return facts.servers.flatMap((group) =>
    subscribeHandlersOf(facts.world, group).map(
      ({ actions, form, does, deed }) =>
        `${actions.join('+')} by ${form}: ${does}${deed === undefined ? '' : ` "${deed.getText()}"`}`,
    ),
  );
}

const SERVER = `import { McpServer } from '@modelcontextprotocol/server';
const server = new McpServer({ name: 'a', version: '1' });
const uris = new Set<string>();
`;

const V1 = `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const server = new Server({ name: 'a', version: '1' });
const uris = new Set<string>();
`;

describe('how a handler is registered', () => {
  test.each([
    [
      'schema',
      `${V1}server.setRequestHandler(SubscribeRequestSchema, (r) => { uris.add(r.params.uri); return {}; });`,
    ],
    [
      'method',
      `${SERVER}server.server.setRequestHandler('resources/subscribe', (r) => { uris.add(r.params.uri); return {}; });`,
    ],
    [
      'inline-schema',
      `import { z } from 'zod';\n${V1}server.setRequestHandler(z.object({ method: z.literal('resources/subscribe') }), (r) => { uris.add(r.params.uri); return {}; });`,
    ],
  ])('by %s', (form, text) => {
    expect(handlersOf(text)).toEqual([`subscribe by ${form}: bookkeeping`]);
  });

  test('by a loop over pairs', () => {
    expect(
      handlersOf(
        `${V1}for (const [schema, on] of [[SubscribeRequestSchema, true], [UnsubscribeRequestSchema, false]] as const) server.setRequestHandler(schema, (r) => { if (on) uris.add(r.params.uri); else uris.delete(r.params.uri); return {}; });`,
      ),
    ).toEqual(['subscribe+unsubscribe by table: bookkeeping']);
  });

  test('out of a table, by the function of its own row', () => {
    expect(
      handlersOf(
        `${V1}const table = [{ schema: ListToolsRequestSchema, on: () => { throw new Error('no'); } }, { schema: SubscribeRequestSchema, on: (r: any) => { uris.add(r.params.uri); return {}; } }];
for (const { schema, on } of table) server.setRequestHandler(schema, on);`,
      ),
    ).toEqual(['subscribe by table: bookkeeping']);
  });

  test('out of what functions in other files return', () => {
    expect(
      handlersOf({
        'subscribe.ts': `import { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
export default function make(scope: { allow(uri: string): boolean }) { return { schema: SubscribeRequestSchema, handler: async (r: any) => { if (!scope.allow(r.params.uri)) throw new Error('no'); return {}; } }; }`,
        'main.ts': `import make from './subscribe.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
const server = new Server({ name: 'a', version: '1' });
for (const { schema, handler } of [make({ allow: () => true })]) server.setRequestHandler(schema, handler);`,
      }),
    ).toEqual(['subscribe by table: check "!scope.allow(r.params.uri)"']);
  });

  test('not by other methods', () => {
    expect(
      handlersOf(
        `${V1}server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));\nvoid SubscribeRequestSchema;`,
      ),
    ).toEqual([]);
  });

  test('not readable, where the schema is in sight and its registration is not', () => {
    expect(
      handlersOf(
        `${V1}declare function rows(schema: unknown): { schema: any; on: any }[];\nfor (const { schema, on } of rows(SubscribeRequestSchema)) server.setRequestHandler(schema, on);`,
      ),
    ).toEqual(['subscribe by table: unreadable']);
  });
});

describe('what a handler does', () => {
  const does = (body: string, before = ''): string[] =>
    handlersOf(
      `${SERVER}${before}\nserver.server.setRequestHandler('resources/subscribe', async (r, ctx) => { ${body}; return {}; });`,
    ).map((text) => text.replace('subscribe by method: ', ''));

  test.each([
    ['fills a set', 'uris.add(r.params.uri)', 'bookkeeping'],
    ['fills a set of a map', 'byUri.get(r.params.uri)?.add("x")', 'bookkeeping'],
    ['asks a set first', 'if (!uris.has(r.params.uri)) uris.add(r.params.uri)', 'bookkeeping'],
    ['logs', 'console.error("subscribed"); logger.info("x")', 'bookkeeping'],
    [
      'tells the client in its log',
      'await server.sendLoggingMessage({ level: "info", data: start() })',
      'bookkeeping',
    ],
    ['throws', 'if (uris.size > 3) throw new Error("full")', 'check "uris.size > 3"'],
    ['asks who it is', 'if (ctx.http.authInfo) uris.add("a")', 'check "ctx.http.authInfo"'],
    ['calls what checks by its name', 'validateUri(r.params.uri)', 'check "validateUri(r.params.uri)"'],
    ['calls what throws', 'known(r.params.uri)', 'check "known(r.params.uri)"'],
    [
      'leaves early for a reason of its own',
      'if (r.params.uri === "") return {}',
      'check "r.params.uri === \\"\\""',
    ],
    ['throws on what it has caught', 'try { uris.add("a") } catch (e) { throw e }', 'bookkeeping'],
    ['starts a watcher that has an add', 'watcher.add(r.params.uri)', 'work "watcher.add(r.params.uri)"'],
    ['makes an object', 'new Poller(r.params.uri)', 'work "new Poller(r.params.uri)"'],
    [
      'forwards',
      'await upstream.subscribeResource(r.params)',
      'forward "upstream.subscribeResource(r.params)"',
    ],
    [
      'forwards a raw request',
      'await upstream.request({ method: "resources/subscribe", params: r.params })',
      'forward "upstream.request({ method: \\"resources/subscribe\\", params: r.params })"',
    ],
    [
      'calls a backend',
      'await rest.post("resources/subscribe", r.params)',
      'bridge "rest.post(\\"resources/subscribe\\", r.params)"',
    ],
  ])('%s', (_, body, expected) => {
    expect(
      does(
        body,
        `import type { Client } from '@modelcontextprotocol/client';
declare const upstream: Client; declare const watcher: any, rest: any, logger: any;
const byUri = new Map<string, Set<string>>();
function known(uri: string) { if (uri === 'x') throw new Error('no'); }`,
      ),
    ).toEqual([expected.replaceAll('\\"', '"')]);
  });

  test('what a wrapper in sight adds counts, what one out of sight adds is not known', () => {
    const guarded = `function guarded(inner: any) { return async (r: any, ctx: any) => { if (!ctx.user) throw new Error('no'); return inner(r); }; }`;
    const registration = (wrapper: string): string =>
      `server.server.setRequestHandler('resources/subscribe', ${wrapper}(async (r: any) => { uris.add(r.params.uri); return {}; }));`;
    expect(handlersOf(`${SERVER}${guarded}\n${registration('guarded')}`)).toEqual([
      'subscribe by method: check "!ctx.user"',
    ]);
    expect(
      handlersOf(`import { traced } from 'traces';\n${SERVER}${registration('traced')}`).map((text) =>
        text.slice(0, 34),
      ),
    ).toEqual(['subscribe by method: unreadable "t']);
  });
});
