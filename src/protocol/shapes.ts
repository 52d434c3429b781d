// Every code shape that a site can have: what it looks like, which 2025 mechanism it uses, which rule reports it.
//
// Letters are sections of the catalogue (A to C and M: clients; F to L and N: servers; R: raw JSON-RPC). Section O, names
// that merely look alike, has no rows: the tool is silent about them.
import type { RuleName } from './rules.js';

/** What of 2025 a site uses. The last two are additions of ours to the catalogue's nine. */
export type Mechanism =
  | 'resource-subscribe'
  | 'list-changed'
  | 'get-stream'
  | 'resumption'
  | 'publish'
  | 'subscribe-handler'
  | 'hosting'
  | 'wire-message'
  | 'method-table'
  // The opt-in itself: a client that is not told to speak the modern era.
  | 'era'
  // A call that has no modern counterpart and therefore keeps its client in the legacy era.
  | 'legacy-call';

export const MECHANISMS = [
  'resource-subscribe',
  'list-changed',
  'get-stream',
  'resumption',
  'publish',
  'subscribe-handler',
  'hosting',
  'wire-message',
  'method-table',
  'era',
  'legacy-call',
] as const satisfies readonly Mechanism[];

export interface ShapeRow<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly mechanism: Mechanism;
  /** Whose codemods find it: D2, D3, E2 and R are found by their bytes on the wire. */
  readonly side: 'client' | 'server' | 'wire';
  /** The rule that reports it; undefined where nothing is to be reported, or only a person can tell. */
  readonly rule: RuleName | undefined;
}

type Side = ShapeRow['side'];

function row<const Id extends string>(
  id: Id,
  mechanism: Mechanism,
  side: Side,
  rule: RuleName | undefined,
  title: string,
): ShapeRow<Id> {
  return { id, title, mechanism, side, rule };
}

