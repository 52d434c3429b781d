/** Code that listens again after its subscription ended or was refused: loops, and functions that lead back to themselves. */
import { CLIENT_MEMBER, SUBSCRIPTION_MEMBER } from '../../../src/protocol/index.js';
import {
  contains,
  enclosingFunction,
  enclosingFunctions,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { listensOf, type Listen } from './listens.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';

/** Code that listens again and again. */
export interface Repeat {
  readonly listen: Listen;
  /** The loop, or the mention of a function that leads back to the listen. */
  readonly node: Node;
  readonly loop: TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement | undefined;
  /** All code that runs between one listen and the next: the loop, or the functions of the circle. */
  readonly code: readonly Node[];
}

const known = new WeakMap<SourceCode, readonly Repeat[]>();

/** All of a file; one for each listen. */
export function repeatsOf(sourceCode: SourceCode): readonly Repeat[] {
  const repeats =
    known.get(sourceCode) ?? listensOf(sourceCode).flatMap((listen) => repeatOf(sourceCode, listen));
  known.set(sourceCode, repeats);
  return repeats;
}

function repeatOf(sourceCode: SourceCode, listen: Listen): Repeat[] {
  const loop = loopAround(listen.call);
  if (loop !== undefined)
    return isOfOneStream(listen, loop) ? [{ listen, node: loop, loop, code: [loop] }] : [];
  for (const start of enclosingFunctions(listen.call)) {
    const circle = circleFrom(sourceCode, start, start, [start]);
    if (circle !== undefined) return [{ listen, node: circle.back, loop: undefined, code: circle.functions }];
  }
  return [];
}

/** The loop of the same function; one over a list opens several streams, and none again. */
function loopAround(node: Node): Repeat['loop'] {
  for (let at = parentOf(node); at !== undefined; at = parentOf(at)) {
    if (at.type === 'WhileStatement' || at.type === 'DoWhileStatement' || at.type === 'ForStatement')
      return at;
    if (at.type === 'ForOfStatement' || at.type === 'ForInStatement') return undefined;
    if (at === enclosingFunction(node)) return undefined;
  }
  return undefined;
}

/** A loop that waits for the end, tries until it is open, or never ends; one over a queue opens several streams. */
function isOfOneStream({ subscription, call }: Listen, loop: NonNullable<Repeat['loop']>): boolean {
  const isWatched = subscription.members.some(
    ({ name, node }) => name === SUBSCRIPTION_MEMBER.closed && contains(loop, node),
  );
  const { test } = loop;
  if (isWatched || test === null || (test.type === 'Literal' && test.value === true)) return true;
  for (let at = parentOf(call); at !== undefined && at !== loop; at = parentOf(at))
    if (at.type === 'TryStatement' && at.handler !== null) return true;
  return false;
}

interface Circle {
  /** The mention that closes it. */
  readonly back: Node;
  readonly functions: readonly FunctionNode[];
}

const LONGEST = 3;

function circleFrom(
  sourceCode: SourceCode,
  from: FunctionNode,
  target: FunctionNode,
  path: readonly FunctionNode[],
): Circle | undefined {
  const mentioned = mentionedIn(sourceCode, from);
  const back = mentioned.find(({ declared }) => declared === target);
  if (back !== undefined) {
    const isAutomatic = runsByItself(back.node) || path.some((one) => one !== target);
    return isAutomatic ? { back: back.node, functions: path } : undefined;
  }
  if (path.length >= LONGEST) return undefined;
  for (const { declared } of mentioned) {
    if (path.includes(declared) || contains(from, declared)) continue;
    const circle = circleFrom(sourceCode, declared, target, [...path, declared]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Whether a function is named where nobody has to press a button: when something ended, failed or was waited for. */
function runsByItself(mention: Node): boolean {
  for (
    let at: Node = mention, parent = parentOf(at);
    parent !== undefined;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type === 'CatchClause') return true;
    if (parent.type === 'AssignmentExpression' && parent.right === at) {
      const left = peel(parent.left);
      return left.type === 'MemberExpression' && memberName(left) === CLIENT_MEMBER.onclose;
    }
    if (parent.type === 'CallExpression' && parent.callee !== at && isWaiting(parent.callee)) return true;
    // await subscription.closed; await open();
    if (parent.type === 'BlockStatement')
      for (const statement of parent.body) {
        if (statement === at) break;
        if (awaitsEnd(statement)) return true;
      }
  }
  return false;
}

function isWaiting(callee: Node): boolean {
  const node = peel(callee);
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? memberName(node) : undefined;
  return ['setTimeout', 'then', 'catch', 'finally', 'once'].includes(name ?? '');
}

function awaitsEnd(statement: Node): boolean {
  const expression =
    statement.type === 'ExpressionStatement'
      ? statement.expression
      : statement.type === 'VariableDeclaration'
        ? statement.declarations[0].init
        : null;
  if (expression?.type !== 'AwaitExpression') return false;
  const awaited = peel(expression);
  return awaited.type === 'MemberExpression' && memberName(awaited) === SUBSCRIPTION_MEMBER.closed;
}

interface Mention {
  readonly node: Node;
  readonly declared: FunctionNode;
}

const mentions = new WeakMap<FunctionNode, readonly Mention[]>();

/** The functions of the file that a function calls or hands on. */
export function mentionedIn(sourceCode: SourceCode, from: FunctionNode): readonly Mention[] {
  const found =
    mentions.get(from) ??
    nodesOf(sourceCode)
      .of('CallExpression')
      .filter((call) => contains(from.body, call))
      .flatMap((call) => [call.callee, ...call.arguments])
      .filter((node) => isName(peel(node)))
      .flatMap((node): Mention[] => {
        const declared = functionOf(sourceCode, node);
        return declared === undefined ? [] : [{ node, declared }];
      });
  mentions.set(from, found);
  return found;
}

function isName(node: Node): boolean {
  return (
    node.type === 'Identifier' ||
    (node.type === 'MemberExpression' &&
      node.object.type === 'ThisExpression' &&
      memberName(node) !== undefined)
  );
}

/** Whether a node lies in the code that is repeated. */
export function isWithin({ code }: Repeat, node: Node): boolean {
  return code.some((part) => contains(part, node));
}
