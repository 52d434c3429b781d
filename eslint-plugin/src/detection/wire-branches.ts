/** Where a server written by hand answers `subscriptions/listen`: comparisons, switch cases and method tables. */
import { METHOD } from '../../../src/protocol/index.js';
import {
  leavesFunction,
  isCall,
  contains,
  enclosingFunctions,
  isFunction,
  memberCall,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
} from '../ast.js';
import { constantOf } from './bindings.js';
import { find, nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { serverOf } from './servers.js';
import { stringOf } from './values.js';
import { wireKey } from './wire-values.js';

/** Code that runs for a listen request alone. */
export interface ListenBranch {
  /** What chooses it: the comparison, the case, the key of a table. */
  readonly chosenBy: Node;
  /** Its statements, or the one expression that it is. */
  readonly body: readonly Node[];
  /** The functions of the file that it calls, however far, callbacks included. */
  readonly called: readonly FunctionNode[];
  /** All that it runs: {@link body} and {@link called}. */
  readonly region: readonly Node[];
  /** The outermost function around it, or itself where it is one. */
  readonly handler: Node | undefined;
}

const known = new WeakMap<SourceCode, readonly ListenBranch[]>();

/** The branches of a file for a listen request. */
export function listenBranches(sourceCode: SourceCode): readonly ListenBranch[] {
  const found = known.get(sourceCode) ?? [
    ...comparisons(sourceCode),
    ...cases(sourceCode),
    ...tableEntries(sourceCode),
  ];
  known.set(sourceCode, found);
  return found;
}

/** Whether a node lies in what a branch runs. */
export function runsIn({ region }: ListenBranch, node: Node): boolean {
  return region.some((one) => contains(one, node));
}

function branch(sourceCode: SourceCode, chosenBy: Node, body: readonly Node[]): ListenBranch[] {
  if (body.length === 0) return [];
  const called = calledFrom(sourceCode, chosenBy, body);
  const around = enclosingFunctions(body[0] ?? chosenBy);
  const [only] = body;
  const handler = around.at(-1) ?? (isFunction(only) ? only : undefined);
  return [{ chosenBy, body, called, region: [...body, ...called], handler }];
}

function calledFrom(sourceCode: SourceCode, chosenBy: Node, body: readonly Node[]): FunctionNode[] {
  const around = new Set<Node>(enclosingFunctions(chosenBy));
  const found = new Set<FunctionNode>();
  const queue = [...body];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const { callee } of find(sourceCode, node, isCall)) {
      const declared = functionOf(sourceCode, callee);
      if (declared === undefined || around.has(declared) || found.has(declared)) continue;
      if (body.some((one) => contains(one, declared))) continue;
      found.add(declared);
      queue.push(declared);
    }
  }
  return [...found];
}

function comparisons(sourceCode: SourceCode): ListenBranch[] {
  return [...nodesOf(sourceCode).of('IfStatement'), ...nodesOf(sourceCode).of('ConditionalExpression')]
    .sort((one, other) => one.range[0] - other.range[0])
    .flatMap((choice) => {
      const asked = asksForListen(sourceCode, choice.test, true);
      if (asked !== undefined) return branch(sourceCode, asked, statementsOf(choice.consequent));
      const denied = asksForListen(sourceCode, choice.test, false);
      if (denied === undefined) return [];
      if (choice.alternate !== null) return branch(sourceCode, denied, statementsOf(choice.alternate));
      return choice.type === 'IfStatement' && leavesFunction(choice.consequent)
        ? branch(sourceCode, denied, statementsAfter(choice))
        : [];
    });
}

/** The comparison by which a condition that holds (or fails) proves a listen request. */
function asksForListen(sourceCode: SourceCode, test: Node, holds: boolean, depth = 0): Node | undefined {
  const node = peel(test);
  if (depth > 4) return undefined;
  switch (node.type) {
    case 'BinaryExpression': {
      if (!(holds ? ['===', '=='] : ['!==', '!=']).includes(node.operator)) return undefined;
      const isListen = (side: Node): boolean =>
        peel(side).type !== 'ObjectExpression' && stringOf(sourceCode, side) === METHOD.subscriptionsListen;
      return isListen(node.left) || isListen(node.right) ? node : undefined;
    }
    case 'LogicalExpression':
      return node.operator === (holds ? '&&' : '||')
        ? (asksForListen(sourceCode, node.left, holds, depth + 1) ??
            asksForListen(sourceCode, node.right, holds, depth + 1))
        : undefined;
    case 'UnaryExpression':
      return node.operator === '!' ? asksForListen(sourceCode, node.argument, !holds, depth + 1) : undefined;
    case 'Identifier': {
      const value = constantOf(sourceCode, node);
      return value === undefined ? undefined : asksForListen(sourceCode, value, holds, depth + 1);
    }
    default:
      return undefined;
  }
}

function statementsOf(node: Node): readonly Node[] {
  return node.type === 'BlockStatement' ? node.body : [node];
}

function statementsAfter(statement: Node): readonly Node[] {
  const block = parentOf(statement);
  return block?.type === 'BlockStatement'
    ? block.body.filter(({ range }) => range[0] >= statement.range[1])
    : [];
}

function cases(sourceCode: SourceCode): ListenBranch[] {
  return nodesOf(sourceCode)
    .of('SwitchStatement')
    .flatMap((statement) =>
      statement.cases.flatMap((one, index) => {
        if (one.test === null || stringOf(sourceCode, one.test) !== METHOD.subscriptionsListen) return [];
        // A case that others fall into, or that falls into others, is not for a listen alone.
        const before = statement.cases[index - 1];
        if (before !== undefined && !endsCase(before.consequent)) return [];
        if (!endsCase(one.consequent) && index < statement.cases.length - 1) return [];
        const [only] = one.consequent;
        const body =
          only?.type === 'BlockStatement' && one.consequent.length <= 2 ? only.body : one.consequent;
        return branch(sourceCode, one.test, body);
      }),
    );
}

function endsCase(statements: readonly Node[]): boolean {
  const last = statements.at(-1);
  if (last?.type === 'BlockStatement') return endsCase(last.body);
  if (last?.type === 'IfStatement')
    return (
      last.alternate !== null &&
      endsCase(statementsOf(last.consequent)) &&
      endsCase(statementsOf(last.alternate))
    );
  if (last?.type === 'TryStatement') return endsCase(last.block.body);
  return (
    last !== undefined &&
    ['BreakStatement', 'ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(last.type)
  );
}

/** Calls that put a function into a table under a method's name. */
const TABLE_METHODS = new Set(['set', 'addMethod', 'method', 'handle', 'register', 'on']);

function tableEntries(sourceCode: SourceCode): ListenBranch[] {
  const entries = nodesOf(sourceCode)
    .of('Property')
    .filter((property) => property.parent.type === 'ObjectExpression')
    .filter((property) => wireKey(sourceCode, property) === METHOD.subscriptionsListen)
    .map((property): [Node, Node] => [property.key, property.value]);
  const calls = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): [Node, Node][] => {
      const called = memberCall(call);
      const [name, value] = call.arguments;
      if (called === undefined || !TABLE_METHODS.has(called.name)) return [];
      if (name === undefined || value === undefined) return [];
      return stringOf(sourceCode, name) === METHOD.subscriptionsListen &&
        serverOf(sourceCode, called.receiver) === undefined
        ? [[name, value]]
        : [];
    });
  return [...entries, ...calls].flatMap(([chosenBy, value]) => {
    const declared = functionOf(sourceCode, value);
    return declared === undefined ? [] : branch(sourceCode, chosenBy, statementsOf(declared.body));
  });
}
