/** What of subscribe handlers and their registries goes once no client of 2025 is served. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { namedHolder, referencesOf } from '../../src/analysis/references.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { subscribeHandlersOf, type SubscribeHandler } from '../../src/analysis/subscribe-handlers.js';
import { registriesOf, type SubscriberRegistry } from '../../src/analysis/subscriber-registries.js';
import { contains, dressed, enclosingFunction, isExported } from '../../src/analysis/syntax.js';
import { gatesOf } from './gated-publishers.js';
import { goesWithHosting } from './hosting-removal.js';

/** Whether a registry can go, or who reads it besides. */
export type RegistryFate = { readonly removes: readonly ts.Node[] } | { readonly reader: ts.Node };

/** The statement of a registration that does nothing but register; undefined for any other. */
export function registrationStatement({ node }: SubscribeHandler): ts.ExpressionStatement | undefined {
  const { parent } = dressed(node);
  return ts.isExpressionStatement(parent) ? parent : undefined;
}

/** The statement, or the field, that a registry is declared by; undefined where that declares something else, too. */
export function declarationStatement({ declaration }: SubscriberRegistry): ts.Node | undefined {
  if (ts.isPropertyDeclaration(declaration)) return declaration;
  if (!ts.isVariableDeclaration(declaration)) return undefined;
  return soleStatement(declaration);
}

function soleStatement({ parent }: ts.VariableDeclaration): ts.VariableStatement | undefined {
  return ts.isVariableDeclarationList(parent) &&
    parent.declarations.length === 1 &&
    ts.isVariableStatement(parent.parent)
    ? parent.parent
    : undefined;
}

/** Decides about a registry, with the functions that only its handlers use. */
export function fateOf(registry: SubscriberRegistry, group: ServerGroup, facts: Facts): RegistryFate {
  const handlers = subscribeHandlersOf(facts.world, group);
  const statement = declarationStatement(registry);
  if (statement === undefined || isExported(statement)) return { reader: registry.declaration };
  const named: ts.Node[] = [];
  for (const use of registry.places.uses) {
    const owner = handlers.find((handler) => handler.functions.some((one) => contains(one, use.node)));
    if (owner === undefined) {
      if (isAskedByGate(use.node, group, facts) || goesWithHosting(use.node, group, facts)) continue;
      const helper = askedThrough(use.node, group, facts);
      if (helper === undefined) return { reader: use.node };
      if (!named.includes(helper)) named.push(helper);
      continue;
    }
    if (registrationStatement(owner) === undefined || owner.form === 'table' || owner.does !== 'bookkeeping')
      return { reader: use.node };
    if (contains(owner.node, use.node)) continue;
    const declared = owner.functions.find((one) => contains(one, use.node));
    if (declared === undefined || !isUsedOnlyBy(declared, owner, facts)) return { reader: use.node };
    if (!named.includes(declared)) named.push(declared);
  }
  return { removes: [statement, ...named] };
}

/** `isSubscribed(uri)`, a function that nothing but gates calls: it goes with them. */
function askedThrough(node: ts.Node, group: ServerGroup, facts: Facts): ts.Node | undefined {
  const owner = enclosingFunction(node);
  const holder = owner === undefined ? undefined : namedHolder(owner);
  if (holder === undefined) return undefined;
  const statement = ts.isVariableDeclaration(holder) ? soleStatement(holder) : holder;
  const isPrivate = statement !== undefined && !isExported(statement) && !ts.isClassElement(holder);
  const onlyGatesAsk = referencesOf(facts.world)
    .to(holder)
    .every((name) => name.parent === holder || isAskedByGate(name, group, facts));
  return isPrivate && onlyGatesAsk ? statement : undefined;
}

/** The condition of a gate goes with it. */
function isAskedByGate(node: ts.Node, group: ServerGroup, facts: Facts): boolean {
  return [...gatesOf(group, facts).values()].some(({ gate }) => contains(gate.condition, node));
}

function isUsedOnlyBy(declared: ts.Node, { node }: SubscribeHandler, { world }: Facts): boolean {
  if (!ts.isFunctionDeclaration(declared)) return false;
  return referencesOf(world)
    .to(declared)
    .every((name) => name.parent === declared || contains(node, name));
}

/** The registries that nothing but subscribe handlers fills. */
export function subscriberRegistries(group: ServerGroup, facts: Facts): readonly SubscriberRegistry[] {
  return registriesOf(facts.world, group).filter(({ filled }) => filled !== 'others');
}

/** The registry that keeps a handler where it is: somebody else uses it, or fills it. */
export function registryHolding(
  handler: SubscribeHandler,
  group: ServerGroup,
  facts: Facts,
): SubscriberRegistry | undefined {
  return registriesOf(facts.world, group).find(
    (registry) =>
      registry.places.uses.some(({ node }) => handler.functions.some((one) => contains(one, node))) &&
      (registry.filled === 'others' || 'reader' in fateOf(registry, group, facts)),
  );
}

const removed = new WeakMap<ServerGroup, ReadonlySet<ts.Node>>();

/** Everything of a server's subscriptions that goes. */
export function removedNodes(group: ServerGroup, facts: Facts): ReadonlySet<ts.Node> {
  const before = removed.get(group);
  if (before !== undefined) return before;
  const handlers = subscribeHandlersOf(facts.world, group).filter(
    (handler) =>
      handler.does === 'bookkeeping' &&
      handler.form !== 'table' &&
      registryHolding(handler, group, facts) === undefined,
  );
  const fates = subscriberRegistries(group, facts).map((registry) => fateOf(registry, group, facts));
  const found = new Set([
    ...handlers.flatMap((handler) => registrationStatement(handler) ?? []),
    ...fates.flatMap((fate) => ('removes' in fate ? fate.removes : [])),
  ]);
  removed.set(group, found);
  return found;
}
