/** Handlers of `resources/subscribe`, which no modern peer ever calls (T14), and the registries that only they fill. */
import { METHOD, SERVER_MEMBER } from '../../../src/protocol/index.js';
import {
  enclosingFunctions,
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
import { definitionOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { methodNamed } from './notifications.js';
import { callsOf, isExported } from './named-functions.js';
import { enclosingClass } from './origins.js';
import { registrationsOf, type Registration } from './server-handlers.js';

/** A handler of `resources/subscribe` on a server of the SDK. */
export interface SubscribeHandler extends Registration {
  readonly handler: FunctionNode;
}

/** The subscribe handlers of a file. */
export function subscribeHandlersOf(sourceCode: SourceCode): SubscribeHandler[] {
  return registrationsOf(sourceCode).flatMap(({ handler, ...one }) =>
    handler !== undefined &&
    one.name === SERVER_MEMBER.setRequestHandler &&
    methodNamed(sourceCode, one.call.arguments[0]) === METHOD.resourcesSubscribe
      ? [{ ...one, handler }]
      : [],
  );
}

/** A set, map, list or object that nothing fills but subscribe handlers. */
export interface SubscriberRegistry {
  /** As the file spells it: `subscribed`, `this.subscribed`. */
  readonly name: string;
  /** The handlers that fill it. */
  readonly filledBy: readonly SubscribeHandler[];
  /** Whether an expression is this registry. */
  is(expression: Node): boolean;
}

const known = new WeakMap<SourceCode, readonly SubscriberRegistry[]>();

/** The registries of a file that only subscribe handlers fill. */
export function subscriberRegistriesOf(sourceCode: SourceCode): readonly SubscriberRegistry[] {
  const before = known.get(sourceCode);
  if (before !== undefined) return before;
  const handlers = subscribeHandlersOf(sourceCode);
  const found =
    handlers.length === 0
      ? []
      : [...candidates(sourceCode)].flatMap(([key, fills]) => {
          const filledBy = handlers.filter((one) =>
            fills.some((fill) => isWithin(sourceCode, fill, one.handler)),
          );
          const isOnlyThere = fills.every((fill) =>
            handlers.some((one) => isWithin(sourceCode, fill, one.handler)),
          );
          const [first] = fills;
          return first !== undefined &&
            filledBy.length > 0 &&
            isOnlyThere &&
            startsEmptyAndStays(sourceCode, key)
            ? [{ name: nameOf(key), filledBy, is: (one: Node) => isSameKey(keyOf(sourceCode, one), key) }]
            : [];
        });
  known.set(sourceCode, found);
  return found;
}

type Key = { readonly variable: TSESLint.Scope.Variable } | { readonly owner: Node; readonly field: string };

function nameOf(key: Key): string {
  return 'variable' in key ? key.variable.name : `this.${key.field}`;
}

function keyOf(sourceCode: SourceCode, expression: Node): Key | undefined {
  const node = peel(expression);
  if (node.type === 'Identifier') {
    const variable = variableOf(sourceCode, node);
    return variable === undefined ? undefined : { variable };
  }
  if (node.type !== 'MemberExpression' || node.object.type !== 'ThisExpression') return undefined;
  const field = memberName(node);
  const owner = enclosingClass(node);
  return field === undefined || owner === undefined ? undefined : { owner, field };
}

function isSameKey(one: Key | undefined, other: Key): boolean {
  if (one === undefined) return false;
  return 'variable' in one
    ? 'variable' in other && one.variable === other.variable
    : 'owner' in other && one.owner === other.owner && one.field === other.field;
}

const FILLING = new Set(['add', 'set', 'push', 'unshift']);

/** What is put into something, by what it is put into. */
function candidates(sourceCode: SourceCode): Map<Key, Node[]> {
  const found = new Map<Key, Node[]>();
  const put = (holder: Node, fill: Node): void => {
    const key = keyOf(sourceCode, holder);
    if (key === undefined) return;
    const before = [...found.keys()].find((one) => isSameKey(key, one)) ?? key;
    found.set(before, [...(found.get(before) ?? []), fill]);
  };
  for (const call of nodesOf(sourceCode).of('CallExpression')) {
    const called = memberCall(call);
    if (called !== undefined && FILLING.has(called.name)) put(called.receiver, call);
  }
  for (const assignment of nodesOf(sourceCode).of('AssignmentExpression')) {
    const { left } = assignment;
    if (left.type === 'MemberExpression' && left.computed) put(left.object, assignment);
    if (left.type === 'Identifier' || left.type === 'MemberExpression') put(left, assignment);
  }
  return found;
}

/** Whether a node runs only as part of a handler: it lies in it, or in a function that only the handler calls. */
function isWithin(sourceCode: SourceCode, node: Node, handler: FunctionNode, depth = 0): boolean {
  return enclosingFunctions(node).some((one) => {
    if (one === handler) return true;
    const calls = depth > 2 ? undefined : callsOf(sourceCode, one);
    return (
      calls?.every((call) => isWithin(sourceCode, call, handler, depth + 1)) === true && calls.length > 0
    );
  });
}

/** Whether something is made empty in this file, and nobody gets hold of it who could fill it. */
function startsEmptyAndStays(sourceCode: SourceCode, key: Key): boolean {
  if ('variable' in key) {
    const definition = definitionOf(key.variable);
    if (definition?.type !== 'Variable' || definition.node.id.type !== 'Identifier') return false;
    return (
      isEmptyContainer(definition.node.init) &&
      !isExported(key.variable) &&
      key.variable.references.every((one) => one.init === true || isReadInPlace(one.identifier as Node))
    );
  }
  const mentions = nodesOf(sourceCode)
    .of('MemberExpression')
    .filter((one) => isSameKey(keyOf(sourceCode, one), key));
  const field = enclosedField(key.owner, key.field);
  return isEmptyContainer(field?.value) && mentions.every(isReadInPlace);
}

function enclosedField(owner: Node, name: string): TSESTree.PropertyDefinition | undefined {
  if (owner.type !== 'ClassDeclaration' && owner.type !== 'ClassExpression') return undefined;
  return owner.body.body.find(
    (member): member is TSESTree.PropertyDefinition =>
      member.type === 'PropertyDefinition' &&
      (member.key.type === 'PrivateIdentifier'
        ? `#${member.key.name}`
        : (member.key as { name?: string }).name) === name,
  );
}

function isEmptyContainer(node: Node | null | undefined): boolean {
  if (node === null || node === undefined) return false;
  const value = peel(node);
  if (value.type === 'NewExpression')
    return (
      value.callee.type === 'Identifier' &&
      ['Set', 'Map', 'WeakMap'].includes(value.callee.name) &&
      value.arguments.length === 0
    );
  if (value.type === 'ArrayExpression') return value.elements.length === 0;
  return value.type === 'ObjectExpression' && value.properties.length === 0;
}

/** Whether a mention only looks at the registry, walks over it, or calls a method of it. */
function isReadInPlace(mention: Node): boolean {
  const parent = parentOf(mention);
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === mention;
    case 'AssignmentExpression':
      return parent.left === mention;
    case 'ForOfStatement':
    case 'ForInStatement':
      return parent.right === mention;
    case 'SpreadElement':
      return parent.parent.type === 'ArrayExpression';
    case 'CallExpression': {
      // Array.from(subscribed), Object.keys(subscribed)
      const called = memberCall(parent);
      return (
        called?.receiver.type === 'Identifier' &&
        ['Array', 'Object'].includes(called.receiver.name) &&
        ['from', 'keys', 'values', 'entries'].includes(called.name)
      );
    }
    default:
      return parent?.type.startsWith('TS') === true;
  }
}
