/** Finds every client of the candidate files and ties what belongs to it into a group. */
import { ts } from 'ts-morph';
import {
  CLIENT_MEMBER,
  CLIENT_OPTION,
  CLIENT_TRANSPORTS,
  FILTER_FIELDS,
  LEGACY_ONLY_CALLS,
  METHOD,
  REQUEST_OPTION,
} from '../protocol/index.js';
import { CHANGE_STREAM_METHOD } from '../codegen/change-stream.js';
import { isChangeStreamCall } from './change-stream-calls.js';
import type {
  ClientGroup,
  ConnectSite,
  Creation,
  HandlerSite,
  LegacyUse,
  MethodGuard,
  MockMember,
  ResumptionSite,
  ListenSite,
  Negotiation,
  SubscriptionCall,
} from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt, eraOfNegotiation, eraOfOptions, literalBehind } from './era.js';
import { notificationsOf } from './notification-kinds.js';
import { classifyReceiver, isClientCreation } from './receivers.js';
import { accessedMember, dressed, literalText, peel, propertyName, propertyOf } from './syntax.js';
import type { Cell } from './cells.js';
import { traceValues, type MemberUse, type ValueGroup } from './value-flow.js';

const SUBSCRIPTION_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [CLIENT_MEMBER.subscribeResource]: 'subscribe',
  [CLIENT_MEMBER.unsubscribeResource]: 'unsubscribe',
};

const REQUEST_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [METHOD.resourcesSubscribe]: 'subscribe',
  [METHOD.resourcesUnsubscribe]: 'unsubscribe',
};

/** Members by which a client shows itself; a receiver of any other member is found by following values. */
const TELLING_MEMBERS = new Set<string>([
  ...LEGACY_ONLY_CALLS.map((call) => call.member),
  CLIENT_MEMBER.connect,
  CLIENT_MEMBER.listen,
  CLIENT_MEMBER.request,
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.removeNotificationHandler,
  CLIENT_MEMBER.fallbackNotificationHandler,
  CLIENT_MEMBER.setVersionNegotiation,
]);

/** Finds and groups all clients; groups are in the order of their first place. */
export function findClientGroups(world: ClosedWorld): ClientGroup[] {
  const seeds = findSeeds(world);
  const traced = traceValues(
    world,
    seeds.map((seed) => seed.expression),
    isChangeStreamCall,
  );
  const known = new Map<ValueGroup, boolean>();
  for (const seed of seeds) {
    const group = traced.get(seed.expression);
    if (group !== undefined) known.set(group, (known.get(group) ?? false) || seed.certain);
  }
  const groups: ClientGroup[] = [];
  for (const [values, certain] of known) {
    const group = describeGroup(world, values, certain);
    if (certain || group.subscriptions.length > 0) groups.push(group);
  }
  return groups;
}

interface Seed {
  readonly expression: ts.Expression;
  readonly certain: boolean;
}

