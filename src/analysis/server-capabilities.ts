/** Whether a server advertises `resources.subscribe`, without which no listen for updates is honoured (T11), and where. */
import { ts } from 'ts-morph';
import { CLIENT_OPTION, FILTER_FIELDS, SERVER_CLASSES, SERVER_MEMBER } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { literalBehind, valueBehind, valueOfProperty } from './constants.js';
import { findOption, type FoundOption } from './option-values.js';
import type { ServerCreation, ServerGroup } from './server-group.js';
import { dressed, peel, propertyOf } from './syntax.js';

/** What a server says of one capability. */
export interface SubscribeCapability {
  /** `unknown`: something out of sight may declare it. */
  readonly state: 'on' | 'off' | 'absent' | 'unknown';
  /** The properties that declare it where the SDK reads it. */
  readonly declared: readonly ts.Node[];
  /** The same where the SDK does not look for it: beside name and version. */
  readonly misplaced: readonly ts.Node[];
}

const CAPABILITY = FILTER_FIELDS.find(({ field }) => field === 'resourceSubscriptions')?.capability;

/** The group and the member of the capability: `resources`, `subscribe`. */
export const SUBSCRIBE_CAPABILITY = {
  group: CAPABILITY?.group ?? 'resources',
  member: CAPABILITY?.member ?? 'subscribe',
} as const;

const known = new WeakMap<ServerGroup, SubscribeCapability>();

/** What a server advertises: by its constructors' options, and by `registerCapabilities`. */
export function subscribeCapabilityOf(world: ClosedWorld, group: ServerGroup): SubscribeCapability {
  const before = known.get(group);
  if (before !== undefined) return before;
  const registered = group.members.flatMap(({ member, access }): Said[] => {
    if (member !== SERVER_MEMBER.registerCapabilities) return [];
    const callee = dressed(access);
    const [argument] = ts.isCallExpression(callee.parent) ? callee.parent.arguments : [];
    return [argument === undefined ? UNKNOWN : inCapabilities(argument, world.checker)];
  });
  const created = group.creations.map((creation) => saidBy(creation, world));
  const said = [...created, ...registered];
  const found: SubscribeCapability = {
    state: stateOf(said, group),
    declared: said.flatMap(({ node }) => node ?? []),
    misplaced: group.creations.flatMap(({ node }) => misplacedIn(node.arguments?.[0], world.checker)),
  };
  known.set(group, found);
  return found;
}

interface Said {
  readonly state: SubscribeCapability['state'];
  readonly node?: ts.Node;
}

const UNKNOWN: Said = { state: 'unknown' };
const ABSENT: Said = { state: 'absent' };

/** A server of which one making declares it and another does not is of two minds: what is true depends on the making. */
function stateOf(said: readonly Said[], { creations }: ServerGroup): SubscribeCapability['state'] {
  if (creations.length === 0) return 'unknown';
  for (const state of ['on', 'unknown', 'off'] as const) {
    if (said.some((one) => one.state === state)) return state;
  }
  return 'absent';
}

function saidBy({ node }: ServerCreation, world: ClosedWorld): Said {
  const [, options] = node.arguments ?? [];
  if (!isSdkClass(node, world) || node.arguments?.some((one) => ts.isSpreadElement(one)) === true)
    return UNKNOWN;
  return options === undefined ? ABSENT : inOptions(options, world.checker);
}

/** A subclass is given what its constructor takes. */
export function isSdkClass({ expression }: ts.NewExpression, world: ClosedWorld): boolean {
  const declaration = world.checker.getTypeAtLocation(expression).getSymbol()?.declarations?.[0];
  if (declaration !== undefined) return world.isSdk(declaration);
  const name = expression.getText();
  return SERVER_CLASSES.some((row) => row.name === name);
}

function inOptions(options: ts.Expression, checker: ts.TypeChecker): Said {
  return within(findOption(options, CLIENT_OPTION.capabilities, checker), checker, (value) =>
    inCapabilities(value, checker),
  );
}

function inCapabilities(capabilities: ts.Expression, checker: ts.TypeChecker): Said {
  return within(findOption(capabilities, SUBSCRIBE_CAPABILITY.group, checker), checker, (value) => {
    const found = findOption(value, SUBSCRIBE_CAPABILITY.member, checker);
    return within(found, checker, (flag) => {
      const inner = valueBehind(flag, checker);
      if (inner?.kind === ts.SyntaxKind.TrueKeyword) return { state: 'on', node: nodeOf(found) };
      return inner?.kind === ts.SyntaxKind.FalseKeyword ? { state: 'off', node: nodeOf(found) } : UNKNOWN;
    });
  });
}

function nodeOf(found: FoundOption): ts.Node {
  if (typeof found === 'string') throw new Error('an option that is not there');
  return found;
}

function within(found: FoundOption, checker: ts.TypeChecker, read: (value: ts.Expression) => Said): Said {
  if (found === 'absent') return ABSENT;
  if (found === 'unknown') return UNKNOWN;
  const value = valueOfProperty(found, checker);
  return value === undefined ? UNKNOWN : read(value);
}

/** `new McpServer({ name, version, capabilities: … })`: the SDK does not look there. */
function misplacedIn(info: ts.Expression | undefined, checker: ts.TypeChecker): ts.Node[] {
  const literal = info === undefined ? undefined : literalBehind(peel(info), checker);
  const property = literal === undefined ? undefined : propertyOf(literal, CLIENT_OPTION.capabilities);
  return property === undefined ? [] : [property];
}

/** The capability where a client declares it: it is a server's. */
export function clientCapability(options: ts.Expression, checker: ts.TypeChecker): ts.Node | undefined {
  const { state, node } = inOptions(options, checker);
  return state === 'on' ? node : undefined;
}
