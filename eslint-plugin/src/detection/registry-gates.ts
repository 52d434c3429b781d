/** Code that runs only for what is in a registry: behind a question for it, or in a loop over it. */
import { memberCall, memberName, parentOf, peel, type Node, type SourceCode } from '../ast.js';
import { constantOf } from './bindings.js';
import { functionOf, returnedBy } from './origins.js';
import type { SubscriberRegistry } from './subscribe-handlers.js';

/** What lets code run for registered subscribers alone. */
export interface RegistryGate {
  readonly registry: SubscriberRegistry;
  /** The question as it stands in the code, or what is looped over. */
  readonly node: Node;
  /** `passes`: the code runs where the question is answered with yes. `leaves`: where it is no, the code is left. */
  readonly form: 'passes' | 'leaves' | 'loop';
}

type Answer = Pick<RegistryGate, 'registry' | 'node'>;

/** The gate in front of a node; undefined where there is none, or something else can open it. */
export function gateBefore(
  sourceCode: SourceCode,
  node: Node,
  registries: readonly SubscriberRegistry[],
): RegistryGate | undefined {
  let at = node;
  for (let parent = parentOf(at); parent !== undefined; parent = parentOf(parent)) {
    const gate = gateAt(sourceCode, at, parent, registries);
    if (gate !== undefined) return gate;
    at = parent;
  }
  return undefined;
}

function gateAt(
  sourceCode: SourceCode,
  node: Node,
  parent: Node,
  registries: readonly SubscriberRegistry[],
): RegistryGate | undefined {
  const asks = (test: Node, holds: boolean, form: RegistryGate['form']): RegistryGate | undefined => {
    const answer = askedBy(sourceCode, test, holds, registries);
    return answer === undefined ? undefined : { ...answer, form };
  };
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return node === parent.test ? undefined : asks(parent.test, node === parent.consequent, 'passes');
    case 'LogicalExpression':
      return node === parent.right && parent.operator === '&&'
        ? asks(parent.left, true, 'passes')
        : undefined;
    case 'ForOfStatement':
    case 'ForInStatement':
      return node === parent.body ? loopOver(sourceCode, parent.right, registries) : undefined;
    case 'CallExpression': {
      const called = memberCall(parent);
      return called?.name === 'forEach' && node === parent.arguments[0]
        ? loopOver(sourceCode, called.receiver, registries)
        : undefined;
    }
    case 'BlockStatement':
    case 'Program':
      for (const statement of parent.body) {
        if (statement === node) return undefined;
        if (statement.type !== 'IfStatement' || statement.alternate !== null || !leaves(statement.consequent))
          continue;
        const gate = asks(statement.test, false, 'leaves');
        if (gate !== undefined) return gate;
      }
      return undefined;
    default:
      return undefined;
  }
}

function leaves(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ContinueStatement';
}

/** `for (const uri of subscribed)`, `subscribed.keys()`, `[...subscribed]`, `subscribed.get(uri) ?? []`. */
function loopOver(
  sourceCode: SourceCode,
  iterated: Node,
  registries: readonly SubscriberRegistry[],
): RegistryGate | undefined {
  const registry = registryIn(sourceCode, iterated, registries);
  return registry === undefined ? undefined : { registry, node: peel(iterated), form: 'loop' };
}

function registryIn(
  sourceCode: SourceCode,
  expression: Node,
  registries: readonly SubscriberRegistry[],
  depth = 0,
): SubscriberRegistry | undefined {
  const node = peel(expression);
  const own = registries.find((one) => one.is(node));
  if (own !== undefined || depth > 4) return own;
  const next = (inner: Node | null | undefined): SubscriberRegistry | undefined =>
    inner === null || inner === undefined ? undefined : registryIn(sourceCode, inner, registries, depth + 1);
  switch (node.type) {
    case 'ArrayExpression':
      return node.elements.length === 1 && node.elements[0]?.type === 'SpreadElement'
        ? next(node.elements[0].argument)
        : undefined;
    case 'LogicalExpression':
      return node.operator !== '&&' && isEmptyList(node.right) ? next(node.left) : undefined;
    case 'CallExpression': {
      const called = memberCall(node);
      if (called === undefined) return undefined;
      if (['keys', 'values', 'entries', 'get', 'filter', 'map'].includes(called.name)) {
        const found = next(called.receiver);
        if (found !== undefined) return found;
      }
      return ['from', 'keys', 'values', 'entries'].includes(called.name) &&
        called.receiver.type === 'Identifier' &&
        ['Array', 'Object'].includes(called.receiver.name)
        ? next(node.arguments[0])
        : undefined;
    }
    case 'Identifier':
      return next(constantOf(sourceCode, node));
    default:
      return undefined;
  }
}

