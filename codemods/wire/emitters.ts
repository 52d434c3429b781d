/** Where a server's own code sends a change to its clients (R7, R8). */
import { FILTER_FIELDS, META, METHOD, NOTIFICATION } from '../../src/protocol/index.js';
import { mentionsOf, roleOf, type Mention, type Role } from './change-mentions.js';
import { lastName } from './declared-names.js';
import { legacyLeg } from './legacy-leg.js';
import { functionNamed } from './named-functions.js';
import { REGISTRY } from './outbound-filters.js';
import { importsSdk, isMcpNear, isTest, withoutComments } from './server-evidence.js';
import { always, withOthers, type ServerFinding } from './server-finding.js';
import type { Surroundings } from './surroundings.js';
import { emitterText, gatedEmitterText, modernReason } from './server-recipe.js';
import { child, isCall, isFunction, list, peel, type Node } from './tree.js';
import { functionAround, type WireModule } from './wire-module.js';

/** The emitters of a module: one report for all that go through the same sender. */
export function findEmitters(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module)) return [];
  return [
    ...acknowledgments(module),
    ...groupsOf(module, emissionsOf(module, surroundings)).map((group) =>
      emitter(module, group, surroundings),
    ),
  ];
}

/** One change that is sent. */
interface Emission {
  readonly mention: Mention;
  readonly node: Node;
  /** The call that takes it away; undefined where it is handed on some other way. */
  readonly sender: Node | undefined;
  /** Whether its method is put together when the code runs. */
  readonly isTemplate: boolean;
}

function emissionsOf(module: WireModule, surroundings: Surroundings): Emission[] {
  const spelled = mentionsOf(module).filter(({ about }) => about === 'change');
  const templates = module.of('TemplateLiteral').flatMap((literal): Mention[] => {
    const methods = templateMethods(literal);
    const role = methods.length === 0 ? undefined : roleOf(module, literal);
    return role === undefined ? [] : [{ method: module.textOf(literal), about: 'change', literal, role }];
  });
  return [...spelled, ...templates]
    .sort((one, other) => one.literal.start - other.literal.start)
    .flatMap((mention): Emission[] => {
      const place = emissionAt(module, mention.role, surroundings);
      return place === undefined ? [] : [{ mention, ...place, isTemplate: templates.includes(mention) }];
    });
}

/** What `notifications/${kind}/list_changed` may be. */
function templateMethods(literal: Node): string[] {
  if (list(literal, 'expressions').length === 0) return [];
  const text = list(literal, 'quasis')
    .map((quasi) => (quasi['value'] as { raw: string }).raw)
    .join('*');
  const known = FILTER_FIELDS.map(({ notification }) => notification);
  const pattern = new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  );
  return text.startsWith('notifications/') ? known.filter((method) => pattern.test(method)) : [];
}

const SENDERS =
  /^(?:notify|notif|broadcast|emit|publish|push|send|fan_?out|deliver|write|post|enqueue|queue|dispatch)/i;
const RECEIVERS =
  /^(?:on[A-Z_]|handle|receive|expect|assert|to(?:Strict)?Equal|deep|equal|includes|indexOf|has|get|startsWith|match)/;

function emissionAt(
  module: WireModule,
  role: Role,
  { sdk }: Surroundings,
): Pick<Emission, 'node' | 'sender'> | undefined {
  switch (role.kind) {
    case 'message': {
      const sender = senderOf(module, role.node);
      const name = lastName(child(sender, 'callee')) ?? '';
      if (RECEIVERS.test(name)) return undefined;
      const isWhole = list(role.node, 'properties').some(
        (entry) => lastName(child(entry, 'key')) === 'jsonrpc',
      );
      // The SDK completes what goes through its own senders: those belong to the server codemods.
      if (!isWhole && (!SENDERS.test(name) || mayBeSdk(module, sender, sdk))) return undefined;
      return { node: role.node, sender };
    }
    case 'argument': {
      const given = list(role.node, 'arguments');
      const name = lastName(child(role.node, 'callee')) ?? '';
      if (!SENDERS.test(name) || given.slice(1).some((one) => isFunction(peel(one)))) return undefined;
      return mayBeSdk(module, role.node, sdk) ? undefined : { node: role.node, sender: role.node };
    }
    default:
      return undefined;
  }
}

