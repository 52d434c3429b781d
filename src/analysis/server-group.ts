/** What the analysis knows of one server: everything that can hold its instances, and everything done with them. */
import type { ts } from 'ts-morph';
import type { MemberUse, TakenMember } from './flow.js';
import type { Group } from './group.js';

/** `new McpServer(...)`, `new Server(...)`, or a subclass of one. */
export interface ServerCreation {
  readonly node: ts.NewExpression;
  /** The innermost function around it: the factory, if it returns the server; undefined at the top of a module. */
  readonly within: ts.SignatureDeclaration | undefined;
}

/** What serves a server factory (T4, T6, T7). */
export type EntryKind = 'http' | 'stdio' | 'hand-wired' | 'test' | 'unknown';

/** Where a server, or a factory of it, is served. */
export interface ServerEntry {
  readonly kind: EntryKind;
  /** `createMcpHandler(factory)`, `serveStdio(factory)`, `server.connect(transport)`. */
  readonly call: ts.CallExpression;
  /** The transport of a hand-wired server, as far as its type is known. */
  readonly transport: 'http' | 'sse' | 'stdio' | 'memory' | undefined;
  /** The functions that are handed over; none for a hand-wired server. */
  readonly factories: readonly ts.SignatureDeclaration[];
}

/** All of one server factory. */
export interface ServerGroup extends Group {
  readonly kind: 'server';
  readonly creations: readonly ServerCreation[];
  readonly entries: readonly ServerEntry[];
  /** Members taken from the server, or from its `server`, anywhere: `registerTool`, `sendResourceUpdated`. */
  readonly members: readonly MemberUse[];
  /** Members taken in another way than by an access that names them: `server[name]()`. */
  readonly taken: readonly TakenMember[];
  /** Places that can hold an instance; the functions that return one among them. */
  readonly cells: readonly ts.Node[];
  /** Where the server goes out of sight. */
  readonly escapes: readonly ts.Node[];
  /** Places whose server comes from out of sight. */
  readonly origins: readonly ts.Node[];
  /** False when no declaration in sight says that it is an SDK server. */
  readonly certain: boolean;
}
