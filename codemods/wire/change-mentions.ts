/** Every place at which a module spells one of the methods that have to do with subscriptions, and what it is there. */
import { FILTER_FIELDS, METHOD, NOTIFICATION } from '../../src/protocol/index.js';
import { entryValue, isEntry, keyOf, lastName } from './declared-names.js';
import { child, isCall, isFunction, isMember, isWrapper, list, type Node } from './tree.js';
import { stringsOf, type WireModule } from './wire-module.js';

/** Which of the methods it is. */
export type ChangeMethod = 'subscribe' | 'unsubscribe' | 'listen' | 'acknowledged' | 'change';

/** What a spelled method is where it stands. `node` is what a report is about. */
export type Role =
  /** `case 'resources/subscribe':` */
  | { readonly kind: 'case'; readonly node: Node; readonly choice: Node }
  /** `message.method === 'resources/subscribe'` */
  | { readonly kind: 'comparison'; readonly node: Node; readonly subject: Node; readonly equal: boolean }
  /** `rpc.addMethod('resources/subscribe', handler)` */
  | { readonly kind: 'registration'; readonly node: Node; readonly handler: Node }
  /** `{ 'resources/subscribe': … }` */
  | { readonly kind: 'row'; readonly node: Node; readonly table: Node; readonly value: Node | undefined }
  /** `['resources/subscribe', …]`, `['resources/subscribe', value]` in a list of pairs */
  | { readonly kind: 'element'; readonly node: Node; readonly table: Node; readonly value: Node | undefined }
  /** `{ method: 'notifications/…', params }` */
  | { readonly kind: 'message'; readonly node: Node }
  /** `SUBSCRIBE: 'resources/subscribe'`, `const SUBSCRIBE = …`, a member of an enum or class */
  | { readonly kind: 'constant'; readonly node: Node }
  /** `z.literal('resources/subscribe')`, `Rpc.make('resources/subscribe', …)` */
  | { readonly kind: 'schema'; readonly node: Node }
  /** `method: 'resources/subscribe'` in an interface, a member of a union type, a key of a type */
  | { readonly kind: 'type'; readonly node: Node }
  /** `Match.whenOr('resources/read', 'resources/subscribe', …)` */
  | { readonly kind: 'match'; readonly node: Node }
  /** `notify('notifications/…', params)` */
  | { readonly kind: 'argument'; readonly node: Node };

/** One place. */
export interface Mention {
  readonly method: string;
  readonly about: ChangeMethod;
  /** The text in the code. */
  readonly literal: Node;
  readonly role: Role;
}

const CHANGES: ReadonlySet<string> = new Set(FILTER_FIELDS.map(({ notification }) => notification));

/** Which of the methods of subscriptions a text is. */
export function changeMethod(text: string): ChangeMethod | undefined {
  if (text === METHOD.resourcesSubscribe) return 'subscribe';
  if (text === METHOD.resourcesUnsubscribe) return 'unsubscribe';
  if (text === METHOD.subscriptionsListen) return 'listen';
  if (text === NOTIFICATION.acknowledged) return 'acknowledged';
  return CHANGES.has(text) ? 'change' : undefined;
}

const MENTIONS = Symbol('mentions of change methods');

/** The mentions of a module, in the order of its text; text that is nothing to the protocol is left out. */
export function mentionsOf(module: WireModule): readonly Mention[] {
  return module.remember(MENTIONS, () =>
    stringsOf(module).flatMap(({ node, value }): Mention[] => {
      const about = changeMethod(value);
      const role = about === undefined ? undefined : roleOf(module, node);
      return about === undefined || role === undefined ? [] : [{ method: value, about, literal: node, role }];
    }),
  );
}

/** What a text is where it stands. */
export function roleOf(module: WireModule, literal: Node): Role | undefined {
  let value: Node = literal;
  let parent = module.parentOf(value);
  // `on ? 'a' : 'b'` is both of them.
  while (
    parent !== undefined &&
    (isWrapper(parent) || (parent.type === 'ConditionalExpression' && child(parent, 'test') !== value))
  ) {
    value = parent;
    parent = module.parentOf(value);
  }
  return parent === undefined ? undefined : roleIn(module, parent, value);
}

function roleIn(module: WireModule, parent: Node, value: Node): Role | undefined {
  switch (parent.type) {
    case 'SwitchCase': {
      const choice = module.parentOf(parent);
      return choice === undefined || child(parent, 'test') !== value
        ? undefined
        : { kind: 'case', node: parent, choice };
    }
    case 'BinaryExpression':
      return comparisonOf(parent, value);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isInSdkCall(module, parent) ? undefined : argumentOf(parent, value);
    case 'NewExpression':
      return undefined;
    case 'Property':
    case 'ObjectProperty':
    case 'ObjectMethod':
      return entryRole(module, parent, value);
    case 'ArrayExpression':
      return elementOf(module, parent, value);
    case 'VariableDeclarator':
    case 'TSEnumMember':
    case 'ClassProperty':
    case 'PropertyDefinition':
      return child(parent, 'key') === value && parent['computed'] !== true
        ? undefined
        : { kind: 'constant', node: parent };
    case 'AssignmentExpression':
      return /^[A-Z][A-Z0-9_]*$/.test(lastName(child(parent, 'left')) ?? '')
        ? { kind: 'constant', node: parent }
        : undefined;
    case 'TSLiteralType':
      return typeRole(module, parent);
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return { kind: 'type', node: parent };
    default:
      return undefined;
  }
}

