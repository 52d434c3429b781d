/** The SDK's servers in a file: instances, the factories that make them, and what serves those. */
import {
  SDK_SCOPE,
  SERVER_CLASSES,
  SERVER_MEMBER,
  SERVER_SYMBOLS,
  SERVER_TRANSPORTS,
  V1_PACKAGE,
} from '../../../src/protocol/index.js';
import {
  contains,
  enclosingFunctions,
  memberCall,
  memberName,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { constantOf, importOf, type ImportedName } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf, originOf, returnedBy, type Origin } from './origins.js';

/** What serves a server: see the design's words. */
export type Entry = 'http' | 'stdio' | 'hand-wired' | 'test';

/** A server of the SDK. */
export interface SdkServer {
  readonly origin: Origin;
  readonly generation: 'v1' | 'v2';
  readonly kind: 'McpServer' | 'Server';
  /** `new McpServer(…)`, where it is in sight. */
  readonly creation: TSESTree.NewExpression | undefined;
}

/** A call that serves a factory: `createMcpHandler(factory)` or `serveStdio(factory)`. */
export interface Serving {
  readonly call: TSESTree.CallExpression;
  readonly entry: 'http' | 'stdio';
  /** The factory, where it is in sight. */
  readonly factory: FunctionNode | undefined;
  /** The factory's name, where it is handed over by one. */
  readonly argument: Node | undefined;
}

/** The server that an expression stands for; `server.server` is the one below it. */
export function serverOf(sourceCode: SourceCode, expression: Node): SdkServer | undefined {
  const node = peel(expression);
  if (node.type === 'MemberExpression' && memberName(node) === SERVER_MEMBER.server) {
    const outer = serverOf(sourceCode, node.object);
    if (outer?.kind === 'McpServer') return { ...outer, kind: 'Server' };
  }
  const origin = originOf(sourceCode, node);
  const kind = origin === undefined ? undefined : serverKind(origin.imported);
  if (origin === undefined || kind === undefined) return undefined;
  return {
    origin,
    kind,
    generation: origin.imported.module.startsWith(V1_PACKAGE) ? 'v1' : 'v2',
    creation: origin.node.type === 'NewExpression' ? origin.node : undefined,
  };
}

/** The class of the SDK that an import is. */
export function serverKind({ module, name }: ImportedName): SdkServer['kind'] | undefined {
  return SERVER_CLASSES.find(
    (row) => row.name === name && (row.v2Module === module || row.v1Modules.includes(module)),
  )?.name;
}

/** A name of the SDK's server packages, such as `createMcpHandler`. Other packages export the same name (O1). */
export function sdkSymbolOf(sourceCode: SourceCode, callee: Node): string | undefined {
  const imported = importOf(sourceCode, callee);
  return imported?.module.startsWith(SDK_SCOPE) === true ? imported.name : undefined;
}

const servings = new WeakMap<SourceCode, readonly Serving[]>();

/** The calls of a file that serve a factory. */
export function servingsOf(sourceCode: SourceCode): readonly Serving[] {
  const known = servings.get(sourceCode);
  if (known !== undefined) return known;
  const found = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): Serving[] => {
      const name = sdkSymbolOf(sourceCode, call.callee);
      const entry = SERVER_SYMBOLS.find((row) => row.name === name && row.entry !== undefined)?.entry;
      if (entry === undefined) return [];
      const [argument] = call.arguments;
      return [
        {
          call,
          entry,
          argument,
          factory: argument === undefined ? undefined : functionOf(sourceCode, argument),
        },
      ];
    });
  servings.set(sourceCode, found);
  return found;
}

const served = new WeakMap<SourceCode, ReadonlyMap<FunctionNode, ReadonlySet<Entry>>>();

/**
 * The factories of a file with what serves them; a function that a factory returns the result of is one as well, and so
 * is one that a factory hands a server to.
 */
