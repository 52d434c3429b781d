/** Where an emit stands, with all that is around it for the sake of 2025 alone: loops over sessions, gates, error handling. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { comesFromLoop, type Loop } from '../../src/analysis/publisher-loops.js';
import type { Gate, Publisher } from '../../src/analysis/server-publisher.js';
import { contains, dressed, iterationOf, statementListOf } from '../../src/analysis/syntax.js';
import { splitCondition } from './live-conditions.js';
import { shortText } from '../../src/analysis/short-text.js';

/** The place of one emit. */
export interface EmitPlace {
  /**
   * - `statement`: a statement, also one with a gate or loop around it.
   * - `arrow`: what an arrow function returns.
   * - `and`: the right side of a condition that is none of a gate: `changed && server.send…()`.
   * - `used`: a part of something else.
   */
  readonly kind: 'statement' | 'arrow' | 'and' | 'used';
  /** All that is there for the emit: the statement, or the expression. */
  readonly node: ts.Node;
  /** Whether nothing else is in it. */
  readonly sole: boolean;
  /** Conditions that have nothing to do with 2025: the change is published under them alone. */
  readonly guards: readonly ts.Expression[];
  readonly isGated: boolean;
  readonly isAwaited: boolean;
  readonly isReturned: boolean;
  /** Whether something follows on its promise besides the handling of an error. */
  readonly isChained: boolean;
  /** The exit in front of it that asks a registry; what is published goes before that. */
  readonly exit: ts.Statement | undefined;
  /** Why nothing can be published once for it, if so. */
  readonly problem: string | undefined;
}

interface State {
  node: ts.Node;
  sole: boolean;
  guards: ts.Expression[];
  isGated: boolean;
  isAwaited: boolean;
  isReturned: boolean;
  isChained: boolean;
  exit: ts.Statement | undefined;
  problem: string | undefined;
}

/** Finds the place of a publisher's emit. */
export function emitPlaceOf(publisher: Publisher, gates: readonly Gate[], facts: Facts): EmitPlace {
  const state: State = {
    node: publisher.node,
    sole: true,
    guards: [],
    isGated: false,
    isAwaited: false,
    isReturned: false,
    isChained: false,
    exit: undefined,
    problem: undefined,
  };
  const wrappers = wrappersOf(publisher, gates);
  let kind: EmitPlace['kind'] | undefined;
  while (kind === undefined) kind = climb(state, publisher, gates, wrappers, facts);
  return { ...state, kind };
}

/** The nodes around the emit that do not concern what is published: its loops over sessions and its gates. */
function wrappersOf({ node, fanOut, iterated }: Publisher, gates: readonly Gate[]): ts.Node[] {
  const inSight = gates.filter((gate) => contains(gate.node, node)).map((gate) => gate.node);
  return [...[fanOut, iterated].flatMap((loop) => (loop === undefined ? [] : [loop])), ...inSight];
}

/** One step outwards; the kind of the place where there is none. */
function climb(
  state: State,
  publisher: Publisher,
  gates: readonly Gate[],
  wrappers: readonly ts.Node[],
  facts: Facts,
): EmitPlace['kind'] | undefined {
  const node = dressed(state.node);
  const { parent } = node;
  const isInside = wrappers.some((one) => one !== state.node && contains(one, state.node));
  if (ts.isStatement(node)) return climbStatement(state, node, publisher, gates, isInside, facts);
  if (ts.isAwaitExpression(parent)) {
    state.isAwaited = true;
  } else if (ts.isPropertyAccessExpression(parent) && isChainOn(parent)) {
    const method = parent.name.text;
    if (method !== 'catch') state.isChained = true;
    state.node = dressed(parent).parent;
    return undefined;
  } else if (ts.isArrowFunction(parent) && parent.body === node) {
    const loop = loopOfCallback(parent, publisher);
    if (loop === undefined) return 'arrow';
    state.node = loop;
    return undefined;
  } else if (isPromiseAll(parent)) {
    state.node = parent;
    return undefined;
  } else if (ts.isBinaryExpression(parent)) {
    return climbAnd(state, node, parent, publisher, gates);
  } else if (ts.isReturnStatement(parent)) {
    state.isReturned = true;
  } else if (!ts.isVoidExpression(parent) && !ts.isExpressionStatement(parent)) {
    return 'used';
  }
  state.node = parent;
  return undefined;
}

