/**
 * Runs the notes app's own classes in a process of their own: `drive-notes.ts <app> <url | command...>`.
 * Takes calls over IPC and reports what reaches the app. It never exits by itself: when the test lets go of the channel,
 * it ends if, and only if, the app has left nothing alive.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

import type { Call, News } from './notes-app.js';

interface Connection {
  readonly client: Client;
  tools: { name: string }[];
  resources: { uri: string }[];
  connect(openTransport: () => Transport): Promise<void>;
  reconnect(): Promise<void>;
  close(): Promise<void>;
  on(event: 'updated', listener: (uri: string) => void): void;
  on(event: 'state', listener: (state: string) => void): void;
}

interface App {
  Connection: new (log: (line: string) => void) => Connection;
  Notebook: new (connection: Connection, onNote: () => void) => Notebook;
  transportFor(target: string[]): () => Transport;
  watchHealth(openTransport: () => Transport, onStatusChanged: () => void): Promise<HealthCheck>;
}

interface Notebook {
  watch(uri: string): Promise<void>;
  unwatch(uri: string): Promise<void>;
  get(uri: string): { text: string } | undefined;
}

interface HealthCheck {
  check(): Promise<{ status: string }>;
  moved(folder: string): Promise<void>;
  stop(): Promise<void>;
}

const [app = '', ...target] = process.argv.slice(2);
const load = (file: string): Promise<App> =>
  import(pathToFileURL(join(app, 'src', file)).href) as Promise<App>;
const { Connection, transportFor } = await load('connection.ts');
const { Notebook } = await load('notebook.ts');
const { watchHealth } = await load('health.ts');

const tell = (news: News): void => void process.send?.(news);

const connection = new Connection((line) => console.error(line));
connection.on('updated', (uri) => tell({ updated: uri }));
connection.on('state', (state) => tell({ state }));
const notebook = new Notebook(connection, () => undefined);
let health: HealthCheck | undefined;

/** Every notification as it comes off the wire: the app itself fetches its lists at other times, too. */
function tapped(transport: Transport): Transport {
  const counted = new WeakSet();
  let receive: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    set: (listener: Transport['onmessage']) => void (receive = listener),
    get: (): Transport['onmessage'] => {
      // Whoever reads it may put a listener of its own in its place that calls what was there: the one of now, then.
      const current = receive;
      return (
        current &&
        ((message: JSONRPCMessage, extra) => {
          if ('method' in message && !counted.has(message)) {
            counted.add(message);
            tell({ received: message.method });
          }
          current(message, extra);
        })
      );
    },
  });
  return transport;
}

const calls: Record<Call, (argument: string) => unknown> = {
  connect: () => connection.connect(() => tapped(transportFor(target)())),
  reconnect: () => connection.reconnect(),
  close: () => connection.close(),
  watch: (uri) => notebook.watch(uri),
  unwatch: (uri) => notebook.unwatch(uri),
  text: (uri) => notebook.get(uri)?.text,
  // A client of version 1 of the SDK has no such method: it knows of no other era.
  era: () => (connection.client as Partial<Client>).getProtocolEra?.call(connection.client) ?? 'legacy',
  tools: () => connection.tools.map(({ name }) => name),
  resources: () => connection.resources.map(({ uri }) => uri),
  async startHealth() {
    health = await watchHealth(transportFor(target), () => tell({ updated: 'health' }));
  },
  checkHealth: async () => (await health?.check())?.status,
  moveHealth: (folder) => health?.moved(folder),
  stopHealth: () => health?.stop(),
};

process.on('message', ({ id, call, argument }: { id: number; call: Call; argument: string }) => {
  void (async () => {
    try {
      tell({ id, value: await calls[call](argument) });
    } catch (error) {
      const { name, message, code } = error as { name: string; message: string; code?: unknown };
      tell({ id, error: { name, message, code } });
    }
  })();
});
tell({ state: 'ready' });
