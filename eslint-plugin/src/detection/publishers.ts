/** Where a file publishes changes: on a server instance, on a request's stream, through the notifier or the bus. */
import {
  NOTIFICATION,
  PUBLISHERS,
  REGISTERING,
  REGISTRATION_MEMBERS,
  REQUEST_CONTEXT,
  SDK_SCOPE,
  SERVER_MEMBER,
  type PublisherRow,
} from '../../../src/protocol/index.js';
import { keyName, memberCall, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { busOf, notifierOf } from './notifier.js';
import { nodesOf } from './nodes.js';
import { originOf, type Origin } from './origins.js';
import { sendsOnRequestStream } from './server-handlers.js';
import { serverOf, type SdkServer } from './servers.js';
import { objectOf, propertyOf, stringOf } from './values.js';

/** A call that publishes a change. */
export interface Publisher {
  readonly call: TSESTree.CallExpression;
  /**
   * `instance`: a method of a server. `registration`: registering on a server, or changing what is registered, which
   * emits by itself. `request`: the stream of one request. `notifier`, `bus`: those of a handler.
   */
  readonly how: 'instance' | 'registration' | 'request' | 'notifier' | 'bus';
  /** What changed; undefined where the code leaves it open. */
  readonly change: PublisherRow | undefined;
  readonly server: SdkServer | undefined;
  /** The handler of a notifier or bus, where that is in sight. */
  readonly handler: Origin | undefined;
  /** The URI of an update, where it stands in the code by itself. */
  readonly uri: Node | undefined;
}

const known = new WeakMap<SourceCode, readonly Publisher[]>();

/** The publishers of a file, in the order of the text. */
export function publishersOf(sourceCode: SourceCode): readonly Publisher[] {
  const before = known.get(sourceCode);
  if (before !== undefined) return before;
  const found = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => publisherOf(sourceCode, call) ?? []);
  known.set(sourceCode, found);
  return found;
}

const NOTHING = { change: undefined, server: undefined, handler: undefined, uri: undefined };

function publisherOf(sourceCode: SourceCode, call: TSESTree.CallExpression): Publisher | undefined {
  const [first] = call.arguments;
  if (sendsOnRequestStream(sourceCode, call)) {
    const sent = sentBy(sourceCode, first);
    return sent === 'other' ? undefined : { ...NOTHING, call, how: 'request', ...sent };
  }
  const called = memberCall(call);
  if (called === undefined) return computedPublisher(sourceCode, call);
  const { receiver, name } = called;
  const row = PUBLISHERS.find((one) => one.member === name || one.notify === name);
  if (row?.member === name) {
    const server = serverOf(sourceCode, receiver);
    const uri = propertyValue(first, 'uri');
    return server === undefined ? undefined : { ...NOTHING, call, how: 'instance', change: row, server, uri };
  }
  if (row !== undefined) {
    const channel = notifierOf(sourceCode, receiver);
    const uri = row.notify === 'resourceUpdated' ? first : undefined;
    return channel === undefined
      ? undefined
      : { ...NOTHING, call, how: 'notifier', change: row, uri, ...channel };
  }
  if (name === SERVER_MEMBER.notification) return notificationOf(sourceCode, call, receiver);
  if (name === 'publish') {
    const channel = busOf(sourceCode, receiver);
    return channel === undefined ? undefined : busEvent(sourceCode, call, channel.handler);
  }
  return registrationChange(sourceCode, call, receiver, name);
}

/** `server[method]()` and `handler.notify[kind]()`. */
function computedPublisher(sourceCode: SourceCode, call: TSESTree.CallExpression): Publisher | undefined {
  const callee = peel(call.callee);
  if (callee.type !== 'MemberExpression') return undefined;
  const server = serverOf(sourceCode, callee.object);
  if (server !== undefined) return { ...NOTHING, call, how: 'instance', server };
  const channel = notifierOf(sourceCode, callee.object);
  return channel === undefined ? undefined : { ...NOTHING, call, how: 'notifier', ...channel };
}

/** `server.notification({ method: … })`; with `relatedRequestId` it goes on that request's stream. */
function notificationOf(
  sourceCode: SourceCode,
  call: TSESTree.CallExpression,
  receiver: Node,
): Publisher | undefined {
  const server = serverOf(sourceCode, receiver);
  if (server === undefined) return undefined;
  const [message, options] = call.arguments;
  const sent = sentBy(sourceCode, message);
  if (sent === 'other') return undefined;
  const related = objectOf(sourceCode, options);
  const isRelated =
    related !== undefined && propertyOf(related, REQUEST_CONTEXT.relatedRequestId) !== undefined;
  return { ...NOTHING, call, how: isRelated ? 'request' : 'instance', server, ...sent };
}

