/**
 * One managed `subscriptions/listen` stream per MCP client. This file is yours; it needs the SDK's client alone.
 *
 *     const changes = changeStream(client, { onReopened: refetch }); // later and elsewhere: changeStream(client)
 *     await changes.listen({ toolsListChanged: true });
 *     await changes.subscribe('file:///notes.md');
 *
 * Changes reach the client's handlers at least once: while one stream replaces another a change may arrive twice, so
 * handlers must be idempotent. A 2025 server is sent `resources/subscribe`; its list changes come unasked.
 */
import { OAuthClientFlowError, OAuthError, ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Client, EmptyResult, McpSubscription } from '@modelcontextprotocol/client';
import type { RequestOptions, SubscriptionFilter } from '@modelcontextprotocol/client';

/** `true` adds a kind to what is wanted, `false` withdraws it, what is left out stays as it is. */
export type ListenKinds = Omit<SubscriptionFilter, 'resourceSubscriptions'>;
/** `idle`: nothing to listen to, or not connected yet. `legacy`: a 2025 server sends unasked. `lost`: given up. */
export type ChangeStreamState = 'idle' | 'opening' | 'open' | 'retrying' | 'legacy' | 'lost' | 'closed';

/** Given once, at first use. What a callback throws goes to `client.onerror`. */
export interface ChangeStreamOptions {
  /** The server listens to us again, but changes may have been missed: refetch. */
  onReopened?: () => unknown;
  /** Nothing comes any more, until the client is connected again or something is asked for. */
  onLost?: (error: Error) => unknown;
  /** Kinds and URIs that the server does not send: not advertised, not acknowledged, or refused with this error. */
  onDeclined?: (names: string[], error: Error | undefined) => unknown;
  /** For logs and metrics. */
  onStateChange?: (state: ChangeStreamState, reason: string) => unknown;
  /** Over HTTP a replaced stream stays open this long (1000), so that nothing still under way on it is lost. */
  lingerMs?: number;
  /** Aborting it is `close()`. */
  signal?: AbortSignal;
  /** Random delays below `baseMs` (500) doubled each time, at most `capMs` (30 s). After `limit` (8) failures in a row
   *  the stream is lost; one that was up for `minimumUptimeMs` (30 s) starts the count anew. */
  retry?: { baseMs?: number; capMs?: number; limit?: number; minimumUptimeMs?: number };
}

/** Methods need no `this` and need not wait for each other. Of the SDK's options `timeout` and `signal` count. */
export interface ChangeStream {
  /** Resolves when the server has answered, whatever the answer; before `connect` at once, and `connect` opens it. */
  listen(kinds: ListenKinds, options?: RequestOptions): Promise<void>;
  /** Resolves when the server has acknowledged the URI; else rejects, and the URI is not wanted any more. */
  subscribe(uri: string, options?: RequestOptions): Promise<EmptyResult>;
  /** Resolves when the server knows, or cannot be told. A `subscribe` of this URI that still waits resolves too. */
  unsubscribe(uri: string, options?: RequestOptions): Promise<EmptyResult>;
  /** What the server sends us now. */
  readonly honored: SubscriptionFilter;
  readonly state: ChangeStreamState;
  /** Ends this object for good; calls that wait are answered. `changeStream(client, options)` then makes a new one. */
  close(): Promise<void>;
}

const KINDS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
type Kind = (typeof KINDS)[number];
type Names = Set<string>; // kinds and URIs
type Refusals = Map<string, Error>; // of URIs
type Registry = WeakMap<Client, { options: ChangeStreamOptions; stream: ChangeStream }>;

/** The change stream of this client. Later calls get the same one; they may repeat the options but not differ. */
export function changeStream(client: Client, options: ChangeStreamOptions = {}): ChangeStream {
  const shared = globalThis as unknown as Record<symbol, Registry | undefined>;
  const streams = (shared[Symbol.for('mcp-listen.change-streams')] ??= new WeakMap()); // for all copies of this file
  const known = streams.get(client);
  if (known && differ(known.options, options))
    throw new TypeError('This client has a stream with other options');
  if (known) return known.stream;
  const stream = createStream(client, options, () => streams.delete(client));
  if (stream.state !== 'closed') streams.set(client, { options, stream });
  return stream;
}

