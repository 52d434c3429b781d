/** The calls by which a server itself sends a change: `send…`, `notification(…)`, and the stream of a request. */
import { ts } from 'ts-morph';
import { PUBLISHERS, REQUEST_CONTEXT, SERVER_MEMBER, type Notification } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { textsOf } from './method-names.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { readMessage, readParameters, type ChangeMessage } from './publisher-messages.js';
import { callsOfName } from './raw-requests.js';
import { isAnnotatedContext, parameterBehind, requestContextsOf } from './request-handlers.js';
import type { ServerGroup } from './server-group.js';
import type { Publisher } from './server-publisher.js';
import { accessedMember, dressed, peel, propertyName } from './syntax.js';

/** One call that may send a change. */
export interface Emit extends ChangeMessage {
  readonly call: ts.CallExpression;
  readonly form: Publisher['form'];
  /** The server or context that sends it, as written. */
  readonly receiver: ts.Expression;
  /** The message of a raw notification, as written. */
  readonly message: ts.Expression | undefined;
}

/** What a server's members are used for, as far as it concerns what is sent. */
export interface Emits {
  readonly emits: readonly Emit[];
  /** Methods that send a change, taken without being called. */
  readonly taken: readonly ts.Node[];
  /** Notifications that the listen stream has no place for, by their calls. */
  readonly custom: readonly { readonly call: ts.CallExpression; readonly methods: readonly string[] }[];
}

const NOTHING_ELSE = { others: [], uri: undefined, uriHolder: undefined, extraParameters: false } as const;

const byMember = new Map(PUBLISHERS.map((row) => [row.member, row]));

/** Finds them in all files. */
export function emitsOf(world: ClosedWorld, group: ServerGroup): Emits {
  const emits: Emit[] = [];
  const taken: ts.Node[] = [];
  const custom: { call: ts.CallExpression; methods: readonly string[] }[] = [];
  const add = (
    found: Emit | 'taken' | { readonly custom: readonly string[] } | undefined,
    at: ts.Node,
  ): void => {
    if (found === undefined) return;
    if (found === 'taken') taken.push(at);
    else if ('custom' in found) {
      if (ts.isCallExpression(at)) custom.push({ call: at, methods: found.custom });
    } else emits.push(found);
  };
  for (const { access, member } of group.members) {
    const row = byMember.get(member);
    if (row === undefined && member !== SERVER_MEMBER.notification) continue;
    if (isTestFile(access)) continue;
    const calls = callsThrough(world, access);
    if (calls === undefined) {
      add(isAskedFor(access) ? undefined : 'taken', access);
      continue;
    }
    for (const { call, argument } of calls) {
      add(
        row === undefined
          ? notificationEmit(world, call, access.expression, argument)
          : methodEmit(world, call, access.expression, row.notification, argument),
        call,
      );
    }
  }
  for (const { node, key } of group.taken) if (!isTestFile(node)) add(computedEmit(world, node, key), node);
  for (const emit of requestStreamEmits(world, group)) add(emit, emit.call);
  return { emits, taken, custom };
}

/** What a test does to a server says nothing of how it publishes. */
export function isTestFile(node: ts.Node): boolean {
  return /[._-](?:test|spec)\.[cm]?[jt]sx?$|\/__tests__\//.test(node.getSourceFile().fileName);
}

interface Through {
  readonly call: ts.CallExpression;
  /** What the method is given first. */
  readonly argument: ts.Expression | undefined;
}

/** The calls of a member: as it is, bound, or kept in a constant. Undefined when it goes anywhere else. */
function callsThrough(world: ClosedWorld, access: ts.Expression): Through[] | undefined {
  const callee = dressed(access);
  const { parent } = callee;
  const asCall = (call: ts.CallExpression): Through => ({ call, argument: call.arguments[0] });
  if (ts.isCallExpression(parent)) return parent.expression === callee ? [asCall(parent)] : undefined;
  const bound =
    ts.isPropertyAccessExpression(parent) && parent.name.text === 'bind' ? dressed(parent).parent : undefined;
  if (bound === undefined || !ts.isCallExpression(bound) || bound.arguments.length > 1) return undefined;
  const holder = dressed(bound).parent;
  return ts.isVariableDeclaration(holder) ? callsOfName(world, holder)?.map(asCall) : undefined;
}

/** `if (server.sendToolListChanged)`, an assertion or a mock: nothing is sent there. */
function isAskedFor(access: ts.Expression): boolean {
  const value = dressed(access);
  const { parent } = value;
  if (ts.isBinaryExpression(parent)) {
    const kind = parent.operatorToken.kind;
    const isTest = kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.EqualsToken;
    return parent.left === value && isTest;
  }
  if (ts.isCallExpression(parent))
    return /^(?:expect|assert|spyOn|vi|jest|sinon)\b/.test(parent.expression.getText());
  return (
    ts.isIfStatement(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition === value)
  );
}

