import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import {
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  type NodeIncomingMessageLike,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';

import {
  acceptSubscriptions,
  buildServer,
  Desk,
  serveNote,
  serveTool,
  type Era,
  type NotesServer,
} from './notes-server.js';

/** One way to serve a desk over HTTP, without the socket. */
interface Leg {
  handle(req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void>;
  change(uri: string): Promise<void>;
  toolsChanged(): void;
  resourcesChanged(): void;
  close(): Promise<void>;
}

/** Sessionful and hand-wired, as 2025 servers are: a transport per session, changes on its GET stream. */
function legacyLeg(desk: Desk): Leg {
  interface Session {
    server: McpServer;
    transport: NodeStreamableHTTPServerTransport;
    subscribed: Set<string>;
  }
  const sessions = new Map<string, Session>();

  async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
    const server = buildServer(desk);
    const subscribed = acceptSubscriptions(server);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { server, transport, subscribed }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    return transport;
  }

  return {
    async handle(req, res, body) {
      const id = req.headers['mcp-session-id'];
      const session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (session) return session.transport.handleRequest(req, res, body);
      if (id === undefined && isInitializeRequest(body)) {
        return (await openSession()).handleRequest(req, res, body);
      }
      res.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }));
    },
    async change(uri) {
      const interested = [...sessions.values()].filter(({ subscribed }) => subscribed.has(uri));
      await Promise.all(interested.map(({ server }) => server.server.sendResourceUpdated({ uri })));
    },
    // registering on a connected server is what sends list_changed
    toolsChanged() {
      const name = desk.addTool();
      for (const { server } of sessions.values()) serveTool(server, name);
    },
    resourcesChanged() {
      const uri = desk.addNote();
      for (const { server } of sessions.values()) serveNote(server, desk, uri);
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

function modernLeg(desk: Desk, legacy: 'reject' | 'stateless'): Leg {
  const handler = createMcpHandler(() => buildServer(desk), { legacy });
  const handle = toNodeHandler(handler);
  return {
    handle: (req, res, body) => handle(req as NodeIncomingMessageLike, res, body),
    change(uri) {
      handler.notify.resourceUpdated(uri);
      return Promise.resolve();
    },
    toolsChanged() {
      desk.addTool();
      handler.notify.toolsChanged();
    },
    resourcesChanged() {
      desk.addNote();
      handler.notify.resourcesChanged();
    },
    close: () => handler.close(),
  };
}

/** @param legacy what a modern server does about 2025 requests: it rejects them, unless it answers each by itself. */
export async function startHttpServer(
  era: Era,
  legacy: 'reject' | 'stateless' = 'reject',
): Promise<NotesServer> {
  const desk = new Desk();
  const seen: string[] = [];
  const streams = new Set<ServerResponse>();
  let leg: Leg;
  let http: Server;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = req.method === 'POST' ? await json(req) : undefined;
    const method = (body as { method?: unknown } | undefined)?.method;
    seen.push(typeof method === 'string' ? method : (req.method ?? ''));
    if (req.method === 'GET') whenOpen(res, 'text/event-stream');
    if (method === 'subscriptions/listen') whenOpen(res, 'notifications/subscriptions/acknowledged');
    await leg.handle(req, res, body);
  }

  /** A response counts as a stream from the moment the client can rely on it: its head, or its acknowledgment, is on the way. */
  function whenOpen(res: ServerResponse, sign: string): void {
    const open = (): void => {
      if (!res.destroyed) streams.add(res);
    };
    res.on('close', () => streams.delete(res));
    const { writeHead, write } = res;
    res.writeHead = ((...args: Parameters<typeof writeHead>) => {
      const sent = writeHead.apply(res, args);
      if (res.statusCode === 200 && JSON.stringify(args).includes(sign)) open();
      return sent;
    }) as typeof writeHead;
    res.write = ((...args: Parameters<typeof write>) => {
      const sent = write.apply(res, args);
      if (Buffer.from(args[0] as Uint8Array).includes(sign)) open();
      return sent;
    }) as typeof write;
  }

  async function start(port: number): Promise<number> {
    leg = era === 'legacy' ? legacyLeg(desk) : modernLeg(desk, legacy);
    http = createServer((req, res) => {
      serve(req, res).catch((error: unknown) => {
        // a connection that a test cut is no error of the server
        if (!res.destroyed) res.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
    http.listen(port, '127.0.0.1');
    await once(http, 'listening');
    return (http.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
    await leg.close();
  }

  const port = await start(0);
  return {
    era,
    wire: 'http',
    target: [`http://127.0.0.1:${String(port)}/mcp`],
    async change(uri) {
      desk.change(uri);
      await leg.change(uri);
    },
    toolsChanged() {
      leg.toolsChanged();
      return Promise.resolve();
    },
    resourcesChanged() {
      leg.resourcesChanged();
      return Promise.resolve();
    },
    seen: () => [...seen],
    streams: () => streams.size,
    drop() {
      for (const res of streams) res.destroy();
      streams.clear();
      return Promise.resolve();
    },
    async restart() {
      await stop();
      await start(port);
    },
    close: stop,
  };
}
