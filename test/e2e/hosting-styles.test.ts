/** What http-entry writes for every way of hosting, run: clients of both eras get each change once, and only with credentials. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { WORKBENCH } from '../support/fixtures.js';
import { TSX } from './support/stdio-server.js';
import { until } from './support/until.js';

type Target = 'dual' | 'modern';

interface Style {
  readonly fixture: string;
  readonly path?: string;
  /** Whether the module exports a `fetch`, or the verbs of Next.js, for a host to call. */
  readonly exports?: 'fetch' | 'verbs';
  readonly authorization?: string;
  /** What it had no stream for before. */
  readonly legacyUpdates?: 0;
  /** What GET without a session is answered under dual. */
  readonly get: number;
}

const STYLES: readonly Style[] = [
  { fixture: 'i1-sessions-on-express', get: 404 },
  { fixture: 'i1-sessions-on-fastify', get: 404 },
  { fixture: 'i1-sessions-on-hono', exports: 'fetch', get: 404 },
  { fixture: 'i1-chained-routes', get: 404 },
  { fixture: 'i1-hosts-and-origins', get: 404 },
  { fixture: 'i3-router-and-constant-path', path: '/api/mcp', authorization: 'Bearer secret', get: 404 },
  { fixture: 'i5-next-route-exports', exports: 'verbs', get: 404 },
  {
    fixture: 'i5-next-wrapped-exports',
    exports: 'verbs',
    authorization: 'secret',
    legacyUpdates: 0,
    get: 405,
  },
  { fixture: 'i7-fetch-of-a-worker', exports: 'fetch', authorization: 'Bearer open', get: 404 },
  { fixture: 'i7-node-http-that-reads-the-body', get: 400 },
  { fixture: 'i8-one-route-for-all-verbs', get: 400 },
  { fixture: 'i9-stateless-with-refusals', legacyUpdates: 0, get: 405 },
];

const FIXTURES = fileURLToPath(new URL('../../fixtures/server', import.meta.url));
const bench = join(WORKBENCH, `styles-${String(process.pid)}`);
const PORT = 3000;

/** Calls what a module exports, as its host does. */
const HOST = {
  fetch: `const fetch = (request) => module.default.fetch(request);`,
  verbs: `const fetch = (request) => module[request.method]?.(request) ?? new Response(null, { status: 405 });`,
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.each(STYLES)('$fixture', (style) => {
  describe.each(['dual', 'modern'] as const)('--target %s', (target: Target) => {
    let child: ChildProcess;
    let url: URL;
    let complaints = '';

    beforeAll(async () => {
      const port = await freePort();
      const folder = join(bench, style.fixture, target);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(bench, 'package.json'), '{ "type": "module" }');
      const text = readFileSync(join(FIXTURES, style.fixture, `expected.${target}.ts`), 'utf8');
      writeFileSync(join(folder, 'server.ts'), text.replaceAll(String(PORT), String(port)));
      const host =
        style.exports === undefined
          ? `import './server.ts';\n`
          : `import { serve } from '@hono/node-server';\nimport * as module from './server.ts';\n${HOST[style.exports]}\nserve({ fetch, port: ${String(port)} });\n`;
      writeFileSync(join(folder, 'main.mjs'), host);
      child = spawn(process.execPath, [...TSX, join(folder, 'main.mjs')], {
        env: { ...process.env, TOKEN: 'secret', MEMBER: 'secret' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
      url = new URL(`http://localhost:${String(port)}${style.path ?? '/mcp'}`);
      await until(`${style.fixture} listens`, async () => {
        if (child.exitCode !== null) throw new Error(complaints);
        return await fetch(url, { method: 'OPTIONS' }).then(
          () => true,
          () => false,
        );
      });
    });

    afterAll(() => {
      child.kill('SIGKILL');
      rmSync(bench, { recursive: true, force: true });
    });

    const headers = (): Record<string, string> =>
      style.authorization === undefined ? {} : { authorization: style.authorization };

    async function connected(era: 'legacy' | 'modern'): Promise<Client> {
      const mode = era === 'legacy' ? ('legacy' as const) : { pin: '2026-07-28' };
      const client = new Client({ name: 'reader', version: '1.0.0' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: headers() } }));
      return client;
    }

    /** How often a client of an era hears of a change that another one makes. */
    async function heard(era: 'legacy' | 'modern', expected: number): Promise<number> {
      const listener = await connected(era);
      let count = 0;
      listener.setNotificationHandler('notifications/tools/list_changed', () => {
        count += 1;
      });
      const subscription = era === 'modern' ? await listener.listen({ toolsListChanged: true }) : undefined;
      expect(subscription?.honoredFilter).toEqual(era === 'modern' ? { toolsListChanged: true } : undefined);
      // a client of 2025 opens its stream behind connect()
      if (era === 'legacy') await new Promise((resolve) => setTimeout(resolve, 300));
      const other = await connected(era);
      await other.callTool({ name: 'add', arguments: { name: 'one' } });
      if (expected > 0) await until('the change arrives', () => count >= expected);
      await new Promise((resolve) => setTimeout(resolve, 200)); // for one too many
      await subscription?.close();
      await other.close();
      await listener.close();
      return count;
    }

    it('tells a modern client of a change once', async () => {
      expect(await heard('modern', 1)).toBe(1);
      expect(complaints).toBe('');
    });

    if (target === 'dual') {
      const expected = style.legacyUpdates ?? 1;
      it(`tells a client of 2025 of a change ${expected === 1 ? 'once' : 'as little as before'}`, async () => {
        expect(await heard('legacy', expected)).toBe(expected);
        expect(complaints).toBe('');
      });
    } else {
      it('refuses a client of 2025', async () => {
        await expect(connected('legacy')).rejects.toThrow('Unsupported protocol version');
      });
    }

    it('answers GET and DELETE as the era wants it', async () => {
      const get = await fetch(url, { headers: { ...headers(), accept: 'text/event-stream' } });
      await get.body?.cancel();
      expect(get.status).toBe(target === 'modern' ? 405 : style.get);
      if (target === 'modern')
        expect((await fetch(url, { method: 'DELETE', headers: headers() })).status).toBe(405);
    });

    if (style.authorization !== undefined) {
      it('lets no modern client in without credentials', async () => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/list',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/list',
            params: {
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          }),
        });
        expect(response.status).toBe(401);
      });
    }
  });
});