/** `.then(…)`, `.catch(…)` or `.finally(…)` on what is there. */
function isChainOn(access: ts.PropertyAccessExpression): boolean {
  const callee = dressed(access);
  const isCall = ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
  return isCall && ['then', 'catch', 'finally'].includes(access.name.text);
}

/** `Promise.all(sessions.map(…))` */
function isPromiseAll(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    node.arguments.length === 1 &&
    /^Promise\.(?:all|allSettled)$/.test(node.expression.getText())
  );
}

function loopOfCallback(callback: ts.Node, { fanOut, iterated }: Publisher): Loop | undefined {
  const iteration = iterationOf(callback);
  return iteration !== undefined && (iteration === fanOut || iteration === iterated) ? iteration : undefined;
}

/** `subscribed.has(uri) && server.send…()` */
function climbAnd(
  state: State,
  node: ts.Node,
  parent: ts.BinaryExpression,
  publisher: Publisher,
  gates: readonly Gate[],
): EmitPlace['kind'] | undefined {
  const isAnd = parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && parent.right === node;
  const split = isAnd ? splitCondition(parent.left, publisher, gatesAt(gates, parent)) : undefined;
  if (split !== undefined) {
    state.isGated = true;
    state.guards.unshift(...split.guards);
    state.node = parent;
    return undefined;
  }
  return isAnd && ts.isExpressionStatement(dressed(parent).parent) && !state.isGated ? 'and' : 'used';
}

function gatesAt(gates: readonly Gate[], node: ts.Node): Gate[] {
  return gates.filter((gate) => gate.node === node);
}

/** What leaves one turn of a loop decides about one session. */
function leaveLoop(state: State, loop: ts.Node): void {
  if (state.exit !== undefined && contains(loop, state.exit)) state.exit = undefined;
  state.node = loop;
}

function climbStatement(
  state: State,
  statement: ts.Statement,
  publisher: Publisher,
  gates: readonly Gate[],
  isInside: boolean,
  facts: Facts,
): EmitPlace['kind'] | undefined {
  const list = statementListOf(statement);
  const exit = list?.find((one) => one.pos < statement.pos && gates.some(isExitAt(one)));
  if (exit !== undefined && state.exit === undefined) {
    state.exit = exit;
    state.isGated = true;
  }
  const block = ts.isBlock(statement.parent) ? statement.parent : undefined;
  const outer = block === undefined ? statement.parent : block.parent;
  const body = block ?? statement;
  // An exit that asks a registry is there for the emit, like a gate around it.
  const isAlone =
    block === undefined || block.statements.every((one) => one === statement || gates.some(isExitAt(one)));
  if (ts.isIfStatement(outer)) {
    const split =
      outer.thenStatement === body
        ? splitCondition(outer.expression, publisher, gatesAt(gates, outer))
        : undefined;
    const isOfSession =
      publisher.fanOut !== undefined && comesFromLoop(facts.world, outer.expression, publisher.fanOut);
    if (split === undefined && !isOfSession) return isInside ? stuck(state, outer) : 'statement';
    state.isGated = true;
    state.guards.unshift(...(isOfSession ? [] : (split?.guards ?? [])));
    state.sole &&= isAlone && outer.elseStatement === undefined;
    state.node = outer;
    return undefined;
  }
  if (outer === publisher.fanOut || outer === publisher.iterated) {
    state.sole &&= isAlone;
    leaveLoop(state, outer);
    return undefined;
  }
  if (block !== undefined && ts.isArrowFunction(outer)) {
    const loop = loopOfCallback(outer, publisher);
    if (loop !== undefined) {
      state.sole &&= isAlone;
      leaveLoop(state, loop);
      return undefined;
    }
  }
  if (!isInside) return 'statement';
  if (ts.isTryStatement(outer) && outer.tryBlock === body) {
    state.sole &&= isAlone && outer.finallyBlock === undefined;
    state.node = outer;
    return undefined;
  }
  return stuck(state, outer);
}

function isExitAt(statement: ts.Node) {
  return ({ kind, node }: Gate): boolean => kind === 'exit' && node === statement;
}

/** Something of its own stands between the emit and the loop or gate around it. */
function stuck(state: State, outer: ts.Node): 'statement' {
  state.problem = ts.isIfStatement(outer)
    ? `it depends on ${shortText(outer.expression, 50)} inside of a loop or gate that modern listeners do not pass`
    : 'what stands around it inside of its loop or gate cannot be taken apart';
  return 'statement';
}
