/** The bundled server apps (`fixtures/apps`): what they serve, and the tools that change it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Client } from '@modelcontextprotocol/client';

import type { Wire } from './notes-server.js';

const APPS = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url));

interface Order {
  name: string;
  arguments?: Record<string, unknown>;
}

export interface ServedApp {
  readonly name: string;
  readonly wire: Wire;
  /** What is started, or the route module whose exports are served. */
  readonly entry: string;
  /** The resource that the clients of a test watch, and the tool call that changes it. */
  readonly watched: string;
  readonly change: Order;
  /** Another resource and its tool call, where there is one. */
  readonly other?: { uri: string; change: Order };
  /** The tool calls that change the list of resources, one each time. */
  grow(time: number): Order;
  readonly headers: Record<string, string>;
}

function sensors(name: string, wire: Wire, entry = 'src/index.ts'): ServedApp {
  return {
    name,
    wire,
    entry,
    watched: 'sensor://hall',
    change: { name: 'bump', arguments: { name: 'hall' } },
    other: { uri: 'sensor://roof', change: { name: 'bump', arguments: { name: 'roof' } } },
    grow: (time) => ({ name: 'install', arguments: { name: `cellar-${String(time)}` } }),
    headers: {},
  };
}

export const SESSIONS_EXPRESS = sensors('sessions-express', 'http');
export const SESSIONS_STDIO = sensors('sessions-stdio', 'stdio');
export const SESSIONS_HONO = sensors('sessions-hono', 'http');
export const SESSIONS_NEXT = sensors('sessions-next', 'http', 'app/api/mcp/route.ts');

export const EMITTER_ELSEWHERE: ServedApp = {
  name: 'emitter-elsewhere',
  wire: 'http',
  entry: 'src/index.ts',
  watched: 'stock://nails',
  change: { name: 'restock', arguments: { name: 'nails' } },
  other: { uri: 'stock://hinges', change: { name: 'restock', arguments: { name: 'hinges' } } },
  grow: (time) => ({ name: 'restock', arguments: { name: `screws-${String(time)}` } }),
  headers: {},
};

export const GUARDED_EXPRESS: ServedApp = {
  name: 'guarded-express',
  wire: 'http',
  entry: 'src/index.ts',
  watched: 'ledger://balance',
  change: { name: 'deposit', arguments: { amount: 1 } },
  grow: () => ({ name: 'reorganize' }),
  headers: { authorization: 'Bearer secret' },
};

/** It cannot be told to forget somebody without an answer, so its list stays as it is here. */
export const ASKS_FOR_INPUT: ServedApp = {
  name: 'asks-for-input',
  wire: 'http',
  entry: 'src/index.ts',
  watched: 'contact://ada',
  change: { name: 'move', arguments: { name: 'ada' } },
  other: { uri: 'contact://bob', change: { name: 'move', arguments: { name: 'bob' } } },
  grow: (time) => ({ name: 'forget', arguments: { name: `bob-${String(time)}` } }),
  headers: {},
};

/** The folder of the app as it was written, for version 2 of the SDK or for version 1. */
export const folderOf = (app: ServedApp, version: 'v1' | 'v2'): string =>
  join(APPS, version === 'v2' ? app.name : `${app.name}-v1`);

/** One tool call, which has to succeed. */
export async function order(client: Client, { name, arguments: given = {} }: Order): Promise<void> {
  const result = await client.callTool({ name, arguments: given });
  if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
}

/** The number that the resource holds: how often it was changed, since it started with something. */
export async function numberIn(client: Client, uri: string): Promise<number> {
  const { contents } = await client.readResource({ uri });
  const first = contents[0];
  return first && 'text' in first ? Number(first.text) : NaN;
}
