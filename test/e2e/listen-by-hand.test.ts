/** The recipe of the page, run: what its code serves is what the SDK's client takes for a listen stream. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { until } from './support/until.js';

interface Page {
  serveListen(
    message: object,
    response: ServerResponse,
    advertised: object,
    mayRead: (uri: string) => boolean,
  ): void;
  listChanged(kind: string): void;
  resourceUpdated(uri: string): void;
  finishAll(): void;
}

const ADVERTISED = { tools: { listChanged: true }, resources: { subscribe: true } };

async function page(): Promise<Page> {
  const text = readFileSync(new URL('../../docs/listen-by-hand.md', import.meta.url), 'utf8');
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'mcp-listen-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'page.mjs'), code);
  return (await import(pathToFileURL(join(folder, 'page.mjs')).href)) as Page;
}

it('acknowledges the honoured part, delivers each change once, and ends gracefully', async () => {
  const { serveListen, listChanged, resourceUpdated, finishAll } = await page();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const message = JSON.parse(body) as { id?: unknown; method: string };
      if (message.method === 'subscriptions/listen') {
        serveListen(message, response, ADVERTISED, (uri) => uri !== 'note:///secret');
        return;
      }
      const result = {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: ADVERTISED,
        serverInfo: { name: 'by-hand', version: '1.0.0' },
        ttlMs: 0,
        cacheScope: 'private',
      };
      response.writeHead(message.id === undefined ? 202 : 200, { 'content-type': 'application/json' });
      response.end(
        message.id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: message.id, result }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://localhost:${String((server.address() as AddressInfo).port)}/mcp`);

  const client = new Client(
    { name: 'page', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  );
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());

  const subscription = await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['note:///a', 'note:///secret'],
  });
  expect(subscription.honoredFilter).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ['note:///a'],
  });
  listChanged('tools');
  listChanged('prompts');
  resourceUpdated('note:///secret');
  resourceUpdated('note:///a');
  await until('both changes', () => heard.length === 2);
  expect(heard).toEqual(['tools', 'note:///a']);

  finishAll();
  expect(await subscription.closed).toBe('graceful');
  resourceUpdated('note:///a');
  expect(heard).toEqual(['tools', 'note:///a']);
});
