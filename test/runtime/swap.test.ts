import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { changeStream } from '../../src/runtime/change-stream.js';
import { holdListens, MODERN, connectTo, modernServer } from './support/modern.js';
import type { ModernServer } from './support/modern.js';
import { afterwards, setUp, tearDown } from './support/set-up.js';
import { quiet, until } from './support/until.js';

afterEach(tearDown);

/** Publishes `count` numbered changes of a URI, a few at each turn of the event loop. */
async function publish(server: ModernServer, uri: string, count: number, from = 0): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    server.handler.bus.publish({ kind: 'resource_updated', uri, params: { _meta: { 'test/sequence': n } } });
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const missing = (sequence: number[], count: number) =>
  Array.from({ length: count }, (_, n) => n).filter((n) => !sequence.includes(n));

describe('a swap while 400 changes flow', () => {
  it('loses none, though the old stream is 25 ms slower than the new one', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { lingerMs: 250 });
    server.lag = (stream) => (stream === 0 ? 25 : 0);
    await changes.subscribe('x:a');
    const flow = publish(server, 'x:a', 400);
    await until('it flows', () => witness.sequence.length > 50);
    await changes.subscribe('x:b');
    await flow;
    await until('the old stream is closed', () => server.open() === 1);
    expect(missing(witness.sequence, 400)).toEqual([]);
    expect(witness.sequence.length).toBeGreaterThan(400); // at least once, while two are open
    expect(witness.reopened).toBe(0);
  });

  it('would lose some if the old stream did not linger', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { lingerMs: 0 });
    server.lag = (stream) => (stream === 0 ? 500 : 0);
    await changes.subscribe('x:a');
    // Changes flow until the swap is over: at any moment of it some are still on their way in the old stream.
    let published = 0;
    const swap = { isOver: false };
    const flow = (async () => {
      for (; !swap.isOver; published += 3) await publish(server, 'x:a', 3, published);
    })();
    await until('it flows', () => witness.sequence.length > 50);
    await changes.subscribe('x:b');
    swap.isOver = true;
    await flow;
    await quiet();
    expect(missing(witness.sequence, published).length).toBeGreaterThan(0);
  });

  it('delivers each of them exactly once before the swap and after it', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await publish(server, 'x:a', 100);
    await until('they arrived', () => witness.sequence.length >= 100);
    await changes.subscribe('x:b');
    await until('the old stream is closed', () => server.open() === 1);
    await publish(server, 'x:a', 300, 100);
    await until('they arrived', () => witness.sequence.length >= 400);
    await quiet();
    expect(witness.sequence).toEqual(Array.from({ length: 400 }, (_, n) => n));
  });

  it('twenty times in a row loses none either', async () => {
    const { server, witness, changes } = await setUp();
    server.lag = (stream) => 20 - stream;
    await changes.subscribe('x:a');
    const flow = publish(server, 'x:a', 400);
    for (let n = 0; n < 20; n += 1) await changes.subscribe(`x:${n}`);
    await flow;
    await until('the old streams are closed', () => server.open() === 1);
    await quiet();
    expect(missing(witness.sequence, 400)).toEqual([]);
    expect([server.asked.length, witness.reopened]).toEqual([21, 0]);
  });
});

describe('a URI that was unsubscribed', () => {
  it('is silent at once, though the replaced stream that still carries it lingers', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { lingerMs: 400 });
    await changes.subscribe('x:a');
    await changes.subscribe('x:b');
    await changes.unsubscribe('x:a');
    expect(server.open()).toBeGreaterThan(1);
    const heard = witness.updates.length;
    server.handler.notify.resourceUpdated('x:a');
    server.handler.notify.resourceUpdated('x:b');
    await until('the other one arrived', () => witness.updates.length > heard);
    await until('the old streams are closed', () => server.open() === 1);
    expect(witness.updates.slice(heard)).not.toContain('x:a');
  });

  it('is heard again as soon as it is subscribed again', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { lingerMs: 400 });
    await changes.subscribe('x:a');
    await changes.unsubscribe('x:a');
    await changes.subscribe('x:a');
    const heard = witness.updates.length;
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > heard);
    expect(witness.updates.at(-1)).toBe('x:a');
  });
});

