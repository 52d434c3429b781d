/** Where a listen branch keeps its subscriptions, and the loops that write to all of them. */
import {
  isCall,
  isFunction,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { find, nodesOf } from './nodes.js';
import { enclosingClass } from './origins.js';
import { isStringify, messagesIn, type WireMessage } from './wire.js';
import { listenBranches, type ListenBranch } from './wire-branches.js';

/** A call that puts something into a container which outlives the branch. */
export interface Keeping {
  readonly call: TSESTree.CallExpression;
  readonly container: Node;
  /** What is put in. */
  readonly value: Node;
  readonly branch: ListenBranch;
}

const PUTTING = new Set(['set', 'add', 'push']);

/** What the listen branches of a file keep. */
export function keepingsOf(sourceCode: SourceCode): Keeping[] {
  return listenBranches(sourceCode).flatMap((branch) =>
    branch.region.flatMap((root) =>
      find(sourceCode, root, isCall).flatMap((call): Keeping[] => {
        const put = memberCall(call);
        const value = call.arguments.at(-1);
        if (put === undefined || value === undefined || !PUTTING.has(put.name)) return [];
        return isOutside(sourceCode, put.receiver, branch)
          ? [{ call, container: put.receiver, value, branch }]
          : [];
      }),
    ),
  );
}

/** Whether a container is made outside of the branch: a name of the module, a field of the class. */
function isOutside(sourceCode: SourceCode, container: Node, { region }: ListenBranch): boolean {
  const node = peel(container);
  if (node.type === 'MemberExpression') return memberName(node) !== undefined;
  if (node.type !== 'Identifier') return false;
  const made = variableOf(sourceCode, node)?.defs[0]?.name;
  return (
    made !== undefined && !region.some(({ range }) => range[0] <= made.range[0] && made.range[1] <= range[1])
  );
}

/** A loop over all that a container holds. */
export interface Loop {
  readonly container: Node;
  /** What runs for each element. */
  readonly body: Node;
  /** Whether it may leave out elements before it comes to the body. */
  readonly isFiltered: boolean;
}

/** The loops of a file over containers. */
export function loopsOf(sourceCode: SourceCode): Loop[] {
  const statements = nodesOf(sourceCode)
    .of('ForOfStatement')
    .map((loop) => ({ ...containerIn(loop.right), body: loop.body }));
  const calls = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): Loop[] => {
      const called = memberCall(call);
      const [callback] = call.arguments;
      return called?.name === 'forEach' && isFunction(callback)
        ? [{ ...containerIn(called.receiver), body: callback.body }]
        : [];
    });
  return [...statements, ...calls];
}

/** `subs`, `subs.values()`, `[...subs.values()].filter(…)` */
function containerIn(expression: Node): { container: Node; isFiltered: boolean } {
  const node = peel(expression);
  const called = memberCall(node);
  if (called !== undefined) {
    const inner =
      ['from', 'values', 'entries'].includes(called.name) && called.call.arguments[0] !== undefined
        ? called.call.arguments[0]
        : called.receiver;
    const { container, isFiltered } = containerIn(inner);
    return {
      container,
      isFiltered: isFiltered || !['values', 'entries', 'keys', 'from'].includes(called.name),
    };
  }
  const [only] = node.type === 'ArrayExpression' && node.elements.length === 1 ? node.elements : [];
  return only?.type === 'SpreadElement' ? containerIn(only.argument) : { container: node, isFiltered: false };
}

/** Whether two expressions name one container: the same variable, or the same field of one class. */
export function isSameContainer(sourceCode: SourceCode, one: Node, other: Node): boolean {
  const [first, second] = [peel(one), peel(other)];
  if (first.type === 'Identifier' && second.type === 'Identifier') {
    const variable = variableOf(sourceCode, first);
    return variable !== undefined && variable === variableOf(sourceCode, second);
  }
  return (
    first.type === 'MemberExpression' &&
    second.type === 'MemberExpression' &&
    memberName(first) !== undefined &&
    sourceCode.getText(first) === sourceCode.getText(second) &&
    enclosingClass(first) === enclosingClass(second)
  );
}

/** Whether a node runs only under a condition, up to a root. */
export function isConditional(node: Node, root: Node): boolean {
  for (let at = node, parent = parentOf(at); parent !== undefined; at = parent, parent = parentOf(at)) {
    if (parent.type === 'IfStatement' && parent.test !== at) return true;
    if (parent.type === 'ConditionalExpression' && parent.test !== at) return true;
    if (parent.type === 'LogicalExpression' && parent.right === at) return true;
    if (parent.type === 'SwitchCase' || parent.type === 'CatchClause') return true;
    if (parent.type === 'BlockStatement' && leavesBefore(parent, at)) return true;
    if (parent === root) return false;
  }
  return false;
}

/** `if (…) continue;` in front of a statement. */
function leavesBefore(block: TSESTree.BlockStatement, statement: Node): boolean {
  return block.body.some((one) => one.range[1] <= statement.range[0] && one.type === 'IfStatement');
}

/** A change notification that a loop writes to each subscription which a listen branch keeps. */
export interface Delivery {
  readonly message: WireMessage;
  readonly loop: Loop;
  readonly keepings: readonly Keeping[];
  /** The call in the loop that writes it. */
  readonly call: TSESTree.CallExpression;
}

/** The deliveries of a file. */
export function deliveriesOf(sourceCode: SourceCode): Delivery[] {
  const kept = keepingsOf(sourceCode);
  if (kept.length === 0) return [];
  return loopsOf(sourceCode).flatMap((loop) => {
    const keepings = kept.filter(({ container }) => isSameContainer(sourceCode, container, loop.container));
    if (keepings.length === 0) return [];
    return find(sourceCode, loop.body, isCall)
      .filter((call) => !isStringify(call) && !PUTTING.has(memberCall(call)?.name ?? ''))
      .flatMap((call) =>
        call.arguments
          .flatMap((argument) => messagesIn(sourceCode, argument))
          .filter(({ kind }) => kind === 'change')
          .map((message) => ({ message, loop, keepings, call })),
      );
  });
}
