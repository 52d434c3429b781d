/** Work that a server factory starts each time it runs, and that goes on by itself: timers, watchers, listeners. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { isFactory } from './publisher-reach.js';
import { referencesOf } from './references.js';
import { functionsBehind } from './server-entries.js';
import type { ServerGroup } from './server-group.js';
import { accessedMember, contains, dressed, iterationOf, peel } from './syntax.js';
import { declarationOf } from './written-values.js';

/** One thing that a factory starts. */
export interface FactoryWork {
  readonly node: ts.CallExpression;
  readonly kind: 'timer' | 'watcher' | 'listener';
  readonly factory: ts.SignatureDeclaration;
}

/** Functions that a factory calls; deeper ones are not worth a guess. */
const DEPTH = 3;

const known = new WeakMap<ServerGroup, readonly FactoryWork[]>();

/** What the factories of a server start and nothing in sight stops, or keeps from starting twice. */
export function factoryWorkOf(world: ClosedWorld, group: ServerGroup): readonly FactoryWork[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const factories = new Set<ts.SignatureDeclaration>();
  for (const { factories: handed } of group.entries) for (const one of handed) factories.add(one);
  for (const { within } of group.creations) {
    if (within !== undefined && isFactory(group, within)) factories.add(within);
  }
  const found = new Map<ts.Node, FactoryWork>();
  for (const factory of factories) {
    for (const work of startedIn(world, factory)) {
      if (!startsOnce(work, world) && !isStopped(work, world)) found.set(work.node, work);
    }
  }
  const works = [...found.values()];
  known.set(group, works);
  return works;
}

/** What runs while a factory runs: its own body, callbacks that are called at once, functions that it calls. */
function startedIn(world: ClosedWorld, factory: ts.SignatureDeclaration): FactoryWork[] {
  const found: FactoryWork[] = [];
  const seen = new Set<ts.Node>();
  const walk = (owner: ts.SignatureDeclaration, depth: number): void => {
    const { body } = owner as ts.FunctionLikeDeclaration;
    if (body === undefined || seen.has(owner)) return;
    seen.add(owner);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const kind = kindOf(world, node, factory);
        if (kind !== undefined) found.push({ node, kind, factory });
        else if (depth > 0)
          for (const called of functionsBehind(world, node.expression)) walk(called, depth - 1);
      }
      if (ts.isFunctionLike(node) && iterationOf(node) === undefined) return;
      ts.forEachChild(node, visit);
    };
    visit(body);
  };
  walk(factory, DEPTH);
  return found;
}

const LISTENING: ReadonlySet<string> = new Set(['on', 'addListener', 'addEventListener', 'prependListener']);

function kindOf(
  world: ClosedWorld,
  call: ts.CallExpression,
  factory: ts.Node,
): FactoryWork['kind'] | undefined {
  const callee = peel(call.expression);
  if (/^(?:globalThis\.)?setInterval$/.test(callee.getText())) return 'timer';
  if (isWatcher(world, callee)) return 'watcher';
  const accessed = accessedMember(callee);
  if (accessed === undefined || !LISTENING.has(accessed.member) || call.arguments.length !== 2)
    return undefined;
  return isDeclaredOutside(world, accessed.access.expression, factory) ? 'listener' : undefined;
}

/** `watch(path)`, `fs.watch(path)`, `chokidar.watch(path)`: by what it was imported from. */
function isWatcher(world: ClosedWorld, callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (name !== 'watch' && name !== 'watchFile') return false;
  const root = rootOf(callee);
  return root !== undefined && /^(?:node:)?fs(?:\/promises)?$|^chokidar$/.test(moduleOf(world, root) ?? '');
}

function rootOf(expression: ts.Expression): ts.Identifier | undefined {
  const inner = peel(expression);
  if (ts.isPropertyAccessExpression(inner)) return rootOf(inner.expression);
  return ts.isIdentifier(inner) ? inner : undefined;
}

/** The module that a name was imported from. */
export function moduleOf({ checker }: ClosedWorld, name: ts.Identifier): string | undefined {
  let node: ts.Node | undefined = checker.getSymbolAtLocation(name)?.declarations?.[0];
  if (node !== undefined && ts.isBindingElement(node)) node = node.parent.parent;
  if (node !== undefined && ts.isVariableDeclaration(node)) {
    const [argument] =
      node.initializer !== undefined && ts.isCallExpression(node.initializer)
        ? node.initializer.arguments
        : [];
    return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
  }
  while (node !== undefined && !ts.isImportDeclaration(node)) node = node.parent;
  return node !== undefined && ts.isStringLiteral(node.moduleSpecifier)
    ? node.moduleSpecifier.text
    : undefined;
}

/** An emitter that is there before the factory runs outlives what it makes. */
function isDeclaredOutside(world: ClosedWorld, emitter: ts.Expression, factory: ts.Node): boolean {
  const root = rootOf(emitter);
  if (root === undefined) return false;
  const declaration = declarationOf(root, world);
  if (declaration === undefined) return root.text === 'process';
  return !contains(factory, declaration) && !ts.isParameter(declaration);
}

/** `timer ??= setInterval(…)`, `if (!started) { started = true; … }` with state outside of the factory. */
function startsOnce({ node, factory }: FactoryWork, world: ClosedWorld): boolean {
  let child: ts.Node = node;
  for (let at = node.parent as ts.Node | undefined; at !== undefined && child !== factory; at = at.parent) {
    if (ts.isBinaryExpression(at) && at.right === child) {
      const { kind } = at.operatorToken;
      if (kind === ts.SyntaxKind.QuestionQuestionEqualsToken || kind === ts.SyntaxKind.BarBarEqualsToken)
        return true;
    }
    if (ts.isIfStatement(at) && asksOutside(at, factory, world)) return true;
    child = at;
  }
  return false;
}

function asksOutside({ expression }: ts.IfStatement, factory: ts.Node, world: ClosedWorld): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isIdentifier(node)) {
      const declaration = declarationOf(node, world);
      found =
        declaration !== undefined && ts.isVariableDeclaration(declaration) && !contains(factory, declaration);
    }
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return found;
}

/** Whether what the work gave is mentioned again: to stop it, or handed to somebody who may. */
function isStopped({ node, kind }: FactoryWork, world: ClosedWorld): boolean {
  let outer: ts.Node = dressed(node);
  // setInterval(…).unref()
  while (ts.isPropertyAccessExpression(outer.parent) && ts.isCallExpression(outer.parent.parent))
    outer = dressed(outer.parent.parent);
  const { parent } = outer;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name))
    return referencesOf(world)
      .to(parent)
      .some((name) => name.parent !== parent && isStopping(name));
  if (kind === 'listener' && isRemoved(node)) return true;
  return !ts.isExpressionStatement(parent) && !ts.isVoidExpression(parent);
}

function isStopping(name: ts.Node): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent))
    return /^(?:close|stop|dispose|unref|abort|return|off|removeListener)$/.test(parent.name.text)
      ? parent.name.text !== 'unref'
      : false;
  return ts.isCallExpression(parent) || ts.isReturnStatement(parent) || ts.isPropertyAssignment(parent);
}

/** `bus.off('changed', listener)` somewhere in the file. */
function isRemoved(node: ts.CallExpression): boolean {
  const accessed = accessedMember(peel(node.expression));
  if (accessed === undefined) return false;
  const emitter = accessed.access.expression.getText().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`${emitter}\\s*\\??\\.(?:off|remove\\w*Listener)\\(`).test(node.getSourceFile().text);
}
