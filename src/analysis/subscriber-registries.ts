/** Registries that nothing fills but subscribe handlers: on a modern connection they stay empty. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { createCells } from './cells.js';
import { isContainerType } from './containers.js';
import { referencesOf } from './references.js';
import { holdsBareUris } from './registry-entries.js';
import { isNothing, placesOf, type RegistryPlaces } from './registry-places.js';
import { functionsBehind } from './server-entries.js';
import type { ServerGroup } from './server-group.js';
import { subscribeHandlersOf, type SubscribeHandler } from './subscribe-handlers.js';
import { accessedMember, contains, enclosingFunction, peel } from './syntax.js';

/** What subscribe handlers note their subscribers in. */
export interface SubscriberRegistry {
  /** The variable, field or property that it is made in. */
  readonly declaration: ts.Node;
  /** As it is called there. */
  readonly name: string;
  readonly places: RegistryPlaces;
  /** The handlers that fill it. */
  readonly filledBy: readonly SubscribeHandler[];
  /**
   * - `only`: nothing else fills it.
   * - `others`: something else does, too: what is in it is no subscription of a client alone.
   * - `unknown`: it goes out of sight, where it may be filled.
   */
  readonly filled: 'only' | 'others' | 'unknown';
  /**
   * Whether the sessions share what is in it (F8): it is made outside of the function that makes the server, and an
   * entry does not tell whose it is.
   */
  readonly isShared: boolean;
}

const known = new WeakMap<ServerGroup, readonly SubscriberRegistry[]>();

/** The registries that the subscribe handlers of a server fill. */
export function registriesOf(world: ClosedWorld, group: ServerGroup): readonly SubscriberRegistry[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const handlers = subscribeHandlersOf(world, group);
  const found: SubscriberRegistry[] = [];
  for (const handler of handlers) {
    for (const owner of handler.functions) {
      for (const declaration of filledIn(world, owner)) {
        if (!found.some(({ places }) => places.declarations.has(declaration)))
          found.push(...describe(world, group, declaration, handlers));
      }
    }
  }
  known.set(group, found);
  return found;
}

function describe(
  world: ClosedWorld,
  group: ServerGroup,
  declaration: ts.Node,
  handlers: readonly SubscribeHandler[],
): SubscriberRegistry[] {
  const places = placesOf(world, declaration);
  const fills = places.uses.filter(({ kind }) => kind === 'fill');
  const within = ({ node }: { readonly node: ts.Node }, handler: SubscribeHandler): boolean =>
    handler.functions.some((owner) => runsOnlyIn(world, node, owner));
  const filledBy = handlers.filter((handler) => fills.some((fill) => within(fill, handler)));
  const made = [...places.declarations].find((one) => isMade(one)) ?? declaration;
  if (filledBy.length === 0) return [];
  const isFilledElsewhere =
    fills.some((fill) => !handlers.some((handler) => within(fill, handler))) || startsFilled(places);
  const leaves = places.uses.some(({ kind }) => kind === 'leaves');
  return [
    {
      declaration: made,
      name: nameOf(made),
      places,
      filledBy,
      filled: isFilledElsewhere ? 'others' : leaves ? 'unknown' : 'only',
      isShared:
        group.creations.some(
          ({ within: maker }) => maker !== undefined && !contains(maker, made) && !isMember(made),
        ) && holdsBareUris(world, places),
    },
  ];
}

function isMember(declaration: ts.Node): boolean {
  return ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration);
}

