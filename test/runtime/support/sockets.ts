import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { EVERYTHING } from './modern.js';

export interface Listening {
  readonly url: URL;
  /** Cuts every connection, as a crash does; the port stays open. */
  cut(): void;
  close(): Promise<void>;
}

export async function listening(listener: RequestListener, port = 0): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Hands over to the modern handler, unless `intercept` has answered a `subscriptions/listen`. */
export function modernListener(
  handler: () => McpHttpHandler,
  intercept: (response: ServerResponse) => boolean = () => false,
): RequestListener {
  return (request, response) => {
    if (request.headers['mcp-method'] === 'subscriptions/listen' && intercept(response)) return;
    const { headers, method = 'GET', url = '/' } = request;
    void toNodeHandler(handler())(Object.assign(request, { headers, method, url }), response);
  };
}

/** A 2025 server with sessions, wired by hand. It sends updates of the URIs that a session subscribed to. */
export function legacySessions() {
  const sessions = new Map<
    string,
    { transport: NodeStreamableHTTPServerTransport; server: McpServer; uris: Set<string> }
  >();

  async function open(): Promise<NodeStreamableHTTPServerTransport> {
    const uris = new Set<string>();
    const server = new McpServer({ name: 'legacy', version: '1' }, { capabilities: EVERYTHING });
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      uris.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      uris.delete(params.uri);
      return {};
    });
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server, uris }),
    });
    await server.connect(transport);
    return transport;
  }

  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id)?.transport : undefined;
    await (known ?? (await open())).handleRequest(request, response);
  };
  return {
    listener: (request: IncomingMessage, response: ServerResponse) => void listener(request, response),
    subscribed: () => [...sessions.values()].flatMap(({ uris }) => [...uris]),
    publish: async (uri: string) => {
      for (const { server, uris } of sessions.values())
        if (uris.has(uri)) await server.server.sendResourceUpdated({ uri });
    },
    toolsChanged: () => {
      for (const { server } of sessions.values()) server.sendToolListChanged();
    },
  };
}
