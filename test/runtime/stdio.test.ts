import { fileURLToPath } from 'node:url';
import { Client, SdkErrorCode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { changeStream } from '../../src/runtime/change-stream.js';
import { connectTo, MODERN, modernServer } from './support/modern.js';
import { afterwards, tearDown } from './support/set-up.js';
import { quiet, until } from './support/until.js';
import { Witness } from './support/witness.js';

afterEach(tearDown);

const AUTO = { versionNegotiation: { mode: 'auto' } } as const;

function child(script: string, ...args: string[]): StdioClientTransport {
  const path = fileURLToPath(new URL(`support/${script}`, import.meta.url));
  return new StdioClientTransport({ command: process.execPath, args: [path, ...args], stderr: 'ignore' });
}

async function start(
  transport: StdioClientTransport,
  clientOptions: ConstructorParameters<typeof Client>[1] = MODERN,
) {
  const client = new Client({ name: 'c', version: '1' }, clientOptions);
  const witness = new Witness().watch(client);
  await client.connect(transport);
  const changes = changeStream(client, witness.options);
  afterwards(
    () => changes.close(),
    () => client.close(),
  );
  return { client, witness, changes };
}

describe('a modern server over stdio', () => {
  it('delivers exactly once what was acknowledged, and nothing after close', async () => {
    const { client, witness, changes } = await start(child('stdio-modern.mjs'));
    await changes.subscribe('x:a');
    await changes.listen({ toolsListChanged: true });
    await client.callTool({ name: 'publish-once' });
    await until('it arrived', () => witness.updates.length > 0 && witness.lists.length > 0);
    await quiet();
    expect([witness.updates, witness.lists]).toEqual([['x:a'], ['tools']]);
    await changes.close();
    await client.callTool({ name: 'publish-once' }); // sent by a server that has read the cancel before
    await quiet();
    expect([witness.updates, witness.lists]).toEqual([['x:a'], ['tools']]);
  });

  it('loses none of 400 changes in a swap, and has the old stream closed at once', async () => {
    const { client, witness, changes } = await start(child('stdio-modern.mjs'));
    await changes.subscribe('x:a');
    const flow = client.callTool({ name: 'publish' });
    await until('it flows', () => witness.sequence.length > 50);
    await changes.subscribe('x:b');
    await flow;
    await until('all arrived', () => new Set(witness.sequence).size === 400);
    const twice = witness.sequence.length - 400;
    expect(twice).toBeLessThan(50); // only those that were under way during the swap
    expect(witness.reopened).toBe(0);
  });

  it('at its limit makes room first', async () => {
    const { client, witness, changes } = await start(child('stdio-modern.mjs', '1'));
    await changes.subscribe('x:a');
    await changes.subscribe('x:b');
    await until('told', () => witness.reopened === 1);
    await client.callTool({ name: 'publish-once' });
    await until('both arrived', () => witness.updates.length >= 2);
    await quiet();
    expect(witness.updates).toEqual(['x:a', 'x:b']);
  });

  it.each(['crash', 'stop'])('that leaves (%s) is lost until the client is connected again', async (tool) => {
    const { client, witness, changes } = await start(child('stdio-modern.mjs'));
    await changes.subscribe('x:a');
    await client.callTool({ name: tool }, { timeout: 200 }).catch(() => {});
    if (tool === 'stop') await client.close();
    await until('lost', () => witness.lost.length > 0);
    expect([changes.state, witness.lost.length]).toEqual(['lost', 1]);
    await client.connect(child('stdio-modern.mjs'));
    await until('told', () => witness.reopened === 1);
    await client.callTool({ name: 'publish-once' });
    await until('it arrived', () => witness.updates.length > 0);
    expect(witness.updates).toEqual(['x:a']);
  });
});

describe('a 2025 server over stdio', () => {
  const subscribed = async (client: Client) => {
    const { content } = await client.callTool({ name: 'subscribed' });
    return content[0]?.type === 'text' ? content[0].text : '';
  };

  it('is sent resources/subscribe and resources/unsubscribe, and list changes come unasked', async () => {
    const { client, witness, changes } = await start(child('stdio-legacy.mjs'), AUTO);
    await changes.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(await changes.subscribe('x:a')).toEqual({});
    await client.callTool({ name: 'publish-once' });
    await until('it arrived', () => witness.updates.length > 0 && witness.lists.length > 0);
    expect([witness.updates, witness.lists, changes.state]).toEqual([['x:a'], ['tools'], 'legacy']);
    expect(witness.declined).toEqual([['promptsListChanged']]);
    expect(changes.honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ['x:a'] });
    expect(await changes.unsubscribe('x:a')).toEqual({});
    await client.callTool({ name: 'publish-once' });
    await quiet();
    expect([witness.updates, witness.lists, await subscribed(client)]).toEqual([
      ['x:a'],
      ['tools', 'tools'],
      '',
    ]);
    expect(witness.reopened).toBe(0);
  });

  it('that refuses a URI has the SDK error of it passed on', async () => {
    const { client, changes } = await start(child('stdio-legacy.mjs'), AUTO);
    await expect(changes.subscribe('x:no')).rejects.toThrow('no such resource');
    expect([changes.honored, await subscribed(client)]).toEqual([{}, '']);
  });

  it('is unsubscribed from everything by close', async () => {
    const { client, changes } = await start(child('stdio-legacy.mjs'), AUTO);
    await Promise.all([changes.subscribe('x:a'), changes.subscribe('x:b')]);
    expect(await subscribed(client)).toBe('x:a,x:b');
    await changes.close();
    expect(await subscribed(client)).toBe('');
  });

  it('that goes away is lost, and restored by the next connection, once', async () => {
    const { client, witness, changes } = await start(child('stdio-legacy.mjs'), AUTO);
    await Promise.all([changes.subscribe('x:a'), changes.listen({ toolsListChanged: true })]);
    await client.close();
    await until('lost', () => witness.lost.length > 0);
    expect(witness.lost).toMatchObject([{ code: SdkErrorCode.ConnectionClosed }]);
    await client.connect(child('stdio-legacy.mjs'));
    await until('told', () => witness.reopened > 0);
    expect([await subscribed(client), witness.reopened, changes.state]).toEqual(['x:a', 1, 'legacy']);
  });
});

describe('a client that is connected again in the other era', () => {
  it('takes its wishes from a 2025 server to a modern one and back', async () => {
    const { client, witness, changes } = await start(child('stdio-legacy.mjs'), AUTO);
    await Promise.all([changes.subscribe('x:a'), changes.listen({ toolsListChanged: true })]);
    await client.close();
    const server = modernServer();
    await connectTo(server, client);
    await until('told', () => witness.reopened === 1);
    expect(server.asked).toEqual([{ toolsListChanged: true, resourceSubscriptions: ['x:a'] }]);
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => witness.updates.length === 1);

    await changes.subscribe('x:b');
    await client.close();
    await client.connect(child('stdio-legacy.mjs'));
    await until('told', () => witness.reopened === 2);
    await client.callTool({ name: 'publish-once' });
    await until('both arrived', () => witness.updates.length === 3);
    await quiet();
    expect([witness.updates, witness.lists]).toEqual([['x:a', 'x:a', 'x:b'], ['tools']]);
    expect(witness.states).toEqual(['legacy', 'lost', 'idle', 'opening', 'open', 'lost', 'idle', 'legacy']);
  });
});
