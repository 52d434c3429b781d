/** What a listen of a module has to ask for: the kinds of change that the module does something about. */
import { FILTER_FIELDS, LIST_KINDS, NOTIFICATION, type ListKind } from '../../src/protocol/index.js';
import { child, isProperty } from './tree.js';
import { propertyOf, resolve } from './values.js';
import { stringsOf, type WireModule } from './wire-module.js';

/** What is dispatched. */
export interface Dispatched {
  readonly kinds: readonly ListKind[];
  /** Whether updates of single resources are. */
  readonly updates: boolean;
  /** Whether no method is named: then every message is handed on to whoever knows. */
  readonly isOpen: boolean;
}

const KEY = Symbol('dispatched');

/** Reads it off the names of notifications that the module spells, but for those that it sends itself. */
export function dispatchedBy(module: WireModule): Dispatched {
  return module.remember(KEY, () => {
    const named = new Set(
      stringsOf(module)
        .filter(({ node }) => !isSent(module, node))
        .map(({ value }) => value),
    );
    const kinds = LIST_KINDS.filter((kind) =>
      FILTER_FIELDS.some(({ field, notification }) => field === kind && named.has(notification)),
    );
    const updates = named.has(NOTIFICATION.resourceUpdated);
    const isOpen = kinds.length === 0 && !updates;
    return { kinds: isOpen ? LIST_KINDS : kinds, updates, isOpen };
  });
}

/** `{ jsonrpc, method: 'notifications/…' }` */
function isSent(module: WireModule, text: Parameters<WireModule['parentOf']>[0]): boolean {
  const property = module.parentOf(text);
  const message = property === undefined ? undefined : module.parentOf(property);
  return (
    property !== undefined &&
    message?.type === 'ObjectExpression' &&
    isProperty(property) &&
    propertyOf(module, message, 'method') === property &&
    resolve(module, child(property, 'value') ?? text) === text
  );
}