function findSeeds(world: ClosedWorld): Seed[] {
  const seeds: Seed[] = [];
  const visit = (node: ts.Node): void => {
    const accessed = accessedMember(node);
    if (accessed !== undefined && TELLING_MEMBERS.has(accessed.member)) {
      const { expression } = accessed.access;
      const receiver = classifyReceiver(world, expression);
      if (receiver === 'client') seeds.push({ expression, certain: true });
      else if (
        receiver === 'unknown' &&
        accessed.member in SUBSCRIPTION_ACTIONS &&
        takesUri(accessed.access)
      ) {
        seeds.push({ expression, certain: false });
      }
    } else if (ts.isNewExpression(node) && isClientCreation(world, node)) {
      seeds.push({ expression: node, certain: true });
    } else if (ts.isCallExpression(node) && isChangeStreamCall(node)) {
      const client = node.arguments[0];
      if (client !== undefined)
        seeds.push({ expression: client, certain: classifyReceiver(world, client) === 'client' });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of world.sourceFiles) visit(file);
  return seeds;
}

/** A receiver of unknown type is worth a word only where the call has the SDK's form: one object with a `uri`. */
function takesUri(access: ts.Expression): boolean {
  const callee = dressed(access);
  if (!ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return false;
  const argument = callee.parent.arguments[0];
  if (argument === undefined) return false;
  const inner = peel(argument);
  return ts.isObjectLiteralExpression(inner) && propertyOf(inner, 'uri') !== undefined;
}

function describeGroup(world: ClosedWorld, values: ValueGroup, certain: boolean): ClientGroup {
  const creations: Creation[] = [];
  for (const cell of values.cells) {
    if (ts.isNewExpression(cell) && isClientCreation(world, cell))
      creations.push(describeCreation(world, cell));
  }
  const subscriptions: SubscriptionCall[] = [];
  const legacyUses: LegacyUse[] = [];
  const guards: MethodGuard[] = [];
  const resumptions: ResumptionSite[] = [];
  const connects: ConnectSite[] = [];
  const handlers: HandlerSite[] = [];
  const listens: ListenSite[] = [];
  const negotiations: Negotiation[] = [];
  for (const use of values.members) {
    const call = callOf(use);
    const typedAsClient = classifyReceiver(world, use.access.expression) !== 'other';
    const legacy = LEGACY_ONLY_CALLS.find((row) => row.member === use.member);
    if (call !== undefined) {
      const resumption = resumptionIn(call, use, world);
      if (resumption !== undefined) resumptions.push(resumption);
    }
    const guard = legacy?.role === 'subscription' && call === undefined ? guardAround(use) : undefined;
    if (guard !== undefined) {
      guards.push(guard);
    } else if (legacy?.role === 'subscription') {
      subscriptions.push(describeSubscription(world, use, call, typedAsClient));
    } else if (legacy !== undefined) {
      legacyUses.push({
        node: call ?? use.access,
        label: `${use.member}()`,
        row: legacy,
        era: eraAt(use.access, world.checker),
      });
    } else if (use.member === CLIENT_MEMBER.request && call !== undefined) {
      describeRequest(world, use, call, subscriptions, legacyUses);
    } else if (use.member === CLIENT_MEMBER.transport) {
      const session = sessionRead(use.access);
      if (session !== undefined) {
        legacyUses.push({
          node: session,
          label: 'transport.sessionId',
          row: undefined,
          era: eraAt(session, world.checker),
        });
      }
    } else if (!typedAsClient) {
      continue; // the same cell holds something else too, a tuple's other part for one
    } else if (use.member === CLIENT_MEMBER.connect && call !== undefined) {
      connects.push({
        call,
        receiver: use.access.expression,
        transport: transportOf(world, call.arguments[0]),
      });
    } else if (use.member === CLIENT_MEMBER.listen && call !== undefined) {
      listens.push({ node: call, through: 'listen', asksForLists: true });
    } else if (use.member === CLIENT_MEMBER.setVersionNegotiation && call?.arguments[0] !== undefined) {
      negotiations.push({ node: call, era: eraOfNegotiation(call.arguments[0], world.checker) });
    } else {
      const handler = describeHandler(world, use, call);
      if (handler !== undefined) handlers.push(handler);
    }
  }
  for (const node of consumerCalls(world, values.cells)) {
    listens.push({ node, through: 'stream', asksForLists: !asksForUpdatesAlone(node) });
  }
  const inOrder = <T extends { node: ts.Node }>(list: T[]): T[] =>
    list.sort((a, b) => comparePlaces(a.node, b.node));
  connects.sort((a, b) => comparePlaces(a.call, b.call));
  return {
    home: homeOfGroup(
      creations.length > 0 ? creations.map((creation) => holderOf(creation.node)) : values.cells,
    ),
    creations: inOrder(creations),
    negotiations: inOrder(negotiations),
    connects,
    subscriptions: inOrder(subscriptions),
    guards: inOrder(guards),
    mocks: mocksAmong(values.cells),
    resumptions: resumptions.sort((a, b) => comparePlaces(a.receiver, b.receiver)),
    legacyUses: inOrder(legacyUses),
    handlers: inOrder(handlers),
    listens: inOrder(listens),
    watchesAutoOpened: values.members.some((use) => use.member === CLIENT_MEMBER.autoOpenedSubscription),
    escapes: values.escapes,
    origins: values.origins,
    certain: certain || creations.length > 0,
  };
}

function describeCreation(world: ClosedWorld, node: ts.NewExpression): Creation {
  const optionsCall = optionsCallOf(world, node);
  const options = optionsCall?.arguments?.[1];
  const listChangedNode = listChangedProperty(options, world.checker);
  return {
    node,
    optionsCall,
    era: optionsCall === undefined ? 'unknown' : eraOfOptions(options, world.checker),
    options,
    listChangedOption: listChangedKinds(listChangedNode, world.checker),
    listChangedNode,
  };
}

/**
 * The call whose arguments reach the SDK's constructor. A subclass without a constructor hands its arguments on; one with a
 * constructor decides in `super(…)`; undefined where that cannot be followed.
 */
function optionsCallOf(world: ClosedWorld, node: ts.NewExpression): Creation['optionsCall'] {
  let declaration = world.checker.getTypeAtLocation(node).getSymbol()?.declarations?.[0];
  while (declaration !== undefined && ts.isClassLike(declaration) && !world.isOurs(declaration)) {
    const constructor = declaration.members.find(
      (member) => ts.isConstructorDeclaration(member) && member.body !== undefined,
    );
    if (constructor !== undefined) {
      const call = superCallIn(constructor);
      const above = baseClassOf(world, declaration);
      return above === undefined || world.isOurs(above) ? call : undefined;
    }
    declaration = baseClassOf(world, declaration);
  }
  return node;
}

function baseClassOf(world: ClosedWorld, declaration: ts.ClassLikeDeclaration): ts.Declaration | undefined {
  const type = world.checker.getTypeAtLocation(declaration);
  const [base] = type.isClassOrInterface() ? world.checker.getBaseTypes(type) : [];
  return base?.getSymbol()?.declarations?.[0];
}

function superCallIn(constructor: ts.Node): ts.CallExpression | undefined {
  let found: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) found ??= node;
    if (!ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(constructor, visit);
  return found;
}

function listChangedProperty(
  options: ts.Expression | undefined,
  checker: ts.TypeChecker,
): ts.ObjectLiteralElementLike | undefined {
  const literal = options === undefined ? undefined : literalBehind(options, checker);
  return literal === undefined ? undefined : propertyOf(literal, CLIENT_OPTION.listChanged);
}

function listChangedKinds(
  property: ts.ObjectLiteralElementLike | undefined,
  checker: ts.TypeChecker,
): string[] {
  if (property === undefined || !ts.isPropertyAssignment(property)) return [];
  const kinds = literalBehind(property.initializer, checker);
  return (kinds?.properties ?? []).flatMap((kind) => {
    const name = kind.name === undefined ? undefined : propertyName(kind.name);
    return name === undefined ? [] : [name];
  });
}

function callOf(use: MemberUse): ts.CallExpression | undefined {
  const callee = dressed(use.access);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee
    ? callee.parent
    : undefined;
}

/** A method in a position where only its being there counts. */
function guardAround(use: MemberUse): MethodGuard | undefined {
  const access = dressed(use.access);
  const { parent } = access;
  const receiver = use.access.expression;
  if (ts.isTypeOfExpression(parent)) {
    const comparison = dressed(parent).parent;
    const isTest =
      ts.isBinaryExpression(comparison) &&
      literalText(comparison.right) === 'function' &&
      comparison.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
    return isTest ? { node: comparison, receiver } : undefined;
  }
  const isCondition =
    (ts.isIfStatement(parent) && parent.expression === access) ||
    (ts.isConditionalExpression(parent) && parent.condition === access) ||
    (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken);
  return isCondition ? { node: use.access, receiver } : undefined;
}

/** Mocks of the subscription methods in objects that the code takes for clients. */
function mocksAmong(cells: readonly Cell[]): MockMember[] {
  return cells.flatMap((cell) => {
    const initializer =
      (ts.isVariableDeclaration(cell) || ts.isPropertyDeclaration(cell) || ts.isPropertyAssignment(cell)) &&
      cell.initializer !== undefined
        ? peel(cell.initializer)
        : undefined;
    if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return [];
    return Object.keys(SUBSCRIPTION_ACTIONS).flatMap((name) => {
      const node = propertyOf(initializer, name);
      return node === undefined ? [] : [{ node }];
    });
  });
}

/** `client.callTool(…, { resumptionToken, onresumptiontoken })` */
function resumptionIn(
  call: ts.CallExpression,
  use: MemberUse,
  world: ClosedWorld,
): ResumptionSite | undefined {
  for (const argument of call.arguments) {
    const options = peel(argument);
    if (!ts.isObjectLiteralExpression(options)) continue;
    const properties = RESUMPTION_OPTIONS.flatMap((name) => propertyOf(options, name) ?? []);
    if (properties.length === 0) continue;
    properties.sort((a, b) => a.pos - b.pos);
    return { properties, receiver: use.access.expression, era: eraAt(call, world.checker) };
  }
  return undefined;
}

const RESUMPTION_OPTIONS = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];

function describeSubscription(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
  typedAsClient: boolean,
): SubscriptionCall {
  return {
    action: SUBSCRIPTION_ACTIONS[use.member] ?? 'subscribe',
    form: call === undefined ? 'reference' : 'method',
    node: call ?? use.access,
    receiver: use.access.expression,
    optional: ts.isOptionalChain(call ?? use.access),
    era: eraAt(use.access, world.checker),
    typedAsClient,
  };
}

function describeRequest(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression,
  subscriptions: SubscriptionCall[],
  legacyUses: LegacyUse[],
): void {
  const request =
    call.arguments[0] === undefined ? undefined : literalBehind(call.arguments[0], world.checker);
  const property = request === undefined ? undefined : propertyOf(request, 'method');
  const method =
    property !== undefined && ts.isPropertyAssignment(property)
      ? literalText(property.initializer)
      : undefined;
  if (method === undefined) return;
  const action = REQUEST_ACTIONS[method];
  const era = eraAt(call, world.checker);
  if (action !== undefined) {
    subscriptions.push({
      action,
      form: 'request',
      node: call,
      receiver: use.access.expression,
      optional: ts.isOptionalChain(call),
      era,
      typedAsClient: true,
    });
    return;
  }
  const legacy = LEGACY_ONLY_CALLS.find((row) => row.role === 'blocker' && row.method === method);
  if (legacy !== undefined) legacyUses.push({ node: call, label: `request '${method}'`, row: legacy, era });
}

/** `client.transport?.sessionId`, also `client.transport.sessionId!`. */
function sessionRead(transport: ts.Expression): ts.Node | undefined {
  const { parent } = dressed(transport);
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'sessionId' ? parent : undefined;
}

function transportOf(world: ClosedWorld, argument: ts.Expression | undefined): ConnectSite['transport'] {
  if (argument === undefined) return undefined;
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(peel(argument)));
  const parts = type.isUnion() ? type.types : [type];
  const kinds = new Set(
    parts.map((part) => CLIENT_TRANSPORTS.find((row) => row.name === part.getSymbol()?.name)?.kind),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function describeHandler(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
): HandlerSite | undefined {
  const receiver = use.access.expression;
  switch (use.member) {
    case CLIENT_MEMBER.setNotificationHandler:
      return describeRegistration(world, use, call);
    case CLIENT_MEMBER.removeNotificationHandler: {
      const argument = call?.arguments[0];
      if (call === undefined || argument === undefined) return undefined;
      return {
        node: call,
        receiver,
        kind: 'removal',
        notifications: notificationsOf(argument, world.checker),
      };
    }
    case CLIENT_MEMBER.fallbackNotificationHandler:
      return describeFallback(world, use);
    // Handlers are also found by reaching into the SDK; what is done with them there cannot be followed.
    case '_notificationHandlers':
      return { node: use.access, receiver, kind: 'handler', notifications: undefined };
    default:
      return undefined;
  }
}

function describeRegistration(
  world: ClosedWorld,
  use: MemberUse,
  call: ts.CallExpression | undefined,
): HandlerSite | undefined {
  const receiver = use.access.expression;
  // The method taken without calling it: `const on = client.setNotificationHandler.bind(client)`.
  if (call === undefined) return { node: use.access, receiver, kind: 'handler', notifications: undefined };
  const [argument, handler] = call.arguments;
  if (argument === undefined) return undefined;
  const notifications = notificationsOf(argument, world.checker);
  return {
    node: call,
    receiver,
    kind: doesNothing(handler, world.checker) ? 'removal' : 'handler',
    notifications,
  };
}

/** `() => {}`: how a handler is taken away where nothing can remove it. */
function doesNothing(handler: ts.Expression | undefined, checker: ts.TypeChecker): boolean {
  const inner = handler === undefined ? undefined : functionBehind(peel(handler), checker);
  const body = inner === undefined ? undefined : (inner as ts.FunctionLikeDeclaration).body;
  return body !== undefined && ts.isBlock(body) && body.statements.length === 0;
}

function describeFallback(world: ClosedWorld, use: MemberUse): HandlerSite | undefined {
  const assignment = dressed(use.access).parent;
  if (!ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) {
    return undefined;
  }
  const handler = peel(assignment.right);
  if (ts.isIdentifier(handler) && handler.text === 'undefined') return undefined;
  return {
    node: assignment,
    receiver: use.access.expression,
    kind: 'fallback',
    notifications: namedNotifications(functionBehind(handler, world.checker) ?? handler),
  };
}

/** The function that a name or `this.method` (also bound) stands for. */
function functionBehind(handler: ts.Expression, checker: ts.TypeChecker): ts.Node | undefined {
  if (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) return handler;
  if (
    ts.isCallExpression(handler) &&
    ts.isPropertyAccessExpression(handler.expression) &&
    handler.expression.name.text === 'bind'
  ) {
    return functionBehind(peel(handler.expression.expression), checker);
  }
  const name = ts.isPropertyAccessExpression(handler) ? handler.name : handler;
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration))
    return declaration.initializer;
  return ts.isFunctionLike(declaration) ? declaration : undefined;
}

