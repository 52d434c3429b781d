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

const KINDS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
type Kind = (typeof KINDS)[number];
/** Kinds and URIs. */
type Names = Set<string>;

interface Call {
  uri: string | undefined; // that it wants; undefined when it waits for the server to have answered
  timeout: number;
  answer: (refusal?: Error) => void;
}

interface Open {
  subscription: McpSubscription;
  honored: Names;
  since: number;
}

/** The change stream of this client. Later calls get the same one; they may repeat the options but not differ. */
export function changeStream(client: Client, options: ChangeStreamOptions = {}): ChangeStream {
  const known = registry().get(client);
  if (known && differ(known.options, options))
    throw new TypeError('This client has a stream with other options');
  if (known) return known.stream;
  const stream = createStream(client, options, () => registry().delete(client));
  if (stream.state !== 'closed') registry().set(client, { options, stream });
  return stream;
}

function createStream(client: Client, options: ChangeStreamOptions, forget: () => void): ChangeStream {
  const { lingerMs = 1000 } = options;
  const { baseMs = 500, capMs = 30_000, limit = 8, minimumUptimeMs = 30_000 } = options.retry ?? {};
  const kinds = new Set<Kind>(); // wanted
  const uris = new Set<string>(); // wanted, and granted before
  const calls = new Set<Call>(); // waiting for an answer; meanwhile their URIs are wanted too
  const decided = new Set<string>(); // names that the server has granted or declined, so they are not asked for again
  const lingering = new Set<McpSubscription>(); // replaced, but not closed yet
  const withdrawn = new Map<string, number>(); // URIs until when a lingering stream may still send them
  let current: Open | undefined;
  let covered = new Set<string>(); // kinds that the client's `listChanged` option listens to
  let autoOpened: McpSubscription | undefined; // by that option
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let closing: Promise<void> | undefined;
  let attempt: AbortController | undefined; // to open a stream
  let state: ChangeStreamState = 'idle';
  let [failures, connecting, missed, restoring, dirty, running] = [0, 0, false, false, false, false];

  const era = () =>
    client.transport && connecting === 0 ? (client.getProtocolEra() ?? 'legacy') : undefined;
  const honored = () => current?.honored ?? new Set<string>();
  const satisfied = (names: Names) => within(names, decided) && within(honored(), names);

  function offered(kind: Kind): boolean {
    const capability = kind.replace('ListChanged', '') as 'tools' | 'prompts' | 'resources';
    return client.getServerCapabilities()?.[capability]?.listChanged === true;
  }

  /** Kinds of the `listChanged` option would arrive twice (T44); when its stream ends they are ours. */
  function wanted(): Names {
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
      const batch = [...calls];
      decline([...kinds].filter((kind) => era() && !offered(kind)));
      if (!era()) disconnected(batch);
      else if (era() === 'legacy') await restoreLegacy(batch);
      else await reconcile(batch);
    }
    running = false;
  }

  async function reconcile(batch: Call[]): Promise<void> {
    const names = wanted();
    if (names.size === 0) {
      await closeStreams();
      enter('idle', 'nothing to listen to');
    }
    if (satisfied(names)) {
      clearTimer();
      missed &&= !current && names.size > 0;
      answer(batch, honored());
    } else if (batch.length > 0 || retryTimer === undefined) await open(names, batch);
  }

  async function open(names: Names, batch: Call[]): Promise<void> {
    if (!current) enter('opening', 'asking the server');
    const timeout = Math.max(...batch.map((call) => call.timeout), batch.length > 0 ? 0 : TIMEOUT);
    attempt = new AbortController(); // one each: a signal warns of more than ten listeners
    await client.listen(filterOf(names), { signal: attempt.signal, timeout }).then(
      (subscription) => acknowledged(subscription, names, batch),
      (error: unknown) => refused(asError(error), names, batch),
    );
  }

  function acknowledged(subscription: McpSubscription, asked: Names, batch: Call[]): void {
    if (closing) return; // which has aborted it
    const granted = new Set([...namesOf(subscription.honoredFilter)].filter((name) => asked.has(name)));
    clearTimer();
    answer(batch, granted);
    granted.forEach((name) => decided.add(name));
    decline([...wanted()].filter((name) => asked.has(name) && !granted.has(name)));
    if (granted.size > 0) adopt({ subscription, honored: granted, since: current?.since ?? Date.now() });
    else void end(subscription); // an empty acknowledgment is a refusal (T22)
    if (!current) enter('idle', 'the server honours nothing of it');
  }

  function adopt(open: Open): void {
    if (current) retire(current.subscription);
    current = open;
    void open.subscription.closed.then((reason) => {
      if (current === open) ended(open, reason);
    });
    enter('open', 'acknowledged');
    reopened();
  }

  async function refused(error: Error, asked: Names, batch: Call[]): Promise<void> {
    if (closing) return;
    if (error instanceof ProtocolError && error.code === -32603 && (current || lingering.size > 0)) {
      missed = true; // no room for two: close, then open; the calls go on waiting
      await closeStreams();
      wake();
      return;
    }
    answer(batch, undefined, error);
    const names = wanted(); // without what has just been taken back
    const done = satisfied(names);
    if (!era() || names.size === 0 || (current && done)) wake();
    else if (isTransient(error) && !done) retryLater(error, error.message);
    else if (!within(asked, names) && !done)
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
    if (era()) retryLater(new SdkError(SdkErrorCode.ConnectionClosed, `The stream ended: ${reason}`), reason);
    else wake();
  }

  function retryLater(error: Error, reason: string): void {
    missed = true;
    if (!current) enter('retrying', reason);
    if (retryTimer !== undefined) return; // what a call tried in between uses up nothing
    failures += 1;
    const ceiling = Math.min(capMs, baseMs * 2 ** (failures - 1));
    if (failures > limit) giveUp(error);
    else retryTimer = setTimeout(retry, Math.random() * ceiling);
  }

  function retry(): void {
    clearTimer();
    wake();
  }

  function clearTimer(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
  }

  /** While a stream is open, only what was to be added to it is given up. */
  function giveUp(error: Error): void {
    if (current) decline([...wanted()], error);
    else {
      wanted().forEach((name) => decided.add(name));
      enter('lost', error.message);
      tell(() => options.onLost?.(error));
    }
  }

  function disconnected(batch: Call[]): void {
    answer(batch, undefined, new SdkError(SdkErrorCode.NotConnected, 'Not connected'));
    if (connecting > 0 || state === 'idle' || state === 'lost') return;
    clearTimer();
    drop();
    giveUp(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
  }

  // The SDK has no hook for being connected again.
  const hooked: { connect: Client['connect'] } = client;
  const { connect } = hooked;
  const observed: Client['connect'] = async (...args) => {
    let succeeded = false;
    connecting += 1;
    try {
      await connect.apply(client, args);
      succeeded = true;
    } finally {
      connecting -= 1;
      if (succeeded && era() && !closing) connected();
      wake();
    }
  };
  hooked.connect = observed;

  function connected(): void {
    watchTransport();
    clearTimer();
    drop();
    decided.clear();
    missed ||= state !== 'idle' || era() === 'modern'; // connect() resolves before our stream is acknowledged
    [failures, restoring] = [0, true];
    enter('idle', 'connected');
  }

  function watchTransport(): void {
    const { transport } = client;
    if (!transport) return;
    const { onclose, onmessage } = transport;
    transport.onclose = () => {
      onclose?.();
      wake();
    };
    transport.onmessage = (message, extra) => {
      if (!isWithdrawn(message)) onmessage?.(message, extra);
    };
  }

  /** A replaced stream lingers for the sake of what is still wanted: of the rest nothing is handed on. */
  function isWithdrawn(message: object): boolean {
    const { method, params } = message as { method?: string; params?: { uri?: string } };
    const until = method === 'notifications/resources/updated' ? withdrawn.get(params?.uri ?? '') : undefined;
    return until !== undefined && until > Date.now();
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
    honored().forEach((name) => decided.delete(name));
    current = undefined;
  }

  function retire(subscription: McpSubscription): void {
    lingering.add(subscription);
    if (client.transport?.hasPerRequestStream) void pause(lingerMs).then(() => end(subscription));
    else void end(subscription); // one pipe keeps the order, so nothing is lost
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
    if (hooked.connect === observed) hooked.connect = connect;
    options.signal?.removeEventListener('abort', onAbort);
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
      const late = new SdkError(SdkErrorCode.RequestTimeout, 'No acknowledgment in time', { timeout });
      const timer = setTimeout(() => call.answer(late), timeout);
      const call: Call = {
        uri,
        timeout,
        answer(refusal) {
          if (calls.delete(call)) wake();
          clearTimeout(timer);
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

  const onAbort = () => void close();
  watchTransport();
  options.signal?.addEventListener('abort', onAbort);
  if (options.signal?.aborted) onAbort();
  return {
    close,
    async listen(wish, requestOptions) {
      if (closing) throw closedError();
      for (const kind of KINDS) {
        if (wish[kind] === false) kinds.delete(kind);
        if (wish[kind] === true) kinds.add(kind);
        if (wish[kind] === true && !honored().has(kind)) decided.delete(kind);
      }
      await ask(undefined, requestOptions);
    },
    async subscribe(uri, requestOptions) {
      if (closing) throw closedError();
      withdrawn.delete(uri);
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
      if (era() !== 'legacy') {
        withdrawn.set(uri, Infinity);
        const answer = await ask(undefined, requestOptions);
        if (withdrawn.has(uri)) withdrawn.set(uri, Date.now() + lingerMs);
        return answer;
      }
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

function namesOf(filter: SubscriptionFilter): Names {
  return new Set([...KINDS.filter((kind) => filter[kind]), ...(filter.resourceSubscriptions ?? [])]);
}

function filterOf(names: Iterable<string>): SubscriptionFilter {
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

type Registry = WeakMap<Client, { options: ChangeStreamOptions; stream: ChangeStream }>;

/** One for all copies of this file. */
function registry(): Registry {
  const shared = globalThis as unknown as Record<symbol, Registry | undefined>;
  return (shared[Symbol.for('mcp-listen.change-streams')] ??= new WeakMap());
}

function differ(known: ChangeStreamOptions, given: ChangeStreamOptions): boolean {
  const flat = ({ retry, ...rest }: ChangeStreamOptions): [string, unknown][] =>
    Object.entries({ ...rest, ...retry });
  const before = new Map(flat(known));
  return flat(given).some(([name, value]) => value !== undefined && value !== before.get(name));
}

const TIMEOUT = 60_000; // as the SDK's own
const isKind = (name: string) => (KINDS as readonly string[]).includes(name);
const within = (part: Names, whole: Names) => [...part].every((name) => whole.has(name));
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
const closedError = () => new SdkError(SdkErrorCode.ConnectionClosed, 'The change stream is closed');
