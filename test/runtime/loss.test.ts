import {
  Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { changeStream } from '../../src/runtime/change-stream.js';
import {
  connectTo,
  EVERYTHING,
  MODERN,
  modernServer,
  refusal,
  rpcError,
  rpcResult,
} from './support/modern.js';
import { afterwards, setUp, tearDown } from './support/set-up.js';
import { quiet, until } from './support/until.js';
import { Witness } from './support/witness.js';

afterEach(tearDown);

describe('a stream that ends', () => {
  it('in the middle is opened again, and onReopened is called once, after the acknowledgment', async () => {
    const seen: string[] = [];
    const { server, witness, changes } = await setUp(modernServer(), {
      onReopened: () => seen.push(`${changes.state} ${changes.honored.resourceSubscriptions?.join()}`),
    });
    await changes.subscribe('x:a');
    server.drop();
    await until('it is open again', () => seen.length > 0);
    await quiet();
    expect(seen).toEqual(['open x:a']);
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect([witness.updates, witness.lost]).toEqual([['x:a'], []]);
    expect(witness.states).toEqual(['opening', 'open', 'retrying', 'opening', 'open']);
  });

  it('gracefully, at three rolling restarts, is opened again each time and loses no later change', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    for (const round of [1, 2, 3]) {
      await server.restart();
      await until('it is open again', () => witness.reopened === round);
      server.handler.notify.resourceUpdated('x:a');
      await until('it arrived', () => witness.updates.length === round);
    }
    await quiet();
    expect([witness.updates.length, witness.reopened, witness.lost, server.open()]).toEqual([3, 3, [], 1]);
  });

  it('is opened again without being told again what is declined', async () => {
    const { server, witness, changes } = await setUp(modernServer({ tools: { listChanged: true } }));
    await changes.listen({ toolsListChanged: true, promptsListChanged: true });
    server.drop();
    await until('it is open again', () => witness.reopened === 1);
    await quiet();
    expect(witness.declined).toEqual([['promptsListChanged']]);
  });

  it('is not asked for again when the restarted server honours nothing of it', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await server.restart({ resources: {} });
    await until('told', () => witness.declined.length > 0);
    await quiet();
    expect([witness.declined, changes.state, server.asked.length]).toEqual([[['x:a']], 'idle', 2]);
  });

  it('again and again is given up after the limit, and uptime alone refills the budget', async () => {
    const { server, witness, changes } = await setUp(modernServer(), {
      retry: { baseMs: 1, capMs: 2, limit: 3, minimumUptimeMs: 60_000 },
    });
    await changes.subscribe('x:a');
    for (const round of [1, 2, 3]) {
      server.drop();
      await until('it is open again', () => witness.reopened === round);
    }
    server.drop();
    await until('given up', () => witness.lost.length > 0);
    await quiet();
    expect([changes.state, server.asked.length, witness.lost.length]).toEqual(['lost', 4, 1]);

    const patient = await setUp(modernServer(), {
      retry: { baseMs: 1, capMs: 2, limit: 1, minimumUptimeMs: 0 },
    });
    await patient.changes.subscribe('x:a');
    for (const round of [1, 2, 3, 4]) {
      patient.server.drop();
      await until('it is open again', () => patient.witness.reopened === round);
    }
    expect(patient.witness.lost).toEqual([]);
  });

  it('keeps its uptime when it is swapped', async () => {
    const { server, witness, changes } = await setUp(modernServer(), {
      retry: { baseMs: 1, capMs: 2, limit: 0, minimumUptimeMs: 60 },
    });
    await changes.subscribe('x:a');
    await quiet(80);
    await changes.subscribe('x:b');
    server.drop();
    await quiet();
    expect([witness.lost.length, changes.state]).toEqual([1, 'lost']);
    const again = await setUp(modernServer(), {
      retry: { baseMs: 1, capMs: 2, limit: 1, minimumUptimeMs: 60 },
    });
    await again.changes.subscribe('x:a');
    again.server.drop();
    await until('it is open again', () => again.witness.reopened === 1);
    await quiet(80);
    await again.changes.subscribe('x:b');
    again.server.drop();
    await until('it is open again', () => again.witness.reopened === 2);
    expect(again.witness.lost).toEqual([]);
  });
});