function methodEmit(
  world: ClosedWorld,
  call: ts.CallExpression,
  receiver: ts.Expression,
  notification: Notification,
  argument: ts.Expression | undefined,
): Emit {
  const row = PUBLISHERS.find((one) => one.notification === notification);
  const isUpdate = row?.field === 'resourceSubscriptions' && argument !== undefined;
  const ofParameters = isUpdate ? readParameters(argument, world) : NOTHING_ELSE;
  return {
    call,
    form: 'method',
    receiver,
    message: undefined,
    notifications: [notification],
    others: [],
    ...ofParameters,
  };
}

/** `server.notification(message)`; with `relatedRequestId` it goes on that request's stream. */
function notificationEmit(
  world: ClosedWorld,
  call: ts.CallExpression,
  receiver: ts.Expression,
  message: ts.Expression | undefined,
): Emit | { readonly custom: readonly string[] } | undefined {
  if (message === undefined) return undefined;
  const read = readMessage(world, message);
  const options = call.arguments[1];
  const isRelated =
    options !== undefined && new RegExp(`\\b${REQUEST_CONTEXT.relatedRequestId}\\b`).test(options.getText());
  if (read.notifications?.length === 0) return isRelated ? undefined : { custom: read.others };
  return { ...read, call, form: isRelated ? 'request-stream' : 'notification', receiver, message };
}

/** `server[name]()` */
function computedEmit(
  world: ClosedWorld,
  node: ts.Node,
  key: string | ts.Expression,
): Emit | 'taken' | undefined {
  if (typeof key === 'string')
    return byMember.has(key) || key === SERVER_MEMBER.notification ? 'taken' : undefined;
  if (!ts.isElementAccessExpression(node)) return undefined;
  const names = textsOf(key, world);
  const found = names?.flatMap((name) => byMember.get(name)?.notification ?? []);
  if (found?.length === 0 && names?.includes(SERVER_MEMBER.notification) !== true) return undefined;
  const callee = dressed(node);
  if (!ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return 'taken';
  const receiver = node.expression;
  if (found?.length === 1 && names?.length === 1 && found[0] !== undefined)
    return methodEmit(world, callee.parent, receiver, found[0], callee.parent.arguments[0]);
  return {
    call: callee.parent,
    form: 'computed',
    receiver,
    message: undefined,
    notifications: found,
    ...NOTHING_ELSE,
  };
}

/** `ctx.mcpReq.notify(message)`, `extra.sendNotification(message)`: on the stream of the request that is handled (T10). */
function requestStreamEmits(world: ClosedWorld, group: ServerGroup): Emit[] {
  const contexts = requestContextsOf(world, group);
  return streamCalls(world).flatMap(({ call, context }): Emit[] => {
    const parameter = parameterBehind(context, world);
    const [message] = call.arguments;
    if (parameter === undefined || message === undefined) return [];
    const isOurs = contexts.has(parameter) || (isAnnotatedContext(parameter) && isNear(group, parameter));
    if (!isOurs) return [];
    const read = readMessage(world, message);
    // Whatever cannot be read is on its own request's stream in both eras: only a change is wrong there.
    return read.notifications === undefined || read.notifications.length === 0
      ? []
      : [{ ...read, call, form: 'request-stream', receiver: context, message }];
  });
}

/** A context that nobody in sight hands over: of the server whose file it is in. */
function isNear(group: ServerGroup, node: ts.Node): boolean {
  return group.nodes.some((one) => one.getSourceFile() === node.getSourceFile());
}

interface StreamCall {
  readonly call: ts.CallExpression;
  readonly context: ts.Expression;
}

const streamCallsByWorld = new WeakMap<ClosedWorld, readonly StreamCall[]>();

/** Every call that looks like one on a request's stream. */
function streamCalls(world: ClosedWorld): readonly StreamCall[] {
  const known = streamCallsByWorld.get(world);
  if (known !== undefined) return known;
  const found = world.sourceFiles.flatMap((file) =>
    nodesOfInterest(file).operations.flatMap((node) =>
      ts.isCallExpression(node) ? (streamCall(world, node) ?? []) : [],
    ),
  );
  streamCallsByWorld.set(world, found);
  return found;
}

const SENDERS: ReadonlySet<string> = new Set([REQUEST_CONTEXT.sendNotification, REQUEST_CONTEXT.notify]);

function streamCall({ checker }: ClosedWorld, call: ts.CallExpression): StreamCall | undefined {
  const callee = peel(call.expression);
  const accessed = accessedMember(callee);
  if (accessed !== undefined)
    return SENDERS.has(accessed.member) ? { call, context: accessed.access.expression } : undefined;
  if (!ts.isIdentifier(callee)) return undefined;
  const declaration = SENDERS.has(callee.text)
    ? checker.getSymbolAtLocation(callee)?.valueDeclaration
    : undefined;
  const isTaken =
    declaration !== undefined &&
    ts.isBindingElement(declaration) &&
    SENDERS.has(propertyName(declaration.propertyName ?? declaration.name) ?? '');
  return isTaken ? { call, context: callee } : undefined;
}
