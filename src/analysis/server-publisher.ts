/** What a server publishes: the places at which it tells clients of a change. */
import type { ts } from 'ts-morph';
import type { Notification } from '../protocol/index.js';

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
   */
  readonly form: 'method' | 'notification' | 'request-stream' | 'implied' | 'computed';
  /** The notifications it may send; undefined where they cannot be read. */
  readonly notifications: readonly Notification[] | undefined;
  /** The URI of an updated resource; undefined for list changes, and where it cannot be read. */
  readonly uri: ts.Expression | undefined;
  /** Parameters besides the URI, which `notify.resourceUpdated(uri)` has no place for. */
  readonly extraParameters: boolean;
  /** The loop, or the call of `forEach`, over servers or sessions around it: it emits once per session. */
  readonly fanOut: ts.Node | undefined;
  /** Conditions around it on a registry that subscribe handlers fill, innermost first. */
  readonly gates: readonly Gate[];
  /** Whether nobody waits for its promise nor catches it. */
  readonly isFloating: boolean;
  /** The factory function that it runs in as this is called (a tool handler is in none: it runs later). */
  readonly duringFactory: boolean;
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