function isEmptyList(node: Node): boolean {
  return node.type === 'ArrayExpression' && node.elements.length === 0;
}

/** The question for a registry that a condition being true (or false) answers with yes. */
function askedBy(
  sourceCode: SourceCode,
  test: Node,
  holds: boolean,
  registries: readonly SubscriberRegistry[],
  depth = 0,
): Answer | undefined {
  const node = peel(test);
  if (depth > 6) return undefined;
  const next = (inner: Node, whether = holds): Answer | undefined =>
    askedBy(sourceCode, inner, whether, registries, depth + 1);
  switch (node.type) {
    case 'UnaryExpression':
      return node.operator === '!' ? next(node.argument, !holds) : undefined;
    case 'LogicalExpression':
      // Both sides of `a && b` hold where it does, neither of `a || b` holds where it does not.
      return (node.operator === '&&') === holds ? (next(node.left) ?? next(node.right)) : undefined;
    case 'BinaryExpression':
      return holds === isYes(node.operator, node.right)
        ? lookup(sourceCode, node.left, registries)
        : undefined;
    case 'Identifier': {
      const value = constantOf(sourceCode, node);
      const answer = value === undefined ? undefined : next(value);
      return answer === undefined ? undefined : { ...answer, node };
    }
    case 'CallExpression': {
      const answer = holds ? lookup(sourceCode, node, registries) : undefined;
      if (answer !== undefined) return answer;
      // function isSubscribed(uri) { return subscribed.has(uri); }
      const asked = functionOf(sourceCode, node.callee);
      const [returned, ...others] = asked === undefined ? [] : returnedBy(sourceCode, asked);
      const inner = returned === undefined || others.length > 0 ? undefined : next(returned);
      return inner === undefined ? undefined : { ...inner, node };
    }
    default:
      return holds ? lookup(sourceCode, node, registries) : undefined;
  }
}

/** Whether a comparison being true says that something is there: `> 0`, `!== undefined`; undefined for any other. */
function isYes(operator: string, right: Node): boolean | undefined {
  const value = peel(right);
  const isNothing =
    (value.type === 'Identifier' && value.name === 'undefined') ||
    (value.type === 'Literal' && (value.value === null || value.value === 0));
  if (isNothing && ['!==', '!=', '>'].includes(operator)) return true;
  if (isNothing && ['===', '=='].includes(operator)) return false;
  return value.type === 'Literal' && value.value === 1 && operator === '>=' ? true : undefined;
}

/** `subscribed.has(uri)`, `.get(uri)`, `.includes(uri)`, `.size`, `subscribed[uri]`, also further down a chain. */
function lookup(
  sourceCode: SourceCode,
  expression: Node,
  registries: readonly SubscriberRegistry[],
  depth = 0,
): Answer | undefined {
  const node = peel(expression);
  if (depth > 6) return undefined;
  if (node.type === 'Identifier') {
    const value = constantOf(sourceCode, node);
    const answer = value && lookup(sourceCode, value, registries, depth + 1);
    return answer && { ...answer, node };
  }
  const called = memberCall(node);
  if (called !== undefined && ['has', 'get', 'includes'].includes(called.name)) {
    const registry = registries.find((one) => one.is(called.receiver));
    if (registry !== undefined) return { registry, node };
    const inner = lookup(sourceCode, called.receiver, registries, depth + 1);
    return inner === undefined ? undefined : { ...inner, node };
  }
  if (node.type !== 'MemberExpression') return undefined;
  const registry = registries.find((one) => one.is(node.object));
  if (registry !== undefined)
    return node.computed || ['size', 'length'].includes(memberName(node) ?? '')
      ? { registry, node }
      : undefined;
  const inner = lookup(sourceCode, node.object, registries, depth + 1);
  return inner === undefined ? undefined : { ...inner, node };
}
