/** What the analysis knows of one client: everything that can hold it, and everything that is done with it. */
import type { ts } from 'ts-morph';
import type { Era, LegacyOnlyCall } from '../protocol/index.js';
import type { EraOption } from './era.js';
import type { Group } from './group.js';

/** `new Client(...)`. */
export interface Creation {
  readonly node: ts.NewExpression;
  /** The call that hands the options to the SDK: the creation itself, or `super(...)` of a subclass. */
  readonly optionsCall: ts.NewExpression | ts.CallExpression | undefined;
  readonly era: EraOption;
  /** The second argument of that call as written. */
  readonly options: ts.Expression | undefined;
  /** Kinds that the `listChanged` option already listens to: `tools`, `prompts`, `resources`. */
  readonly listChangedOption: readonly string[];
  /** The option itself. */
  readonly listChangedNode: ts.Node | undefined;
}

/** `setVersionNegotiation(...)`: the era set after construction. */
export interface Negotiation {
  readonly node: ts.CallExpression;
  readonly era: EraOption;
}

/** What a client can be connected over. */
export type TransportKind = 'http' | 'sse' | 'stdio' | 'websocket' | 'memory';

/** Where a client is connected. */
export interface ConnectSite {
  readonly call: ts.CallExpression;
  readonly receiver: ts.Expression;
  /** What kind of transport it is given; undefined when out of sight. */
  readonly transport: TransportKind | undefined;
  /** Whether HTTP+SSE is one of several that it may be given. */
  readonly mayBeSse: boolean;
}

/** Where a subscription's method or the message with it is named. */
export type SubscriptionNode =
  ts.CallExpression | ts.PropertyAccessExpression | ts.ElementAccessExpression | TakenNode;

/** Where a member is taken out of a client by a pattern. */
export type TakenNode = ts.BindingElement | ts.ObjectLiteralElementLike;

/** A subscribe or unsubscribe, in whichever form. */
export interface SubscriptionCall {
  readonly action: 'subscribe' | 'unsubscribe';
  /** `method`: `client.subscribeResource(...)`. `request`: `client.request({ method: 'resources/subscribe' })`. `reference`: the method taken without calling it. `computed`: one of several methods, chosen when the code runs. */
  readonly form: 'method' | 'request' | 'reference' | 'computed';
  /** The call; for a reference the access itself. */
  readonly node: SubscriptionNode;
  /** The client; undefined where a pattern takes it apart. */
  readonly receiver: ts.Expression | undefined;
  /** Whether the receiver or the call is optional (`client?.subscribeResource`). */
  readonly optional: boolean;
  /** The era that the surrounding code has checked for. */
  readonly era: Era | undefined;
  /** False when the receiver is typed as something narrower than the SDK's class. */
  readonly typedAsClient: boolean;
}

/** `if (client.subscribeResource)`: the method's mere presence, which says nothing any more. */
export interface MethodGuard {
  /** What is replaced: the access, or the whole of `typeof client.subscribeResource === 'function'`. */
  readonly node: ts.Expression;
  readonly receiver: ts.Expression;
  /** Whether it asks for the method's absence. */
  readonly isNegated: boolean;
  /** Whether its value is used as a boolean, and not only its truth. */
  readonly isValue: boolean;
}

/** A stand-in for a method in a test: `{ subscribeResource: vi.fn() }`, an assignment, a spy. */
export interface MockMember {
  readonly node: ts.Node;
}

/** Resumption tokens in the options of a request. */
export interface ResumptionSite {
  /** The properties, one behind the other. */
  readonly properties: readonly [ts.ObjectLiteralElementLike, ...ts.ObjectLiteralElementLike[]];
  /** Whether the options are written out in the call itself. */
  readonly isInline: boolean;
  readonly receiver: ts.Expression;
  readonly era: Era | undefined;
}

/** A call or property that only works on the legacy era and for which nothing takes its place. */
export interface LegacyUse {
  readonly node: ts.Node;
  /** What stands in the way, as people write it: `ping()`, `transport.sessionId`. */
  readonly label: string;
  readonly row: LegacyOnlyCall | undefined;
  readonly era: Era | undefined;
}

/** A use of which the source does not say what it does on the client; it may be a call that works on the legacy era alone. */
export interface UnreadableUse {
  readonly node: ts.Node;
  /** The code, on one line. */
  readonly label: string;
  /** `name`: what it calls is computed. `taken`: a method is taken, and its calls cannot be followed. */
  readonly kind: 'name' | 'taken';
  readonly era: Era | undefined;
}

/** A handler registration. */
export interface HandlerSite {
  readonly node:
    ts.CallExpression | ts.BinaryExpression | ts.PropertyAccessExpression | ts.ElementAccessExpression;
  readonly receiver: ts.Expression;
  /** The notification methods it handles; undefined when they cannot be read from the source. */
  readonly notifications: readonly string[] | undefined;
  readonly kind: 'handler' | 'fallback' | 'removal';
}

/** Something that already listens: `client.listen(...)` or the managed stream. */
export interface ListenSite {
  readonly node: ts.CallExpression;
  readonly through: 'listen' | 'stream';
  /** Whether it may ask for list changes, and not for updates of resources alone. */
  readonly asksForLists: boolean;
}

/** All of one client. */
export interface ClientGroup extends Group {
  readonly kind: 'client';
  readonly creations: readonly Creation[];
  readonly negotiations: readonly Negotiation[];
  readonly connects: readonly ConnectSite[];
  readonly subscriptions: readonly SubscriptionCall[];
  readonly guards: readonly MethodGuard[];
  readonly mocks: readonly MockMember[];
  readonly resumptions: readonly ResumptionSite[];
  readonly legacyUses: readonly LegacyUse[];
  readonly unreadable: readonly UnreadableUse[];
  readonly handlers: readonly HandlerSite[];
  readonly listens: readonly ListenSite[];
  /** Whether the code reads what became of the stream that the `listChanged` option opens. */
  readonly watchesAutoOpened: boolean;
  /** Where the client goes out of sight. */
  readonly escapes: readonly ts.Node[];
  /** Places whose client comes from out of sight. */
  readonly origins: readonly ts.Node[];
  /** False when no declaration in sight says that it is an SDK client. */
  readonly certain: boolean;
}
