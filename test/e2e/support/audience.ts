/** Everybody who may be connected to a server at once, and what reaches whom. */
import type { ChildTransport } from './child-transport.js';
import { HttpTransport, legacyListener, modernListener, type Hearer, type Listener } from './listeners.js';
import type { Era } from './notes-server.js';
import { order, type ServedApp } from './served-apps.js';
import { NEVER, type ServedProcess } from './served-process.js';
import { until } from './until.js';
import { wireListener } from './wire-listener.js';

interface Counted {
  expected: number;
  got: number;
}

/** What one client had to hear, and what it heard. */
export interface Heard {
  client: string;
  updates: Counted;
  lists: Counted;
  /** The different subscription ids that came with it. On the wire every one is compared with the id of the request. */
  ids: unknown[];
  expectedIds: unknown[];
  /** Streams that were gone before it left. */
  ends: string[];
}

/** What is changed, how often: before and after one client leaves. */
const FIRST = 6;
const LATER = 4;
const OTHER = 3;
const LISTS = 2;

/** The SDK's first listen of a client. */
const STAMPED = ['listen:0'];
/** A notification of 2025 has no subscription id. */
const UNSTAMPED = [undefined];

interface Expected {
  first: number;
  later: number;
  lists: number;
  ids: unknown[];
}

interface Member extends Expected {
  hearer: Hearer;
}

const NOTHING: Expected = { first: 0, later: 0, lists: 0, ids: [] };
const WATCHED: Expected = { first: FIRST, later: LATER, lists: 0, ids: STAMPED };
const LEGACY: Expected = { ...NOTHING, lists: LISTS, ids: UNSTAMPED };

/** All of them on one server. Changes are ordered by a client of either era in turn. */
export async function audience(
  server: ServedProcess,
  app: ServedApp,
  eras: readonly Era[],
): Promise<Heard[]> {
  const members: Member[] = [];
  const callers: Listener[] = [];
  let leave = (): Promise<unknown> => Promise.resolve();

  const join = <H extends Hearer>(hearer: H, expected: Expected): H => {
    members.push({ hearer, ...expected });
    return hearer;
  };
  const modern = (name: string, filter?: Parameters<typeof modernListener>[2]): Promise<Listener> =>
    modernListener(`modern, ${name}`, new HttpTransport(server.url, app.headers), filter);
  const legacy = async (name: string, uri?: string): Promise<Listener> => {
    const transport = new HttpTransport(server.url, app.headers);
    const listener = await legacyListener(`2025, ${name}`, transport, uri);
    await transport.streamOpen();
    return listener;
  };

  if (eras.includes('modern')) {
    join(await modern('listens', { resourceSubscriptions: [app.watched] }), WATCHED);
    const filter = { resourcesListChanged: true, resourceSubscriptions: [app.watched] };
    const wire = await wireListener(server.url, filter, app.headers);
    join(wire, { ...WATCHED, lists: LISTS, ids: [wire.id] });
    join(await modern('to the list', { resourcesListChanged: true }), {
      ...NOTHING,
      lists: LISTS,
      ids: STAMPED,
    });
    if (app.other) {
      const another = await modern('to another', { resourceSubscriptions: [app.other.uri] });
      join(another, { ...NOTHING, later: OTHER, ids: STAMPED });
    }
    callers.push(join(await modern('to nothing'), NOTHING));
  }
  if (eras.includes('legacy')) {
    join(await legacy('subscribed', app.watched), { ...LEGACY, first: FIRST, later: LATER });
    callers.push(join(await legacy('not subscribed'), LEGACY));
    const leaver = join(await legacy('unsubscribes', app.watched), { ...LEGACY, first: FIRST });
    leave = () => leaver.client.unsubscribeResource({ uri: app.watched });
  }

  const call = async (times: number, what: (time: number) => Parameters<typeof order>[1]): Promise<void> => {
    for (let time = 0; time < times; time++) await order(callers[time % callers.length]!.client, what(time));
  };
  await call(FIRST, () => app.change);
  await heardAll(members, ({ first, hearer }) => hearer.updates() >= first);
  await leave();
  await call(LATER, () => app.change);
  if (app.other) await call(OTHER, () => app.other!.change);
  await heardAll(members, ({ first, later, hearer }) => hearer.updates() >= first + later);
  await call(LISTS, (time) => app.grow(time));
  await heardAll(members, ({ lists, hearer }) => hearer.lists() >= lists);

  const heard = members.map(summary);
  for (const { hearer } of members) await hearer.close();
  return heard;
}

