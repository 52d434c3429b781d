/** The SDK's clients in a file: what they are, which era they speak, what is called on them. */
import { CLIENT_CLASS, CLIENT_MODULES, CLIENT_OPTION, V1_PACKAGE } from '../../../src/protocol/index.js';
import { memberCall, peel, type MemberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import type { ImportedName } from './bindings.js';
import { nodesOf } from './nodes.js';
import { originOf, type Origin } from './origins.js';
import { objectOf, propertyOf, stringOf, valueAt } from './values.js';
import { entryAt, plainObject } from './wire-values.js';

/**
 * The era that a client may reach: `legacy` never opts in, `dual` negotiates, `modern` is pinned. `unknown` where its
 * making or its options are out of sight.
 */
export type ClientEra = 'legacy' | 'dual' | 'modern' | 'unknown';

/** A client of the SDK. */
export interface SdkClient {
  readonly origin: Origin;
  readonly generation: 'v1' | 'v2';
  readonly era: ClientEra;
  /** `new Client(…)`, where it is in sight. */
  readonly creation: TSESTree.NewExpression | undefined;
  /** The second argument of its constructor, where that is an object literal. */
  readonly options: TSESTree.ObjectExpression | undefined;
}

/** A call on a client. */
export interface ClientCall extends MemberCall {
  readonly client: SdkClient;
}

/** The client that an expression stands for; undefined for everything else, and where the file does not tell. */
export function clientOf(sourceCode: SourceCode, expression: Node): SdkClient | undefined {
  const origin = originOf(sourceCode, expression);
  return origin === undefined || !isClientClass(origin.imported) ? undefined : describe(sourceCode, origin);
}

/** Whether an import is the SDK's `Client`. */
export function isClientClass({ module, name }: ImportedName): boolean {
  return name === CLIENT_CLASS && (CLIENT_MODULES as readonly string[]).includes(module);
}

const described = new WeakMap<Node, SdkClient>();

function describe(sourceCode: SourceCode, origin: Origin): SdkClient {
  const known = described.get(origin.node);
  if (known !== undefined) return known;
  const creation = origin.node.type === 'NewExpression' ? origin.node : undefined;
  const generation = origin.imported.module.startsWith(V1_PACKAGE) ? 'v1' : 'v2';
  const client: SdkClient = {
    origin,
    generation,
    creation,
    era:
      creation === undefined
        ? generation === 'v1'
          ? 'legacy'
          : 'unknown'
        : eraOf(sourceCode, creation, generation),
    options: objectOf(sourceCode, creation?.arguments[1]),
  };
  described.set(origin.node, client);
  return client;
}

function eraOf(sourceCode: SourceCode, creation: TSESTree.NewExpression, generation: 'v1' | 'v2'): ClientEra {
  if (generation === 'v1') return 'legacy';
  if (creation.arguments.some((argument) => argument.type === 'SpreadElement')) return 'unknown';
  // `new Session()` of a class that extends Client may choose in its constructor.
  if (peel(creation.callee).type === 'Identifier' && sourceCode.text.includes(`extends `)) {
    const name = (peel(creation.callee) as TSESTree.Identifier).name;
    if (
      nodesOf(sourceCode)
        .of('ClassDeclaration')
        .some((one) => one.id?.name === name)
    )
      return 'unknown';
  }
  const [, options] = creation.arguments;
  if (options === undefined) return setsNegotiation(sourceCode) ? 'unknown' : 'legacy';
  const literal = objectOf(sourceCode, options);
  if (literal === undefined) return 'unknown';
  const negotiation = propertyOf(literal, CLIENT_OPTION.versionNegotiation);
  if (negotiation === undefined) return setsNegotiation(sourceCode) ? 'unknown' : 'legacy';
  const mode = valueAt(sourceCode, literal, CLIENT_OPTION.versionNegotiation, CLIENT_OPTION.mode);
  if (mode === undefined) return 'legacy';
  if (mode === 'unknown') return 'unknown';
  const word = stringOf(sourceCode, mode);
  if (word === CLIENT_OPTION.auto) return 'dual';
  if (word === CLIENT_OPTION.legacy) return 'legacy';
  const pinned = objectOf(sourceCode, mode);
  return pinned !== undefined && propertyOf(pinned, CLIENT_OPTION.pin) !== undefined ? 'modern' : 'unknown';
}

function setsNegotiation({ text }: SourceCode): boolean {
  return text.includes('setVersionNegotiation');
}

/**
 * Whether a client is kept on the legacy era for good: its options say so, or it talks to a server in the same process,
 * which is wired by hand and speaks no other (T4).
 */
export function staysLegacy(sourceCode: SourceCode, { creation }: SdkClient): boolean {
  if (sourceCode.text.includes('createLinkedPair')) return true;
  const options = plainObject(sourceCode, creation?.arguments[1]);
  const mode =
    options === undefined
      ? undefined
      : entryAt(sourceCode, options, CLIENT_OPTION.versionNegotiation, CLIENT_OPTION.mode);
  return mode !== undefined && mode !== 'unknown' && stringOf(sourceCode, mode) === CLIENT_OPTION.legacy;
}

/** All calls on clients in a file, optionally of certain members. */
export function clientCalls(sourceCode: SourceCode, ...members: readonly string[]): ClientCall[] {
  const found: ClientCall[] = [];
  for (const node of nodesOf(sourceCode).of('CallExpression')) {
    const called = memberCall(node);
    if (called === undefined || (members.length > 0 && !members.includes(called.name))) continue;
    const client = clientOf(sourceCode, called.receiver);
    if (client !== undefined) found.push({ ...called, client });
  }
  return found;
}

/** The clients that are made in a file. */
export function clientCreations(sourceCode: SourceCode): SdkClient[] {
  return nodesOf(sourceCode)
    .of('NewExpression')
    .flatMap((node) => clientOf(sourceCode, node) ?? []);
}

/** Whether two mentions are of one client. */
export function isSameClient(one: SdkClient, other: SdkClient): boolean {
  return one.origin.node === other.origin.node;
}
