/** What the finders for servers say: a place, and what becomes of it under each target. */
import type { Confidence } from '../../src/analysis/site.js';
import type { Edit } from '../../src/codegen/edit.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { ShapeId } from '../../src/protocol/index.js';
import { briefText } from './server-recipe.js';
import type { Mention } from './change-mentions.js';
import type { Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** What becomes of a place. */
export type ServerOutcome =
  | { readonly kind: 'rewritten'; readonly edits: readonly Edit[]; readonly reason: string }
  | { readonly kind: 'marked'; readonly text: string; readonly reason?: string }
  | { readonly kind: 'kept' | 'reported'; readonly reason: string };

/** One place of a server's own wire code. */
export interface ServerFinding {
  readonly shape: ShapeId;
  readonly node: Node;
  /** Above which statement a marker goes; the place itself where absent. */
  readonly anchor?: Node | undefined;
  readonly confidence: Confidence;
  readonly outcome: (target: Target) => ServerOutcome;
  /** The same where the module has said before how a listen is answered. */
  readonly brief?: (target: Target) => ServerOutcome;
}

/** The same under both targets. */
export function always(outcome: ServerOutcome): ServerFinding['outcome'] {
  return () => outcome;
}

/** The line of a position, counted from 1. */
export function lineOf({ text }: WireModule, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** A marker without what a marker above it has said. */
export function briefly(outcome: ServerOutcome, target: Target): ServerOutcome {
  return outcome.kind === 'marked' ? { kind: 'marked', text: briefText(target) } : outcome;
}

/** An outcome whose report says more: lines, which would be wrong in the code as soon as a marker is in it. */
export function saying(outcome: ServerOutcome, more: string): ServerOutcome {
  return { ...outcome, reason: `${outcome.kind === 'marked' ? outcome.text : outcome.reason}${more}` };
}

/** `; resources/unsubscribe (line 12) with it`: the mentions that a report speaks for besides its own. */
export function withOthers(module: WireModule, mentions: readonly Mention[], first: Mention): string {
  const lines = new Map<string, Set<number>>();
  for (const { method, literal } of mentions.filter((mention) => mention !== first))
    lines.set(method, (lines.get(method) ?? new Set()).add(lineOf(module, literal.start)));
  const others = [...lines].map(([method, at]) => `${method} (${linesText(at)})`);
  return others.length === 0 ? '' : `; ${others.join(', ')} with it`;
}

/** `line 3`, `lines 3, 5` */
export function linesText(lines: Iterable<number>): string {
  const all = [...new Set(lines)].sort((one, other) => one - other);
  return `line${all.length > 1 ? 's' : ''} ${all.join(', ')}`;
}
