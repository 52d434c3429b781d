import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { changeStream } from '../../src/runtime/change-stream.js';
import { connectTo, holdListens, MODERN, modernServer, refusal } from './support/modern.js';
import { afterwards, setUp, tearDown } from './support/set-up.js';
import { quiet, until } from './support/until.js';
import { Witness } from './support/witness.js';

const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

afterEach(async () => {
  await tearDown();
  expect(unhandled).toEqual([]);
});

describe('close', () => {
  it('ends the stream, and nothing is delivered after it resolves', async () => {
    const { server, witness, changes } = await setUp();
    await Promise.all([changes.listen({ toolsListChanged: true }), changes.subscribe('x:a')]);
    for (let n = 0; n < 200; n += 1) server.handler.notify.resourceUpdated('x:a');
    await changes.close();
    const delivered = witness.updates.length;
    for (let n = 0; n < 200; n += 1) server.handler.notify.resourceUpdated('x:a');
    await quiet(100);
    expect(witness.updates.length).toBe(delivered);
    expect([server.open(), changes.state, changes.honored, witness.lost]).toEqual([0, 'closed', {}, []]);
  });

  it('also ends the streams that linger', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { lingerMs: 60_000 });
    await changes.subscribe('x:a');
    await changes.subscribe('x:b');
    expect(server.open()).toBe(2);
    await changes.close();
    server.handler.notify.resourceUpdated('x:a');
    await quiet();
    expect([server.open(), witness.updates]).toEqual([0, []]);
  });

  it('is safe while the stream is being opened: the subscribe rejects, listen resolves, nothing stays open', async () => {
    const { server, changes } = await setUp();
    const release = holdListens(server);
    const outcomes = Promise.allSettled([
      changes.subscribe('x:a'),
      changes.listen({ toolsListChanged: true }),
    ]);
    await until('it is asked for', () => server.asked.length === 1);
    await changes.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    release();
    await quiet();
    expect([server.open(), changes.state]).toEqual([0, 'closed']);
  });

  it('is safe while a retry is pending, and calls it off', async () => {
    const { server, changes } = await setUp();
    server.answerListen = () => refusal(503);
    await changes.listen({ toolsListChanged: true });
    await changes.close();
    const asked = server.asked.length;
    await quiet(80);
    expect(server.asked.length).toBe(asked);
  });

  it('may be called twice, at once, before connect and after the client is closed', async () => {
    const { client, changes } = await setUp();
    await changes.subscribe('x:a');
    await Promise.all([changes.close(), changes.close()]);
    await client.close();
    await changes.close();
    await expect(changeStream(new Client({ name: 'c', version: '1' })).close()).resolves.toBeUndefined();
  });

  it('lets nothing through that is still on its way, even when the server cannot be told', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.handler.fetch = () => Promise.reject(new TypeError('fetch failed'));
    for (let n = 0; n < 400; n += 1) server.handler.notify.resourceUpdated('x:a');
    await changes.close();
    const delivered = witness.updates.length;
    await quiet(100);
    expect(witness.updates.length).toBe(delivered);
  });

  it('does not wait for a server that does not answer, and neither does unsubscribe', async () => {
    const { server, changes } = await setUp();
    await changes.subscribe('x:a');
    const fetchOf = server.handler.fetch;
    server.handler.fetch = (request) =>
      request.method === 'POST' ? new Promise<Response>(() => {}) : fetchOf(request);
    const started = Date.now();
    await changes.unsubscribe('x:a');
    await changes.close();
    expect(Date.now() - started).toBeLessThan(4000);
  });

  it('is final: later calls reject, except unsubscribe, and a new stream can be had for the client', async () => {
    const { server, client, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await changes.close();
    await expect(changes.subscribe('x:b')).rejects.toThrow('closed');
    await expect(changes.listen({ toolsListChanged: true })).rejects.toThrow('closed');
    expect(await changes.unsubscribe('x:a')).toEqual({});
    const next = changeStream(client, { lingerMs: 5 });
    afterwards(() => next.close());
    expect(next).not.toBe(changes);
    await next.subscribe('x:c');
    expect(server.asked.at(-1)).toEqual({ resourceSubscriptions: ['x:c'] });
    server.handler.notify.resourceUpdated('x:c');
    await until('it arrived', () => witness.updates.length > 0);
  });

  it('leaves connect as it was found', async () => {
    const { client, changes } = await setUp();
    expect(client.connect).not.toBe(Client.prototype.connect);
    await changes.close();
    expect(client.connect).toBe(Client.prototype.connect);
  });

  it('leaves connect alone when somebody else has wrapped it since, and has no more part in it', async () => {
    const { server, client, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    const ours = client.connect.bind(client);
    const theirs: Client['connect'] = (...args) => ours(...args);
    client.connect = theirs;
    await changes.close();
    expect(client.connect).toBe(theirs);
    await client.close();
    await connectTo(server, client);
    await quiet();
    expect([server.asked.length, witness.lost, changes.state]).toEqual([1, [], 'closed']);
  });

  it('happens when the signal is aborted, also when it was before the first use', async () => {
    const abort = new AbortController();
    const { server, client, changes } = await setUp(modernServer(), { signal: abort.signal });
    await changes.subscribe('x:a');
    abort.abort();
    expect(changes.state).toBe('closed');
    await until('the stream is closed', () => server.open() === 0);
    const stillborn = changeStream(client, { signal: abort.signal });
    expect(stillborn.state).toBe('closed');
    await expect(stillborn.subscribe('x:a')).rejects.toThrow('closed');
  });
});

