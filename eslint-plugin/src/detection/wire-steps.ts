/** What a listen branch does, one after the other: what it writes, and what is out of sight. */
import {
  isFunction,
  memberCall,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { importOf } from './bindings.js';
import { functionOf } from './origins.js';
import { stringOf } from './values.js';
import { isStringify, kindOfMethod, messagesIn, type WireKind } from './wire.js';
import type { ListenBranch } from './wire-branches.js';

/** One thing that a branch does at once, not in a callback for later. */
export type Step =
  | {
      readonly kind: 'write';
      readonly message: WireKind;
      /** Where in the branch: the call that writes, or the message that is returned. */
      readonly node: Node;
      /** What writes, as text; `return` for what a function answers. */
      readonly through: string;
      readonly isConditional: boolean;
    }
  /** A call whose code is elsewhere, or a wait: it may write anything. */
  | { readonly kind: 'unknown'; readonly node: Node };

interface Place {
  readonly isConditional: boolean;
  /** The call of the branch that led here. */
  readonly site: Node | undefined;
  readonly stack: readonly FunctionNode[];
}

/** The steps of a branch in the order in which they happen. */
export function stepsOf(sourceCode: SourceCode, { body }: ListenBranch): readonly Step[] {
  const steps: Step[] = [];
  for (const node of body)
    visit(sourceCode, node, { isConditional: false, site: undefined, stack: [] }, steps);
  return steps;
}

function visit(sourceCode: SourceCode, node: Node, place: Place, steps: Step[]): void {
  const perhaps: Place = { ...place, isConditional: true };
  const each = (inner: Node | null | undefined, where = place): void => {
    if (inner !== null && inner !== undefined) visit(sourceCode, inner, where, steps);
  };
  if (isFunction(node)) return;
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      each(node.test);
      each(node.consequent, perhaps);
      each(node.alternate, perhaps);
      return;
    case 'LogicalExpression':
      each(node.left);
      each(node.right, perhaps);
      return;
    case 'TryStatement':
      each(node.block);
      each(node.handler, perhaps);
      each(node.finalizer);
      return;
    case 'AwaitExpression':
      each(node.argument);
      // What is neither a call nor a write may take as long as the subscription.
      if (node.argument.type !== 'CallExpression') steps.push({ kind: 'unknown', node });
      return;
    case 'ReturnStatement':
      if (
        node.argument !== null &&
        !write(sourceCode, [node.argument], 'return', node.argument, place, steps)
      )
        each(node.argument);
      return;
    case 'CallExpression':
      call(sourceCode, node, place, steps);
      return;
    case 'NewExpression':
      create(sourceCode, node, place, steps);
      return;
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'SwitchStatement':
    case 'CatchClause':
      children(sourceCode, node).forEach((child) => each(child, perhaps));
      return;
    default:
      children(sourceCode, node).forEach((child) => each(child));
  }
}

function children(sourceCode: SourceCode, node: Node): Node[] {
  return (sourceCode.visitorKeys[node.type] ?? []).flatMap((key) => {
    const child = (node as unknown as Record<string, unknown>)[key];
    return (Array.isArray(child) ? child : [child]).filter(
      (one): one is Node => typeof one === 'object' && one !== null && 'type' in one,
    );
  });
}

/** Whether the expressions hold messages; each becomes a step. */
function write(
  sourceCode: SourceCode,
  expressions: readonly Node[],
  through: string,
  node: Node,
  { isConditional, site }: Place,
  steps: Step[],
): boolean {
  let found = false;
  for (const expression of expressions) {
    const isChoice = peel(expression).type === 'ConditionalExpression';
    for (const { kind } of messagesIn(sourceCode, expression)) {
      found = true;
      const isPerhaps = isConditional || isChoice;
      steps.push({ kind: 'write', message: kind, node: site ?? node, through, isConditional: isPerhaps });
    }
  }
  return found;
}

function call(sourceCode: SourceCode, node: TSESTree.CallExpression, place: Place, steps: Step[]): void {
  const called = memberCall(node);
  const through = sourceCode.getText(node.callee);
  const visitAll = (): void => {
    if (called !== undefined) visit(sourceCode, called.receiver, place, steps);
    for (const argument of node.arguments) visit(sourceCode, argument, place, steps);
  };
  if (called !== undefined && KEEPING.has(called.name)) {
    visitAll();
    return;
  }
  const declared = functionOf(sourceCode, node.callee);
  // What makes a message or a text does not send it.
  if (!isStringify(node) && !makesMessage(sourceCode, node, declared)) {
    if (write(sourceCode, node.arguments, through, node, place, steps)) return;
    const method = node.arguments.map((argument) => stringOf(sourceCode, argument)).find(isNotification);
    if (method !== undefined && !SUBSCRIBING.has(called?.name ?? '')) {
      const { isConditional, site } = place;
      steps.push({
        kind: 'write',
        message: kindOfMethod(method),
        node: site ?? node,
        through,
        isConditional,
      });
      return;
    }
  }
  visitAll();
  if (declared !== undefined) inline(sourceCode, declared, node, place, steps);
  else if (called !== undefined && AT_ONCE.has(called.name))
    for (const argument of node.arguments)
      if (isFunction(argument)) inline(sourceCode, argument, node, place, steps);
  if (declared === undefined && !isHarmless(sourceCode, node)) steps.push({ kind: 'unknown', node });
}

