/** Registering, and changing what is registered, once a server is connected: the SDK emits the list change by itself (H8). */
import { ts } from 'ts-morph';
import {
  FILTER_FIELDS,
  REGISTERING,
  REGISTRATION_MEMBERS,
  SERVER_MEMBER,
  type Notification,
} from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { namedHolder, referencesOf } from './references.js';
import { requestHandlersOf } from './request-handlers.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { valueBehind } from './constants.js';
import type { Emit } from './server-emits.js';
import type { ServerGroup } from './server-group.js';
import { accessedMember, contains, dressed, enclosingFunction, iterationOf, peel } from './syntax.js';

const REGISTERS = new Map(REGISTERING.map((row) => [row.member, row]));
const MUTATIONS: ReadonlySet<string> = new Set(REGISTRATION_MEMBERS);

/** Functions that call functions; more in a row are not worth a guess. */
const DEPTH = 6;

/** Finds the mutations of a server's lists that run after it was connected. */
export function impliedEmitsOf(world: ClosedWorld, group: ServerGroup): Emit[] {
  return [...registrations(group), ...mutations(world, group)].filter(({ call }) =>
    isLate(world, group, call, DEPTH),
  );
}

function registrations(group: ServerGroup): Emit[] {
  return group.members.flatMap(({ access, member }): Emit[] => {
    const row = REGISTERS.get(member);
    const callee = dressed(access);
    const isCall = ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
    return row === undefined || !isCall || !ts.isCallExpression(callee.parent)
      ? []
      : [implied(callee.parent, access.expression, row.field)];
  });
}

function implied(call: ts.CallExpression, receiver: ts.Expression, field: string): Emit {
  const notification = FILTER_FIELDS.find((row) => row.field === field)?.notification;
  const notifications: Notification[] = notification === undefined ? [] : [notification];
  return {
    call,
    form: 'implied',
    receiver,
    message: undefined,
    notifications,
    others: [],
    uri: undefined,
    uriHolder: undefined,
    extraParameters: false,
  };
}

/** `tool.disable()`: of the server that it was registered on or, where that is out of sight, of one that registers in the same file. */
function mutations(world: ClosedWorld, group: ServerGroup): Emit[] {
  return mutationCalls(world).flatMap(({ call, receiver, field }) => {
    const made = valueBehind(receiver, world.checker);
    const registering = made === undefined ? undefined : registeringAccess(made);
    const isOurs =
      registering === undefined
        ? registersIn(group, call.getSourceFile())
        : group.members.some(({ access }) => registering === access);
    return isOurs ? [implied(call, receiver, field)] : [];
  });
}

/** `server.registerTool` of a call of it; a registration may as well come out of a map. */
function registeringAccess(made: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(made)) return undefined;
  const accessed = accessedMember(peel(made.expression));
  return accessed !== undefined && REGISTERS.has(accessed.member) ? accessed.access : undefined;
}

function registersIn({ members }: ServerGroup, file: ts.SourceFile): boolean {
  return members.some(({ access, member }) => REGISTERS.has(member) && access.getSourceFile() === file);
}

interface Mutation {
  readonly call: ts.CallExpression;
  readonly receiver: ts.Expression;
  readonly field: string;
}

const mutationsByWorld = new WeakMap<ClosedWorld, readonly Mutation[]>();

function mutationCalls(world: ClosedWorld): readonly Mutation[] {
  const known = mutationsByWorld.get(world);
  if (known !== undefined) return known;
  const found = world.sourceFiles.flatMap((file) =>
    nodesOfInterest(file).operations.flatMap((node) =>
      ts.isCallExpression(node) ? mutation(world, node) : [],
    ),
  );
  mutationsByWorld.set(world, found);
  return found;
}

function mutation(world: ClosedWorld, call: ts.CallExpression): Mutation[] {
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined || !MUTATIONS.has(accessed.member)) return [];
  const receiver = accessed.access.expression;
  const type = world.checker.getNonNullableType(world.checker.getTypeAtLocation(receiver));
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined || !world.isSdk(declaration)) return [];
  const row = REGISTERING.find(({ returns }) => returns.includes(symbol.name));
  return row === undefined ? [] : [{ call, receiver, field: row.field }];
}

/** What runs its callback after the code around it: a timer, an event, a watcher. */
const LATER =
  /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|on|once|addListener|addEventListener|watch|watchFile)$/;

/** Whether a call certainly runs when its server is connected already. */
function isLate(world: ClosedWorld, group: ServerGroup, node: ts.Node, depth: number): boolean {
  if (isBehindConnect(group, node)) return true;
  const owner = enclosingFunction(node);
  if (owner === undefined || depth === 0) return false;
  if (requestHandlersOf(world, group).has(owner)) return true;
  if (group.creations.some(({ within }) => within === owner)) return false;
  const value = dressed(owner);
  const { parent } = value;
  if (iterationOf(owner) !== undefined) return isLate(world, group, owner, depth - 1);
  if (ts.isCallExpression(parent) && parent.expression !== value) {
    const callee = peel(parent.expression);
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    return LATER.test(name.getText()) || isLate(world, group, parent, depth - 1);
  }
  if (ts.isBinaryExpression(parent))
    return accessedMember(parent.left)?.member === SERVER_MEMBER.oninitialized;
  if (namedHolder(owner) === undefined) return isLate(world, group, owner, depth - 1);
  return referencesOf(world)
    .callsOf(owner)
    .some((call) => isLate(world, group, call, depth - 1));
}

/** Whether the server was connected before, in the same function. */
function isBehindConnect(group: ServerGroup, node: ts.Node): boolean {
  const owner = enclosingFunction(node) ?? node.getSourceFile();
  return group.entries.some(({ kind, call }) => {
    const isWiring = kind === 'hand-wired' || kind === 'unknown';
    if (!isWiring || call.end > node.pos || !contains(owner, call)) return false;
    return (enclosingFunction(call) ?? call.getSourceFile()) === owner;
  });
}
