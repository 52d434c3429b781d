import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions, SubscriptionFilter } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type {
  CreateMcpHandlerOptions,
  McpHttpHandler,
  ServerCapabilities,
} from '@modelcontextprotocol/server';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export const EVERYTHING: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

export const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

type ListenAnswer = (
  id: unknown,
  filter: SubscriptionFilter,
  init: RequestInit,
) => Promise<Response | undefined> | Response | undefined;

export interface Wire {
  readonly fetch: Fetch;
  /** The filters of all `subscriptions/listen` requests so far, in order. */
  readonly asked: SubscriptionFilter[];
  /** Streams that are open at this moment. */
  readonly open: () => number;
  /** Answers instead of the server as long as it is set. */
  answerListen: ListenAnswer | undefined;
}

export interface ModernServer extends Wire {
  handler: McpHttpHandler;
  /** What a rolling deploy does: the old instance ends its streams gracefully, a new one takes over. */
  restart(capabilities?: ServerCapabilities): Promise<void>;
  /** Cuts all streams in the middle. */
  drop(): void;
  /** How long what the nth stream (from 0) carries is under way. */
  lag: ((stream: number) => number) | undefined;
}

/** A real modern server, reached through `handler.fetch`. */
export function modernServer(capabilities = EVERYTHING, options: CreateMcpHandlerOptions = {}): ModernServer {
  const build = (offered: ServerCapabilities): McpHttpHandler =>
    createMcpHandler(() => new McpServer({ name: 'modern', version: '1' }, { capabilities: offered }), {
      legacy: 'reject',
      keepAliveMs: 0,
      ...options,
    });
  const cuts = new Set<() => void>();
  let open = 0;
  const server: ModernServer = {
    handler: build(capabilities),
    asked: [],
    answerListen: undefined,
    lag: undefined,
    open: () => open,
    async fetch(url, init = {}) {
      const message = JSON.parse(typeof init.body === 'string' ? init.body : '{}');
      if (message.method !== 'subscriptions/listen') return server.handler.fetch(new Request(url, init));
      server.asked.push(message.params.notifications);
      const answer = await server.answerListen?.(message.id, message.params.notifications, init);
      if (answer) return answer;
      const response = await server.handler.fetch(new Request(url, init));
      if (!response.headers.get('content-type')?.includes('event-stream') || !response.body) return response;
      open += 1;
      const lag = server.lag?.(server.asked.length - 1) ?? 0;
      const body = lag > 0 ? delayed(response.body, lag) : response.body;
      return new Response(
        cuttable(body, cuts, init.signal, () => (open -= 1)),
        response,
      );
    },
    async restart(offered = capabilities) {
      const old = server.handler;
      server.handler = build(offered);
      await old.close();
    },
    drop() {
      for (const cut of [...cuts]) cut();
    },
  };
  return server;
}

function delayed(body: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      void (async () => {
        for (;;) {
          const next = await reader.read();
          setTimeout(() => {
            try {
              if (next.done) controller.close();
              else controller.enqueue(next.value);
            } catch {
              // cancelled meanwhile
            }
          }, ms);
          if (next.done) return;
        }
      })().catch(() => {});
    },
    cancel: () => reader.cancel(),
  });
}

/** Ends as a body over a socket does: when it is cut, and at once when the fetch is aborted. */
function cuttable(
  body: ReadableStream<Uint8Array>,
  cuts: Set<() => void>,
  signal: AbortSignal | null | undefined,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let done = false;
  const finish = () => {
    if (done) return;
    done = true;
    cuts.delete(cut);
    onEnd();
  };
  let cut = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      cut = () => {
        if (done) return;
        finish();
        controller.error(new TypeError('terminated'));
        void reader.cancel().catch(() => {});
      };
      cuts.add(cut);
      signal?.addEventListener('abort', () => cut());
    },
    async pull(controller) {
      const next = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (done) return;
      if (next.done) {
        finish();
        controller.close();
      } else controller.enqueue(next.value);
    },
    async cancel() {
      finish();
      await reader.cancel();
    },
  });
}

export async function connectTo(
  wire: { fetch: Fetch },
  client = new Client({ name: 'c', version: '1' }, MODERN),
): Promise<Client> {
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://server.test/mcp'), { fetch: wire.fetch }),
  );
  return client;
}

/** A stream that starts as a refusal does: the given status, or a JSON-RPC error. */
export const refusal = (status: number, text = 'refused') => new Response(text, { status });

export const rpcError = (id: unknown, code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } });

export const rpcResult = (id: unknown, result: object) => Response.json({ jsonrpc: '2.0', id, result });

/** Acknowledges with the given filter, then stays open and silent until it is aborted. */
export function acknowledgment(id: unknown, honored: SubscriptionFilter, init: RequestInit): Response {
  const note = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: honored, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  };
  return sse([`event: message\ndata: ${JSON.stringify(note)}\n\n`], init);
}

/** An SSE response that never says anything more. */
export function sse(frames: string[], init: RequestInit): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const frame of frames) controller.enqueue(new TextEncoder().encode(frame));
      init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Listens wait until the returned function is called. */
export function holdListens(server: ModernServer): () => void {
  let release = () => {};
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  server.answerListen = () => held;
  return () => {
    server.answerListen = undefined;
    release();
  };
}