function createStream(client: Client, options: ChangeStreamOptions, forget: () => void): ChangeStream {
  const { baseMs = 500, capMs = 30_000, limit = 8, minimumUptimeMs = 30_000 } = options.retry ?? {};
  const kinds = new Set<Kind>(); // wanted
  const uris = new Set<string>(); // wanted
  const granted = new Set<string>(); // URIs acknowledged once: they stay wanted, whatever comes
  const decided = new Set<string>(); // names that the server has honoured or declined
  const lingering = new Set<McpSubscription>(); // replaced, but not closed yet
  let honored: Names = new Set(); // what the server sends us now
  let covered: Names = new Set(); // kinds that the client's `listChanged` option listens to
  let [subscription, autoOpened]: (McpSubscription | undefined)[] = [];
  let attempt: AbortController | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let closing: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let queued: Promise<Refusals> | undefined;
  let state: ChangeStreamState = 'idle';
  let [connecting, failures, openedAt, patience, missed] = [0, 0, 0, 0, false];

  const era = () =>
    client.transport && connecting === 0 ? (client.getProtocolEra() ?? 'legacy') : undefined;
  const satisfied = (names: Names) => within(names, decided) && within(honored, names);

  function offered(kind: Kind): boolean {
    const capability = kind.replace('ListChanged', '') as 'tools' | 'prompts' | 'resources';
    return client.getServerCapabilities()?.[capability]?.listChanged === true;
  }

  /** Not the kinds of the `listChanged` option, they would arrive twice (T44); but when its stream ends they are ours. */
  function wanted(): Names {
    const auto = client.autoOpenedSubscription;
    if (auto && auto !== autoOpened) {
      [autoOpened, covered] = [auto, namesOf(auto.honoredFilter)];
      void auto.closed.then(() => {
        missed ||= [...kinds].some((kind) => covered.has(kind));
        covered = new Set();
        return pass();
      });
    }
    return new Set([...[...kinds].filter((kind) => offered(kind) && !covered.has(kind)), ...uris]);
  }

  /** The next pass. There is one at a time, and it serves all calls that were made before it begins. */
  function pass(timeout = 0): Promise<Refusals> {
    patience = Math.max(patience, timeout);
    queued ??= running.then(() => {
      const reconciled = reconcile(patience);
      [running, queued, patience] = [reconciled, undefined, 0];
      return reconciled;
    });
    return queued;
  }

  /** Brings the stream in line with what is wanted. `timeout` is 0 when no call waits for it. */
  async function reconcile(timeout: number): Promise<Refusals> {
    if (closing) return refuse(uris, closedError());
    if (!era()) return disconnected();
    decline([...kinds].filter((kind) => !offered(kind)));
    const names = wanted();
    if (era() === 'legacy') return reconcileLegacy(names, timeout || TIMEOUT);
    if (names.size === 0) await closeStreams();
    if (names.size === 0) enter('idle', 'nothing to listen to');
    if (satisfied(names)) {
      stopTimer();
      missed &&= honored.size === 0 && names.size > 0;
    }
    if (satisfied(names) || (timeout === 0 && retryTimer !== undefined)) return new Map();
    if (!subscription) enter('opening', 'asking the server');
    attempt = new AbortController();
    const answer = client.listen(filterOf(names), { signal: attempt.signal, timeout: timeout || TIMEOUT });
    return answer.then(
      (next) => acknowledged(next, names),
      (error: unknown) => failed(asError(error), names),
    );
  }

  function acknowledged(next: McpSubscription, names: Names): Refusals {
    if (closing) return refuse(names, closedError());
    const now = new Set([...namesOf(next.honoredFilter)].filter((name) => names.has(name)));
    const refusals = conclude(names, now);
    stopTimer();
    if (now.size === 0) {
      void end(next); // an empty acknowledgment is a refusal (T22)
      if (!subscription) enter('idle', 'the server honours nothing of it');
      return refusals;
    }
    if (subscription) retire(subscription);
    else openedAt = Date.now();
    [subscription, honored] = [next, now];
    void next.closed.then((reason) => subscription === next && ended(reason));
    enter('open', 'acknowledged');
    reopened();
    return refusals;
  }

  async function failed(error: Error, names: Names): Promise<Refusals> {
    if (closing) return refuse(names, closedError());
    if (error instanceof ProtocolError && error.code === -32603 && (subscription || lingering.size > 0)) {
      missed = true; // no room for two: close, then open
      await closeStreams();
      return reconcile(TIMEOUT);
    }
    const refusals = refuse(names, error);
    const left = wanted();
    if (!era() || left.size === 0) void pass();
    else if (satisfied(left) && subscription) return refusals;
    else if (isTransient(error) && !satisfied(left)) retryLater(error, error.message);
    else if (refusals.size > 0 && !satisfied(left))
      void pass(); // what is left may be granted
    else giveUp(error);
    return refusals;
  }

  async function reconcileLegacy(names: Names, timeout: number): Promise<Refusals> {
    const { transport } = client;
    const now = new Set([...names].filter((name) => isKind(name) || honored.has(name)));
    const errors: Refusals = new Map();
    const added = [...names].filter((name) => !now.has(name) && !decided.has(name));
    const removed = [...honored].filter((name) => !names.has(name) && !isKind(name));
    const subscribing = added.map(async (uri) => {
      const answer = client.subscribeResource({ uri }, { timeout });
      await answer.then(
        () => now.add(uri),
        (error: unknown) => errors.set(uri, asError(error)),
      );
    });
    const unsubscribing = removed.map((uri) => client.unsubscribeResource({ uri }, { timeout }));
    await Promise.allSettled([...subscribing, ...unsubscribing]);
    if (closing || client.transport !== transport) return refuse(names, notConnected());
    const refusals = conclude(names, now);
    honored = now;
    enter(names.size > 0 ? 'legacy' : 'idle', 'a 2025 server sends unasked');
    reopened();
    return new Map([...refusals, ...[...errors].filter(([uri]) => refusals.has(uri))]);
  }

  /** The server has answered: of these names it honours `now`. */
  function conclude(names: Names, now: Names): Refusals {
    now.forEach((name) => decided.add(name));
    uris.forEach((uri) => now.has(uri) && granted.add(uri));
    const rest = [...names].filter((name) => !now.has(name));
    const refusals = refuse(rest);
    decline(rest.filter((name) => wanted().has(name)));
    return refusals;
  }

  /** Those of these URIs that are not honoured. What was never acknowledged is no longer wanted. */
  function refuse(names: Iterable<string>, error?: Error): Refusals {
    const refused = [...names].filter((name) => uris.has(name) && !honored.has(name));
    for (const uri of refused) if (!granted.has(uri)) uris.delete(uri);
    return new Map(
      refused.map((uri) => [uri, error ?? new Error(`The server declined to send updates of ${uri}`)]),
    );
  }

  function ended(reason: string): void {
    drop();
    if (Date.now() - openedAt >= minimumUptimeMs) failures = 0;
    if (era()) retryLater(new SdkError(SdkErrorCode.ConnectionClosed, `The stream ended: ${reason}`), reason);
    else void pass();
  }

  function retryLater(error: Error, reason: string): void {
    missed = true;
    if (!subscription) enter('retrying', reason);
    if (retryTimer !== undefined) return; // what a call tried in between uses up nothing
    failures += 1;
    const delay = Math.random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
    if (failures > limit) giveUp(error);
    else
      retryTimer = setTimeout(() => {
        stopTimer();
        void pass();
      }, delay);
  }

  function stopTimer(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
  }

  /** While a stream is open only what was to be added to it is given up. */
  function giveUp(error: Error): void {
    if (subscription) {
      decline([...wanted()], error);
      return;
    }
    wanted().forEach((name) => decided.add(name));
    enter('lost', error.message);
    tell(() => options.onLost?.(error));
  }

  function disconnected(): Refusals {
    drop();
    stopTimer();
    const given = state === 'idle' || state === 'lost' || connecting > 0;
    if (!given) giveUp(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
    return refuse(uris, notConnected());
  }

  const connect = client.connect.bind(client);
  const original = client.connect;
  client.connect = async (...args) => {
    connecting += 1;
    await connect(...args).finally(connected);
  };

  function connected(): void {
    connecting -= 1;
    if (era()) {
      watchTransport();
      stopTimer();
      drop();
      decided.clear();
      missed ||= state !== 'idle' || era() === 'modern'; // connect() resolves before our stream is acknowledged
      failures = 0;
      enter('idle', 'connected');
    }
    void pass();
  }

  function watchTransport(): void {
    const transport = client.transport;
    const onclose = transport?.onclose;
    if (!transport) return;
    transport.onclose = () => {
      onclose?.();
      void pass();
    };
  }

  function drop(): void {
    honored.forEach((name) => decided.delete(name));
    missed ||= subscription !== undefined;
    [subscription, honored] = [undefined, new Set()];
  }

  function retire(old: McpSubscription): void {
    const perRequest = client.transport?.hasPerRequestStream === true; // else one pipe keeps the order
    if (perRequest) lingering.add(old);
    void (perRequest ? pause(options.lingerMs ?? 1000) : Promise.resolve()).then(() => end(old));
  }

  async function end(old: McpSubscription): Promise<void> {
    lingering.delete(old);
    await Promise.race([old.close(), pause(1000)]); // whether or not the server answers
  }

  async function closeStreams(): Promise<void> {
    const open = [...(subscription ? [subscription] : []), ...lingering];
    drop();
    await Promise.all(open.map(end));
  }

  async function shutDown(): Promise<void> {
    forget();
    client.connect = original;
    options.signal?.removeEventListener('abort', close);
    stopTimer();
    enter('closed', 'close() was called');
    attempt?.abort();
    const known = era() === 'legacy' ? [...honored].filter((name) => !isKind(name)) : [];
    const closed = [closeStreams(), ...known.map((uri) => client.unsubscribeResource({ uri }))];
    await Promise.race([Promise.allSettled(closed), pause(1000)]);
    await new Promise((resolve) => setTimeout(resolve)); // what has been read already is dispatched before
  }

  function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  function enter(next: ChangeStreamState, reason: string): void {
    if (state === next || state === 'closed') return;
    state = next;
    tell(() => options.onStateChange?.(next, reason));
  }

  function decline(names: string[], error?: Error): void {
    const news = names.filter((name) => !decided.has(name));
    news.forEach((name) => decided.add(name));
    if (news.length > 0) tell(() => options.onDeclined?.(news, error));
  }

  function reopened(): void {
    if (missed) tell(() => options.onReopened?.());
    missed = false;
  }

  function tell(callback: () => unknown): void {
    const told = Promise.resolve().then(callback);
    told.catch((error: unknown) => client.onerror?.(asError(error))).catch(() => undefined);
  }

  watchTransport();
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) void close();
  return {
    close,
    async listen(wish, requestOptions) {
      if (closing) throw closedError();
      for (const kind of KINDS) {
        if (wish[kind] === false) kinds.delete(kind);
        if (wish[kind] === true) kinds.add(kind);
        if (wish[kind] === true && !honored.has(kind)) decided.delete(kind);
      }
      await bounded(pass, requestOptions).catch((error: unknown) => {
        if (requestOptions?.signal?.aborted) throw error;
      });
    },
    async subscribe(uri, requestOptions) {
      if (closing) throw closedError();
      uris.add(uri);
      if (!honored.has(uri)) decided.delete(uri);
      const refusals = await bounded(pass, requestOptions).catch((error: unknown) => {
        if (!granted.has(uri)) uris.delete(uri);
        void pass();
        throw error;
      });
      const refusal = refusals.get(uri);
      if (refusal) throw refusal;
      return {};
    },
    async unsubscribe(uri, requestOptions) {
      uris.delete(uri);
      granted.delete(uri);
      if (!closing) await bounded(pass, requestOptions);
      return {};
    },
    get state() {
      return state;
    },
    get honored() {
      return filterOf(honored);
    },
  };
}

