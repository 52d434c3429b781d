/** Who is told of notifications in a file: handlers by method, the fallback, and the `listChanged` option. */
import {
  CLIENT_MEMBER,
  CLIENT_OPTION,
  FILTER_FIELDS,
  LIST_KINDS,
  type FilterField,
  type ListKind,
} from '../../../src/protocol/index.js';
import {
  enclosingFunction,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { clientCalls, clientOf, isSameClient, type SdkClient } from './clients.js';
import { nodesOf } from './nodes.js';
import { methodNamed } from './notifications.js';
import { functionOf } from './origins.js';
import { objectOf, propertyOf, resolve } from './values.js';

/** A handler that is set for notifications. */
export interface NotificationHandler {
  /** The call of `setNotificationHandler`, or the assignment of the fallback. */
  readonly node: TSESTree.CallExpression | TSESTree.AssignmentExpression;
  readonly client: SdkClient;
  /** The methods that it is set for; `unknown` where they cannot be read, `all` for the fallback. */
  readonly methods: readonly string[] | 'unknown' | 'all';
  /** Of those the change notifications, as the field of a filter that asks for them. */
  readonly fields: readonly FilterField[];
  /** The handler as written. */
  readonly callback: Node | undefined;
  /** The function that it is, where it is in sight. */
  readonly handler: FunctionNode | undefined;
}

const known = new WeakMap<SourceCode, readonly NotificationHandler[]>();

/** All handlers that a file sets on the SDK's clients. */
export function handlersOf(sourceCode: SourceCode): readonly NotificationHandler[] {
  const handlers = known.get(sourceCode) ?? [...setHandlers(sourceCode), ...fallbacks(sourceCode)];
  known.set(sourceCode, handlers);
  return handlers;
}

/** Those of one client. */
export function handlersOfClient(sourceCode: SourceCode, client: SdkClient): NotificationHandler[] {
  return handlersOf(sourceCode).filter((handler) => isSameClient(handler.client, client));
}

function setHandlers(sourceCode: SourceCode): NotificationHandler[] {
  return clientCalls(sourceCode, CLIENT_MEMBER.setNotificationHandler).map(({ call, client }) => {
    const methods = methodsNamed(sourceCode, call.arguments[0]);
    const callback = call.arguments.length > 1 ? call.arguments.at(-1) : undefined;
    return {
      node: call,
      client,
      methods: methods ?? 'unknown',
      fields: (methods ?? []).flatMap((method) => fieldOf(method) ?? []),
      callback,
      handler: callback === undefined ? undefined : functionOf(sourceCode, callback),
    };
  });
}

function fallbacks(sourceCode: SourceCode): NotificationHandler[] {
  return nodesOf(sourceCode)
    .of('AssignmentExpression')
    .flatMap((node): NotificationHandler[] => {
      const left = peel(node.left);
      if (left.type !== 'MemberExpression' || memberName(left) !== CLIENT_MEMBER.fallbackNotificationHandler)
        return [];
      const client = clientOf(sourceCode, left.object);
      return client === undefined
        ? []
        : [
            {
              node,
              client,
              methods: 'all',
              fields: [],
              callback: node.right,
              handler: functionOf(sourceCode, node.right),
            },
          ];
    });
}

/** The field of a filter that asks for a notification. */
export function fieldOf(method: string): FilterField | undefined {
  return FILTER_FIELDS.find(({ notification }) => notification === method)?.field;
}

/** The methods that an argument stands for: one, or each of a list that is gone through. */
function methodsNamed(sourceCode: SourceCode, argument: Node | undefined): readonly string[] | undefined {
  const only = methodNamed(sourceCode, argument);
  if (only !== undefined) return [only];
  const list = argument === undefined ? undefined : listBehind(sourceCode, argument);
  const methods = list?.elements.map((element) => methodNamed(sourceCode, element ?? undefined));
  return methods?.every((method) => method !== undefined) === true ? methods : undefined;
}

/** `for (const method of [A, B])`, `[A, B].forEach((method) => …)` */
function listBehind(sourceCode: SourceCode, argument: Node): TSESTree.ArrayExpression | undefined {
  const name = peel(argument);
  if (name.type !== 'Identifier') return undefined;
  const definition = definitionOf(variableOf(sourceCode, name));
  const loop = definition?.type === 'Variable' ? definition.node.parent.parent : undefined;
  if (loop?.type === 'ForOfStatement') return arrayOf(sourceCode, loop.right);
  if (definition?.type !== 'Parameter') return undefined;
  const callback = enclosingFunction(definition.name);
  const call = callback === undefined ? undefined : parentOf(callback);
  const called = call === undefined ? undefined : memberCall(call);
  return called !== undefined &&
    ['forEach', 'map'].includes(called.name) &&
    callback?.params[0] === definition.name
    ? arrayOf(sourceCode, called.receiver)
    : undefined;
}

function arrayOf(sourceCode: SourceCode, node: Node): TSESTree.ArrayExpression | undefined {
  const value = resolve(sourceCode, node);
  return value.type === 'ArrayExpression' ? value : undefined;
}

/** The kinds that a client's `listChanged` option asks for, each with its property. */
export interface ListChangedOption {
  readonly kinds: ReadonlyMap<FilterField, TSESTree.Property>;
  /** Whether there may be more than can be read. */
  readonly isOpen: boolean;
}

/** The `listChanged` option of a client; undefined where it certainly has none. */
export function listChangedOption(sourceCode: SourceCode, client: SdkClient): ListChangedOption | undefined {
  const { creation, options } = client;
  const open: ListChangedOption = { kinds: new Map(), isOpen: true };
  if (creation === undefined) return open;
  if (options === undefined) return creation.arguments.length < 2 ? undefined : open;
  const option = propertyOf(options, CLIENT_OPTION.listChanged);
  if (option === undefined) return undefined;
  const literal = option === 'unknown' ? undefined : objectOf(sourceCode, option.value);
  if (literal === undefined) return open;
  const kinds = new Map<FilterField, TSESTree.Property>();
  let isOpen = false;
  for (const property of literal.properties) {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    const kind = LIST_KINDS.find((one) => optionOf(one) === name);
    if (property.type !== 'Property' || name === undefined) isOpen = true;
    else if (kind !== undefined) kinds.set(kind, property);
  }
  return { kinds, isOpen };
}

/** The key of the `listChanged` option that stands for a kind. */
function optionOf(kind: ListKind): string | undefined {
  return FILTER_FIELDS.find(({ field }) => field === kind)?.listChangedOption;
}
