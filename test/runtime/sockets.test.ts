import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { CreateMcpHandlerOptions } from '@modelcontextprotocol/server';
import ts from 'typescript';
import { afterEach, describe, expect, it } from 'vitest';
import { changeStream } from '../../src/runtime/change-stream.js';
import { EVERYTHING, MODERN } from './support/modern.js';
import { afterwards, tearDown } from './support/set-up.js';
import { legacySessions, listening, modernListener } from './support/sockets.js';
import { quiet, until } from './support/until.js';
import { Witness } from './support/witness.js';

afterEach(tearDown);

const modernHandler = (options: CreateMcpHandlerOptions = {}) =>
  createMcpHandler(() => new McpServer({ name: 'modern', version: '1' }, { capabilities: EVERYTHING }), {
    legacy: 'reject',
    ...options,
  });

async function connect(url: URL, clientOptions: ClientOptions = MODERN) {
  const client = new Client({ name: 'c', version: '1' }, clientOptions);
  const witness = new Witness().watch(client);
  await client.connect(new StreamableHTTPClientTransport(url));
  const changes = changeStream(client, witness.options);
  afterwards(
    () => changes.close(),
    () => client.close(),
  );
  return { client, witness, changes };
}

describe('over a socket', () => {
  it('delivers exactly once, swaps without loss, and delivers nothing after close', async () => {
    const handler = modernHandler();
    const server = await listening(modernListener(() => handler));
    const { witness, changes } = await connect(server.url);
    afterwards(() => server.close());
    await changes.subscribe('x:a');
    const flow = (async () => {
      for (let n = 0; n < 400; n += 1) {
        handler.bus.publish({
          kind: 'resource_updated',
          uri: 'x:a',
          params: { _meta: { 'test/sequence': n } },
        });
        if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    await until('it flows', () => witness.sequence.length > 50);
    await changes.subscribe('x:b');
    await flow;
    await until('all arrived', () => new Set(witness.sequence).size === 400);
    await quiet(100);
    const before = witness.updates.length;
    handler.notify.resourceUpdated('x:b');
    await until('it arrived', () => witness.updates.length > before);
    await quiet();
    expect(witness.updates.length).toBe(before + 1);
    for (let n = 0; n < 400; n += 1) handler.notify.resourceUpdated('x:a');
    await changes.close();
    const delivered = witness.updates.length;
    for (let n = 0; n < 400; n += 1) handler.notify.resourceUpdated('x:a');
    await quiet(100);
    expect(witness.updates.length).toBe(delivered);
  });

  it('is opened again when connections are cut, and when the server is away for a while', async () => {
    const handler = modernHandler();
    const server = await listening(modernListener(() => handler));
    const { witness, changes } = await connect(server.url);
    await changes.subscribe('x:a');
    server.cut();
    await until('it is open again', () => witness.reopened === 1);
    await server.close();
    await until('it is tried again', () => changes.state === 'retrying' || changes.state === 'opening');
    const again = await listening(
      modernListener(() => handler),
      Number(server.url.port),
    );
    afterwards(() => again.close());
    await until('it is open again', () => witness.reopened === 2 || witness.lost.length > 0);
    expect(witness.lost).toEqual([]);
    handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect(witness.updates).toEqual(['x:a']);
  });

  it('at a limit of one makes room first, time and again', async () => {
    const handler = modernHandler({ maxSubscriptions: 1 });
    const server = await listening(modernListener(() => handler));
    const { witness, changes } = await connect(server.url);
    afterwards(() => server.close());
    for (let n = 0; n < 25; n += 1) await changes.subscribe(`x:${n}`);
    expect(changes.honored.resourceSubscriptions).toHaveLength(25);
    expect([witness.lost, witness.reopened]).toEqual([[], 24]);
  });

  it.each([401, 403, 404])('refused with %d is lost at once', async (status) => {
    const handler = modernHandler();
    const server = await listening(
      modernListener(
        () => handler,
        (response) => Boolean(response.writeHead(status).end('no')),
      ),
    );
    const { witness, changes } = await connect(server.url);
    afterwards(() => server.close());
    await changes.listen({ toolsListChanged: true });
    await until('lost', () => witness.lost.length > 0);
    expect(witness.lost).toMatchObject([{ status }]);
  });

  it.each([429, 503])('refused with %d is repeated', async (status) => {
    const handler = modernHandler();
    let refusals = 2;
    const server = await listening(
      modernListener(
        () => handler,
        (response) => refusals-- > 0 && Boolean(response.writeHead(status).end('later')),
      ),
    );
    const { witness, changes } = await connect(server.url);
    afterwards(() => server.close());
    await changes.listen({ toolsListChanged: true });
    await until('it is open', () => changes.state === 'open');
    await until('told', () => witness.reopened === 1);
  });

  it('closes while a server keeps it waiting for the acknowledgment', async () => {
    const handler = modernHandler();
    let held = 0;
    const server = await listening(
      modernListener(
        () => handler,
        (response) => {
          held += 1;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          response.on('close', () => (held -= 1));
          return true;
        },
      ),
    );
    const { changes } = await connect(server.url);
    afterwards(() => server.close());
    const waiting = expect(changes.subscribe('x:a')).rejects.toThrow('closed');
    await until('it is asked', () => held === 1);
    await changes.close();
    await waiting;
    await until('the request is aborted', () => held === 0);
  });
});

describe('a 2025 server with sessions', () => {
  it('delivers exactly once what was subscribed to, and list changes unasked', async () => {
    const legacy = legacySessions();
    const server = await listening(legacy.listener);
    const { witness, changes } = await connect(server.url, { versionNegotiation: { mode: 'auto' } });
    afterwards(() => server.close());
    await changes.listen({ toolsListChanged: true });
    await Promise.all([changes.subscribe('x:a'), changes.subscribe('x:b'), changes.unsubscribe('x:b')]);
    expect([legacy.subscribed(), changes.state]).toEqual([['x:a'], 'legacy']);
    await until('the GET stream is open', () => {
      legacy.toolsChanged();
      return witness.lists.length > 0;
    });
    await legacy.publish('x:a');
    await legacy.publish('x:b');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect(witness.updates).toEqual(['x:a']);
  });
});

describe('a process', () => {
  /** The module as a JavaScript user gets it: its types stripped, nothing else changed. */
  function asJavaScript(): string {
    const folder = new URL('../../node_modules/.cache/mcp-listen-test-js/', import.meta.url);
    mkdirSync(folder, { recursive: true });
    const source = readFileSync(new URL('../../src/runtime/change-stream.ts', import.meta.url), 'utf8');
    const options = {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    };
    const file = new URL(`change-stream-${process.pid}.mjs`, folder);
    writeFileSync(file, ts.transpileModule(source, { compilerOptions: options }).outputText);
    afterwards(async () => rmSync(folder, { recursive: true, force: true }));
    return pathToFileURL(fileURLToPath(file)).href;
  }

  it.each(['open', 'retrying'])(
    'that closes the stream while it is %s exits by itself, with nothing of ours active',
    async (state) => {
      let refusing = false;
      const handler = createMcpHandler(
        () => {
          const server = new McpServer({ name: 'modern', version: '1' }, { capabilities: EVERYTHING });
          server.registerTool('cut', {}, () => (setTimeout(() => listener.cut(), 5), { content: [] }));
          server.registerTool('publish', {}, () => (handler.notify.resourceUpdated('x:a'), { content: [] }));
          server.registerTool('refuse', {}, () => ((refusing = true), { content: [] }));
          return server;
        },
        { legacy: 'reject' },
      );
      const listener = await listening(
        modernListener(
          () => handler,
          (response) => refusing && Boolean(response.writeHead(503).end()),
        ),
      );
      afterwards(() => listener.close());
      const script = fileURLToPath(new URL('support/exits-by-itself.mjs', import.meta.url));
      const started = Date.now();
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [script, listener.url.href, asJavaScript(), state],
        { timeout: 20_000 },
      );
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).not.toContain('Timeout');
      expect(Date.now() - started).toBeLessThan(10_000);
    },
  );
});
