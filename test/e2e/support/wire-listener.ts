import { randomUUID } from 'node:crypto';

import type { SubscriptionFilter } from '@modelcontextprotocol/client';

import type { Hearer } from './listeners.js';
import { until } from './until.js';

const META = 'io.modelcontextprotocol';
const VERSION = '2026-07-28';

/** What the SDK puts into every request of 2026. */
export const ENVELOPE = {
  [`${META}/protocolVersion`]: VERSION,
  [`${META}/clientInfo`]: { name: 'wire', version: '1.0.0' },
  [`${META}/clientCapabilities`]: {},
};

/** A request of 2026 as it is on the wire, without any SDK. */
export function post(
  url: URL,
  method: string,
  params: object = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    ...init,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(init.headers as Record<string, string> | undefined),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: randomUUID(),
      method,
      params: { ...params, _meta: ENVELOPE },
    }),
  });
}

interface Frame {
  method?: string;
  params?: { _meta?: Record<string, unknown> };
}

export interface WireListener extends Hearer {
  /** The id of the request that opened the stream. */
  readonly id: string;
}

/** Listens with nothing but `fetch`, and keeps every frame as it came. */
export async function wireListener(
  url: URL,
  notifications: SubscriptionFilter,
  headers: Record<string, string>,
): Promise<WireListener> {
  const id = randomUUID();
  const stream = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    signal: stream.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'subscriptions/listen',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: ENVELOPE },
    }),
  });
  if (!response.ok || !response.body) {
    throw new Error(`listen: ${String(response.status)} ${await response.text()}`);
  }

  const frames: Frame[] = [];
  const ends: string[] = [];
  void read(response.body, frames)
    .catch(() => undefined) // that is how an aborted stream ends
    .then(() => ends.push('ended'));
  await until('the listen is acknowledged', () => frames.length > 0);

  const heard = (method: string): number => frames.filter((frame) => frame.method === method).length;
  return {
    name: 'modern, on the wire',
    id,
    ends,
    ids: () => [
      ...new Set(frames.map(({ params }) => params?._meta?.['io.modelcontextprotocol/subscriptionId'])),
    ],
    updates: () => heard('notifications/resources/updated'),
    lists: () => heard('notifications/resources/list_changed'),
    close() {
      stream.abort();
      return Promise.resolve();
    },
  };
}

async function read(body: ReadableStream<Uint8Array>, frames: Frame[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length))
        .join('\n');
      if (data.trim()) frames.push(JSON.parse(data) as Frame);
    }
  }
}