export const SHAPES = [
  // A. Client: subscribeResource and unsubscribeResource
  row(
    'A1',
    'resource-subscribe',
    'client',
    'no-resource-subscribe',
    'subscribe and unsubscribe in one function',
  ),
  row('A2', 'resource-subscribe', 'client', 'no-resource-subscribe', 'unsubscribe in another function'),
  row('A3', 'resource-subscribe', 'client', 'no-resource-subscribe', 'one method with a boolean'),
  row('A4', 'resource-subscribe', 'client', 'no-resource-subscribe', 'effect with cleanup'),
  row('A5', 'resource-subscribe', 'client', 'no-resource-subscribe', 'guarded by a capability'),
  row('A6', 'resource-subscribe', 'client', 'no-resource-subscribe', 'errors swallowed'),
  row('A7', 'resource-subscribe', 'client', 'no-resource-subscribe', 'subscribe on first use, never undone'),
  row('A8', 'resource-subscribe', 'client', 'no-resource-subscribe', 'fire and forget'),
  row('A9', 'resource-subscribe', 'client', undefined, 'pass-through wrapper or decorating client'),

  // B. Client: raw resources/subscribe request
  row('B1', 'resource-subscribe', 'client', 'no-resource-subscribe', "request through the SDK's request()"),
  row('B2', 'resource-subscribe', 'client', 'no-resource-subscribe', 'request through an app-level sender'),
  row('B3', 'resource-subscribe', 'client', 'no-resource-subscribe', 'request through an own RPC helper'),
  row('B4', 'resource-subscribe', 'client', undefined, 'method name as CLI verb or route'),

  // C. Client: notification handlers
  row('C1', 'list-changed', 'client', 'require-listen', 'one schema, one handler'),
  row('C2', 'list-changed', 'client', 'require-listen', 'array or object of schemas, iterated'),
  row('C3', 'list-changed', 'client', 'require-listen', 'fallback handler that switches on the method'),
  row('C4', 'list-changed', 'client', 'require-listen', 'method strings, still no listen'),
  row('C5', 'list-changed', 'client', 'require-listen', 'hidden receiver or hidden schema'),
  row('C6', 'list-changed', 'client', undefined, 'handler removed or replaced by a no-op'),
  row('C7', 'list-changed', 'client', 'watch-subscription-end', 'listChanged option of the client'),
  row('C8', 'list-changed', 'client', 'require-listen', 'handler registered under a condition'),
  row('C9', 'list-changed', 'client', 'require-listen', 'resource-updated handler without any URI'),
  row('C10', 'list-changed', 'client', 'require-listen', 'handler registered in a constructor'),
  row('C11', 'list-changed', 'client', 'require-listen', 'handler that feeds a bus or a debounce'),

  // D. Client: the GET stream
  row('D1', 'get-stream', 'client', undefined, 'implicit GET of the SDK transport'),
  row('D2', 'get-stream', 'wire', 'no-get-stream', 'hand-written GET with an event-stream parser'),
  row('D3', 'get-stream', 'wire', undefined, 'EventSource or the HTTP+SSE transport'),

  // E. Client: resumption
  row('E1', 'resumption', 'client', 'no-last-event-id', 'resumption tokens in request options'),
  row('E2', 'resumption', 'wire', 'no-last-event-id', 'resumption tokens in transport.send'),
  row('E3', 'resumption', 'client', undefined, 'copied option types'),
  row('E4', 'resumption', 'client', undefined, 'resumeStream of a chat library, a decoy'),

  // F. Server: subscribe and unsubscribe handlers
  row('F1', 'subscribe-handler', 'server', 'no-subscriber-gate', 'set of URIs that gates the emitter'),
  row(
    'F2',
    'subscribe-handler',
    'server',
    'no-subscriber-gate',
    'map of URIs and sessions that gates the emitter',
  ),
  row('F3', 'subscribe-handler', 'server', undefined, 'timer that walks the registry'),
  row('F4', 'subscribe-handler', 'server', 'no-lost-subscribe-check', 'handler with side effects or checks'),
  row('F5', 'subscribe-handler', 'server', undefined, 'handlers registered from a table or factory'),
  row('F6', 'subscribe-handler', 'server', undefined, 'handler registered by method string'),
  row('F7', 'subscribe-handler', 'server', undefined, 'handler registered with an inline schema'),
  row('F8', 'subscribe-handler', 'server', undefined, 'registry shared by all sessions by accident'),
  row('F9', 'subscribe-handler', 'server', 'no-silent-advertising', 'capability without a handler'),

  // G. Server: resource-updated emitters
  row('G1', 'publish', 'server', 'no-instance-push', 'sendResourceUpdated'),
  row('G2', 'publish', 'server', 'no-instance-push', 'raw resource-updated notification'),
  row('G3', 'publish', 'server', 'no-instance-push', 'own interface of the same name'),
  row('G4', 'publish', 'server', 'no-instance-push', 'fan-out over sessions'),
  row('G5', 'publish', 'server', 'no-instance-push', 'emitter injected as a callback'),
  row('G6', 'publish', 'server', 'no-work-in-factory', 'event emitter bridge with a disposer'),
  row('G7', 'publish', 'server', 'no-subscriber-gate', 'emitter gated by a registry'),
  row('G8', 'publish', 'server', 'no-instance-push', 'ungated broadcast'),
  row('G9', 'publish', 'server', 'no-instance-push', 'emitter gated by isConnected()'),
  row('G10', 'publish', 'server', 'no-instance-push', 'polling loop that emits differences'),
  row('G11', 'publish', 'server', 'listen-in-method-tables', 'outbound switch on the method name'),

  // H. Server: list-changed emitters
  row('H1', 'publish', 'server', 'no-instance-push', 'send…ListChanged'),
  row('H2', 'publish', 'server', undefined, 'computed method name'),
  row('H3', 'publish', 'server', 'no-instance-push', 'list change to all sessions'),
  row('H4', 'publish', 'server', 'no-instance-push', 'raw notification helper'),
  row('H5', 'publish', 'server', 'no-instance-push', 'array of methods, iterated'),
  row('H6', 'publish', 'server', 'no-instance-push', 'subclass that emits on itself'),
  row('H7', 'publish', 'server', 'no-instance-push', 'notifier object handed to handlers'),
  row('H8', 'publish', 'server', 'no-instance-push', 'emit implied by registering or enabling'),
  row('H9', 'publish', 'server', undefined, 'method name from a template literal'),
  row('H10', 'publish', 'server', 'no-change-on-request-stream', "list change on a request's own stream"),
  row('H11', 'publish', 'server', undefined, 'method name as a property of an RPC client'),

  // I. Server: HTTP hosting
  row('I1', 'hosting', 'server', 'get-answers-405', 'session map with POST, GET and DELETE'),
  row('I2', 'hosting', 'server', 'get-answers-405', 'one handler for GET and DELETE'),
  row('I3', 'hosting', 'server', 'get-answers-405', 'path or header that is no literal'),
  row('I4', 'hosting', 'server', undefined, 'routes as decorators'),
  row('I5', 'hosting', 'server', 'get-answers-405', 'Next.js route exports'),
  row('I6', 'hosting', 'server', undefined, 'declarative verb table'),
  row('I7', 'hosting', 'server', 'get-answers-405', 'fetch-style host'),
  row('I8', 'hosting', 'server', undefined, 'one route for all verbs'),
  row('I9', 'hosting', 'server', undefined, 'GET answered with 405 on purpose'),
  row('I10', 'hosting', 'server', 'shared-event-bus', 'relay between nodes'),
  row('I11', 'hosting', 'server', undefined, 'custom notifications over the GET stream'),
  row('I12', 'hosting', 'server', undefined, 'same path, other protocol'),

  // J. Server: event store and replay
  row('J1', 'resumption', 'server', 'no-last-event-id', 'event store in memory'),
  row('J2', 'resumption', 'server', 'no-last-event-id', 'persistent event store'),
  row('J3', 'resumption', 'server', 'no-last-event-id', 'event store as an own option'),
  row('J4', 'resumption', 'server', 'no-last-event-id', 'event store from a factory'),
  row('J5', 'resumption', 'server', 'no-last-event-id', 'event store by structure, not by name'),
  row('J6', 'resumption', 'server', 'no-last-event-id', 'replay in an own transport'),
  row('J7', 'resumption', 'server', undefined, 'closing the event stream to force polling'),

  // K. Proxies and gateways
  row(
    'K1',
    'subscribe-handler',
    'server',
    'no-resource-subscribe',
    'subscribe forwarded to an upstream client',
  ),
  row('K2', 'publish', 'server', 'require-listen', 'notifications forwarded from an upstream client'),
  row('K3', 'hosting', 'server', undefined, 'pipe between two transports'),
  row('K4', 'subscribe-handler', 'server', undefined, 'bridge to another backend'),

  // L, M, N. Tables, tests, capabilities
  row('L', 'method-table', 'server', 'listen-in-method-tables', 'method names as data'),
  row('M', 'resource-subscribe', 'client', undefined, 'types, tests and mocks of the legacy methods'),
  row('N', 'publish', 'server', 'publish-needs-capability', 'capability missing or in the wrong place'),

  // R. Raw JSON-RPC
  row('R1', 'wire-message', 'wire', 'no-resource-subscribe', 'raw subscribe message'),
  row('R2', 'wire-message', 'wire', 'no-resource-subscribe', 'subscribe message without its envelope'),
  row('R3', 'wire-message', 'wire', 'listen-in-method-tables', 'dispatch on the subscribe method'),
  row('R4', 'method-table', 'wire', undefined, 'constant that holds the subscribe method'),
  row('R5', 'method-table', 'wire', 'listen-in-method-tables', 'table keyed by the subscribe method'),
  row('R6', 'wire-message', 'wire', undefined, 'protocol definition of the subscribe method'),
  row('R7', 'wire-message', 'wire', 'tag-subscription-id', 'raw change notification'),
  row('R8', 'wire-message', 'wire', undefined, 'change notification from a template literal'),
  row('R9', 'get-stream', 'wire', 'no-get-stream', 'client that fetches the GET stream'),
  row('R10', 'get-stream', 'wire', 'get-answers-405', 'server branch that serves the GET stream'),
  row('R11', 'resumption', 'wire', 'no-last-event-id', 'constants for session and replay headers'),
  row('R12', 'wire-message', 'wire', undefined, 'code or JSON inside strings'),

  // Ours: the plainest hosting, what raw clients do beside the catalogue, and the two mechanisms that we added
  row('GET', 'hosting', 'server', 'get-answers-405', 'GET or DELETE beside a modern handler'),
  row('STDIO', 'hosting', 'server', undefined, 'server wired to stdio by hand'),
  row('REPLAY', 'resumption', 'wire', 'no-last-event-id', 'Last-Event-ID header that a client sends'),
  row('LISTEN', 'wire-message', 'wire', 'wait-for-ack', 'raw listen request'),
  row('CLOSING', 'wire-message', 'wire', 'close-by-transport', 'end of a stream or a raw listen'),
  row('ERA', 'era', 'client', 'require-modern-era', 'client that never opts in to the modern era'),
  row('LEGACY_CALL', 'legacy-call', 'client', 'no-era-confusion', 'call that exists in the legacy era alone'),
] as const;

export type ShapeId = (typeof SHAPES)[number]['id'];

const BY_ID: ReadonlyMap<string, ShapeRow<ShapeId>> = new Map(SHAPES.map((each) => [each.id, each]));

export function shape(id: ShapeId): ShapeRow<ShapeId> {
  const found = BY_ID.get(id);
  if (found === undefined) throw new Error(`no such shape: ${id}`);
  return found;
}

/** For ids that come from text, such as a marker that a person has edited. */
export function isShapeId(text: string): text is ShapeId {
  return BY_ID.has(text);
}
