import { Client } from '@modelcontextprotocol/client';
import { changeStream } from '../../../src/runtime/change-stream.js';
import type { ChangeStreamOptions } from '../../../src/runtime/change-stream.js';
import { connectTo, MODERN, modernServer } from './modern.js';
import type { ModernServer } from './modern.js';
import { Witness } from './witness.js';

const cleanups: (() => Promise<unknown>)[] = [];

/** Registers what has to be closed after the test. */
export function afterwards(...closers: (() => Promise<unknown>)[]): void {
  cleanups.push(...closers);
}

export async function tearDown(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

/** A modern server, a client connected to it, its change stream and a witness of what they say. */
export async function setUp(server: ModernServer = modernServer(), options: ChangeStreamOptions = {}) {
  const client = new Client({ name: 'c', version: '1' }, MODERN);
  const witness = new Witness().watch(client);
  await connectTo(server, client);
  const changes = changeStream(client, { ...witness.options, ...options });
  afterwards(
    () => changes.close(),
    () => client.close(),
    () => server.handler.close(),
  );
  return { server, client, witness, changes };
}
