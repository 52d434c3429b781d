/** How long code waits before it listens again: growing, at random, and after every end. */
import { CLOSE_REASON, SUBSCRIPTION_MEMBER } from '../../../src/protocol/index.js';
import {
  calleeName,
  contains,
  isFunction,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { isWithin, type Repeat } from './repeats.js';
import { resolve } from './values.js';

/** Names of functions that wait. */
const WAITS = /sleep|delay|wait|setTimeout|backoff|pause/i;

/** A wait within the repeat. */
export interface Delay {
  readonly call: TSESTree.CallExpression;
  /** How long; undefined where that is decided elsewhere. */
  readonly time: Node | undefined;
}

/** The waits of a repeat. */
export function delaysOf(sourceCode: SourceCode, repeat: Repeat): Delay[] {
  return (
    nodesOf(sourceCode)
      .of('CallExpression')
      .filter((call) => isWithin(repeat, call) && WAITS.test(calleeName(call.callee) ?? ''))
      // await sleep(backoff(n)): the inner one only says how long
      .filter(
        (call, _, all) =>
          !all.some(
            (other) =>
              other !== call && other.arguments.some((one) => contains(one, call) && !isFunction(one)),
          ),
      )
      .map((call) => ({
        call,
        time: call.arguments.find((argument) => !isFunction(argument) && !isCallback(sourceCode, argument)),
      }))
  );
}

function isCallback(sourceCode: SourceCode, argument: Node): boolean {
  const node = peel(argument);
  if (node.type !== 'Identifier') return node.type === 'ObjectExpression';
  const definition = definitionOf(variableOf(sourceCode, node));
  // new Promise((resolve) => setTimeout(resolve, 500))
  const isResolver = definition?.type === 'Parameter' && parentOf(definition.node)?.type === 'NewExpression';
  return isResolver || functionOf(sourceCode, node) !== undefined;
}

/** Whether a wait is always as long. */
export function isConstant(sourceCode: SourceCode, { time }: Delay): boolean {
  return time !== undefined && resolve(sourceCode, time).type === 'Literal';
}

/** Whether clients that lost one server together may come back at different times; what is out of sight may see to it. */
export function mayJitter(sourceCode: SourceCode, { call, time }: Delay): boolean {
  if (time === undefined) return true;
  const waiting = functionOf(sourceCode, call.callee);
  // What is told the number of the attempt, and not the time, decides how long that is.
  if (
    waiting === undefined
      ? /backoff/i.test(calleeName(call.callee) ?? '')
      : RANDOM.test(sourceCode.getText(waiting.body))
  )
    return true;
  const name = peel(time);
  const isGiven =
    name.type === 'Identifier' && definitionOf(variableOf(sourceCode, name))?.type === 'Parameter';
  return isGiven || isRandom(sourceCode, time, new Set());
}

function isRandom(sourceCode: SourceCode, expression: Node, seen: Set<Node>): boolean {
  if (seen.has(expression)) return false;
  seen.add(expression);
  if (RANDOM.test(sourceCode.getText(expression))) return true;
  const nodes = nodesOf(sourceCode);
  const isElsewhere = nodes.of('CallExpression').some((call) => {
    if (!contains(expression, call)) return false;
    const declared = functionOf(sourceCode, call.callee);
    if (declared !== undefined) return isRandom(sourceCode, declared.body, seen);
    return !PREDICTABLE.test(sourceCode.getText(call.callee));
  });
  if (isElsewhere) return true;
  return nodes
    .of('Identifier')
    .filter((name) => contains(expression, name))
    .map((name) => variableOf(sourceCode, name))
    .some((variable) => {
      if (definitionOf(variable)?.type === 'ImportBinding') return true;
      return variable?.references.some(
        ({ writeExpr }) =>
          writeExpr !== undefined && writeExpr !== null && isRandom(sourceCode, writeExpr, seen),
      );
    });
}

const RANDOM = /random|jitter/i;

/** What gives every client the same. */
const PREDICTABLE = /^(?:Math\.(?:min|max|pow|floor|ceil|round|trunc)|Number|Date\.now|performance\.now)$/;

/** Whether a server that ends the stream in good order, as one does at every deploy, is asked again at once. */
export function isHotAfterGraceful(
  sourceCode: SourceCode,
  repeat: Repeat,
  delays: readonly Delay[],
): boolean {
  const { listen } = repeat;
  const isWatched = listen.subscription.members.some(({ name }) => name === SUBSCRIPTION_MEMBER.closed);
  if (!isWatched || repeat.loop === undefined) return false;
  const always = delays.filter(({ call }) => !isConditional(sourceCode, call, repeat));
  if (always.length > 0) return false;
  return !nodesOf(sourceCode)
    .of('IfStatement')
    .some((statement) => isWithin(repeat, statement) && endsForGraceful(sourceCode, statement));
}

/** Whether a wait depends on why the stream ended, or on an error. */
function isConditional(sourceCode: SourceCode, call: Node, { loop }: Repeat): boolean {
  for (
    let at: Node = call, parent = parentOf(at);
    parent !== undefined && at !== loop;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type === 'CatchClause') return true;
    if (parent.type === 'IfStatement' && at !== parent.test && namesReason(sourceCode, parent.test))
      return true;
  }
  return false;
}

function namesReason(sourceCode: SourceCode, test: Node): boolean {
  const text = sourceCode.getText(test);
  return [CLOSE_REASON.remote, CLOSE_REASON.graceful].some((reason) =>
    new RegExp(`['"\`]${reason}['"\`]`).test(text),
  );
}

function endsForGraceful(sourceCode: SourceCode, { test, consequent }: TSESTree.IfStatement): boolean {
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  if (!['ReturnStatement', 'BreakStatement', 'ThrowStatement'].includes(last?.type ?? '')) return false;
  const text = sourceCode.getText(test);
  return (
    new RegExp(`===? ?['"\`]${CLOSE_REASON.graceful}`).test(text) ||
    new RegExp(`!==? ?['"\`]${CLOSE_REASON.remote}`).test(text)
  );
}
