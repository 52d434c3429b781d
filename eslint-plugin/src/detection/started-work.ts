/** Work that code starts and that goes on by itself: timers, watchers, listeners, connections. Known by import or as a global. */
import { memberCall, memberName, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { importOf, variableOf, type ImportedName } from './bindings.js';
import { maybeFunction } from './callers.js';
import { nodesOf } from './nodes.js';
import { classOf } from './origins.js';

export type WorkKind = 'timer' | 'watcher' | 'listener' | 'connection';

/** A call or `new` that starts something. */
export interface Work {
  readonly node: TSESTree.CallExpression | TSESTree.NewExpression;
  readonly kind: WorkKind;
}

type Row = readonly [module: RegExp, names: readonly string[], kind: WorkKind];

const CALLS: readonly Row[] = [
  [/^(?:node:)?timers(?:\/promises)?$/, ['setInterval'], 'timer'],
  [/^(?:node:)?fs(?:\/promises)?$/, ['watch', 'watchFile'], 'watcher'],
  [/^chokidar$/, ['watch'], 'watcher'],
  [/^(?:node:)?net$/, ['connect', 'createConnection'], 'connection'],
  [/^redis$/, ['createClient'], 'connection'],
  [/^mysql2?(?:\/promise)?$/, ['createConnection', 'createPool'], 'connection'],
  [/^(?:amqplib|mqtt|nats)$/, ['connect'], 'connection'],
  [/^postgres$/, ['default'], 'connection'],
];

const CLASSES: readonly Row[] = [
  [/^chokidar$/, ['FSWatcher'], 'watcher'],
  [/^ioredis$/, ['default', 'Redis'], 'connection'],
  [/^pg$/, ['Client', 'Pool'], 'connection'],
  [/^mongodb$/, ['MongoClient'], 'connection'],
  [/^ws$/, ['default', 'WebSocket'], 'connection'],
  [/^better-sqlite3$/, ['default'], 'connection'],
];

/** The work that a file starts, listeners left out: whether those are work depends on where their emitter lives. */
export function startedWork(sourceCode: SourceCode): Work[] {
  return [
    ...nodesOf(sourceCode)
      .of('CallExpression')
      .flatMap((node) => workOf(node, callKind(sourceCode, node))),
    ...nodesOf(sourceCode)
      .of('NewExpression')
      .flatMap((node) => workOf(node, classKind(sourceCode, node))),
  ];
}

function workOf(node: Work['node'], kind: WorkKind | undefined): Work[] {
  return kind === undefined ? [] : [{ node, kind }];
}

function callKind(sourceCode: SourceCode, call: TSESTree.CallExpression): WorkKind | undefined {
  if (globalName(sourceCode, call.callee) === 'setInterval') return 'timer';
  return kindIn(CALLS, importOf(sourceCode, call.callee));
}

function classKind(sourceCode: SourceCode, creation: TSESTree.NewExpression): WorkKind | undefined {
  const name = globalName(sourceCode, creation.callee);
  if (name === 'WebSocket' || name === 'EventSource') return 'connection';
  return kindIn(CLASSES, classOf(sourceCode, creation.callee));
}

function kindIn(rows: readonly Row[], imported: ImportedName | undefined): WorkKind | undefined {
  if (imported === undefined) return undefined;
  return rows.find(([module, names]) => module.test(imported.module) && names.includes(imported.name))?.[2];
}

/** The name of a global: `setInterval`, `globalThis.setInterval`. */
export function globalName(sourceCode: SourceCode, node: Node): string | undefined {
  const inner = peel(node);
  if (inner.type === 'MemberExpression')
    return globalName(sourceCode, inner.object) === 'globalThis' ? memberName(inner) : undefined;
  if (inner.type !== 'Identifier') return undefined;
  return (variableOf(sourceCode, inner)?.defs.length ?? 0) === 0 ? inner.name : undefined;
}

const LISTENING = new Set(['on', 'addListener', 'addEventListener', 'prependListener']);

/** The emitter of `emitter.on('event', listener)` and `store.subscribe(() => …)`; undefined for any other call. */
export function emitterOf(sourceCode: SourceCode, call: TSESTree.CallExpression): Node | undefined {
  const called = memberCall(call);
  if (called === undefined) return undefined;
  const [first, second, options] = call.arguments;
  if (first === undefined) return undefined;
  if (called.name === 'subscribe')
    return first.type === 'ArrowFunctionExpression' || first.type === 'FunctionExpression'
      ? called.receiver
      : undefined;
  // Options may hold a signal that ends it.
  if (!LISTENING.has(called.name) || second === undefined || options !== undefined) return undefined;
  return maybeFunction(sourceCode, second) && second.type !== 'MemberExpression'
    ? called.receiver
    : undefined;
}
