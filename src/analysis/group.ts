/** What is rewritten whole or not at all: all of a client, all of a server factory, one stream or message on the wire. */
import type { ts } from 'ts-morph';

/** What every group has. */
export interface Group {
  readonly kind: 'client' | 'server' | 'wire';
  /** The file of the first place that it is found by, and the name it has there: `src/connection.ts#client`. */
  readonly home: { readonly file: string; readonly name: string };
  /** The nodes that it was found by: no file that holds one of them may be out of bounds. */
  readonly nodes: readonly ts.Node[];
}

/** What the members of a group are called in sentences. */
export const GROUP_NOUN: Readonly<Record<Group['kind'], string>> = {
  client: 'client',
  server: 'server',
  wire: 'stream',
};

/** A group that is known by its nodes alone. */
export function plainGroup(kind: Group['kind'], home: Group['home'], nodes: readonly ts.Node[]): Group {
  return { kind, home, nodes };
}
