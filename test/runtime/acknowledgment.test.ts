import { SdkError } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { acknowledgment, holdListens, modernServer, rpcError } from './support/modern.js';
import { setUp, tearDown } from './support/set-up.js';
import { quiet, until } from './support/until.js';

afterEach(tearDown);

describe('what is acknowledged', () => {
  it('is delivered exactly once, and nothing else is', async () => {
    const { server, witness, changes } = await setUp();
    await changes.listen({ toolsListChanged: true });
    expect(await changes.subscribe('x:a')).toEqual({});
    await until('the old stream is closed', () => server.open() === 1);
    expect(changes.honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ['x:a'] });
    expect(changes.state).toBe('open');
    server.handler.notify.toolsChanged();
    server.handler.notify.promptsChanged();
    server.handler.notify.resourceUpdated('x:a');
    server.handler.notify.resourceUpdated('x:b');
    await until('both arrived', () => witness.lists.length + witness.updates.length >= 2);
    await quiet();
    expect([witness.lists, witness.updates]).toEqual([['tools'], ['x:a']]);
    expect(witness.reopened).toBe(0);
  });

  it('is asked for in one stream when the calls are made together', async () => {
    const { server, changes } = await setUp();
    await Promise.all([
      changes.listen({ toolsListChanged: true }),
      changes.subscribe('x:a'),
      changes.listen({ promptsListChanged: true }),
      changes.subscribe('x:b'),
    ]);
    expect(server.asked).toEqual([
      { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x:a', 'x:b'] },
    ]);
  });
});