/** One after the other, each with a server process of its own, in which it orders the changes itself. */
export async function audienceOverStdio(
  app: ServedApp,
  eras: readonly Era[],
  start: (period: number, probes: boolean) => ChildTransport,
): Promise<Heard[]> {
  const heard: Heard[] = [];
  const { watched, change, other, grow } = app;

  async function sits(
    open: (transport: ChildTransport) => Promise<Listener>,
    expected: Expected,
    how: { leaves?: boolean; probes?: boolean } = {},
  ): Promise<void> {
    const transport = start(NEVER, how.probes ?? false);
    const listener = await open(transport);
    const { client } = listener;
    const member = { hearer: listener, ...expected };
    for (let time = 0; time < FIRST; time++) await order(client, change);
    await heardAll([member], () => listener.updates() >= expected.first);
    if (how.leaves) await client.unsubscribeResource({ uri: watched });
    for (let time = 0; time < LATER; time++) await order(client, change);
    if (other) for (let time = 0; time < OTHER; time++) await order(client, other.change);
    await heardAll([member], () => listener.updates() >= expected.first + expected.later);
    for (let time = 0; time < LISTS; time++) await order(client, grow(time));
    await heardAll([member], () => listener.lists() >= expected.lists);
    heard.push(summary(member));
    await listener.close();
    const code = await transport.ended();
    if (code !== 0) throw new Error(`The server ended with ${String(code)}:\n${transport.complaints}`);
  }

  if (eras.includes('modern')) {
    const listens =
      (name: string, filter?: Parameters<typeof modernListener>[2]) =>
      (transport: ChildTransport): Promise<Listener> =>
        modernListener(`modern, ${name}`, transport, filter);
    const toList = { ...NOTHING, lists: LISTS, ids: STAMPED };
    await sits(listens('listens', { resourceSubscriptions: [watched] }), WATCHED);
    await sits(listens('to the list', { resourcesListChanged: true }), toList);
    if (other) {
      const toAnother = { ...NOTHING, later: OTHER, ids: STAMPED };
      await sits(listens('to another', { resourceSubscriptions: [other.uri] }), toAnother);
    }
    await sits(listens('to nothing'), NOTHING);
  }
  if (eras.includes('legacy')) {
    const is =
      (name: string, uri?: string) =>
      (transport: ChildTransport): Promise<Listener> =>
        legacyListener(`2025, ${name}`, transport, uri);
    const all = { ...LEGACY, first: FIRST, later: LATER };
    await sits(is('subscribed', watched), all);
    await sits(is('not subscribed'), LEGACY);
    await sits(is('unsubscribes', watched), { ...LEGACY, first: FIRST }, { leaves: true });
    // a server that knows only 2025 has no answer to a probe
    if (eras.includes('modern')) await sits(is('after a probe', watched), all, { probes: true });
  }
  return heard;
}

/** Whoever hears too little is seen in the counts; the time afterwards is for what nobody should hear. */
async function heardAll(members: readonly Member[], enough: (member: Member) => boolean): Promise<void> {
  await until('everything arrives', () => members.every(enough), 5_000).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

function summary({ hearer, first, later, lists, ids }: Member): Heard {
  return {
    client: hearer.name,
    updates: { expected: first + later, got: hearer.updates() },
    lists: { expected: lists, got: hearer.lists() },
    ids: hearer.ids(),
    expectedIds: ids,
    ends: [...hearer.ends],
  };
}