describe('an attempt that fails', () => {
  for (const status of [408, 429, 500, 503]) {
    it(`with ${status} is repeated until it succeeds`, async () => {
      const { server, witness, changes } = await setUp();
      server.answerListen = () => (server.asked.length < 4 ? refusal(status) : undefined);
      await changes.listen({ toolsListChanged: true });
      await until('it is open', () => changes.state === 'open');
      await until('told', () => witness.reopened === 1);
      expect([server.asked.length, witness.lost]).toEqual([4, []]);
    });
  }

  it('with a network error is repeated', async () => {
    const { server, witness, changes } = await setUp();
    server.answerListen = () => {
      if (server.asked.length < 3) throw new TypeError('fetch failed');
      return undefined;
    };
    await changes.listen({ toolsListChanged: true });
    await until('it is open', () => changes.state === 'open');
    expect([server.asked.length, witness.lost]).toEqual([3, []]);
  });

  it('without an acknowledgment is repeated, up to the limit', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { retry: { limit: 0 } });
    server.answerListen = () => new Promise<Response>(() => {});
    await changes.listen({ toolsListChanged: true }, { timeout: 25 });
    await until('given up', () => witness.lost.length > 0);
    expect(witness.lost[0]).toMatchObject({ code: SdkErrorCode.RequestTimeout });
  });

  for (const status of [400, 401, 403, 404, 422]) {
    it(`with ${status} is not repeated, and onLost says why`, async () => {
      const { server, witness, changes } = await setUp();
      server.answerListen = () => refusal(status);
      await changes.listen({ toolsListChanged: true });
      await until('lost', () => witness.lost.length > 0);
      await quiet();
      expect(witness.lost[0]).toBeInstanceOf(SdkHttpError);
      expect([(witness.lost[0] as SdkHttpError).status, server.asked.length, changes.state]).toEqual([
        status,
        1,
        'lost',
      ]);
    });
  }

  for (const code of [-32601, -32603, -32022, -32602, -32020]) {
    it(`with ${code} and no stream open is not repeated`, async () => {
      const { server, witness, changes } = await setUp();
      server.answerListen = (id) => rpcError(id, code, 'no');
      await changes.listen({ toolsListChanged: true });
      await until('lost', () => witness.lost.length > 0);
      await quiet();
      expect(witness.lost[0]).toMatchObject({ code });
      expect([server.asked.length, witness.lost.length]).toEqual([1, 1]);
    });
  }

  it('with a result instead of an acknowledgment is not repeated', async () => {
    const { server, witness, changes } = await setUp();
    server.answerListen = (id) => rpcResult(id, { resultType: 'complete' });
    await changes.listen({ toolsListChanged: true });
    await until('lost', () => witness.lost.length > 0);
    await quiet();
    expect([witness.lost[0]?.message, server.asked.length]).toEqual([
      expect.stringContaining('before acknowledging'),
      1,
    ]);
  });

  it('on re-opening stops for good when the server has become a stranger', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.answerListen = () => refusal(404);
    server.drop();
    await until('lost', () => witness.lost.length > 0);
    expect([changes.state, changes.honored, witness.reopened]).toEqual(['lost', {}, 0]);
  });

  it('is tried once more when somebody asks for something, and restores everything', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.answerListen = () => refusal(404);
    server.drop();
    await until('lost', () => witness.lost.length > 0);
    server.answerListen = undefined;
    await changes.subscribe('x:b');
    await until('told', () => witness.reopened === 1);
    expect(changes.honored).toEqual({ resourceSubscriptions: ['x:a', 'x:b'] });
  });

  it.each([404, 503])('with %d while everything is lost rejects, and stays lost', async (status) => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.answerListen = () => refusal(404);
    server.drop();
    await until('lost', () => witness.lost.length > 0);
    server.answerListen = () => refusal(status);
    await expect(changes.subscribe('x:b')).rejects.toMatchObject({ status });
    await quiet();
    expect([changes.state, server.asked.length]).toEqual(['lost', 3]);
  });

  it('rejects the subscribe that asked for it and no other, and leaves the open stream as it is', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    for (const status of [403, 503]) {
      server.answerListen = () => refusal(status);
      await expect(changes.subscribe('x:b')).rejects.toMatchObject({ status });
    }
    server.answerListen = undefined;
    await quiet();
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > 0);
    expect([witness.updates, witness.lost, witness.reopened, server.asked.length]).toEqual([
      ['x:a'],
      [],
      0,
      3,
    ]);
    await changes.subscribe('x:c');
    await quiet();
    expect(witness.reopened).toBe(0); // a clean swap after all
  });

  it('because of one URI does not keep the others from being restored', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.answerListen = (_id, filter) =>
      filter.resourceSubscriptions?.includes('x:evil') ? refusal(403) : undefined;
    server.drop();
    await expect(changes.subscribe('x:evil')).rejects.toMatchObject({ status: 403 });
    await until('it is open again', () => witness.reopened === 1);
    expect(changes.honored).toEqual({ resourceSubscriptions: ['x:a'] });
  });

  it('waits for its turn, whatever is asked for meanwhile, and what is asked for uses up no budget', async () => {
    const { server, witness, changes } = await setUp(modernServer(), {
      retry: { baseMs: 1e6, capMs: 1e6, limit: 1 },
    });
    server.answerListen = () => refusal(503);
    await changes.listen({ toolsListChanged: true });
    await quiet();
    expect([server.asked.length, changes.state]).toEqual([1, 'retrying']);
    for (const uri of ['x:a', 'x:b', 'x:c'])
      await expect(changes.subscribe(uri)).rejects.toMatchObject({ status: 503 });
    await quiet();
    expect([server.asked.length, changes.state, witness.lost]).toEqual([4, 'retrying', []]);
    server.answerListen = undefined;
    await changes.subscribe('x:d');
    await until('told', () => witness.reopened === 1);
    expect(changes.honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ['x:d'] });
  });

  it('and whose wish is withdrawn leaves no onReopened behind for the next swap', async () => {
    const { server, witness, changes } = await setUp(modernServer(), { retry: { baseMs: 1e6, capMs: 1e6 } });
    await changes.listen({ toolsListChanged: true });
    server.answerListen = () => refusal(503);
    await changes.listen({ promptsListChanged: true });
    server.answerListen = undefined;
    await changes.listen({ promptsListChanged: false });
    await changes.subscribe('x:a');
    await quiet();
    expect([witness.reopened, changes.state, server.asked.length]).toEqual([0, 'open', 3]);
  });

  it('while a stream is open is repeated for a kind, and the open stream stays', async () => {
    const { server, changes, witness } = await setUp();
    await changes.listen({ toolsListChanged: true });
    server.answerListen = () => (server.asked.length < 4 ? refusal(503) : undefined);
    await changes.listen({ promptsListChanged: true });
    expect([changes.state, changes.honored]).toEqual(['open', { toolsListChanged: true }]);
    await until('both', () => changes.honored.promptsListChanged === true);
    await until('told', () => witness.reopened === 1);
    expect(witness.states).toEqual(['opening', 'open']);
  });
});