function comparisonOf(parent: Node, value: Node): Role | undefined {
  const operator = String(parent['operator']);
  if (!/^[!=]==?$/.test(operator)) return undefined;
  const [left, right] = [child(parent, 'left'), child(parent, 'right')];
  const subject = left === value ? right : left;
  return subject === undefined
    ? undefined
    : { kind: 'comparison', node: parent, subject, equal: operator.startsWith('=') };
}

/** Schema libraries: what they call a text that must be this one. */
const SCHEMAS = /^(?:literal|Literal|literals|Literals|const|eq|enum|picklist)$/;

/** Calls that put a function into a table under a method's name. */
const REGISTERS =
  /^(?:add|set|register|define|on|handle|route|method|rpc|procedure)(?:Method|Handler|Request|Route|Procedure)?$/i;

/** The SDK's own: what they do with a method is no business of raw code. */
const SDK_CALLS =
  /^(?:(?:set|remove|assertCanSet)(?:Request|Notification)Handler|assert\w+|removeNotificationHandler|fallback\w+)$/;

/** `server.setRequestHandler(z.object({ method: z.literal('…') }), …)`: a schema that is written for the SDK's call. */
function isInSdkCall(module: WireModule, call: Node): boolean {
  for (let value = call, at = module.parentOf(call); at !== undefined; value = at, at = module.parentOf(at)) {
    if (isFunction(at)) return false;
    if (isCall(at) && SDK_CALLS.test(lastName(child(at, 'callee')) ?? ''))
      return list(at, 'arguments')[0] === value;
  }
  return false;
}

function argumentOf(call: Node, value: Node): Role | undefined {
  const given = list(call, 'arguments');
  const index = given.indexOf(value);
  const name = lastName(child(call, 'callee')) ?? '';
  const receiver = receiverName(call);
  if (index === -1 || SDK_CALLS.test(name)) return undefined;
  if (receiver === 'Match') return { kind: 'match', node: call };
  if (SCHEMAS.test(name)) return { kind: 'schema', node: call };
  if (receiver === 'Rpc' && name === 'make') return { kind: 'schema', node: call };
  const handler = given.at(-1);
  if (index === 0 && handler !== undefined && handler !== value && REGISTERS.test(name) && isHandler(handler))
    return { kind: 'registration', node: call, handler };
  return index === 0 ? { kind: 'argument', node: call } : undefined;
}

function receiverName(call: Node): string | undefined {
  const callee = child(call, 'callee');
  return isMember(callee) ? lastName(child(callee, 'object')) : undefined;
}

/** A function, or what names one: `this.subscribe`, `subscribe.bind(this)`, `wrap(subscribe)`. */
export function isHandler(node: Node): boolean {
  if (isFunction(node) || isMember(node) || node.type === 'Identifier') return true;
  return (
    isCall(node) && list(node, 'arguments').every((one) => one.type === 'ThisExpression' || isHandler(one))
  );
}

function entryRole(module: WireModule, entry: Node, value: Node): Role | undefined {
  const object = module.parentOf(entry);
  if (object?.type !== 'ObjectExpression') return undefined;
  if (child(entry, 'key') === value)
    return { kind: 'row', node: entry, table: object, value: entryValue(entry) };
  const key = keyOf(entry) ?? '';
  // A row of a table that is written as a list of objects: `{ method: 'resources/subscribe', handler }`.
  if (/^(?:method|_?tag)$/.test(key)) return { kind: 'message', node: object };
  return { kind: 'constant', node: entry };
}

function elementOf(module: WireModule, array: Node, value: Node): Role | undefined {
  const outer = module.parentOf(array);
  const elements = list(array, 'elements');
  if (outer?.type === 'ArrayExpression' && elements[0] === value && elements.length === 2)
    return { kind: 'element', node: array, table: outer, value: elements[1] };
  return { kind: 'element', node: value, table: array, value: undefined };
}

/** `method: 'resources/subscribe'` in a type, or a type that is nothing but such texts. */
function typeRole(module: WireModule, literal: Node): Role | undefined {
  for (const at of module.ancestorsOf(literal)) {
    switch (at.type) {
      case 'TSUnionType':
      case 'TSTypeAnnotation':
      case 'TSParenthesizedType':
        continue;
      case 'TSPropertySignature':
        return /^(?:method|_?tag)$/.test(keyOf(at) ?? '') ? { kind: 'type', node: at } : undefined;
      case 'TSTypeAliasDeclaration':
        return { kind: 'type', node: at };
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Whether an entry of an object says something else than which method a message has. */
export function isRowOfHandlers(object: Node): boolean {
  return list(object, 'properties').some(
    (entry) =>
      isEntry(entry) &&
      /^(?:handler?|handle|run|execute|scopes?|schema|requestSchema)$/.test(keyOf(entry) ?? ''),
  );
}
