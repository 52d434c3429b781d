/** What a wire codemod finds in one module: ranges of its text, and what becomes of each under each target. */
import type { Edit } from '../../src/codegen/edit.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { Mechanism, ShapeId } from '../../src/protocol/index.js';
import type { Surroundings } from './surroundings.js';
import type { WireModule } from './wire-module.js';

/** What becomes of a site: as in the contract of all codemods, with places of the text instead of nodes. */
export type WireOutcome =
  | {
      readonly kind: 'rewritten';
      readonly edits: readonly Edit[];
      readonly reason: string;
      /** What is left to decide although the code was rewritten. */
      readonly marker?: string;
    }
  | {
      readonly kind: 'marked';
      /** What a person must decide: one sentence without its full stop. */
      readonly text: string;
      /** The same for the report, where that can say more. */
      readonly reason?: string;
      /** Whether what belongs to the same group has to stay as it is, too. */
      readonly blocks: boolean;
    }
  | { readonly kind: 'kept' | 'reported'; readonly reason: string };

/** One site. */
export interface WireSite {
  readonly start: number;
  readonly end: number;
  readonly shape: ShapeId;
  readonly confidence: 'certain' | 'likely' | 'review';
  /** What a marker is about, where that is not the site itself. */
  readonly anchor?: { readonly start: number; readonly end: number };
  /** Sites of one name in one module are rewritten together or not at all; absent for a site by itself. */
  readonly group?: string;
  outcome(target: Target): WireOutcome;
}

/** A wire codemod: it knows one module at a time. */
export interface WireCore {
  /** Its name on the command line and in `exports`: `wire/get-stream`. */
  readonly name: string;
  readonly removes: Mechanism;
  /** A module without any of these, in any case, is not parsed for its sake. */
  readonly tokens: readonly string[];
  /** Nor is one without any of these, where they are given: what the tokens are about is something of theirs. */
  readonly beside?: readonly string[];
  findIn(module: WireModule, surroundings: Surroundings): readonly WireSite[];
}

/** Whether a text holds one of a codemod's tokens, and of those beside them; header names have no case. */
export function mayConcern(text: string, { tokens, beside }: WireCore): boolean {
  return anyOf(tokens).test(text) && (beside === undefined || anyOf(beside).test(text));
}

const patterns = new WeakMap<readonly string[], RegExp>();

/** One pass over the text for all of them. */
function anyOf(tokens: readonly string[]): RegExp {
  const known = patterns.get(tokens);
  if (known !== undefined) return known;
  const escaped = tokens.map((token) => token.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(escaped.join('|'), 'i');
  patterns.set(tokens, pattern);
  return pattern;
}