describe('a URI that is declined', () => {
  it('rejects by name, and leaves what others asked for undisturbed', async () => {
    const { server, witness, changes } = await setUp(modernServer({ tools: { listChanged: true } }));
    await changes.listen({ toolsListChanged: true });
    await expect(changes.subscribe('x:secret')).rejects.toThrow('x:secret');
    expect(changes.honored).toEqual({ toolsListChanged: true });
    await until('the old stream is closed', () => server.open() === 1);
    server.handler.notify.toolsChanged();
    await until('it arrived', () => witness.lists.length > 0);
    await changes.listen({ toolsListChanged: true });
    expect(server.asked).toHaveLength(2); // nothing is asked for again
    expect([witness.reopened, witness.lost, witness.declined]).toEqual([0, [], []]);
  });

  it('rejects alone when another URI of the same request is honoured', async () => {
    const { server, changes } = await setUp();
    server.answerListen = (id, filter, init) =>
      acknowledgment(
        id,
        { resourceSubscriptions: filter.resourceSubscriptions?.filter((uri) => uri !== 'x:no') ?? [] },
        init,
      );
    const results = await Promise.allSettled([changes.subscribe('x:yes'), changes.subscribe('x:no')]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(changes.honored).toEqual({ resourceSubscriptions: ['x:yes'] });
    await changes.subscribe('x:also');
    expect(server.asked.at(-1)).toEqual({ resourceSubscriptions: ['x:yes', 'x:also'] });
  });

  it('rejects when the acknowledgment is empty, and the stream is closed', async () => {
    const { server, changes } = await setUp();
    server.answerListen = (id, _filter, init) => acknowledgment(id, {}, init);
    await expect(changes.subscribe('x:a')).rejects.toThrow('x:a');
    await until('idle', () => changes.state === 'idle');
    await quiet();
    expect(server.asked).toHaveLength(1);
  });

  it('does not cost an open stream when the acknowledgment of the swap is empty', async () => {
    const { server, witness, changes } = await setUp();
    await changes.subscribe('x:a');
    server.answerListen = (id, _filter, init) => acknowledgment(id, {}, init);
    await expect(changes.subscribe('x:b')).rejects.toThrow('x:b');
    server.answerListen = undefined;
    expect(changes.honored).toEqual({ resourceSubscriptions: ['x:a'] });
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect([witness.updates, witness.reopened, server.asked.length]).toEqual([['x:a'], 0, 2]);
  });

  it('is asked for again when somebody subscribes to it again', async () => {
    const { server, changes } = await setUp();
    server.answerListen = (id, _filter, init) => acknowledgment(id, { toolsListChanged: true }, init);
    await changes.listen({ toolsListChanged: true });
    await expect(changes.subscribe('x:a')).rejects.toThrow('x:a');
    server.answerListen = undefined;
    await expect(changes.subscribe('x:a')).resolves.toEqual({});
  });
});

describe('a kind that is declined', () => {
  it('is told once to onDeclined when the server does not advertise it, and is not asked for', async () => {
    const { server, witness, changes } = await setUp(modernServer({ tools: { listChanged: true } }));
    await changes.listen({ toolsListChanged: true, promptsListChanged: true });
    await changes.listen({ toolsListChanged: true });
    await until('told', () => witness.declined.length > 0);
    expect(witness.declined).toEqual([['promptsListChanged']]);
    expect(server.asked).toEqual([{ toolsListChanged: true }]);
  });

  it('is told to onDeclined when the acknowledgment leaves it out, and listen resolves', async () => {
    const { server, witness, changes } = await setUp();
    server.answerListen = (id, _filter, init) => acknowledgment(id, { toolsListChanged: true }, init);
    await changes.listen({ toolsListChanged: true, promptsListChanged: true });
    await until('told', () => witness.declined.length > 0);
    expect(witness.declined).toEqual([['promptsListChanged']]);
    expect([changes.state, changes.honored]).toEqual(['open', { toolsListChanged: true }]);
  });

  it('is told to onDeclined when the acknowledgment is empty, and there is no hot loop', async () => {
    const { server, witness, changes } = await setUp(modernServer({}));
    server.answerListen = (id, _filter, init) => acknowledgment(id, {}, init);
    const advertises = await setUp();
    advertises.server.answerListen = server.answerListen;
    await advertises.changes.listen({ toolsListChanged: true });
    await until('told', () => advertises.witness.declined.length > 0);
    await quiet();
    expect(advertises.witness.declined).toEqual([['toolsListChanged']]);
    expect([advertises.changes.state, advertises.server.asked.length]).toEqual(['idle', 1]);
    await changes.listen({ toolsListChanged: true });
    await until('told', () => witness.declined.length > 0);
    expect(server.asked).toEqual([]);
  });

  it('and refused with an error does not cost the stream that is open', async () => {
    const { server, witness, changes } = await setUp();
    await changes.listen({ toolsListChanged: true });
    server.answerListen = (id) => rpcError(id, -32602, 'not prompts');
    await changes.listen({ promptsListChanged: true });
    await until('told', () => witness.declined.length > 0);
    expect(witness.declined).toEqual([['promptsListChanged']]);
    server.handler.notify.toolsChanged();
    await until('it arrived', () => witness.lists.length > 0);
    expect([changes.state, witness.lost, witness.reopened]).toEqual(['open', [], 0]);
  });
});

describe('withdrawing', () => {
  it('a kind with false closes the stream when nothing else is wanted', async () => {
    const { server, witness, changes } = await setUp();
    await changes.listen({ toolsListChanged: true });
    await changes.listen({ toolsListChanged: false });
    expect([changes.state, changes.honored]).toEqual(['idle', {}]);
    expect(server.open()).toBe(0);
    server.handler.notify.toolsChanged();
    await quiet();
    expect([witness.lists, witness.lost, server.asked.length]).toEqual([[], [], 1]);
  });

  it('a URI narrows the stream, without onReopened', async () => {
    const { server, witness, changes } = await setUp();
    await Promise.all([changes.subscribe('x:a'), changes.subscribe('x:b')]);
    expect(await changes.unsubscribe('x:a')).toEqual({});
    await until('the old stream is closed', () => server.open() === 1);
    server.handler.notify.resourceUpdated('x:a');
    server.handler.notify.resourceUpdated('x:b');
    await until('it arrived', () => witness.updates.length > 0);
    await quiet();
    expect([witness.updates, witness.reopened]).toEqual([['x:b'], 0]);
  });

  it('a URI that waits to be acknowledged lets its subscribe resolve and leaves no trace', async () => {
    const { server, changes } = await setUp();
    const both = await Promise.all([changes.subscribe('x:a'), changes.unsubscribe('x:a')]);
    expect(both).toEqual([{}, {}]);
    await until('idle', () => changes.state === 'idle');
    expect([server.asked, server.open()]).toEqual([[], 0]);
  });
});

describe('request options', () => {
  it('bound the acknowledgment by `timeout`', async () => {
    const { server, changes } = await setUp();
    server.answerListen = () => new Promise<Response>(() => {});
    await expect(changes.subscribe('x:a', { timeout: 30 })).rejects.toBeInstanceOf(SdkError);
    await until('idle', () => changes.state === 'idle');
    server.answerListen = undefined;
    await expect(changes.subscribe('x:b')).resolves.toEqual({});
    expect(server.asked.at(-1)).toEqual({ resourceSubscriptions: ['x:b'] });
  });

  it('bound the whole wait, also behind a request that hangs', async () => {
    const { server, changes } = await setUp();
    const release = holdListens(server);
    const first = changes.subscribe('x:a');
    await until('it is asked for', () => server.asked.length === 1);
    await expect(changes.subscribe('x:b', { timeout: 30 })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
    await expect(changes.listen({ toolsListChanged: true }, { timeout: 30 })).resolves.toBeUndefined();
    release();
    await first;
    await until('the kind is added', () => changes.honored.toolsListChanged === true);
    expect(changes.honored.resourceSubscriptions).toEqual(['x:a']);
  });

  it('take a subscribe back by `signal`, alone', async () => {
    const { server, changes } = await setUp();
    const release = holdListens(server);
    const abort = new AbortController();
    const taken = changes.subscribe('x:a', { signal: abort.signal });
    const kept = changes.subscribe('x:b');
    await until('it is asked for', () => server.asked.length === 1);
    abort.abort(new Error('changed my mind'));
    await expect(taken).rejects.toThrow('changed my mind');
    release();
    await kept;
    await until('x:a is gone', () => changes.honored.resourceSubscriptions?.join() === 'x:b');
    await expect(
      changes.subscribe('x:c', { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
  });

  it('do not take back a URI that was granted before', async () => {
    const { changes } = await setUp();
    await changes.subscribe('x:a');
    const again = changes.subscribe('x:a', { signal: AbortSignal.abort(new Error('no')) });
    await expect(again).rejects.toThrow('no');
    await changes.subscribe('x:b');
    expect(changes.honored).toEqual({ resourceSubscriptions: ['x:a', 'x:b'] });
  });
});