describe('one stream per client', () => {
  it('is had by anyone who asks, without options or with the same ones', async () => {
    const { client, changes, witness } = await setUp();
    expect(changeStream(client)).toBe(changes);
    expect(changeStream(client, { onLost: witness.options.onLost!, lingerMs: 60 })).toBe(changes);
    expect(changeStream(client, { retry: { baseMs: 4, capMs: 16, limit: 6 } })).toBe(changes);
  });

  it('cannot be had with options that differ', async () => {
    const { client } = await setUp();
    expect(() => changeStream(client, { onReopened: () => {} })).toThrow(/other options/);
    expect(() => changeStream(client, { lingerMs: 61 })).toThrow(/other options/);
    expect(() => changeStream(client, { retry: { baseMs: 5 } })).toThrow(/other options/);
    expect(() => changeStream(client, { signal: AbortSignal.abort() })).toThrow(/other options/);
  });

  it('is shared by two copies of the file', async () => {
    const folder = new URL('../../node_modules/.cache/mcp-listen-test/', import.meta.url);
    mkdirSync(folder, { recursive: true });
    afterwards(async () => rmSync(folder, { recursive: true, force: true }));
    const copy = new URL(`copy-${process.pid}.ts`, folder);
    copyFileSync(new URL('../../src/runtime/change-stream.ts', import.meta.url), copy);
    const other = (await import(fileURLToPath(copy))) as { changeStream: typeof changeStream };
    const { client, changes } = await setUp();
    expect(other.changeStream).not.toBe(changeStream);
    expect(other.changeStream(client)).toBe(changes);
  });

  it('has methods that can be taken off it', async () => {
    const { changes } = await setUp();
    const { subscribe, unsubscribe, listen } = changes;
    await listen({ toolsListChanged: true });
    expect([await subscribe('x:a'), await unsubscribe('x:a')]).toEqual([{}, {}]);
  });
});

describe('callbacks that throw or reject', () => {
  it('disturb nothing and are reported to onerror of the client', async () => {
    const server = modernServer();
    const client = new Client({ name: 'c', version: '1' }, MODERN);
    const witness = new Witness().watch(client);
    await connectTo(server, client);
    const errors: string[] = [];
    client.onerror = ({ message }) => {
      errors.push(message);
      if (message === 'state') throw new Error('onerror throws as well');
    };
    const changes = changeStream(client, {
      retry: { baseMs: 1, capMs: 1, limit: 1 },
      onStateChange: () => {
        throw new Error('state');
      },
      onReopened: () => Promise.reject(new Error('reopened')),
      onDeclined: () => {
        throw new Error('declined');
      },
      onLost: () => Promise.reject(new Error('lost')),
    });
    afterwards(
      () => changes.close(),
      () => client.close(),
    );
    await changes.subscribe('x:a');
    server.drop();
    await until('reopened threw', () => errors.includes('reopened'));
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length === 1);
    await server.restart({ tools: { listChanged: true } });
    await until('lost threw', () => errors.includes('lost') || errors.includes('declined'));
    expect(errors).toContain('state');
  });

  it('may close the stream from within', async () => {
    const { server, changes } = await setUp(modernServer(), {
      onStateChange: (state) => void (state === 'open' && changes.close()),
    });
    await changes.subscribe('x:a');
    await until('closed', () => changes.state === 'closed' && server.open() === 0);
  });
});
