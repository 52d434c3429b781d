/** Clients of both eras on the real SDK that count what reaches them. */
import { isDeepStrictEqual } from 'node:util';

import {
  Client,
  StreamableHTTPClientTransport,
  type SubscriptionFilter,
  type Transport,
} from '@modelcontextprotocol/client';

import type { Era } from './notes-server.js';
import { until } from './until.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** Who hears of changes, however it is made. */
export interface Hearer {
  readonly name: string;
  /** How often it heard that a resource changed. */
  updates(): number;
  /** How often it heard that the list of resources changed. */
  lists(): number;
  /** The subscription ids that came with what it heard; undefined for what came without. */
  ids(): unknown[];
  /** Why its streams ended, if they did. */
  readonly ends: string[];
  close(): Promise<void>;
}

export interface Listener extends Hearer {
  readonly client: Client;
}

function counting(name: string, era: Era): Listener {
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities: { elicitation: {} },
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { sure: true } }));
  const ids = new Set<unknown>();
  let updates = 0;
  let lists = 0;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates++;
    ids.add(params._meta?.[SUBSCRIPTION_ID]);
  });
  client.setNotificationHandler('notifications/resources/list_changed', ({ params }) => {
    lists++;
    ids.add(params?._meta?.[SUBSCRIPTION_ID]);
  });
  return {
    name,
    client,
    ids: () => [...ids],
    ends: [],
    updates: () => updates,
    lists: () => lists,
    close: () => client.close(),
  };
}

/** A client of 2026 that listens, if it is told to what. */
export async function modernListener(
  name: string,
  transport: Transport,
  filter?: SubscriptionFilter,
): Promise<Listener> {
  const listener = counting(name, 'modern');
  await listener.client.connect(transport);
  if (filter) {
    const { honoredFilter, closed } = await listener.client.listen(filter);
    void closed.then((reason) => listener.ends.push(reason));
    if (!isDeepStrictEqual(honoredFilter, filter)) {
      throw new Error(`${name} asked for ${JSON.stringify(filter)}, got ${JSON.stringify(honoredFilter)}`);
    }
  }
  return listener;
}

/** A client of 2025 that subscribes, if it is told to what. */
export async function legacyListener(name: string, transport: Transport, uri?: string): Promise<Listener> {
  const listener = counting(name, 'legacy');
  await listener.client.connect(transport);
  if (uri !== undefined) await listener.client.subscribeResource({ uri });
  return listener;
}

/** A transport over HTTP that shows its GET stream: what the server says before that is open is lost. */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Every open GET stream, the last one last. */
  readonly #streams: AbortController[];

  constructor(url: URL, headers: Record<string, string> = {}) {
    const streams: AbortController[] = [];
    super(url, {
      requestInit: { headers },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method !== 'GET' || !response.ok || !response.body) return response;
        const line = new AbortController();
        streams.push(line);
        const body = response.body.pipeThrough(new TransformStream(), { signal: line.signal });
        return new Response(body, response);
      },
    });
    this.#streams = streams;
  }

  /** Waits for the given GET stream: the first, or one that came after it. */
  async streamOpen(count = 1): Promise<void> {
    await until('the GET stream is open', () => this.#streams.length >= count);
  }

  /** The line breaks. The SDK tries again by itself. */
  breakStream(): void {
    this.#streams.at(-1)?.abort(new Error('The line is broken'));
  }
}
