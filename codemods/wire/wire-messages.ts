/** JSON-RPC messages that a module writes out itself, and what carries them. */
import { bindingOf, functionOf, referencesTo } from './bindings.js';
import { requestsOf, type HttpRequest } from './http-request.js';
import {
  calleeName,
  child,
  contains,
  isCall,
  isFunction,
  isWrapper,
  list,
  memberName,
  nameOf,
  receiverOf,
  type Node,
} from './tree.js';
import { objectOf, propertyOf, textOf, valueOf } from './values.js';
import { callsOf, functionAround, type WireModule } from './wire-module.js';

/** A message: an object literal, or a method and its params handed to a function of the module that makes one. */
export interface WireMessage {
  /** The object literal, or the call that is handed the parts. */
  readonly node: Node;
  readonly form: 'object' | 'parts';
  /** Where the method is written. */
  readonly method: { readonly node: Node; readonly name: string };
  /** The object with the params. */
  readonly params: Node | undefined;
  readonly id: Node | undefined;
  /** Whether the literal says `jsonrpc` itself. */
  readonly isWhole: boolean;
}

const MESSAGES = Symbol('messages');

/** The messages of a module, in the order of the text. */
export function messagesOf(module: WireModule): readonly WireMessage[] {
  return module.remember(MESSAGES, () =>
    [
      ...module.of('ObjectExpression').flatMap((object) => objectMessage(module, object) ?? []),
      ...sentByParts(module),
    ].sort((a, b) => a.node.start - b.node.start),
  );
}

function objectMessage(module: WireModule, object: Node): WireMessage | undefined {
  const node = valueOf(module, object, 'method');
  const name = textOf(module, node);
  if (node === undefined || name === undefined) return undefined;
  const isWhole = propertyOf(module, object, 'jsonrpc') !== undefined;
  if (!isWhole && !isCompleted(module, object)) return undefined;
  return {
    node: object,
    form: 'object',
    method: { node, name },
    params: objectOf(module, valueOf(module, object, 'params')),
    id: valueOf(module, object, 'id'),
    isWhole,
  };
}

/** Whether the module itself makes a JSON-RPC message of it: spread beside `jsonrpc`, or handed to a function that adds it. */
function isCompleted(module: WireModule, object: Node): boolean {
  const holder = outermost(module, object);
  const parent = module.parentOf(holder);
  if (parent === undefined) return false;
  if (isCall(parent) && list(parent, 'arguments').includes(holder)) return isRawSender(module, parent);
  const names = parent.type === 'VariableDeclarator' ? child(parent, 'id') : undefined;
  const binding = names?.type === 'Identifier' ? bindingOf(module, names) : undefined;
  const places = binding === undefined ? [] : referencesTo(module, binding);
  return places.some((place) => {
    const use = module.parentOf(place);
    if (use === undefined) return false;
    if (isCall(use)) return isRawSender(module, use);
    const literal = use.type === 'SpreadElement' ? module.parentOf(use) : undefined;
    return literal?.type === 'ObjectExpression' && propertyOf(module, literal, 'jsonrpc') !== undefined;
  });
}

/** `send('resources/subscribe', { uri })` */
function sentByParts(module: WireModule): WireMessage[] {
  return callsOf(module).flatMap((call): WireMessage[] => {
    const [first, second] = list(call, 'arguments');
    const name = textOf(module, first);
    if (first === undefined || name === undefined || !isRawSender(module, call)) return [];
    const params = objectOf(module, second);
    return [
      { node: call, form: 'parts', method: { node: first, name }, params, id: undefined, isWhole: false },
    ];
  });
}

