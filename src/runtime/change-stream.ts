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

/** Methods need no `this` and need not wait for each other. The SDK's `timeout` and `signal` bound the waiting. */
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

const CAPABILITIES = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const;
type Kind = keyof typeof CAPABILITIES;
const KINDS = Object.keys(CAPABILITIES) as Kind[];
const REGISTRY: unique symbol = Symbol.for('mcp-listen.change-streams');
const TIMEOUT = 60_000; // the SDK's own for a request

type Call = { uri: string | undefined; timeout: number; answer: (refusal?: Error) => void };
type Open = { subscription: McpSubscription; honored: Set<string>; since: number };

/** The change stream of this client. Later calls get the same one; they may repeat the options but not differ. */
export function changeStream(client: Client, options: ChangeStreamOptions = {}): ChangeStream {
  // All copies of this file share one registry.
  const shared = globalThis as {
    [REGISTRY]?: WeakMap<Client, { options: ChangeStreamOptions; stream: ChangeStream }>;
  };
  const streams = (shared[REGISTRY] ??= new WeakMap());
  const known = streams.get(client);
  if (known && differ(known.options, options))
    throw new TypeError('This client has a change stream with other options');
  const stream = known?.stream ?? createStream(client, options, () => streams.delete(client));
  if (!known && stream.state !== 'closed') streams.set(client, { options, stream });
  return stream;
}

