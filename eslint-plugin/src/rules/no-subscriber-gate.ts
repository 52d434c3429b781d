/** A registry that only `resources/subscribe` fills stays empty for modern clients: what it gates is never sent (T16). */
import {
  METHOD,
  NOTIFICATION,
  PUBLISHERS,
  REQUEST_CONTEXT,
  SERVER_MEMBER,
} from '../../../src/protocol/index.js';
import { enclosingFunctions, memberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { eraAt } from '../detection/era.js';
import { entriesFor, isModern, type FileInPackage } from '../detection/modern-path.js';
import { nodesOf } from '../detection/nodes.js';
import { publishersOf, type Publisher } from '../detection/publishers.js';
import { gateBefore, type RegistryGate } from '../detection/registry-gates.js';
import type { Entry } from '../detection/servers.js';
import { subscriberRegistriesOf, type SubscriberRegistry } from '../detection/subscribe-handlers.js';
import { objectOf, propertyOf, stringOf } from '../detection/values.js';
import { createRule } from '../rule.js';
import { eraGateFix } from '../suggestions/era-gate.js';

const NEVER_FILLED = `Only '${METHOD.resourcesSubscribe}' fills \`{{registry}}\`, and modern clients never send it: for them nothing behind this is ever sent.`;

export const noSubscriberGate = createRule({
  name: 'no-subscriber-gate',
  docs: {
    description: 'Disallow gating an update by a registry that only `resources/subscribe` fills',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  fixable: true,
  tokens: [SERVER_MEMBER.setRequestHandler],
  messages: {
    askEra: `${NEVER_FILLED} Ask \`ctx.${REQUEST_CONTEXT.era} === 'modern' || …\` in front of it (\`ctx\` is the factory's argument); the SDK filters per stream.`,
    publishAlways: `${NEVER_FILLED} Publish with \`handler.notify.resourceUpdated(uri)\` unconditionally: the SDK filters per stream.`,
  },
  check(file) {
    const { sourceCode, report } = file;
    const registries = subscriberRegistriesOf(sourceCode);
    if (registries.length === 0) return;
    const reported = new Set<Node>();
    for (const emit of emitsOf(sourceCode)) {
      const gate = gateBefore(sourceCode, emit.call, registries);
      if (gate === undefined || reported.has(gate.node)) continue;
      const entries = entriesOf(file, emit, gate);
      if (!reachesModern(emit, entries) || isForked(sourceCode, emit, gate)) continue;
      if (!entries.has('stdio') && isPublishedBeside(sourceCode, emit, gate, registries)) continue;
      reported.add(gate.node);
      const isStdio = emit.how !== 'notifier' && emit.how !== 'bus' && entries.has('stdio');
      const isAlone = entries.size === 1 && entries.has('stdio');
      report({
        node: gate.node,
        messageId: isStdio ? 'askEra' : 'publishAlways',
        data: { registry: gate.registry.name },
        fix: isStdio && isAlone ? (eraGateFix(sourceCode, gate, emit.call) ?? null) : null,
      });
    }
  },
});

/** A call that sends; `unknown` where its receiver is not in sight and its name alone speaks. */
type Emit = Pick<Publisher, 'call' | 'server'> & { readonly how: Publisher['how'] | 'unknown' };

/** The publishers of updates, those on receivers from elsewhere included: the registry says what they are about. */
function emitsOf(sourceCode: SourceCode): Emit[] {
  const certain = publishersOf(sourceCode).filter(({ how }) => how !== 'registration');
  const calls = new Set<Node>(certain.map(({ call }) => call));
  const byName = nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => !calls.has(call) && isNamedUpdate(sourceCode, call))
    .map((call): Emit => ({ call, how: 'unknown', server: undefined }));
  return [...certain, ...byName];
}

const UPDATE_NAMES = new Set<string>(
  PUBLISHERS.filter(({ notification }) => notification === NOTIFICATION.resourceUpdated).flatMap(
    ({ member, notify }) => [member, notify],
  ),
);

function isNamedUpdate(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const called = memberCall(call);
  if (called === undefined) return false;
  if (UPDATE_NAMES.has(called.name)) return true;
  const message =
    called.name === SERVER_MEMBER.notification ? objectOf(sourceCode, call.arguments[0]) : undefined;
  const method = message === undefined ? undefined : propertyOf(message, 'method');
  return (
    method !== undefined &&
    method !== 'unknown' &&
    stringOf(sourceCode, method.value) === NOTIFICATION.resourceUpdated
  );
}

/** What serves what is sent; where its receiver is not in sight, what serves the subscribe handlers. */
function entriesOf(
  file: FileInPackage,
  { call, server, how }: Emit,
  { registry }: RegistryGate,
): ReadonlySet<Entry> {
  const own = entriesFor(file, call, server);
  if (server !== undefined || how === 'notifier' || how === 'bus') return own;
  const filling = registry.filledBy.flatMap((one) => [...entriesFor(file, one.call, one.server)]);
  return new Set([...own, ...filling]);
}

function reachesModern({ how, server }: Emit, entries: ReadonlySet<Entry>): boolean {
  if (how === 'notifier' || how === 'bus') return true;
  // What a server instance sends to the old leg beside an HTTP handler is rightly gated.
  if (server !== undefined && entries.has('hand-wired') && !entries.has('stdio')) return false;
  return isModern(entries);
}

/** Whether what is gated is for the old leg, since the same function publishes the update for all others. */
function isPublishedBeside(
  sourceCode: SourceCode,
  { how }: Emit,
  { node }: RegistryGate,
  registries: readonly SubscriberRegistry[],
): boolean {
  if (how === 'notifier' || how === 'bus') return false;
  const [owner] = enclosingFunctions(node);
  return publishersOf(sourceCode).some(
    (other) =>
      (other.how === 'notifier' || other.how === 'bus') &&
      other.change?.notification === NOTIFICATION.resourceUpdated &&
      enclosingFunctions(other.call)[0] === owner &&
      gateBefore(sourceCode, other.call, registries) === undefined,
  );
}

/** Whether sending, asking or filling happens on a branch for legacy peers alone. */
function isForked(sourceCode: SourceCode, { call }: Emit, { node, registry }: RegistryGate): boolean {
  return [call, node, ...registry.filledBy.map((one) => one.call)].some(
    (one) => eraAt(sourceCode, one) === 'legacy',
  );
}
