/** Raw MCP code: the JSON-RPC messages of subscriptions that a file writes out itself, without the SDK. */
import { FILTER_FIELDS, METHOD, NOTIFICATION } from '../../../src/protocol/index.js';
import { memberCall, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { constantOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf, returnedBy } from './origins.js';
import { stringOf } from './values.js';
import { entryOf, plainObject } from './wire-values.js';

/** Words of which raw code that speaks of subscriptions spells one: the gate of the rules about it. */
export const WIRE_TOKENS: readonly string[] = [METHOD.subscriptionsListen, NOTIFICATION.acknowledged];

/** What a message is, as far as subscriptions go. */
export type WireKind =
  'listen' | 'acknowledgment' | 'change' | 'notification' | 'request' | 'result' | 'error';

/** A JSON-RPC message, as an object literal. */
export interface WireMessage {
  readonly kind: WireKind;
  readonly object: TSESTree.ObjectExpression;
  /** Its method, where it has one. */
  readonly method: string | undefined;
  /** Whether it says `jsonrpc`: then nobody completes it on its way. */
  readonly isWhole: boolean;
}

/** The notifications that a listen stream carries, apart from the acknowledgment. */
export const CHANGE_METHODS: ReadonlySet<string> = new Set(
  FILTER_FIELDS.map(({ notification }) => notification),
);

/** Whether a name is that of a change notification. */
export function isChange(method: string | undefined): boolean {
  return method !== undefined && CHANGE_METHODS.has(method);
}

/** The kind of message that a method makes. */
export function kindOfMethod(method: string): WireKind {
  if (method === METHOD.subscriptionsListen) return 'listen';
  if (method === NOTIFICATION.acknowledged) return 'acknowledgment';
  if (isChange(method)) return 'change';
  return method.startsWith('notifications/') ? 'notification' : 'request';
}

/** The message that an object literal is; undefined for any other object. */
export function messageOf(
  sourceCode: SourceCode,
  object: TSESTree.ObjectExpression,
): WireMessage | undefined {
  const isWhole = isGiven(entryOf(sourceCode, object, 'jsonrpc'));
  const named = entryOf(sourceCode, object, 'method');
  const method = named === undefined || named === 'unknown' ? undefined : stringOf(sourceCode, named);
  if (method !== undefined) {
    const kind = kindOfMethod(method);
    return kind === 'request' && !isWhole ? undefined : { kind, object, method, isWhole };
  }
  if (named !== undefined && named !== 'unknown') return undefined;
  if (!isWhole && !isGiven(entryOf(sourceCode, object, 'id'))) return undefined;
  for (const kind of ['result', 'error'] as const)
    if (isGiven(entryOf(sourceCode, object, kind))) return { kind, object, method: undefined, isWhole };
  return undefined;
}

function isGiven(value: Node | 'unknown' | undefined): value is Node {
  return value !== undefined && value !== 'unknown';
}

const known = new WeakMap<SourceCode, readonly WireMessage[]>();

/** The messages that a file spells, in the order of its text. */
export function messagesOf(sourceCode: SourceCode): readonly WireMessage[] {
  const found =
    known.get(sourceCode) ??
    nodesOf(sourceCode)
      .of('ObjectExpression')
      .flatMap((object) => messageOf(sourceCode, object) ?? []);
  known.set(sourceCode, found);
  return found;
}

/**
 * The messages that an expression puts on the wire: `JSON.stringify(message) + '\n'`, a template with that in it, what
 * a function of this file returns, all behind constants.
 */
export function messagesIn(sourceCode: SourceCode, expression: Node, depth = 0): WireMessage[] {
  if (depth > 6) return [];
  const node = peel(expression);
  const next = (inner: Node): WireMessage[] => messagesIn(sourceCode, inner, depth + 1);
  switch (node.type) {
    case 'ObjectExpression': {
      const message = messageOf(sourceCode, node);
      return message === undefined ? [] : [message];
    }
    case 'Identifier': {
      const object = plainObject(sourceCode, node);
      const value = object ?? constantOf(sourceCode, node);
      return value === undefined || (object === undefined && peel(value).type === 'ObjectExpression')
        ? []
        : next(value);
    }
    case 'ArrayExpression':
      return node.elements.flatMap((element) =>
        element === null || element.type === 'SpreadElement' ? [] : next(element),
      );
    case 'ConditionalExpression':
      return [...next(node.consequent), ...next(node.alternate)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...next(node.left), ...next(node.right)] : [];
    case 'TemplateLiteral':
      return node.expressions.flatMap(next);
    case 'NewExpression':
      return node.arguments.slice(0, 1).flatMap(next);
    case 'CallExpression': {
      const declared = functionOf(sourceCode, node.callee);
      const given = node.arguments.flatMap((argument) =>
        argument.type === 'SpreadElement' ? [] : next(argument),
      );
      return declared === undefined ? given : [...returnedBy(sourceCode, declared).flatMap(next), ...given];
    }
    default:
      return [];
  }
}

/** Whether a call is `JSON.stringify(…)`. */
export function isStringify(node: Node): boolean {
  const called = memberCall(node);
  return (
    called?.name === 'stringify' && called.receiver.type === 'Identifier' && called.receiver.name === 'JSON'
  );
}