describe('a subscription limit', () => {
  it('of one stream makes room first: close, then open, then onReopened', async () => {
    const { server, witness, changes } = await setUp(modernServer(EVERYTHING, { maxSubscriptions: 1 }));
    await changes.subscribe('x:a');
    await changes.subscribe('x:b');
    await until('told', () => witness.reopened === 1);
    expect([changes.honored, server.open()]).toEqual([{ resourceSubscriptions: ['x:a', 'x:b'] }, 1]);
    server.handler.notify.resourceUpdated('x:b');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect([witness.updates, witness.lost]).toEqual([['x:b'], []]);
  });

  it('that others use up rejects, and does not repeat', async () => {
    const server = modernServer(EVERYTHING, { maxSubscriptions: 1 });
    const first = await setUp(server);
    await first.changes.subscribe('x:a');
    const second = await setUp(server);
    await expect(second.changes.subscribe('x:a')).rejects.toMatchObject({ code: -32603 });
    await second.changes.listen({ toolsListChanged: true });
    await until('lost', () => second.witness.lost.length > 0);
    await quiet();
    expect([server.asked.length, first.changes.state]).toEqual([3, 'open']);
  });
});

describe('a client that is closed', () => {
  it('while the stream is open: lost once, and nothing is tried', async () => {
    const { server, client, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await client.close();
    await until('lost', () => witness.lost.length > 0);
    await quiet();
    expect(witness.lost).toMatchObject([{ code: SdkErrorCode.ConnectionClosed }]);
    expect([server.asked.length, server.open(), changes.state, changes.honored]).toEqual([1, 0, 'lost', {}]);
    await expect(changes.subscribe('x:b')).rejects.toMatchObject({ code: SdkErrorCode.NotConnected });
    await changes.listen({ toolsListChanged: true });
    expect(await changes.unsubscribe('x:b')).toEqual({});
  });

  it('while the stream is being opened: the subscribe rejects', async () => {
    const { server, client, changes } = await setUp();
    server.answerListen = (_id, _filter, init) =>
      new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const waiting = changes.subscribe('x:a');
    const outcome = expect(waiting).rejects.toBeInstanceOf(SdkError);
    await until('it is asked for', () => server.asked.length === 1);
    await client.close();
    await outcome;
  });

  it('while a retry is pending: the retry is called off', async () => {
    const { server, client, witness, changes } = await setUp(modernServer(), {
      retry: { baseMs: 1e6, capMs: 1e6 },
    });
    await changes.subscribe('x:a');
    server.drop();
    await until('retrying', () => changes.state === 'retrying');
    await client.close();
    await until('lost', () => witness.lost.length > 0);
    expect(changes.state).toBe('lost');
  });

  it('and connected again has all wishes restored, and is told once after the acknowledgment', async () => {
    const { server, client, witness, changes } = await setUp();
    await Promise.all([changes.listen({ toolsListChanged: true }), changes.subscribe('x:a')]);
    await client.close();
    await until('lost', () => witness.lost.length > 0);
    await changes.listen({ promptsListChanged: true });
    await connectTo(server, client);
    await until('told', () => witness.reopened > 0);
    await quiet();
    expect(changes.honored).toEqual({
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['x:a'],
    });
    expect([witness.reopened, witness.lost.length, server.open()]).toEqual([1, 1, 1]);
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > 0);
    expect(witness.updates).toEqual(['x:a']);
  });

  it('and fails to connect again stays lost, and the error of connect is its own', async () => {
    const { server, client, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await client.close();
    const refusing = { fetch: () => Promise.reject(new TypeError('fetch failed')) };
    await expect(connectTo(refusing, client)).rejects.toThrow();
    await quiet();
    expect([changes.state, witness.lost.length]).toEqual(['lost', 1]);
    await connectTo(server, client);
    await until('told', () => witness.reopened === 1);
  });

  it('or connected anew without being closed is restored without being lost', async () => {
    const { server, client, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    await connectTo(server, client);
    await until('told', () => witness.reopened === 1);
    expect([witness.lost, changes.honored]).toEqual([[], { resourceSubscriptions: ['x:a'] }]);
    await until('the old stream is closed', () => server.open() === 1);
  });
});

describe('before connect', () => {
  it('listen is remembered and opened by connect; subscribe rejects and leaves nothing behind', async () => {
    const server = modernServer();
    const client = new Client({ name: 'c', version: '1' }, MODERN);
    const witness = new Witness().watch(client);
    const changes = changeStream(client, witness.options);
    afterwards(
      () => changes.close(),
      () => client.close(),
    );
    await changes.listen({ toolsListChanged: true });
    await expect(changes.subscribe('x:a')).rejects.toMatchObject({ code: SdkErrorCode.NotConnected });
    expect([changes.state, witness.lost]).toEqual(['idle', []]);
    const transport = new StreamableHTTPClientTransport(new URL('http://server.test/mcp'), {
      fetch: server.fetch,
    });
    await client.connect(transport);
    await until('it is open', () => changes.state === 'open');
    expect(server.asked).toEqual([{ toolsListChanged: true }]);
    await until('told, since connect returned before', () => witness.reopened === 1);
  });
});
