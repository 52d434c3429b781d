/** What a server does not advertise is taken out of every filter: its changes reach nobody (T11). */
import {
  FILTER_FIELDS,
  HANDLER_MEMBER,
  PUBLISHERS,
  SERVER_MEMBER,
  type PublisherRow,
} from '../../../src/protocol/index.js';
import { keyName, memberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { capabilityFor, declaredBy, isDeclaredSomewhere, misplacement } from '../detection/capabilities.js';
import { clientOf } from '../detection/clients.js';
import { eraAt } from '../detection/era.js';
import { entriesFor, isModern } from '../detection/modern-path.js';
import { nodesOf } from '../detection/nodes.js';
import { publishersOf, type Publisher } from '../detection/publishers.js';
import { registrationsOf } from '../detection/server-handlers.js';
import { madeServers, serversOf, servingOf, type MadeServer } from '../detection/served-creations.js';
import { entriesAt, handWirings } from '../detection/servers.js';
import { createRule, type CheckedFile, type NoOptions } from '../rule.js';
import { capabilityStep } from '../suggestions/capability.js';

type Message = 'notAdvertised' | 'switchedOff' | 'publishedElsewhere' | 'inServerInfo' | 'onClient';

type File = CheckedFile<Message, NoOptions>;

const DECLARED = ['subscribe', 'listChanged'];

export const publishNeedsCapability = createRule<Message>({
  name: 'publish-needs-capability',
  docs: {
    description: 'Require the capability of what a server publishes',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  fixable: true,
  tokens: [
    HANDLER_MEMBER.notify,
    HANDLER_MEMBER.bus,
    SERVER_MEMBER.notification,
    SERVER_MEMBER.registerResource,
    ...PUBLISHERS.map(({ member }) => member),
    ...DECLARED,
  ],
  messages: {
    notAdvertised:
      'This server does not advertise `{{group}}.{{member}}`, so the SDK takes `{{field}}` out of every filter and this reaches nobody. Declare `capabilities: { {{group}}: { {{member}}: true } }` in the options of the server.',
    switchedOff:
      'This server sets `{{group}}.{{member}}` to false, so the SDK takes `{{field}}` out of every filter and this reaches nobody. Set it to true, or do not publish.',
    publishedElsewhere:
      'Another file of this package publishes resource updates, but no server of it advertises `{{group}}.{{member}}`: the SDK takes `{{field}}` out of every filter. Declare `capabilities: { {{group}}: { {{member}}: true } }` here.',
    inServerInfo:
      'The SDK reads no capabilities from the name and version of a server, so `{{group}}.{{member}}` is not advertised. Move `capabilities` into the second argument.',
    onClient:
      '`{{group}}.{{member}}` is a capability of servers and means nothing on a client. Remove it here, and declare it on the server.',
  },
  check(file) {
    reportMisplaced(file);
    const reported = new Set<PublisherRow>();
    for (const publisher of publishersOf(file.sourceCode)) {
      const { change } = publisher;
      if (change !== undefined && !reported.has(change) && reportPublisher(file, publisher, change))
        reported.add(change);
    }
    if (reported.size === 0) reportForOtherFiles(file);
  },
});

/** Reports a publisher whose servers lack the capability; whether it did. */
function reportPublisher(file: File, publisher: Publisher, change: PublisherRow): boolean {
  const { sourceCode, otherFiles, report } = file;
  const { call } = publisher;
  if (eraAt(sourceCode, call) === 'legacy') return false;
  const capability = capabilityFor(change.field);
  const servers = serversBehind(sourceCode, publisher);
  const [first, ...others] = servers;
  if (first === undefined || servers.some(({ generation }) => generation === 'v1')) return false;
  const answers = servers.map(({ creation }) => declaredBy(sourceCode, creation, capability));
  const data = { ...capability, field: change.field };
  if (answers.every((answer) => answer === 'off')) {
    report({ node: named(call), messageId: 'switchedOff', data });
    return true;
  }
  // An McpServer adds `listChanged` for what is registered on it.
  const isOwnDuty = capability.member === 'subscribe' || servers.every(({ kind }) => kind === 'Server');
  if (!isOwnDuty || answers.some((answer) => answer !== 'absent')) return false;
  if (isDeclaredSomewhere(sourceCode, otherFiles, capability) || isDeclaredLater(sourceCode)) return false;
  const fix =
    others.length === 0 ? capabilityStep(sourceCode, first.creation, [capability], true) : undefined;
  report({ node: named(call), messageId: 'notAdvertised', data, fix: fix ?? null });
  return true;
}

/** The servers that a publisher speaks for; none where the file does not tell, or the entry is no modern one. */
function serversBehind(sourceCode: SourceCode, publisher: Publisher): MadeServer[] {
  const { how, server, call, handler } = publisher;
  if (how === 'instance') {
    // On the HTTP entry it reaches nobody anyway: that is another rule's.
    if (!entriesAt(sourceCode, call, server).has('stdio')) return [];
    return madeServers(sourceCode).filter(({ creation }) => creation === server?.creation);
  }
  if (how !== 'notifier' && how !== 'bus') return [];
  const serving = handler === undefined ? undefined : servingOf(sourceCode, handler.node);
  if (serving !== undefined) return serversOf(sourceCode, serving);
  return madeServers(sourceCode).filter(({ creation }) => isModern(entriesAt(sourceCode, creation)));
}

/** `server.server.registerCapabilities(…)`: what it adds need not be a literal. */
function isDeclaredLater({ text }: SourceCode): boolean {
  return text.includes(SERVER_MEMBER.registerCapabilities);
}

/** A server with resources in this file, whose updates another file publishes. */
function reportForOtherFiles(file: File): void {
  const { sourceCode, otherFiles, report } = file;
  if (!otherFiles?.some(PUBLISHES_UPDATES)) return;
  const capability = capabilityFor('resourceSubscriptions');
  const registered = registrationsOf(sourceCode).filter(
    ({ name }) => name === SERVER_MEMBER.registerResource,
  );
  for (const server of madeServers(sourceCode)) {
    const { creation } = server;
    if (server.generation === 'v1' || !isModern(entriesFor(file, creation, server))) continue;
    if (!registered.some((one) => one.server.origin.node === creation)) continue;
    if (declaredBy(sourceCode, creation, capability) !== 'absent') continue;
    if (isDeclaredSomewhere(sourceCode, otherFiles, capability) || isDeclaredLater(sourceCode)) continue;
    if (otherFiles.some(DECLARES_LATER)) continue;
    report({
      node: creation.callee,
      messageId: 'publishedElsewhere',
      data: { ...capability, field: 'resourceSubscriptions' },
      fix: capabilityStep(sourceCode, creation, [capability], true) ?? null,
    });
  }
}

const UPDATE = PUBLISHERS.find(({ field }) => field === 'resourceSubscriptions');

const PUBLISHES_UPDATES = new RegExp(`\\b${HANDLER_MEMBER.notify}\\??\\.${UPDATE?.notify ?? ''}\\(`);

const DECLARES_LATER = new RegExp(SERVER_MEMBER.registerCapabilities);

/** Capabilities of a server in its first argument, or on a client that speaks the modern era. */
function reportMisplaced({ sourceCode, report }: File): void {
  for (const property of nodesOf(sourceCode).of('Property')) {
    const member = keyName(property);
    const holder = property.parent.parent;
    const group = holder.type === 'Property' ? keyName(holder) : undefined;
    const isCapability = FILTER_FIELDS.some(
      ({ capability }) => capability.group === group && capability.member === member,
    );
    if (!isCapability || group === undefined || member === undefined) continue;
    const misplaced = misplacement(sourceCode, property);
    if (misplaced === undefined) continue;
    const { where, creation } = misplaced;
    const data = { group, member };
    if (where === 'info' && !isLegacyServer(sourceCode, creation))
      report({ node: property, messageId: 'inServerInfo', data });
    const era = where === 'client' ? clientOf(sourceCode, creation)?.era : undefined;
    if ((era === 'dual' || era === 'modern') && isInCapabilities(holder))
      report({ node: property, messageId: 'onClient', data });
  }
}

/** `capabilities: { resources: … }`, and not the client's option of the same members. */
function isInCapabilities(group: Node): boolean {
  const holder = group.parent?.parent;
  return holder?.type === 'Property' && keyName(holder) === 'capabilities';
}

function isLegacyServer(sourceCode: SourceCode, creation: TSESTree.NewExpression): boolean {
  const server = madeServers(sourceCode).find((one) => one.creation === creation);
  if (server?.generation !== 'v2') return true;
  const entries = entriesAt(sourceCode, creation, server);
  return (
    (entries.size > 0 && !isModern(entries)) ||
    handWirings(sourceCode).some((one) => one.server.creation === creation)
  );
}

/** The name of what is called: `resourceUpdated` in `handler.notify.resourceUpdated(uri)`. */
function named(call: TSESTree.CallExpression): Node {
  return memberCall(call)?.callee.property ?? call;
}