export function factoriesOf(sourceCode: SourceCode): ReadonlyMap<FunctionNode, ReadonlySet<Entry>> {
  const known = served.get(sourceCode);
  if (known !== undefined) return known;
  const found = new Map<FunctionNode, Set<Entry>>();
  const add = (factory: FunctionNode, entry: Entry): void => {
    const entries = found.get(factory) ?? new Set<Entry>();
    if (entries.has(entry)) return;
    entries.add(entry);
    found.set(factory, entries);
    for (const returned of returnedBy(sourceCode, factory)) {
      const builder = builderOf(sourceCode, returned);
      if (builder !== undefined) add(builder, entry);
    }
    for (const helper of helpersOf(sourceCode, factory)) add(helper, entry);
  };
  for (const { factory, entry } of servingsOf(sourceCode)) if (factory !== undefined) add(factory, entry);
  for (const { server, entry } of handWirings(sourceCode)) {
    const builder = server.creation === undefined ? builderOf(sourceCode, server.origin.node) : undefined;
    if (builder !== undefined) add(builder, entry);
  }
  served.set(sourceCode, found);
  return found;
}

/** The functions of the file that a function hands a server to: `registerTools(server)`. */
function helpersOf(sourceCode: SourceCode, factory: FunctionNode): FunctionNode[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => {
      if (!contains(factory, call) || call.callee.type !== 'Identifier') return [];
      const helper = functionOf(sourceCode, call.callee);
      return helper !== undefined && call.arguments.some((one) => serverOf(sourceCode, one) !== undefined)
        ? [helper]
        : [];
    });
}

/** The function of the file that an expression is the result of: `buildServer()`, or the name of such a result. */
function builderOf(sourceCode: SourceCode, expression: Node): FunctionNode | undefined {
  const node = peel(expression);
  if (node.type === 'CallExpression') return functionOf(sourceCode, node.callee);
  const value = node.type === 'Identifier' ? constantOf(sourceCode, node) : undefined;
  return value === undefined ? undefined : builderOf(sourceCode, value);
}

/** A server that is connected to a transport by hand. */
export interface HandWiring {
  readonly call: TSESTree.CallExpression;
  readonly server: SdkServer;
  readonly entry: 'hand-wired' | 'test';
  readonly transport: 'http' | 'sse' | 'stdio' | 'memory' | 'unknown';
}

const wirings = new WeakMap<SourceCode, readonly HandWiring[]>();

/** The calls of a file that wire a server by hand: such a server speaks the legacy era alone (T4). */
export function handWirings(sourceCode: SourceCode): readonly HandWiring[] {
  const known = wirings.get(sourceCode);
  if (known !== undefined) return known;
  const found = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): HandWiring[] => {
      const called = memberCall(call);
      if (called?.name !== SERVER_MEMBER.connect) return [];
      const server = serverOf(sourceCode, called.receiver);
      if (server === undefined) return [];
      const [argument] = call.arguments;
      const made = argument === undefined ? undefined : originOf(sourceCode, argument);
      const transport =
        SERVER_TRANSPORTS.find((row) => row.name === made?.imported.name)?.kind ??
        // const [near, far] = InMemoryTransport.createLinkedPair()
        (sourceCode.text.includes('createLinkedPair') ? 'memory' : 'unknown');
      return [{ call, server, transport, entry: transport === 'memory' ? 'test' : 'hand-wired' }];
    });
  wirings.set(sourceCode, found);
  return found;
}

/**
 * What serves the code at a node: the entries of the factories around it, and of the server that it concerns. Empty
 * where the file does not tell.
 */
export function entriesAt(sourceCode: SourceCode, node: Node, server?: SdkServer): ReadonlySet<Entry> {
  const factories = factoriesOf(sourceCode);
  const entries = new Set<Entry>();
  const around = [
    ...enclosingFunctions(node),
    ...(server === undefined ? [] : enclosingFunctions(server.origin.node)),
  ];
  for (const one of around) for (const entry of factories.get(one) ?? []) entries.add(entry);
  if (server !== undefined)
    for (const wiring of handWirings(sourceCode))
      if (wiring.server.origin.node === server.origin.node) entries.add(wiring.entry);
  return entries;
}

/** The factory around a node: the outermost function that an entry serves. */
export function factoryAround(sourceCode: SourceCode, node: Node): FunctionNode | undefined {
  const factories = factoriesOf(sourceCode);
  return enclosingFunctions(node).find((one) => factories.has(one));
}
