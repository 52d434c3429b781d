/** What a server factory starts as it runs, and whether something stops it again. */
import { MARKER_TAG } from '../../../src/codegen/marker.js';
import {
  dressedWithAwait,
  enclosingFunctions,
  enclosingStatement,
  isFunction,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { factoriesRunning, isDeclaredOutside } from './callers.js';
import { find, nodesOf } from './nodes.js';
import { factoriesOf } from './servers.js';
import { emitterOf, globalName, startedWork, type Work } from './started-work.js';

/** Work that a factory starts each time it runs. */
export interface FactoryWork extends Work {
  readonly factory: FunctionNode;
  /** `http`: for each request; `stdio`: for each connection, and for the instance of a probe. */
  readonly entry: 'http' | 'stdio';
}

/** The work that factories of modern entries start, and that nothing in sight stops or keeps from starting twice. */
export function factoryWork(sourceCode: SourceCode): FactoryWork[] {
  if (factoriesOf(sourceCode).size === 0) return [];
  const listening = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((node): Work[] =>
      emitterOf(sourceCode, node) === undefined ? [] : [{ node, kind: 'listener' }],
    );
  return [...startedWork(sourceCode), ...listening]
    .flatMap((work) => inFactory(sourceCode, work))
    .filter(
      (work) =>
        !isMarked(sourceCode, work.node) && !startsOnce(sourceCode, work) && !isStopped(sourceCode, work),
    )
    .sort((one, other) => one.node.range[0] - other.node.range[0]);
}

function inFactory(sourceCode: SourceCode, work: Work): FactoryWork[] {
  for (const factory of factoriesRunning(sourceCode, work.node)) {
    const entries = factoriesOf(sourceCode).get(factory);
    const entry =
      entries?.has('http') === true ? 'http' : entries?.has('stdio') === true ? 'stdio' : undefined;
    if (entry === undefined) continue;
    if (work.kind === 'listener' && !outlives(sourceCode, work, factory)) continue;
    return [{ ...work, factory, entry }];
  }
  return [];
}

/** Whether an emitter is there before the factory runs: else it goes with the instance. */
function outlives(sourceCode: SourceCode, { node }: Work, factory: FunctionNode): boolean {
  const emitter = node.type === 'CallExpression' ? emitterOf(sourceCode, node) : undefined;
  const root = emitter === undefined ? undefined : rootOf(emitter);
  if (root === undefined) return false;
  const variable = variableOf(sourceCode, root);
  if (variable === undefined || variable.defs.length === 0) return globalName(sourceCode, root) === 'process';
  return [factory, ...enclosingFunctions(node)].every(
    (one) => isDeclaredOutside(variable, one) || contains(one, factory),
  );
}

function contains(outer: Node, inner: Node): boolean {
  return outer !== inner && outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

function rootOf(node: Node): TSESTree.Identifier | undefined {
  const inner = peel(node);
  if (inner.type === 'MemberExpression') return rootOf(inner.object);
  return inner.type === 'Identifier' ? inner : undefined;
}

/** A marker says already what a person must decide here. */
function isMarked(sourceCode: SourceCode, node: Node): boolean {
  const statement = enclosingStatement(node);
  return (
    statement !== undefined &&
    sourceCode.getCommentsBefore(statement).some(({ value }) => value.includes(MARKER_TAG))
  );
}

/** `if (!started) { started = true; … }`, `timer ??= setInterval(…)`: state outside of the factory lets it start once. */
function startsOnce(sourceCode: SourceCode, { node, factory }: FactoryWork): boolean {
  for (
    let at: Node = node, parent = parentOf(at);
    parent !== undefined && at !== factory;
    at = parent, parent = parentOf(at)
  ) {
    if (parent.type === 'AssignmentExpression' && parent.operator !== '=' && at === parent.right) return true;
    if (parent.type === 'IfStatement' && asksOutside(sourceCode, parent, factory)) return true;
  }
  return false;
}

function asksOutside(
  sourceCode: SourceCode,
  statement: TSESTree.IfStatement,
  factory: FunctionNode,
): boolean {
  return find(
    sourceCode,
    statement.test,
    (node): node is TSESTree.Identifier => node.type === 'Identifier',
  ).some((name) => {
    const variable = variableOf(sourceCode, name);
    if (variable === undefined || variable.defs.length === 0 || !isDeclaredOutside(variable, factory))
      return false;
    const changes = variable.references.some(
      (reference) => reference.isWrite() && contains(statement, reference.identifier),
    );
    const parent = parentOf(name);
    return (
      changes ||
      (parent?.type === 'MemberExpression' && ['has', 'get', 'size'].includes(memberName(parent) ?? ''))
    );
  });
}

const STOPPING =
  /^(?:clear(?:Interval|Timeout)|close|end|quit|disconnect|destroy|stop|dispose|terminate|unsubscribe|off|remove(?:All)?(?:Event)?Listeners?|unwatch(?:File)?|abort|return)$/;

/**
 * Whether something stops the work. `onclose` counts on stdio alone: over HTTP the instance that reads the capabilities
 * for a listen is closed without it.
 */
function isStopped(sourceCode: SourceCode, work: FactoryWork): boolean {
  const stops = stopsOf(sourceCode, work);
  return stops.some((stop) => work.entry === 'stdio' || !isInOnClose(stop));
}

/** The mentions of what the work gave, or of its emitter, in which it is stopped or handed on. */
function stopsOf(sourceCode: SourceCode, { node, kind }: FactoryWork): Node[] {
  const kept = keptIn(sourceCode, node);
  const uses =
    kept === undefined
      ? []
      : kept.references.filter(({ init }) => init !== true).map(({ identifier }) => identifier);
  const stops = uses.filter((use) => isStop(use, kind));
  if (kind !== 'listener' || node.type !== 'CallExpression') return [...stops, ...handedOn(node)];
  const emitter = emitterOf(sourceCode, node);
  const text = emitter === undefined ? '' : sourceCode.getText(emitter);
  const removals = nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => {
      const called = memberCall(call);
      return (
        called !== undefined &&
        /^(?:off|remove)/.test(called.name) &&
        sourceCode.getText(called.receiver) === text
      );
    });
  return [...stops, ...removals, ...handedOn(node)];
}

function keptIn(sourceCode: SourceCode, node: Node): TSESLint.Scope.Variable | undefined {
  let outer: Node = dressedWithAwait(node);
  // setInterval(…).unref()
  for (
    let parent = parentOf(outer);
    parent?.type === 'MemberExpression' && parent.object === outer;
    parent = parentOf(outer)
  ) {
    const call = parentOf(parent);
    if (call?.type !== 'CallExpression') return undefined;
    outer = dressedWithAwait(call);
  }
  const parent = parentOf(outer);
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier')
    return variableOf(sourceCode, parent.id);
  return parent?.type === 'AssignmentExpression' && parent.left.type === 'Identifier'
    ? variableOf(sourceCode, parent.left)
    : undefined;
}

/** `timers.add(setInterval(…))`, `this.timer = setInterval(…)`: somebody else may stop it. */
function handedOn(node: Node): Node[] {
  const outer = dressedWithAwait(node);
  const parent = parentOf(outer);
  const isGiven = parent?.type === 'CallExpression' && parent.callee !== outer;
  const isKept = parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression';
  const isPart = parent?.type === 'Property' || parent?.type === 'ArrayExpression';
  return isGiven || isKept || isPart || parent?.type === 'ReturnStatement' ? [outer] : [];
}

/** `clearInterval(timer)`, `watcher.close()`, `unsubscribe()`, `onclose = unsubscribe`, or handed to somebody. */
function isStop(use: Node, kind: Work['kind']): boolean {
  const parent = parentOf(use);
  switch (parent?.type) {
    case 'CallExpression':
      // A connection is handed around to be used.
      return parent.callee === use || kind !== 'connection';
    case 'AssignmentExpression':
      return parent.right === use;
    case 'ReturnStatement':
    case 'Property':
    case 'ArrayExpression':
      return kind !== 'connection';
    case 'MemberExpression':
      return STOPPING.test(memberName(parent) ?? '');
    default:
      return false;
  }
}

/** Whether code runs when a server closes: `server.server.onclose = () => { … }`. */
function isInOnClose(node: Node): boolean {
  for (let at: Node = node, parent = parentOf(at); parent !== undefined; at = parent, parent = parentOf(at)) {
    if (parent.type === 'AssignmentExpression' && parent.right === at)
      return parent.left.type === 'MemberExpression' && memberName(parent.left) === ON_CLOSE;
    if (parent.type === 'Property' && isFunction(at) && keyName(parent) === ON_CLOSE) return true;
  }
  return false;
}

const ON_CLOSE = 'onclose';