/** Whether what is called is a function of a module that writes JSON-RPC by itself. */
function isRawSender(module: WireModule, call: Node): boolean {
  const callee = child(call, 'callee');
  const declared = callee === undefined ? undefined : functionOf(module, callee);
  return declared !== undefined && /\bjsonrpc['"]?\s*:/.test(module.text);
}

function outermost(module: WireModule, node: Node): Node {
  let at = node;
  for (
    let parent = module.parentOf(at);
    parent !== undefined && isWrapper(parent);
    parent = module.parentOf(at)
  )
    at = parent;
  return at;
}

/** How a message leaves the module. */
export interface Carrier {
  readonly kind: 'pipe' | 'http' | 'unknown';
  /** The call that sends it. */
  readonly call: Node | undefined;
  /** Whether who sends it waits for its answer. */
  readonly waits: boolean;
  /** The request, where the message is its body. */
  readonly request?: HttpRequest;
}

const UNKNOWN: Carrier = { kind: 'unknown', call: undefined, waits: true };

/** Follows a message outwards to what sends it. */
export function carrierOf(module: WireModule, message: WireMessage): Carrier {
  if (message.form === 'parts') return senderCarrier(module, message.node);
  return carrierOfValue(module, message.node, 0);
}

function carrierOfValue(module: WireModule, value: Node, depth: number): Carrier {
  const inner = outermost(module, value);
  const parent = module.parentOf(inner);
  if (parent === undefined || depth > 8) return UNKNOWN;
  const next = (node: Node): Carrier => carrierOfValue(module, node, depth + 1);
  switch (parent.type) {
    case 'BinaryExpression':
    case 'TemplateLiteral':
    case 'ConditionalExpression':
      return next(parent);
    case 'SpreadElement':
    case 'SpreadProperty':
      return next(module.parentOf(parent) ?? parent);
    case 'Property':
    case 'ObjectProperty':
      return bodyCarrier(module, parent);
    case 'VariableDeclarator':
      return nameCarrier(module, parent, depth);
    default:
      return isCall(parent) ? callCarrier(module, parent, inner, depth) : UNKNOWN;
  }
}

function callCarrier(module: WireModule, call: Node, argument: Node, depth: number): Carrier {
  if (!list(call, 'arguments').includes(argument)) return UNKNOWN;
  const name = calleeName(call);
  const receiver = receiverOf(call);
  const holder = receiver === undefined ? undefined : (nameOf(receiver) ?? memberName(receiver));
  if (name === 'stringify' && holder === 'JSON') return carrierOfValue(module, call, depth + 1);
  if (name === 'write' && isPipeName(holder)) return { kind: 'pipe', call, waits: false };
  const request = requestsOf(module).find((one) => one.call === call);
  if (request !== undefined) return { kind: 'http', call, waits: true, request };
  const declared = functionOf(module, child(call, 'callee') ?? call);
  return declared === undefined ? UNKNOWN : senderCarrier(module, call);
}

function isPipeName(name: string | undefined): boolean {
  return /stdin|^(?:input|pipe|writable|out|output)$/i.test(name ?? '');
}

/** What the function does that is handed a message, or its parts. */
function senderCarrier(module: WireModule, call: Node): Carrier {
  const callee = child(call, 'callee');
  const declared = callee === undefined ? undefined : functionOf(module, callee);
  if (declared === undefined) return UNKNOWN;
  const text = module.textOf(declared);
  const isHttp = requestsOf(module).some((request) => contains(declared, request.call));
  if (isHttp) return { kind: 'http', call, waits: true };
  const writes = callsOf(module).some((inner) => {
    const receiver = receiverOf(inner);
    const holder = receiver === undefined ? undefined : (nameOf(receiver) ?? memberName(receiver));
    return contains(declared, inner) && calleeName(inner) === 'write' && isPipeName(holder);
  });
  const waits = /new Promise\b|withResolvers\b|\.set\(|\bawait\b|once\(/.test(text);
  if (writes) return { kind: 'pipe', call, waits };
  // A function that hands on to another one of the module: `request` to `send`.
  const onward = callsOf(module).find((inner) => {
    const target = child(inner, 'callee');
    const next = target === undefined ? undefined : functionOf(module, target);
    return (
      contains(declared, inner) &&
      next !== undefined &&
      next !== declared &&
      functionAround(module, inner) !== undefined
    );
  });
  const further = onward === undefined ? undefined : plainSender(module, onward);
  return further === undefined ? UNKNOWN : { ...further, call, waits: waits || further.waits };
}

/** The last function in a row of senders. */
function plainSender(module: WireModule, call: Node): Carrier | undefined {
  const callee = child(call, 'callee');
  const declared = callee === undefined ? undefined : functionOf(module, callee);
  if (declared === undefined || !isFunction(declared)) return undefined;
  if (requestsOf(module).some((request) => contains(declared, request.call)))
    return { kind: 'http', call, waits: true };
  const writes = module.textOf(declared).includes('.write(');
  return writes ? { kind: 'pipe', call, waits: false } : undefined;
}

/** `body: JSON.stringify(message)` */
function bodyCarrier(module: WireModule, property: Node): Carrier {
  const options = module.parentOf(property);
  const request = requestsOf(module).find((one) => one.options?.object === options);
  const name = nameOf(child(property, 'key'));
  return request !== undefined && ['body', 'data', 'json'].includes(name ?? '')
    ? { kind: 'http', call: request.call, waits: true, request }
    : UNKNOWN;
}

/** `const message = …; send(message);` */
function nameCarrier(module: WireModule, declarator: Node, depth: number): Carrier {
  const id = child(declarator, 'id');
  const binding = id?.type === 'Identifier' ? bindingOf(module, id) : undefined;
  const places = binding === undefined ? [] : referencesTo(module, binding);
  const carriers = places.map((place) => carrierOfValue(module, place, depth + 1));
  return carriers.find(({ kind }) => kind !== 'unknown') ?? UNKNOWN;
}

/** The statement of a call whose result nobody looks at. */
export function statementOfUnused(module: WireModule, call: Node): Node | undefined {
  let at = call;
  for (let parent = module.parentOf(at); parent !== undefined; parent = module.parentOf(at)) {
    const isVoid = parent.type === 'UnaryExpression' && parent['operator'] === 'void';
    if (parent.type === 'ExpressionStatement') return parent;
    if (parent.type !== 'AwaitExpression' && !isVoid && !isWrapper(parent)) return undefined;
    at = parent;
  }
  return undefined;
}
