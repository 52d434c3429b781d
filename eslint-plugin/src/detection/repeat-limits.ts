/** Whether code that listens again gives up some time: by what it counts, and by what it asks. */
import { SUBSCRIPTION_MEMBER } from '../../../src/protocol/index.js';
import {
  contains,
  enclosingStatement,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { nodesOf } from './nodes.js';
import { isWithin, type Repeat } from './repeats.js';

/** Names of functions that ask whether there may be another attempt. */
const BUDGET = /limit|budget|attempt|retr(?:y|ies)|tries|exhaust|give_?up|max/i;

/** Whether the number of attempts has an end. */
export function hasLimit(sourceCode: SourceCode, repeat: Repeat): boolean {
  const nodes = nodesOf(sourceCode);
  const counted = new Set(countersOf(sourceCode, repeat));
  const compares = nodes
    .of('BinaryExpression')
    .some(
      ({ operator, left, right, range }) =>
        /^[<>]=?$|^[!=]==?$/.test(operator) &&
        isWithin(repeat, { range } as Node) &&
        [left, right].some(
          (side) => counted.has(nameOf(sourceCode, side) ?? '') && !isZeroTest(operator, left, right),
        ),
    );
  if (compares) return true;
  const isTestedDown = conditionsOf(sourceCode, repeat).some((test) =>
    countersIn(sourceCode, test).some((name) => counted.has(name)),
  );
  if (isTestedDown) return true;
  return conditionsOf(sourceCode, repeat).some((test) =>
    nodes
      .of('CallExpression')
      .some((call) => contains(test, call) && BUDGET.test(sourceCode.getText(call.callee))),
  );
}

/** `attempt > 0` asks whether this is the first one; it ends nothing. */
function isZeroTest(operator: string, left: Node, right: Node): boolean {
  const [low, high] = [peel(left), peel(right)];
  return (
    ['>', '!==', '!='].includes(operator) &&
    high.type === 'Literal' &&
    high.value === 0 &&
    low.type !== 'Literal'
  );
}

/** Tests of loops and of conditions that leave. */
function conditionsOf(sourceCode: SourceCode, repeat: Repeat): Node[] {
  const nodes = nodesOf(sourceCode);
  const leaving = nodes
    .of('IfStatement')
    .filter((statement) => isWithin(repeat, statement))
    .map(({ test }) => test);
  const test = repeat.loop?.test;
  return test === undefined || test === null ? leaving : [test, ...leaving];
}

/** `while (left)`, `if (left--)`: the counter itself is the test. */
function countersIn(sourceCode: SourceCode, test: Node): string[] {
  const node = peel(test);
  if (node.type === 'LogicalExpression')
    return [...countersIn(sourceCode, node.left), ...countersIn(sourceCode, node.right)];
  const inner =
    node.type === 'UnaryExpression' || node.type === 'UpdateExpression' ? peel(node.argument) : node;
  const name = nameOf(sourceCode, inner);
  return name === undefined ? [] : [name];
}

/** Names of what is counted within the repeat, as written: `attempts`, `this.failures`. */
export function countersOf(sourceCode: SourceCode, repeat: Repeat): string[] {
  const nodes = nodesOf(sourceCode);
  const updated = nodes
    .of('UpdateExpression')
    .filter((node) => isWithin(repeat, node))
    .map(({ argument }) => argument as Node);
  const assigned = nodes
    .of('AssignmentExpression')
    .filter((node) => isWithin(repeat, node) && isCounting(sourceCode, node))
    .map(({ left }) => left as Node);
  // open(attempt + 1)
  const passed = nodes
    .of('BinaryExpression')
    .filter(({ operator, right }) => /^[+-]$/.test(operator) && right.type === 'Literal' && right.value === 1)
    .filter((node) => isWithin(repeat, node))
    .map(({ left }) => left as Node);
  return [...updated, ...assigned, ...passed].flatMap((node) => nameOf(sourceCode, node) ?? []);
}

function isCounting(
  sourceCode: SourceCode,
  { operator, left, right }: TSESTree.AssignmentExpression,
): boolean {
  if (operator === '+=' || operator === '-=') return true;
  // failures = wasLong ? 0 : failures + 1
  return operator === '=' && sourceCode.getText(right).includes(`${sourceCode.getText(left)} + 1`);
}

function nameOf(sourceCode: SourceCode, node: Node): string | undefined {
  const inner = peel(node.type === 'UpdateExpression' ? node.argument : node);
  return inner.type === 'Identifier' || inner.type === 'MemberExpression'
    ? sourceCode.getText(inner)
    : undefined;
}

/** The counter that is set back to nothing as soon as a listen is acknowledged, so that it never reaches its limit. */
export function earlyReset(
  sourceCode: SourceCode,
  repeat: Repeat,
): TSESTree.AssignmentExpression | undefined {
  const { listen } = repeat;
  const counted = new Set(countersOf(sourceCode, repeat));
  const opened = enclosingStatement(listen.call);
  const closed = listen.subscription.members.filter(({ name }) => name === SUBSCRIPTION_MEMBER.closed);
  const until = Math.min(...closed.map(({ node }) => node.range[0]), Number.POSITIVE_INFINITY);
  return nodesOf(sourceCode)
    .of('AssignmentExpression')
    .find(
      (node) =>
        node.operator === '=' &&
        node.right.type === 'Literal' &&
        node.right.value === 0 &&
        counted.has(nameOf(sourceCode, node.left) ?? '') &&
        node.range[0] > listen.call.range[1] &&
        node.range[0] < until &&
        opened !== undefined &&
        parentOf(enclosingStatement(node) ?? node) === parentOf(opened),
    );
}
