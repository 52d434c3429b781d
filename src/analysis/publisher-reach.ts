/** When the code of a publisher runs: as its server is built, for a request, for each instance, or once for all. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { classifyReceiver } from './receivers.js';
import { namedHolder, referencesOf } from './references.js';
import { requestHandlersOf } from './request-handlers.js';
import type { ServerGroup } from './server-group.js';
import { SERVER } from './subject.js';
import {
  around,
  dressed,
  enclosingClass,
  enclosingFunction,
  isFunction,
  iterationOf,
  peel,
} from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/**
 * - `construction`: while the factory runs.
 * - `request`: in a handler, once for what its client asks.
 * - `instance`: in something that each instance starts for itself (a timer, a listener), or nobody can tell.
 * - `process`: outside of any factory.
 */
export type Reach = 'construction' | 'request' | 'instance' | 'process';

/** Functions that call functions; more in a row are not worth a guess. */
const DEPTH = 6;

/**
 * When a node runs.
 *
 * @param shared whether what it is done to is the same for all instances: a variable of a module, a loop over sessions
 */
export function reachOf(world: ClosedWorld, group: ServerGroup, node: ts.Node, shared: boolean): Reach {
  return reachAt({ world, group, shared: shared || !isMultiple(world, group) }, node, DEPTH);
}

interface Question {
  readonly world: ClosedWorld;
  readonly group: ServerGroup;
  readonly shared: boolean;
}

function reachAt(question: Question, node: ts.Node, depth: number): Reach {
  const { world, group, shared } = question;
  const owner = enclosingFunction(node);
  if (owner === undefined) return 'process';
  if (iterationOf(owner) !== undefined || isCalledAtOnce(owner)) return reachAt(question, owner, depth);
  if (requestHandlersOf(world, group).has(owner)) return 'request';
  if (isFactory(group, owner)) return 'construction';
  const outside = enclosingFunction(owner);
  const inFactory = outside !== undefined && isInFactory(group, owner);
  if (!inFactory && shared) return handedTo(question, owner, depth) ?? 'process';
  const calls = depth === 0 || namedHolder(owner) === undefined ? [] : referencesOf(world).callsOf(owner);
  const found = calls.map((call) =>
    reachAt({ ...question, shared: isSharedAt(world, call) }, call, depth - 1),
  );
  const isHandedOn = calls.length === 0 || isUsedAsValue(world, owner);
  if (isHandedOn) found.push(handedTo(question, owner, depth) ?? 'instance');
  return worst(found, inFactory);
}

/** What is handed over in a request runs for that: a callback, a notifier. Any other may run at any time. */
function handedTo(question: Question, owner: ts.Node, depth: number): Reach | undefined {
  const holder = dressed(owner).parent;
  const isHanded = ts.isCallExpression(holder) || ts.isPropertyAssignment(holder);
  if (depth === 0 || !isHanded) return undefined;
  return reachAt(question, holder, depth - 1) === 'request' ? 'request' : undefined;
}

/** Whether a call is made on, or hands over, a server that is the same for all. */
function isSharedAt(world: ClosedWorld, call: ts.CallExpression | ts.NewExpression): boolean {
  const callee = peel(call.expression);
  if (ts.isPropertyAccessExpression(callee) && isModuleWide(callee.expression, world)) return true;
  return (call.arguments ?? []).some(
    (argument) => classifyReceiver(world, argument, SERVER) === 'instance' && isModuleWide(argument, world),
  );
}

function worst(found: readonly Reach[], inFactory: boolean): Reach {
  if (found.includes('instance')) return 'instance';
  if (found.includes('construction')) return 'construction';
  if (found.includes('process')) return inFactory ? 'instance' : 'process';
  return found[0] ?? 'instance';
}

function isUsedAsValue(world: ClosedWorld, owner: ts.Node): boolean {
  if (ts.isPropertyDeclaration(owner)) return false;
  const holder = namedHolder(owner);
  if (holder === undefined) return true;
  return referencesOf(world)
    .to(holder)
    .some((name) => {
      if (name.parent === holder) return false;
      const access =
        ts.isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name;
      const value = dressed(access);
      return (
        ts.isCallExpression(value.parent) &&
        value.parent.expression !== value &&
        !ts.isImportSpecifier(name.parent)
      );
    });
}

/** `(async () => { … })()` */
function isCalledAtOnce(owner: ts.Node): boolean {
  const callee = dressed(owner);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
}

/** A function that an entry is handed, or that returns the server it makes. */
export function isFactory(group: ServerGroup, owner: ts.Node): boolean {
  return (
    group.entries.some(({ factories }) => factories.some((one) => one === owner)) ||
    (isFunction(owner) &&
      group.cells.includes(owner) &&
      group.creations.some(({ within }) => within === owner))
  );
}

function isInFactory(group: ServerGroup, node: ts.Node): boolean {
  for (let owner = enclosingFunction(node); owner !== undefined; owner = enclosingFunction(owner)) {
    if (isFactory(group, owner)) return true;
  }
  return false;
}

const multiples = new WeakMap<ServerGroup, boolean>();

/** Whether more than one instance of a server can live at a time: by a factory, a loop, a callback that makes it. */
export function isMultiple(world: ClosedWorld, group: ServerGroup): boolean {
  const known = multiples.get(group);
  if (known !== undefined) return known;
  const found =
    group.creations.length !== 1 ||
    group.entries.some(({ factories }) => factories.length > 0) ||
    group.creations.some(({ node }) => isRepeated(world, group, node, DEPTH));
  multiples.set(group, found);
  return found;
}

function isRepeated(world: ClosedWorld, group: ServerGroup, node: ts.Node, depth: number): boolean {
  const field = around(node, (one) => ts.isPropertyDeclaration(one) || isFunction(one));
  const owner = field !== undefined && ts.isPropertyDeclaration(field) ? field : enclosingFunction(node);
  if (owner === undefined) return false;
  if (isCalledAtOnce(owner)) return isRepeated(world, group, owner, depth);
  const calls = depth === 0 ? [] : callsOf(world, owner);
  const [only, ...others] = calls;
  if (only === undefined || others.length > 0) return true;
  return isUsedAsValue(world, owner) || isRepeated(world, group, only, depth - 1);
}

/** The calls of a function; for a field, what constructs its class. */
function callsOf(world: ClosedWorld, owner: ts.Node): readonly ts.Node[] {
  const references = referencesOf(world);
  const holder = ts.isPropertyDeclaration(owner) ? enclosingClass(owner) : namedHolder(owner);
  if (holder === undefined || !ts.isClassLike(holder))
    return holder === undefined ? [] : references.callsOf(owner);
  return references.to(holder).flatMap((name) => {
    const { parent } = dressed(name);
    return ts.isNewExpression(parent) && parent.expression === dressed(name) ? [parent] : [];
  });
}

/** Whether the place that a path starts at is a variable of a module, and so the same for all. */
export function isModuleWide(expression: ts.Expression, world: ClosedWorld): boolean {
  const inner = peel(expression);
  if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner))
    return isModuleWide(inner.expression, world);
  if (ts.isCallExpression(inner)) return isModuleWide(inner.expression, world);
  if (!ts.isIdentifier(inner)) return false;
  const declaration = symbolNamed(inner, world.checker)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
  return ts.isVariableStatement(declaration.parent.parent) && enclosingFunction(declaration) === undefined;
}
