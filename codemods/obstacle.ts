/** What keeps a group from being rewritten. */
import type { ts } from 'ts-morph';
import type { Outcome } from './codemod.js';

/** Why a group stays as it is: a sentence's end, to be read after "not migrated:". */
export interface Obstacle {
  readonly text: string;
  /** The same with the line, for the report. */
  readonly reason?: string;
  readonly at: ts.Node;
}

const LEFT = 'not migrated: ';

/** The marker's sentence for a group that stays as it is. */
export function leftBecause(obstacle: string): string {
  return LEFT + obstacle;
}

/** Whether a marker's sentence is about the whole of a group, rather than about the code that it stands above. */
export function isLeftBecause(text: string): boolean {
  return text.startsWith(LEFT);
}

/** What becomes of a site whose group an obstacle keeps back. */
export function markedFor({ text, reason }: Obstacle): Outcome {
  const marked = { kind: 'marked', text: leftBecause(text), blocks: true } as const;
  return reason === undefined ? marked : { ...marked, reason: leftBecause(reason) };
}