/** Whether a call gives its caller a message: then who takes it counts. */
function makesMessage(
  sourceCode: SourceCode,
  node: TSESTree.CallExpression,
  declared: FunctionNode | undefined,
): boolean {
  if (declared === undefined) return false;
  const given = node.arguments.flatMap((argument) => messagesIn(sourceCode, argument)).length;
  return messagesIn(sourceCode, node).length > given;
}

function isNotification(text: string | undefined): text is string {
  return text?.startsWith('notifications/') === true;
}

/** Methods of containers: what is put into them is not sent yet. */
const KEEPING = new Set(['push', 'unshift', 'set', 'add', 'concat']);

const SUBSCRIBING = new Set([
  'on',
  'once',
  'addListener',
  'off',
  'removeListener',
  'addEventListener',
  'emit',
]);

/** Methods that call what they are handed before they return. */
const AT_ONCE = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find', 'reduce']);

function inline(
  sourceCode: SourceCode,
  declared: FunctionNode,
  node: Node,
  place: Place,
  steps: Step[],
): void {
  if (place.stack.includes(declared) || place.stack.length > 4) {
    steps.push({ kind: 'unknown', node });
    return;
  }
  const inside = { ...place, site: place.site ?? node, stack: [...place.stack, declared] };
  const returns: Step[] = [];
  visit(sourceCode, declared.body, inside, returns);
  // What an inner function returns is its caller's to send.
  steps.push(...returns.filter((step) => step.kind !== 'write' || step.through !== 'return'));
}

function create(sourceCode: SourceCode, node: TSESTree.NewExpression, place: Place, steps: Step[]): void {
  const name = node.callee.type === 'Identifier' ? node.callee.name : undefined;
  if (name === 'Response') {
    const [body] = node.arguments;
    if (body !== undefined && write(sourceCode, [body], `new ${name}`, node, place, steps)) return;
  }
  for (const argument of node.arguments) {
    visit(sourceCode, argument, place, steps);
    if (name === 'Promise' && isFunction(argument)) inline(sourceCode, argument, node, place, steps);
    if (name === 'ReadableStream' && argument.type === 'ObjectExpression')
      for (const property of argument.properties)
        if (property.type === 'Property' && isNamed(property, 'start') && isFunction(property.value))
          inline(sourceCode, property.value, node, place, steps);
  }
  if (name === undefined || !HARMLESS_CLASSES.has(name)) steps.push({ kind: 'unknown', node });
}

function isNamed({ key }: TSESTree.Property, name: string): boolean {
  return key.type === 'Identifier' && key.name === name;
}

const HARMLESS_CLASSES = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Array',
  'Date',
  'Error',
  'TypeError',
  'RangeError',
  'Headers',
  'URL',
  'TextEncoder',
  'AbortController',
  'ReadableStream',
  'Promise',
  'Response',
]);

/** Methods that only prepare a response, or read a value, whatever they are called on. */
const HARMLESS_METHODS = new Set([
  'get',
  'has',
  'delete',
  'clear',
  'keys',
  'values',
  'entries',
  'includes',
  'slice',
  'join',
  'split',
  'trim',
  'toString',
  'startsWith',
  'endsWith',
  'filter',
  'map',
  'flatMap',
  'forEach',
  'some',
  'every',
  'find',
  'reduce',
  'writeHead',
  'setHeader',
  'header',
  'status',
  'code',
  'type',
  'flushHeaders',
  'on',
  'once',
  'addEventListener',
  'encode',
  'bind',
]);

const HARMLESS_GLOBALS = new Set([
  'JSON',
  'Object',
  'Array',
  'Number',
  'String',
  'Math',
  'console',
  'crypto',
  'Date',
]);

const HARMLESS_FUNCTIONS = new Set([
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'structuredClone',
  'setInterval',
  'setTimeout',
  'clearInterval',
  'clearTimeout',
  'queueMicrotask',
]);

/** Whether a call certainly writes no message. */
function isHarmless(sourceCode: SourceCode, node: TSESTree.CallExpression): boolean {
  const imported = importOf(sourceCode, node.callee);
  if (imported !== undefined) return /^(?:node:)?crypto$|^(?:uuid|nanoid)$/.test(imported.module);
  const called = memberCall(node);
  if (called === undefined)
    return node.callee.type === 'Identifier' && HARMLESS_FUNCTIONS.has(node.callee.name);
  const receiver = peel(called.receiver);
  if (receiver.type === 'Identifier' && HARMLESS_GLOBALS.has(receiver.name)) return true;
  return HARMLESS_METHODS.has(called.name) || KEEPING.has(called.name);
}
