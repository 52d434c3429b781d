/** What a server publishes: the places at which it tells clients of a change. */
import type { ts } from 'ts-morph';
import type { Notification } from '../protocol/index.js';
import type { Loop } from './publisher-loops.js';
import type { Reach } from './publisher-reach.js';

/** One place that emits a change. */
export interface Publisher {
  /** The call that emits; for an implied one the mutation: `registerTool(...)` after the start, `tool.disable()`. */
  readonly node: ts.CallExpression;
  /**
   * - `method`: `server.sendToolListChanged()`.
   * - `notification`: `server.notification({ method })`.
   * - `request-stream`: on the stream of the request that is handled (`ctx.mcpReq.notify`, `extra.sendNotification`).
   * - `implied`: the SDK emits by itself.
   * - `computed`: which method it calls is not written at the call.
   * - `forwarded`: `session.announce(uri)`, a function of the code's own that emits what this call decides.
   */
  readonly form: 'method' | 'notification' | 'request-stream' | 'implied' | 'computed' | 'forwarded';
  /** The notifications it may send; undefined where they cannot be read. */
  readonly notifications: readonly Notification[] | undefined;
  /** The server, context or function that emits, as written. */
  readonly receiver: ts.Expression;
  /** The message of a raw notification, as written. */
  readonly message: ts.Expression | undefined;
  /** The URI of an updated resource; undefined for list changes, and where it cannot be read. */
  readonly uri: ts.Expression | undefined;
  /** An expression that holds the URI and is handed on whole: `params`. */
  readonly uriHolder: ts.Expression | undefined;
  /** Parameters besides the URI, which `notify.resourceUpdated(uri)` has no place for. */
  readonly extraParameters: boolean;
  /** The loop, or the call of `forEach`, over servers or sessions around it: it emits once per session. */
  readonly fanOut: Loop | undefined;
  /** The loop over the notifications themselves, each of which it emits. */
  readonly iterated: Loop | undefined;
  /** Conditions around it on a registry that subscribe handlers fill, innermost first. */
  readonly gates: readonly Gate[];
  /** Whether nobody waits for its promise nor catches it; never where the method returns none. */
  readonly isFloating: boolean;
  /** When it runs. */
  readonly reach: Reach;
  /** The factory function that it runs in as this is called (a tool handler is in none: it runs later). */
  readonly duringFactory: boolean;
  /** For an emit that calls of the function around it decide about: those calls, publishers of their own. */
  readonly publishedAt: readonly ts.CallExpression[];
}

/** A condition on a registry that subscribe handlers fill. */
export interface Gate {
  /** The condition: `subscribed.has(uri)`. */
  readonly condition: ts.Expression;
  /** The statement or expression that it decides about: an `if`, a `&&`, a loop over the registry. */
  readonly node: ts.Node;
  /** `condition`: runs the emit if it is true. `exit`: leaves before the emit if it is false. `loop`: emits for each entry. */
  readonly kind: 'condition' | 'exit' | 'loop';
  /** The declaration of the registry. */
  readonly registry: ts.Node;
}