/** The call that a message is given to, through `JSON.stringify` and whatever writes it into a text. */
function senderOf(module: WireModule, message: Node): Node | undefined {
  for (const at of module.ancestorsOf(message)) {
    if (isFunction(at)) return undefined;
    if (isCall(at) && !/^(?:stringify|encode|freeze)$/.test(lastName(child(at, 'callee')) ?? '')) return at;
  }
  return undefined;
}

/** Whether a sender may be the SDK's: it is not where its function is here and calls none of the SDK's. */
function mayBeSdk(module: WireModule, sender: Node | undefined, sdk: boolean): boolean {
  const declared =
    sender === undefined ? undefined : functionNamed(module, lastName(child(sender, 'callee')));
  if (declared === undefined) return sdk || importsSdk(module);
  return /\.(?:notification|sendNotification|send(?:Tool|Prompt|Resource)\w*)\(/.test(
    module.textOf(declared),
  );
}

function groupsOf(module: WireModule, emissions: readonly Emission[]): [Emission, ...Emission[]][] {
  const groups = new Map<Node | string, [Emission, ...Emission[]]>();
  for (const emission of emissions) {
    const key = keyOf(module, emission);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [emission]);
    else known.push(emission);
  }
  return [...groups.values()];
}

/** All that goes through one sender of the module is explained once; what is written out by itself, where that is done. */
function keyOf(module: WireModule, { sender, node }: Emission): Node | string {
  const callee = child(sender, 'callee');
  const name = lastName(callee);
  if (callee !== undefined && functionNamed(module, name) !== undefined)
    return `sent by ${module.textOf(callee)}`;
  return functionAround(module, node) ?? node;
}

function emitter(
  module: WireModule,
  group: readonly [Emission, ...Emission[]],
  surroundings: Surroundings,
): ServerFinding {
  const [first] = group;
  const said = withOthers(
    module,
    group.map(({ mention }) => mention),
    first.mention,
  );
  const base = {
    shape: group.every(({ isTemplate }) => isTemplate) ? 'R8' : 'R7',
    node: first.node,
    confidence: first.isTemplate ? 'likely' : 'certain',
  } as const;
  if (group.every(({ node }) => isStamped(module, node)))
    return {
      ...base,
      outcome: always({
        kind: 'kept',
        reason: `${modernReason('stamped with the id of its stream')}${said}`,
      }),
    };
  const leg = legacyLeg(module, surroundings);
  if (leg !== undefined) return { ...base, outcome: always({ kind: 'kept', reason: `${leg}${said}` }) };
  const methods = group.flatMap(({ mention, isTemplate }) =>
    isTemplate ? templateMethods(mention.literal) : [mention.method],
  );
  const isGated = group.some(
    ({ node, mention }) => mention.method === NOTIFICATION.resourceUpdated && gateAround(module, node),
  );
  return {
    ...base,
    outcome: (target) => {
      const text = (isGated ? gatedEmitterText : emitterText)(methods, target);
      return { kind: 'marked', text, reason: `${text}${said}` };
    },
  };
}

/** Whether a message says which subscription it belongs to. */
function isStamped(module: WireModule, message: Node): boolean {
  return (
    module.textOf(message).includes(META.subscriptionId) || /subscription_?id/i.test(module.textOf(message))
  );
}

/** `if (subscribed.has(uri))`, `if (subscribed)` */
function gateAround(module: WireModule, node: Node): boolean {
  let inner = node;
  for (const at of module.ancestorsOf(node)) {
    const test = child(at, 'test');
    const isGate = (at.type === 'IfStatement' || at.type === 'ConditionalExpression') && test !== inner;
    if (isGate && test !== undefined && asksRegistry(module, test)) return true;
    if (
      at.type === 'LogicalExpression' &&
      child(at, 'right') === inner &&
      asksRegistry(module, child(at, 'left') ?? at)
    )
      return true;
    inner = at;
  }
  return false;
}

function asksRegistry(module: WireModule, test: Node): boolean {
  return REGISTRY.test(withoutComments(module.textOf(test)));
}

/** What a stream of 2026-07-28 begins with. */
function acknowledgments(module: WireModule): ServerFinding[] {
  return mentionsOf(module).flatMap(({ about, role }): ServerFinding[] =>
    about === 'acknowledged' && (role.kind === 'message' || role.kind === 'argument')
      ? [
          {
            shape: 'R7',
            node: role.node,
            confidence: 'certain',
            outcome: always({
              kind: 'kept',
              reason: modernReason(`acknowledges ${METHOD.subscriptionsListen}`),
            }),
          },
        ]
      : [],
  );
}