type Sent = Pick<Publisher, 'change' | 'uri'>;

/** What a notification says has changed; `other` where it certainly is about something else. */
function sentBy(sourceCode: SourceCode, message: Node | undefined): Sent | 'other' {
  const open: Sent = { change: undefined, uri: undefined };
  const object = objectOf(sourceCode, message);
  const method = object === undefined ? undefined : propertyOf(object, 'method');
  if (object === undefined || method === undefined || method === 'unknown') return open;
  const name = stringOf(sourceCode, method.value);
  if (name === undefined) return open;
  const change = PUBLISHERS.find((row) => row.notification === name);
  if (change === undefined) return 'other';
  return {
    change,
    uri: change.notification === NOTIFICATION.resourceUpdated ? uriOf(object) : undefined,
  };
}

function uriOf(message: TSESTree.ObjectExpression): Node | undefined {
  const params = propertyOf(message, 'params');
  return params === undefined || params === 'unknown' ? undefined : propertyValue(params.value, 'uri');
}

/** The value of the only property of an object literal. */
function propertyValue(node: Node | undefined, name: string): Node | undefined {
  const object = node?.type === 'ObjectExpression' ? node : undefined;
  const [property, ...others] = object?.properties ?? [];
  return property?.type === 'Property' && others.length === 0 && keyName(property) === name
    ? property.value
    : undefined;
}

function busEvent(
  sourceCode: SourceCode,
  call: TSESTree.CallExpression,
  handler: Origin | undefined,
): Publisher {
  const event = objectOf(sourceCode, call.arguments[0]);
  const kind = event === undefined ? undefined : propertyOf(event, 'kind');
  const name = kind === undefined || kind === 'unknown' ? undefined : stringOf(sourceCode, kind.value);
  return { ...NOTHING, call, how: 'bus', change: PUBLISHERS.find((row) => row.event === name), handler };
}

/** `server.registerTool(…)`, and `tool.disable()` on what that returned. */
function registrationChange(
  sourceCode: SourceCode,
  call: TSESTree.CallExpression,
  receiver: Node,
  name: string,
): Publisher | undefined {
  const row = REGISTERING.find((one) => one.member === name);
  if (row !== undefined) {
    const server = serverOf(sourceCode, receiver);
    return server === undefined
      ? undefined
      : { ...NOTHING, call, how: 'registration', server, change: changeOf(row.field) };
  }
  if (!(REGISTRATION_MEMBERS as readonly string[]).includes(name)) return undefined;
  const registered = registeredBy(sourceCode, receiver);
  return registered === undefined ? undefined : { ...NOTHING, call, how: 'registration', ...registered };
}

function changeOf(field: string): PublisherRow | undefined {
  return PUBLISHERS.find((row) => row.field === field);
}

/** What a name for something registered stands for. */
function registeredBy(
  sourceCode: SourceCode,
  expression: Node,
): Pick<Publisher, 'change' | 'server'> | undefined {
  const node = peel(expression);
  if (node.type === 'CallExpression') {
    const called = memberCall(node);
    const row = REGISTERING.find((one) => one.member === called?.name);
    const server =
      called === undefined || row === undefined ? undefined : serverOf(sourceCode, called.receiver);
    return row === undefined || server === undefined ? undefined : { change: changeOf(row.field), server };
  }
  const typed = originOf(sourceCode, node)?.imported;
  const row = REGISTERING.find(({ returns }) => typed !== undefined && returns.includes(typed.name));
  if (row !== undefined && typed?.module.startsWith(SDK_SCOPE) === true)
    return { change: changeOf(row.field), server: undefined };
  if (node.type !== 'Identifier') return undefined;
  const variable = variableOf(sourceCode, node);
  if (definitionOf(variable)?.type !== 'Variable') return undefined;
  for (const { writeExpr } of variable?.references ?? []) {
    const written = writeExpr === null || writeExpr === undefined ? undefined : peel(writeExpr);
    const found = written?.type === 'CallExpression' ? registeredBy(sourceCode, written) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
