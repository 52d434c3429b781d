/** What looks like a publisher and is code of its own: interfaces of the same name, switches on the method, RPC clients. */
import { ts } from 'ts-morph';
import { PUBLISHERS, SERVER_MEMBER } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { classifyReceiver, classifyType } from './receivers.js';
import { isTestFile } from './server-emits.js';
import type { ServerGroup } from './server-group.js';
import { publishersOf } from './server-publishers.js';
import { SERVER, SERVER_TRANSPORT } from './subject.js';
import {
  accessedMember,
  around,
  enclosingClass,
  enclosingFunction,
  literalText,
  peel,
  propertyName,
} from './syntax.js';

/** One such place. */
export interface OwnPublisherCall {
  readonly node: ts.Node;
  /** G3: a method of the same name as the SDK's. G11: a switch on what goes out. H11: an RPC client's property. */
  readonly shape: 'G3' | 'G11' | 'H11';
  /** The server that is behind it, where that is known. */
  readonly group: ServerGroup | undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(PUBLISHERS.map((row) => row.member));
const METHODS: ReadonlySet<string> = new Set(PUBLISHERS.map((row) => row.notification));

/** Finds them in all files. */
export function ownPublisherCalls(
  world: ClosedWorld,
  groups: readonly ServerGroup[],
): readonly OwnPublisherCall[] {
  const found: OwnPublisherCall[] = [];
  const publishing = groups.map((group) => ({ group, publishers: publishersOf(world, group) }));
  const accounted = new Set(publishing.flatMap(({ publishers }) => publishers.map(({ node }) => node)));
  const owners = new Map<string, ServerGroup>();
  for (const { group, publishers } of publishing) {
    for (const { node } of publishers) {
      const name = nameOfFunction(enclosingFunction(node));
      if (name !== undefined && MEMBERS.has(name)) owners.set(name, group);
    }
  }
  for (const file of world.sourceFiles) {
    if (isTestFile(file)) continue;
    for (const node of nodesOfInterest(file).operations) {
      const own =
        ts.isCallExpression(node) && !accounted.has(node) ? ownCall(world, node, owners) : undefined;
      if (own !== undefined) found.push(own);
    }
    found.push(...outboundSwitches(world, file));
  }
  return found;
}

function nameOfFunction(owner: ts.SignatureDeclaration | undefined): string | undefined {
  return owner?.name === undefined ? undefined : propertyName(owner.name);
}

function ownCall(
  world: ClosedWorld,
  call: ts.CallExpression,
  owners: ReadonlyMap<string, ServerGroup>,
): OwnPublisherCall | undefined {
  const callee = peel(call.expression);
  const accessed = accessedMember(callee);
  if (accessed === undefined) return undefined;
  const group = owners.get(accessed.member);
  if (group !== undefined && classifyReceiver(world, accessed.access.expression, SERVER) === 'other')
    return { node: call, shape: 'G3', group };
  const isByMethod =
    ts.isElementAccessExpression(callee) && METHODS.has(literalText(callee.argumentExpression) ?? '');
  return isByMethod ? { node: call, shape: 'H11', group: undefined } : undefined;
}

/** `switch (message.method) { case 'notifications/…': }` in what a server or transport sends by. */
function outboundSwitches(world: ClosedWorld, file: ts.SourceFile): OwnPublisherCall[] {
  if (![...METHODS].some((method) => file.text.includes(method))) return [];
  const found: OwnPublisherCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSwitchStatement(node) && isOnChanges(node) && isOutbound(world, node))
      found.push({ node, shape: 'G11', group: undefined });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isOnChanges(node: ts.SwitchStatement): boolean {
  const asked = accessedMember(peel(node.expression));
  const cases = node.caseBlock.clauses.filter((clause) => ts.isCaseClause(clause));
  return (
    asked?.member === 'method' && cases.some((clause) => METHODS.has(literalText(clause.expression) ?? ''))
  );
}

const SENDERS: ReadonlySet<string> = new Set(['send', SERVER_MEMBER.notification]);

/** In a method, or a function put in the place of one, by which something is sent. */
function isOutbound(world: ClosedWorld, node: ts.Node): boolean {
  const owner = enclosingFunction(node);
  if (owner === undefined) return false;
  if (ts.isMethodDeclaration(owner)) {
    const holder = enclosingClass(owner);
    return SENDERS.has(propertyName(owner.name) ?? '') && holder !== undefined && isServerSide(world, holder);
  }
  const assigned = around(owner, ts.isBinaryExpression);
  const target =
    assigned === undefined || peel(assigned.right) !== owner ? undefined : accessedMember(assigned.left);
  if (target === undefined || !SENDERS.has(target.member)) return false;
  const { expression } = target.access;
  return [SERVER, SERVER_TRANSPORT].some(
    (subject) => classifyReceiver(world, expression, subject) === 'instance',
  );
}

function isServerSide(world: ClosedWorld, holder: ts.ClassLikeDeclaration): boolean {
  const bases = (holder.heritageClauses ?? []).flatMap(({ types }) => [...types]);
  return bases.some((base) => {
    const type = world.checker.getTypeAtLocation(base);
    const isKnown = [SERVER, SERVER_TRANSPORT].some(
      (subject) => classifyType(world, type, subject) === 'instance',
    );
    return isKnown || base.expression.getText() === 'Transport';
  });
}
