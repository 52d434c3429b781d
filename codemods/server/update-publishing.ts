/** Whether a server tells anybody of updated resources: by its instances, by its handler's notifier, by a bus. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { nodesOfInterest } from '../../src/analysis/nodes-of-interest.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';
import { accessedMember, dressed, literalText, peel, propertyOf } from '../../src/analysis/syntax.js';
import { declarationOf } from '../../src/analysis/written-values.js';
import { HANDLER_MEMBER, NOTIFICATION, PUBLISHERS } from '../../src/protocol/index.js';

const UPDATED = PUBLISHERS.find(({ notification }) => notification === NOTIFICATION.resourceUpdated);

const known = new WeakMap<ServerGroup, boolean>();

/** Decided once per server. */
export function publishesUpdates(group: ServerGroup, facts: Facts): boolean {
  const before = known.get(group);
  if (before !== undefined) return before;
  const byInstance = publishersOf(facts.world, group).some(
    ({ notifications }) => notifications?.includes(NOTIFICATION.resourceUpdated) === true,
  );
  const found = byInstance || isNotified(group, facts);
  known.set(group, found);
  return found;
}

/** `handler.notify.resourceUpdated(uri)`, `bus.publish({ kind: 'resource_updated', uri })` */
function isNotified(group: ServerGroup, facts: Facts): boolean {
  const handlers = group.entries.filter(({ kind }) => kind === 'http').map(({ call }) => call);
  if (handlers.length === 0 || UPDATED === undefined) return false;
  const packages = new Set(handlers.map((call) => facts.world.packageOf(call)));
  return facts.world.sourceFiles
    .filter((file) => packages.has(facts.world.packageOf(file)))
    .flatMap((file) => nodesOfInterest(file).operations)
    .some((node) => isNotify(node, handlers, facts) || isEvent(node, handlers));
}

function isNotify(node: ts.Node, handlers: readonly ts.CallExpression[], facts: Facts): boolean {
  const accessed = accessedMember(node);
  if (accessed === undefined || accessed.member !== UPDATED?.notify) return false;
  const notifier = accessedMember(peel(accessed.access.expression));
  if (notifier?.member !== HANDLER_MEMBER.notify) return false;
  const handler = peel(notifier.access.expression);
  const declaration = ts.isIdentifier(handler) ? declarationOf(handler, facts.world) : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return handlers.length === 1;
  return (
    declaration.initializer !== undefined &&
    handlers.some((call) => peel(declaration.initializer ?? call) === call)
  );
}

function isEvent(node: ts.Node, handlers: readonly ts.CallExpression[]): boolean {
  if (!ts.isCallExpression(node) || accessedMember(peel(node.expression))?.member !== 'publish') return false;
  const [event] = node.arguments;
  const inner = event === undefined ? undefined : peel(event);
  if (inner === undefined || !ts.isObjectLiteralExpression(inner)) return false;
  const kind = propertyOf(inner, 'kind');
  const isUpdate =
    kind !== undefined && ts.isPropertyAssignment(kind) && literalText(kind.initializer) === UPDATED?.event;
  // A bus that no handler was given is somebody else's.
  return isUpdate && handlers.some((call) => dressed(call).getText().includes(HANDLER_MEMBER.bus));
}