function isMade(declaration: ts.Node): boolean {
  const { initializer } = declaration as { initializer?: ts.Node };
  return (
    (ts.isVariableDeclaration(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isPropertyAssignment(declaration)) &&
    initializer !== undefined &&
    isNothing(initializer as ts.Expression)
  );
}

/** `new Set(['status://all'])`: something is in it before anybody has subscribed. */
function startsFilled({ declarations }: RegistryPlaces): boolean {
  return [...declarations].some((declaration) => {
    if (!ts.isVariableDeclaration(declaration) && !ts.isPropertyDeclaration(declaration)) return false;
    const { initializer } = declaration;
    if (initializer === undefined) return false;
    const inner = peel(initializer);
    const isFilledContainer =
      (ts.isNewExpression(inner) && !isNothing(inner)) ||
      (ts.isArrayLiteralExpression(inner) && !isNothing(inner)) ||
      inner.kind === ts.SyntaxKind.TrueKeyword;
    return isFilledContainer && !isPartOf(inner, declarations);
  });
}

/** A copy or a part of the registry itself: `new Set(subscribed)`. */
function isPartOf(value: ts.Node, declarations: ReadonlySet<ts.Node>): boolean {
  return [...declarations].some((one) => {
    const name = (one as ts.NamedDeclaration).name?.getText();
    return name !== undefined && new RegExp(`\\b${name.replace(/\W/g, '')}\\b`).test(value.getText());
  });
}

function nameOf(declaration: ts.Node): string {
  return (declaration as ts.NamedDeclaration).name?.getText() ?? 'registry';
}

const FILLING: ReadonlySet<string> = new Set(['add', 'set', 'push', 'unshift']);

/** How far functions that a handler calls are followed to what they fill. */
const DEPTH = 3;

/** The declarations of what a handler puts something into. */
function filledIn(world: ClosedWorld, owner: ts.SignatureDeclaration): ts.Node[] {
  const cells = createCells(world);
  const found = new Set<ts.Node>();
  const seen = new Set<ts.Node>();
  const put = (holder: ts.Expression): void => {
    for (const declaration of cells.of(baseOf(holder, owner, world))) {
      if (!contains(owner, declaration)) found.add(declaration);
    }
  };
  const walk = (body: ts.Node, depth: number): void => {
    if (seen.has(body)) return;
    seen.add(body);
    const visit = (node: ts.Node): void => {
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
        if (isEntry(node)) put(node.left);
      }
      if (ts.isCallExpression(node)) {
        const accessed = accessedMember(peel(node.expression));
        if (accessed !== undefined && FILLING.has(accessed.member)) {
          if (mayBeContainer(world, accessed.access.expression)) put(accessed.access.expression);
        }
        if (depth > 0) for (const called of functionsBehind(world, node.expression)) walk(called, depth - 1);
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(body, visit);
  };
  walk(owner, DEPTH);
  return [...found];
}

/** `subscribed = true`, `uris = uris.concat(uri)`; what `watcher = watch(path)` keeps is work that was started. */
function isEntry({ left, right }: ts.BinaryExpression): boolean {
  const value = peel(right);
  if (ts.isNewExpression(value)) return /^(?:Set|Map|WeakMap|Array)$/.test(value.expression.getText());
  return !ts.isCallExpression(value) || value.getText().includes(left.getText());
}

/** An object of the application that has an `add` of its own keeps its own books. */
function mayBeContainer(world: ClosedWorld, expression: ts.Expression): boolean {
  const type = world.checker.getTypeAtLocation(peel(expression));
  return (type.flags & ts.TypeFlags.Any) !== 0 || isContainerType(world, type);
}

/** What a container is a part of: `byUri.get(uri)!` is filled, so `byUri` is; `const set = byUri.get(uri)`, too. */
function baseOf(
  holder: ts.Expression,
  owner: ts.SignatureDeclaration,
  world: ClosedWorld,
  depth = 6,
): ts.Expression {
  const inner = peel(holder);
  if (depth === 0) return inner;
  const next = (value: ts.Expression): ts.Expression => baseOf(value, owner, world, depth - 1);
  if (ts.isElementAccessExpression(inner)) return next(inner.expression);
  if (ts.isBinaryExpression(inner)) return next(inner.left);
  if (ts.isConditionalExpression(inner)) return next(inner.whenTrue);
  if (ts.isCallExpression(inner)) {
    const accessed = accessedMember(peel(inner.expression));
    return accessed?.member === 'get' ? next(accessed.access.expression) : inner;
  }
  if (!ts.isIdentifier(inner)) return inner;
  const declaration = world.checker.getSymbolAtLocation(inner)?.valueDeclaration;
  const isLocal =
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    contains(owner, declaration);
  return isLocal ? next(declaration.initializer) : inner;
}

/** Whether a node runs only as part of a function: it lies in it, or in one that only this one calls. */
export function runsOnlyIn(
  world: ClosedWorld,
  node: ts.Node,
  owner: ts.SignatureDeclaration,
  depth = DEPTH,
): boolean {
  if (contains(owner, node)) return true;
  const around = enclosingFunction(node);
  if (around === undefined || depth === 0) return false;
  const references = referencesOf(world);
  const calls = references.callsOf(around);
  return calls.length > 0 && calls.every((call) => runsOnlyIn(world, call, owner, depth - 1));
}