/** The change notifications that the text of a fallback names; all of them for one that names none. */
function namedNotifications(handler: ts.Node): string[] {
  const all = FILTER_FIELDS.map((row): string => row.notification);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && all.includes(node.text)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(handler);
  return found.size > 0 ? [...found] : all;
}

/** `changeStream(client).subscribe(uri)`: a stream that is kept in a variable may do anything. */
function asksForUpdatesAlone(call: ts.CallExpression): boolean {
  const { parent } = dressed(call);
  const { subscribe, unsubscribe } = CHANGE_STREAM_METHOD;
  return (
    ts.isPropertyAccessExpression(parent) &&
    (parent.name.text === subscribe || parent.name.text === unsubscribe)
  );
}

/** Calls of the managed stream's factory on a client of this group. */
function consumerCalls(world: ClosedWorld, cells: readonly Cell[]): ts.CallExpression[] {
  const held = new Set(cells);
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isChangeStreamCall(node)) {
      const client = node.arguments[0];
      if (client !== undefined && holds(world, client, held)) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of world.sourceFiles) visit(file);
  return found;
}

function holds(world: ClosedWorld, expression: ts.Expression, held: ReadonlySet<Cell>): boolean {
  const inner = peel(expression);
  if (held.has(inner)) return true;
  const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  return (world.checker.getSymbolAtLocation(name)?.declarations ?? []).some((declaration) =>
    held.has(declaration),
  );
}