function createStream(client: Client, options: ChangeStreamOptions, forget: () => void): ChangeStream {
  const { baseMs = 500, capMs = 30_000, limit = 8, minimumUptimeMs = 30_000 } = options.retry ?? {};
  const kinds = new Set<Kind>(); // wanted
  const uris = new Set<string>(); // wanted, and granted before
  const calls = new Set<Call>(); // waiting for an answer; meanwhile their URIs are wanted too
  const told = new Set<string>(); // to onDeclined
  const lingering = new Set<McpSubscription>(); // replaced, but not closed yet
  let current: Open | undefined;
  let decided = new Set<string>(); // names that the server has granted or declined
  let covered = new Set<string>(); // kinds that the client's `listChanged` option listens to
  let autoOpened: McpSubscription | undefined; // by that option
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let closing: Promise<void> | undefined;
  let attempt: AbortController | undefined; // to open a stream
  let state: ChangeStreamState = 'idle';
  let [failures, connecting, missed, restoring, dirty, running] = [0, 0, false, false, false, false];

  const era = () =>
    client.transport && connecting === 0 ? (client.getProtocolEra() ?? 'legacy') : undefined;
  const offered = (kind: Kind) => client.getServerCapabilities()?.[CAPABILITIES[kind]]?.listChanged === true;
  const honored = () => current?.honored ?? new Set<string>();
  const satisfied = (names: Set<string>) => within(names, decided) && within(honored(), names);

  /** Kinds and URIs. Kinds of the `listChanged` option would arrive twice (T44); when its stream ends they are ours. */
  function wanted(): Set<string> {
    const auto = client.autoOpenedSubscription;
    if (auto && auto !== autoOpened) {
      [autoOpened, covered] = [auto, namesOf(auto.honoredFilter)];
      void auto.closed.then(() => {
        missed ||= [...kinds].some((kind) => covered.has(kind));
        covered = new Set();
        wake();
      });
    }
    const ours = [...kinds].filter((kind) => offered(kind) && !covered.has(kind));
    return new Set<string>([...ours, ...uris, ...[...calls].flatMap((call) => call.uri ?? [])]);
  }

  function wake(): void {
    dirty = true;
    if (!running) void run();
  }

  /** One pass at a time brings the stream in line with what is wanted, and answers the calls that it found waiting. */
  async function run(): Promise<void> {
    running = true;
    await Promise.resolve(); // the calls of one tick share one request
    while (dirty && !closing) {
      dirty = false;
      await pass([...calls]);
    }
    running = false;
  }

  async function pass(batch: Call[]): Promise<void> {
    if (!era()) return disconnected(batch);
    decline([...kinds].filter((kind) => !offered(kind)));
    if (era() === 'legacy') return restoreLegacy(batch);
    const names = wanted();
    if (names.size === 0) {
      await closeStreams();
      enter('idle', 'nothing to listen to');
    }
    if (satisfied(names)) {
      clearTimer();
      missed &&= !current && names.size > 0;
      return answer(batch, honored());
    }
    if (batch.length === 0 && retryTimer !== undefined) return;
    if (!current) enter('opening', 'asking the server');
    const timeout = Math.max(...batch.map((call) => call.timeout), batch.length > 0 ? 0 : TIMEOUT);
    attempt = new AbortController(); // one each: a signal warns of more than ten listeners
    await client.listen(filterOf(names), { signal: attempt.signal, timeout }).then(
      (subscription) => acknowledged(subscription, names, batch),
      (error: unknown) => refused(asError(error), names, batch),
    );
  }

  function acknowledged(subscription: McpSubscription, asked: Set<string>, batch: Call[]): void {
    if (closing) return; // aborted by it
    const granted = new Set([...namesOf(subscription.honoredFilter)].filter((name) => asked.has(name)));
    clearTimer();
    decided = asked;
    answer(batch, granted);
    granted.forEach((name) => told.delete(name));
    decline([...wanted()].filter((name) => asked.has(name) && !granted.has(name)));
    if (granted.size === 0) {
      void end(subscription); // an empty acknowledgment is a refusal (T22)
      return current ? undefined : enter('idle', 'the server honours nothing of it');
    }
    if (current) retire(current.subscription);
    const open = { subscription, honored: granted, since: current?.since ?? Date.now() };
    current = open;
    void subscription.closed.then((reason) => current === open && ended(open, reason));
    enter('open', 'acknowledged');
    reopened();
  }

  async function refused(error: Error, asked: Set<string>, batch: Call[]): Promise<void> {
    if (closing) return;
    if (error instanceof ProtocolError && error.code === -32603 && (current || lingering.size > 0)) {
      missed = true; // no room for two: close, then open; the calls go on waiting
      await closeStreams();
      return wake();
    }
    answer(batch, undefined, error);
    const names = wanted();
    if (!era() || names.size === 0 || (current && satisfied(names))) wake();
    else if (isTransient(error)) retryLater(error, error.message);
    else if (!within(asked, names))
      wake(); // what is left may be granted
    else giveUp(error);
  }

  function answer(batch: Call[], granted = new Set<string>(), error?: Error): void {
    for (const call of batch.filter((waiting) => calls.has(waiting))) {
      const { uri } = call;
      if (uri !== undefined && granted.has(uri)) uris.add(uri);
      if (uri === undefined || granted.has(uri)) call.answer();
      else call.answer(error ?? new Error(`The server declined to send updates of ${uri}`));
    }
  }

  function ended(open: Open, reason: string): void {
    drop();
    missed = true;
    if (Date.now() - open.since >= minimumUptimeMs) failures = 0;
    if (!era()) return wake();
    retryLater(new SdkError(SdkErrorCode.ConnectionClosed, `The change stream ended: ${reason}`), reason);
  }

  function retryLater(error: Error, reason: string): void {
    missed = true;
    if (!current) enter('retrying', reason);
    if (retryTimer !== undefined) return; // what a call tried in between uses up nothing
    failures += 1;
    if (failures > limit) return giveUp(error);
    const delay = Math.random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
    retryTimer = setTimeout(() => (clearTimer(), wake()), delay);
  }

  function clearTimer(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
  }

  /** With a stream still open only what was added to it fails, else nothing comes any more. */
  function giveUp(error: Error): void {
    const undecided = [...wanted()].filter((name) => !decided.has(name));
    undecided.forEach((name) => decided.add(name));
    if (current) return decline(undecided, error);
    enter('lost', error.message);
    tell(options.onLost, error);
  }

  function disconnected(batch: Call[]): void {
    answer(batch, undefined, new SdkError(SdkErrorCode.NotConnected, 'Not connected'));
    if (connecting > 0 || state === 'idle' || state === 'lost') return;
    clearTimer();
    drop();
    giveUp(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
  }

  const connect = client.connect; // the SDK has no hook for this
  client.connect = async (...args) => {
    connecting += 1;
    await connect.apply(client, args).finally(connected);
  };

  function connected(): void {
    connecting -= 1;
    if (!era()) return wake();
    watchTransport();
    clearTimer();
    told.clear();
    drop();
    missed ||= state !== 'idle' || era() === 'modern'; // connect() resolves before our stream is acknowledged
    [failures, restoring] = [0, true];
    enter('idle', 'connected');
    wake();
  }

  function watchTransport(): void {
    const transport = client.transport;
    const onclose = transport?.onclose;
    if (transport) transport.onclose = () => (onclose?.(), wake());
  }

  async function restoreLegacy(batch: Call[]): Promise<void> {
    const again = restoring ? [...uris] : [];
    restoring = false;
    enter(kinds.size + uris.size > 0 ? 'legacy' : 'idle', 'a 2025 server sends unasked');
    answer(batch, uris);
    const answers = await Promise.allSettled(again.map((uri) => client.subscribeResource({ uri })));
    if (era() !== 'legacy') return;
    decline(again.filter((_, index) => answers[index]?.status === 'rejected'));
    reopened();
  }

  function drop(): void {
    current = undefined;
    decided.clear();
  }

  function retire(subscription: McpSubscription): void {
    if (!client.transport?.hasPerRequestStream) return void end(subscription); // one pipe keeps the order
    lingering.add(subscription);
    void pause(options.lingerMs ?? 1000).then(() => end(subscription));
  }

  async function end(subscription: McpSubscription): Promise<void> {
    lingering.delete(subscription);
    await Promise.race([subscription.close(), pause(1000)]); // whether or not the server answers
  }

  async function closeStreams(): Promise<void> {
    const open = [...(current ? [current.subscription] : []), ...lingering];
    drop();
    await Promise.all(open.map(end));
  }

  async function shutDown(): Promise<void> {
    forget();
    client.connect = connect;
    options.signal?.removeEventListener('abort', close);
    clearTimer();
    calls.forEach((call) => call.answer(closedError()));
    enter('closed', 'close() was called');
    const legacy = era() === 'legacy' ? [...uris].map((uri) => client.unsubscribeResource({ uri })) : [];
    const streams = closeStreams();
    attempt?.abort();
    await Promise.race([Promise.allSettled([streams, ...legacy]), pause(1000)]);
    await new Promise((resolve) => setTimeout(resolve)); // what has been read already is dispatched before
  }

  function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  /** Waits for the pass that finds this call. */
  function ask(
    uri: string | undefined,
    { signal, timeout = TIMEOUT }: RequestOptions = {},
  ): Promise<EmptyResult> {
    return new Promise((resolve, reject) => {
      const abort = () => call.answer(asError(signal?.reason));
      const call: Call = {
        uri,
        timeout,
        answer(refusal) {
          if (calls.delete(call)) wake();
          signal?.removeEventListener('abort', abort);
          if (refusal && uri !== undefined) reject(refusal);
          else resolve({});
        },
      };
      calls.add(call);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      wake();
    });
  }

  function enter(next: ChangeStreamState, reason: string): void {
    if (state === next || state === 'closed') return;
    state = next;
    tell(options.onStateChange, next, reason);
  }

  function decline(names: string[], error?: Error): void {
    const news = names.filter((name) => !told.has(name));
    news.forEach((name) => told.add(name));
    if (news.length > 0) tell(options.onDeclined, news, error);
  }

  function reopened(): void {
    if (missed) tell(options.onReopened);
    missed = false;
  }

  function tell<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ): void {
    const called = Promise.resolve().then(() => callback?.(...args));
    called.catch((error: unknown) => client.onerror?.(asError(error))).catch(() => {});
  }

  watchTransport();
  options.signal?.addEventListener('abort', close);
  if (options.signal?.aborted) void close();
  return {
    close,
    async listen(wish, requestOptions) {
      if (closing) throw closedError();
      for (const kind of KINDS.filter((known) => wish[known] === false)) kinds.delete(kind);
      for (const kind of KINDS.filter((known) => wish[known] === true)) {
        kinds.add(kind);
        told.delete(kind);
        if (!honored().has(kind)) decided.delete(kind);
      }
      await ask(undefined, requestOptions);
    },
    async subscribe(uri, requestOptions) {
      if (closing) throw closedError();
      if (era() !== 'legacy') {
        if (!honored().has(uri)) decided.delete(uri);
        return ask(uri, requestOptions);
      }
      const before = uris.has(uri);
      uris.add(uri);
      wake();
      return client.subscribeResource({ uri }, requestOptions).catch((error: unknown) => {
        if (!before) uris.delete(uri);
        throw error;
      });
    },
    async unsubscribe(uri, requestOptions) {
      uris.delete(uri);
      for (const call of calls) if (call.uri === uri) call.answer();
      if (closing) return {};
      if (era() !== 'legacy') return ask(undefined, requestOptions);
      wake();
      return client.unsubscribeResource({ uri }, requestOptions);
    },
    get state() {
      return state;
    },
    get honored() {
      return filterOf(era() === 'legacy' ? [...uris, ...[...kinds].filter(offered)] : honored());
    },
  };
}

function namesOf(filter: SubscriptionFilter): Set<string> {
  return new Set([...KINDS.filter((kind) => filter[kind]), ...(filter.resourceSubscriptions ?? [])]);
}

function filterOf(names: Iterable<string>): SubscriptionFilter {
  const isKind = (name: string) => name in CAPABILITIES;
  const resourceSubscriptions = [...names].filter((name) => !isKind(name));
  const filter = Object.fromEntries([...names].filter(isKind).map((kind) => [kind, true]));
  return resourceSubscriptions.length > 0 ? { ...filter, resourceSubscriptions } : filter;
}

/** Worth another try: the network, a time-out, an overloaded or restarting server. All else stays refused. */
function isTransient(error: Error): boolean {
  if (error instanceof SdkHttpError)
    return error.status === 408 || error.status === 429 || error.status >= 500;
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout;
  return ![ProtocolError, UnauthorizedError, OAuthError, OAuthClientFlowError].some(
    (known) => error instanceof known,
  );
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

const within = (part: Set<string>, whole: Set<string>) => [...part].every((name) => whole.has(name));
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const closedError = () => new SdkError(SdkErrorCode.ConnectionClosed, 'The change stream is closed');