/** Waits for a pass no longer than the call allows. */
function bounded(
  pass: (timeout: number) => Promise<Refusals>,
  { signal, timeout = TIMEOUT }: RequestOptions = {},
) {
  return new Promise<Refusals>((resolve, reject) => {
    const abort = () => reject(asError(signal?.reason));
    const late = new SdkError(SdkErrorCode.RequestTimeout, 'No acknowledgment in time', { timeout });
    const timer = setTimeout(() => reject(late), timeout);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    void pass(timeout)
      .then(resolve)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      });
  });
}

function namesOf(filter: SubscriptionFilter): Names {
  return new Set([...KINDS.filter((kind) => filter[kind]), ...(filter.resourceSubscriptions ?? [])]);
}

function filterOf(names: Names): SubscriptionFilter {
  const resourceSubscriptions = [...names].filter((name) => !isKind(name));
  const filter = Object.fromEntries([...names].filter(isKind).map((kind) => [kind, true]));
  return resourceSubscriptions.length > 0 ? { ...filter, resourceSubscriptions } : filter;
}

/** Worth another try: the network, a time-out, an overloaded or restarting server. All else stays refused. */
function isTransient(error: Error): boolean {
  if (error instanceof SdkHttpError) return [408, 429].includes(error.status) || error.status >= 500;
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout;
  const final = [ProtocolError, UnauthorizedError, OAuthError, OAuthClientFlowError];
  return !final.some((known) => error instanceof known);
}

/** A timer that does not keep a process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}

function differ(
  { retry: before, ...known }: ChangeStreamOptions,
  { retry, ...given }: ChangeStreamOptions,
): boolean {
  const old: Record<string, unknown> = { ...known, ...before };
  return Object.entries({ ...given, ...retry }).some(
    ([name, value]) => value !== undefined && value !== old[name],
  );
}

const TIMEOUT = 60_000; // the SDK's own
const isKind = (name: string) => (KINDS as readonly string[]).includes(name);
const within = (part: Names, whole: Names) => [...part].every((name) => whole.has(name));
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const notConnected = () => new SdkError(SdkErrorCode.NotConnected, 'Not connected');
const closedError = () => new SdkError(SdkErrorCode.ConnectionClosed, 'The change stream is closed');
