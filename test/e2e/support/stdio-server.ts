import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Era, NotesServer } from './notes-server.js';

/** What `node` needs to run the TypeScript of this folder, from any working directory. */
export const TSX = ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];

const CHILD = fileURLToPath(new URL('./stdio-child.ts', import.meta.url));

/** A process of the server. The client starts it (twice, if it probes), it reports to us. */
interface Child {
  socket: Socket;
  streams: Set<unknown>;
  waiting: Map<number, () => void>;
}

interface Report {
  id?: number;
  saw?: string;
  opened?: unknown;
  closed?: unknown;
}

export async function startStdioServer(era: Era): Promise<NotesServer> {
  const seen: string[] = [];
  const children = new Set<Child>();
  let orders = 0;

  const hub = createServer((socket) => {
    const child: Child = { socket, streams: new Set(), waiting: new Map() };
    children.add(child);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      children.delete(child);
      for (const answered of child.waiting.values()) answered();
    });
    createInterface({ input: socket }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.saw !== undefined) seen.push(report.saw);
      if (report.opened !== undefined) child.streams.add(report.opened);
      if (report.closed !== undefined) child.streams.delete(report.closed);
      if (report.id !== undefined) {
        child.waiting.get(report.id)?.();
        child.waiting.delete(report.id);
      }
    });
    void order(child, 'serve');
  });
  hub.listen(0, '127.0.0.1');
  await once(hub, 'listening');
  const { port } = hub.address() as AddressInfo;

  function order(child: Child, name: string, uri?: string): Promise<void> {
    const id = ++orders;
    const answered = new Promise<void>((resolve) => child.waiting.set(id, resolve));
    child.socket.write(`${JSON.stringify({ id, order: name, uri })}\n`);
    return answered;
  }

  async function all(name: string, uri?: string): Promise<void> {
    await Promise.all([...children].map((child) => order(child, name, uri)));
  }

  return {
    era,
    wire: 'stdio',
    target: [process.execPath, ...TSX, CHILD, era, String(port)],
    change: (uri) => all('change', uri),
    toolsChanged: () => all('toolsChanged'),
    resourcesChanged: () => all('resourcesChanged'),
    seen: () => [...seen],
    streams: () => [...children].reduce((sum, { streams }) => sum + streams.size, 0),
    drop: () => all('die'),
    restart: () => all('die'),
    async close() {
      await all('die');
      const closed = once(hub, 'close');
      hub.close();
      await closed;
    },
  };
}
