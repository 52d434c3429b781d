/** Stores of events for replay, which version 1's resumption is built on (section J): where they are declared, made and used. */
import { ts } from 'ts-morph';
import {
  EVENT_STORE_MEMBER,
  EVENT_STORE_TYPE,
  HEADER,
  SDK_SCOPE,
  TRANSPORT_MEMBER,
} from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { importedName, importedTypeName } from './imported-names.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { isTestFile } from './server-emits.js';
import { accessedMember, dressed, isFunction, isMemberName, propertyName } from './syntax.js';

/** One place that has to do with replay. */
export interface EventStorePlace {
  readonly node: ts.Node;
  /**
   * - `memory`, `persistent`: a class of a store.
   * - `option`: the type of a store in options of the application's own.
   * - `factory`: a function that is declared to give one.
   * - `structural`: a store that does not say so.
   * - `transport`: a transport that replays by itself.
   * - `closing`: closing a stream so that its client polls.
   */
  readonly kind: 'memory' | 'persistent' | 'option' | 'factory' | 'structural' | 'transport' | 'closing';
}

const known = new WeakMap<ClosedWorld, readonly EventStorePlace[]>();

/** All of them, file by file in the order of the text. */
export function eventStoresOf(world: ClosedWorld): readonly EventStorePlace[] {
  const answer = known.get(world) ?? world.sourceFiles.flatMap((file) => placesIn(file, world));
  known.set(world, answer);
  return answer;
}

function placesIn(file: ts.SourceFile, world: ClosedWorld): EventStorePlace[] {
  const { text } = file;
  const isWorthALook =
    text.includes(EVENT_STORE_TYPE) ||
    text.includes(EVENT_STORE_MEMBER.replay) ||
    text.includes(TRANSPORT_MEMBER.closeSSEStream) ||
    (text.includes('Transport') && text.toLowerCase().includes(HEADER.lastEventId.toLowerCase()));
  // What a test makes up keeps nothing for anybody.
  if (!isWorthALook || isTestFile(file)) return [];
  const found: EventStorePlace[] = [];
  const visit = (node: ts.Node): void => {
    const kind = kindOf(node, world);
    if (kind !== undefined) found.push({ node, kind });
    // What a store is made of is no place of its own.
    if (kind !== 'memory' && kind !== 'persistent' && kind !== 'structural') ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found, ...closings(file)].sort((one, other) => one.node.pos - other.node.pos);
}

function kindOf(node: ts.Node, world: ClosedWorld): EventStorePlace['kind'] | undefined {
  if (ts.isClassLike(node)) {
    if (hasHeritage(node, EVENT_STORE_TYPE, world)) return isInMemory(node, world) ? 'memory' : 'persistent';
    if (isStoreByStructure(node.members)) return 'structural';
    const replays = new RegExp(HEADER.lastEventId, 'i').test(node.getText());
    return replays && hasHeritage(node, 'Transport', world) ? 'transport' : undefined;
  }
  if (ts.isObjectLiteralExpression(node) && isStoreByStructure(node.properties)) return 'structural';
  if (ts.isPropertySignature(node)) return isStoreType(node.type, world) ? 'option' : undefined;
  if (isFunction(node) && (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)))
    return node.body !== undefined && isStoreType(node.type, world) ? 'factory' : undefined;
  return undefined;
}

/** `class Store implements EventStore`, imported from the SDK. */
function hasHeritage(node: ts.ClassLikeDeclaration, name: string, world: ClosedWorld): boolean {
  return (node.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .some(({ expression }) => isSdkName(importedName(expression, world), name));
}

/** `EventStore`, `EventStore | undefined`, `Promise<EventStore>` */
function isStoreType(type: ts.TypeNode | undefined, world: ClosedWorld): boolean {
  if (type === undefined) return false;
  if (ts.isUnionTypeNode(type)) return type.types.some((part) => isStoreType(part, world));
  if (!ts.isTypeReferenceNode(type)) return false;
  if (isSdkName(importedTypeName(type.typeName, world), EVENT_STORE_TYPE)) return true;
  return (
    type.typeName.getText() === 'Promise' && (type.typeArguments ?? []).some((one) => isStoreType(one, world))
  );
}

function isSdkName(imported: ReturnType<typeof importedName>, name: string): boolean {
  return imported?.name === name && imported.module.startsWith(SDK_SCOPE);
}

function isStoreByStructure(members: ts.NodeArray<ts.ClassElement | ts.ObjectLiteralElementLike>): boolean {
  const names = members.map(({ name }) => (name === undefined ? undefined : propertyName(name)));
  return names.includes(EVENT_STORE_MEMBER.store) && names.includes(EVENT_STORE_MEMBER.replay);
}

/** Whether a class uses nothing of other modules but ways to make an id. */
function isInMemory(node: ts.ClassLikeDeclaration, world: ClosedWorld): boolean {
  let isPlain = true;
  const visit = (inner: ts.Node): void => {
    if (ts.isHeritageClause(inner)) return;
    if (ts.isTypeReferenceNode(inner)) {
      const module = importedTypeName(inner.typeName, world)?.module;
      // A type of a package that is not the SDK: a connection to a database, a file handle.
      if (module !== undefined && !module.startsWith(SDK_SCOPE) && !module.startsWith('.')) isPlain = false;
    }
    if (ts.isTypeNode(inner)) return;
    if (ts.isIdentifier(inner) && !isMemberName(inner)) {
      const imported = importedName(inner, world);
      if (imported !== undefined && !/^(?:(?:node:)?crypto|uuid|nanoid|ulid)$/.test(imported.module))
        isPlain = false;
    }
    ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return isPlain;
}

/** `extra.closeSSEStream?.()`, `transport.closeSSEStream(id)` */
function closings(file: ts.SourceFile): EventStorePlace[] {
  return nodesOfInterest(file).operations.flatMap((node): EventStorePlace[] => {
    const accessed = accessedMember(node);
    const isClosing =
      accessed?.member === TRANSPORT_MEMBER.closeSSEStream ||
      accessed?.member === TRANSPORT_MEMBER.closeStandaloneSSEStream;
    const callee = isClosing ? dressed(node) : undefined;
    const isCalled =
      callee !== undefined && ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
    return isCalled ? [{ node: callee.parent, kind: 'closing' }] : [];
  });
}
