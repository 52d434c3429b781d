/**
 * The notes server as a child process: `stdio-child.ts <legacy|modern> <control port>`.
 * MCP over stdin and stdout; orders from the test, and what the server saw, over a local socket (`stdio-server.ts`).
 */
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { acceptSubscriptions, buildServer, Desk, serveNote, serveTool } from './notes-server.js';

const [era, port] = process.argv.slice(2);
const desk = new Desk();
const control = createConnection(Number(port), '127.0.0.1');
const report = (line: object): void => void control.write(`${JSON.stringify(line)}\n`);

let serving: McpServer | undefined;
let subscribed: Set<string> | undefined;

const orders = {
  /** The test knows of this process: from now on it may serve. */
  serve: () => void serve(),
  async change(uri: string) {
    desk.change(uri);
    if (era === 'modern' || subscribed?.has(uri)) await serving?.server.sendResourceUpdated({ uri });
  },
  toolsChanged() {
    const name = desk.addTool();
    if (serving) serveTool(serving, name);
  },
  resourcesChanged() {
    const uri = desk.addNote();
    if (serving) serveNote(serving, desk, uri);
  },
  die: () => process.exit(1),
};

const lines = createInterface({ input: control });
lines.on('line', (line) => {
  const { id, order, uri } = JSON.parse(line) as { id: number; order: keyof typeof orders; uri: string };
  void Promise.resolve(orders[order](uri)).then(() => report({ id }));
});
control.on('error', () => process.exit(1)); // the test is over
control.on('close', () => process.exit(0));

async function serve(): Promise<void> {
  const transport = new WatchedTransport(tee(process.stdin), process.stdout);
  process.stdin.on('end', () => control.destroy());
  if (era === 'modern') {
    serveStdio(() => (serving = buildServer(desk)), { legacy: 'reject', transport });
    return;
  }
  serving = buildServer(desk);
  subscribed = acceptSubscriptions(serving);
  await serving.connect(transport);
  report({ opened: 'connection' });
}

/** Reports which listen streams are open. */
class WatchedTransport extends StdioServerTransport {
  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if ('method' in message && message.method === 'notifications/subscriptions/acknowledged') {
      report({ opened: message.params?._meta?.['io.modelcontextprotocol/subscriptionId'] });
    }
    if (!('method' in message)) report({ closed: message.id });
  }
}

function tee(input: NodeJS.ReadStream): PassThrough {
  const output = new PassThrough();
  createInterface({ input: input.pipe(new PassThrough()) }).on('line', (line) => {
    const message = JSON.parse(line) as { method?: string; params?: { requestId?: unknown } };
    if (message.method === undefined) return;
    report({ saw: message.method });
    if (message.method === 'notifications/cancelled') report({ closed: message.params?.requestId });
  });
  return input.pipe(output);
}
