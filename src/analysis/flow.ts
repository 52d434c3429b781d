/** What the two directions of following a value share: where it comes from, and where it goes. */
import type { ts } from 'ts-morph';
import type { Cell, Cells } from './cells.js';
import type { ClosedWorld } from './closed-world.js';
import type { References } from './references.js';
import type { Subject } from './subject.js';

/** A member taken from a value of a group: `client.ping`, called or not. */
export interface MemberUse {
  readonly access: ts.PropertyAccessExpression | ts.ElementAccessExpression;
  readonly member: string;
}

/**
 * A member taken without an access that names it: out of a pattern (`const { ping } = client`), or by a key that is
 * computed (`client[name]`).
 */
export interface TakenMember {
  readonly node: ts.ElementAccessExpression | ts.BindingElement | ts.ObjectLiteralElementLike;
  /** Its name, or the expression that computes it. */
  readonly key: string | ts.Expression;
}

/** A call that takes a client and is no escape (the managed stream's factory). */
export type KnownConsumer = (call: ts.CallExpression) => boolean;

/** What the two directions of following a value share. */
export interface Flow {
  readonly world: ClosedWorld;
  /** Whose instances are followed. */
  readonly subject: Subject;
  readonly cells: Cells;
  readonly references: References;
  readonly isConsumer: KnownConsumer;
  /** Says that a value can pass between two cells. */
  unite(one: Cell, other: Cell): void;
  uniteAll(cell: Cell, others: readonly Cell[]): void;
  /** Notes a member that is taken from the cell's value. */
  member(cell: Cell, use: MemberUse): void;
  /** Notes a member that is taken in another way than by an access that names it. */
  taken(cell: Cell, member: TakenMember): void;
  /** Notes that the value leaves by a node. */
  escape(cell: Cell, node: ts.Node): void;
  /** Notes that the value comes from out of sight. */
  origin(cell: Cell): void;
}