describe('the new stream', () => {
  it('is acknowledged before the old one is closed', async () => {
    const { server, changes } = await setUp();
    await changes.subscribe('x:a');
    const release = holdListens(server);
    const second = changes.subscribe('x:b');
    await until('it is asked for', () => server.asked.length === 2);
    await quiet(80);
    expect(server.open()).toBe(1);
    release();
    await second;
    expect(server.open()).toBe(2);
    await until('the old stream is closed', () => server.open() === 1);
  });

  it('takes over when the old one ends while it is being opened, and onReopened is called once', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    const release = holdListens(server);
    const second = changes.subscribe('x:b');
    await until('it is asked for', () => server.asked.length === 2);
    server.drop();
    await until('the loss is noticed', () => changes.state === 'retrying');
    release();
    await second;
    await until('told', () => witness.reopened > 0);
    await quiet();
    expect([witness.reopened, server.asked.length, changes.state]).toEqual([1, 2, 'open']);
  });
});

describe('many calls at once', () => {
  it('a hundred subscribes and unsubscribes lead to one stream and few requests', async () => {
    const { server, witness, changes } = await setUp();
    const uris = Array.from({ length: 60 }, (_, n) => `x:${n}`);
    const first = uris.map((uri) => changes.subscribe(uri));
    await Promise.resolve();
    const rest = uris.slice(0, 40).map((uri) => changes.unsubscribe(uri));
    const results = await Promise.all([...first, ...rest]);
    expect(results).toHaveLength(100);
    await until('the old streams are closed', () => server.open() === 1);
    expect(changes.honored).toEqual({ resourceSubscriptions: uris.slice(40) });
    expect(server.asked.length).toBeLessThanOrEqual(2);
    for (const uri of uris) server.handler.notify.resourceUpdated(uri);
    await until('they arrived', () => witness.updates.length >= 20);
    await quiet();
    expect(witness.updates).toEqual(uris.slice(40));
  });

  it('spread over time, they still end in what was asked for last', async () => {
    const { server, changes } = await setUp();
    const wished = new Set<string>();
    const calls: Promise<unknown>[] = [];
    for (let n = 0; n < 100; n += 1) {
      const uri = `x:${(n * 7) % 10}`;
      if (n % 3 === 2) {
        wished.delete(uri);
        calls.push(changes.unsubscribe(uri));
      } else {
        wished.add(uri);
        calls.push(changes.subscribe(uri));
      }
      if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(calls);
    expect(new Set(changes.honored.resourceSubscriptions)).toEqual(wished);
    expect(server.asked.length).toBeLessThan(50);
  });
});

describe('two clients', () => {
  it('have a stream each, and one closing does not touch the other', async () => {
    const server = modernServer();
    const first = await setUp(server);
    const second = await setUp(server);
    expect(first.changes).not.toBe(second.changes);
    await Promise.all([first.changes.subscribe('x:a'), second.changes.subscribe('x:b')]);
    await first.changes.close();
    server.handler.notify.resourceUpdated('x:a');
    server.handler.notify.resourceUpdated('x:b');
    await until('it arrived', () => second.witness.updates.length > 0);
    await quiet();
    expect([first.witness.updates, second.witness.updates]).toEqual([[], ['x:b']]);
  });
});

describe('the listChanged option of the client', () => {
  async function withOption() {
    const server = modernServer();
    let refreshed = 0;
    const onChanged = () => (refreshed += 1);
    const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged } };
    const client = new Client({ name: 'c', version: '1' }, { ...MODERN, listChanged });
    await connectTo(server, client);
    const changes = changeStream(client, { retry: { baseMs: 4 } });
    afterwards(
      () => changes.close(),
      () => client.close(),
    );
    return { server, client, changes, refreshed: () => refreshed };
  }

  it('keeps its kinds: they are not asked for, and arrive once', async () => {
    const { server, changes, refreshed } = await withOption();
    await changes.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(server.asked).toEqual([{ toolsListChanged: true }, { promptsListChanged: true }]);
    server.handler.notify.toolsChanged();
    await until('it arrived', () => refreshed() > 0);
    await quiet();
    expect(refreshed()).toBe(1);
  });

  it('loses them to ours when its stream ends, which the SDK does not open again', async () => {
    const { server, client, changes, refreshed } = await withOption();
    await changes.listen({ toolsListChanged: true });
    expect(changes.state).toBe('idle');
    await client.autoOpenedSubscription?.close();
    await until('ours is open', () => changes.honored.toolsListChanged === true);
    server.handler.notify.toolsChanged();
    await until('it arrived', () => refreshed() > 0);
    await quiet();
    expect(refreshed()).toBe(1);
  });
});