/** The variable or field a new client is put into. */
function holderOf(creation: ts.NewExpression): ts.Node {
  const { parent } = dressed(creation);
  if (ts.isBinaryExpression(parent)) {
    const left = accessedMember(parent.left);
    return left !== undefined && ts.isPropertyAccessExpression(left.access) ? left.access : parent.left;
  }
  return ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) ? parent : creation;
}

function homeOfGroup(cells: readonly Cell[]): ClientGroup['home'] {
  const [first] = [...cells].sort((a, b) => preference(a) - preference(b) || comparePlaces(a, b));
  if (first === undefined) return { file: '', name: 'client' };
  const named = ts.isIdentifier(first) ? first : (first as ts.NamedDeclaration).name;
  const name =
    named !== undefined && (ts.isIdentifier(named) || ts.isPrivateIdentifier(named)) ? named.text : 'client';
  return { file: first.getSourceFile().fileName, name };
}

/** A group is called by the variable or field that holds the client rather than by a parameter. */
function preference(cell: Cell): number {
  if (ts.isVariableDeclaration(cell) || ts.isPropertyDeclaration(cell)) return 0;
  if (ts.isParameter(cell)) return 1;
  return 2;
}

/** By file, then by position. */
export function comparePlaces(one: ts.Node, other: ts.Node): number {
  const [a, b] = [one.getSourceFile().fileName, other.getSourceFile().fileName];
  return a === b ? one.pos - other.pos : a < b ? -1 : 1;
}
