/** Finds what a server publishes. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { forwardedEmits } from './forwarded-emits.js';
import { comparePlaces } from './group-home.js';
import { impliedEmitsOf } from './implied-emits.js';
import { comesFromLoop, fanOutAround, loopsAround, type Loop } from './publisher-loops.js';
import { methodIn } from './publisher-messages.js';
import { isModuleWide, reachOf } from './publisher-reach.js';
import { emitsOf, type Emit, type Emits } from './server-emits.js';
import type { ServerGroup } from './server-group.js';
import type { Publisher } from './server-publisher.js';
import { dressed, peel } from './syntax.js';

const known = new WeakMap<ServerGroup, readonly Publisher[]>();
const emitsByGroup = new WeakMap<ServerGroup, Emits>();

/** All publishers of a server, in the order of the source; an emit that its callers decide about is followed by its calls. */
export function publishersOf(world: ClosedWorld, group: ServerGroup): readonly Publisher[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const emits = [...serverEmitsOf(world, group).emits, ...impliedEmitsOf(world, group)];
  const found = new Map<ts.Node, Publisher>();
  for (const emit of emits) describe(world, group, emit, FORWARDS, found);
  const publishers = [...found.values()].sort((a, b) => comparePlaces(a.node, b.node));
  known.set(group, publishers);
  return publishers;
}

/** What a server sends besides: custom notifications, and methods whose calls cannot be followed. */
export function serverEmitsOf(world: ClosedWorld, group: ServerGroup): Emits {
  const before = emitsByGroup.get(group) ?? emitsOf(world, group);
  emitsByGroup.set(group, before);
  return before;
}

/** Functions that hand an emit on to each other. */
const FORWARDS = 3;

function describe(
  world: ClosedWorld,
  group: ServerGroup,
  emit: Emit,
  depth: number,
  found: Map<ts.Node, Publisher>,
): void {
  if (found.has(emit.call)) return;
  const forwarded = depth === 0 ? undefined : forwardedEmits(world, group, emit);
  found.set(emit.call, asPublisher(world, group, emit, forwarded?.map(({ call }) => call) ?? []));
  for (const one of forwarded ?? []) describe(world, group, one, depth - 1, found);
}

function asPublisher(
  world: ClosedWorld,
  group: ServerGroup,
  { call, ...emit }: Emit,
  publishedAt: readonly ts.CallExpression[],
): Publisher {
  const fanOut = fanOutAround(world, call, [emit.receiver]);
  const iterated = iterationOver(world, call, emit);
  const isShared = fanOut !== undefined || isModuleWide(emit.receiver, world);
  const reach = reachOf(world, group, call, isShared);
  return {
    ...emit,
    node: call,
    form: iterated === undefined && isSeveral(emit) ? 'computed' : emit.form,
    fanOut,
    iterated,
    gates: [],
    isFloating: isFloating(world, call, emit),
    reach,
    duringFactory: reach === 'construction',
    publishedAt,
  };
}

/** The loop that goes through the methods: `for (const method of METHODS) server.notification({ method })`. */
function iterationOver(
  world: ClosedWorld,
  call: ts.CallExpression,
  { message, notifications }: Omit<Emit, 'call'>,
): Loop | undefined {
  const method = message === undefined ? undefined : methodIn(peel(message));
  if (method === undefined || notifications === undefined || !ts.isIdentifier(peel(method))) return undefined;
  return loopsAround(call).find((loop) => comesFromLoop(world, method, loop));
}

/** Several methods that a loop goes through are certain one by one; any other choice is made when it runs. */
function isSeveral({ notifications, form }: Omit<Emit, 'call'>): boolean {
  return form !== 'request-stream' && (notifications === undefined || notifications.length > 1);
}

/** Whether a rejection of its promise would be nobody's. */
function isFloating(
  world: ClosedWorld,
  call: ts.CallExpression,
  { receiver, form }: Omit<Emit, 'call'>,
): boolean {
  if (form === 'implied' || form === 'forwarded') return false;
  if ((form === 'method' || form === 'computed') && returnsNothing(world, receiver)) return false;
  const value = dressed(call);
  return ts.isExpressionStatement(value.parent) || ts.isVoidExpression(value.parent);
}

/** `McpServer.send…ListChanged()` hides its promise; the methods of `Server` return it. */
export function returnsNothing(world: ClosedWorld, receiver: ts.Expression): boolean {
  const isHighLevel = (type: ts.Type): boolean => {
    const symbol = type.getSymbol();
    const declaration = symbol?.declarations?.[0];
    if (symbol?.name === 'McpServer' && declaration !== undefined && world.isSdk(declaration)) return true;
    return (type.getBaseTypes() ?? []).some(isHighLevel);
  };
  const { checker } = world;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(receiver));
  return isHighLevel(checker.getBaseConstraintOfType(type) ?? type);
}
