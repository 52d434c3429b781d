/** Subscribe messages that a module POSTs: in 2026 their URIs belong into the filter of its stream. */
import { METHOD } from '../../src/protocol/index.js';
import { isNameOnly, isVisibleAt } from './bindings.js';
import { isPure } from './text-edits.js';
import { child, contains, isFunction, list, nameOf, peel, within, type Node } from './tree.js';
import { valueOf } from './values.js';
import { carrierOf, messagesOf, statementOfUnused, type WireMessage } from './wire-messages.js';
import { functionAround, siblingsOf, type WireModule } from './wire-module.js';

/** What becomes of the messages with a stream. */
export interface HttpSubscriptions {
  readonly messages: readonly WireMessage[];
  /** The elements of the filter's list of URIs, as written. */
  readonly uris: readonly string[];
  /** The statements that go. */
  readonly statements: readonly Node[];
  /** A message that cannot become part of the filter. */
  readonly obstacle: WireMessage | undefined;
}

const SUBSCRIBING: readonly string[] = [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe];

/** The subscribe and unsubscribe messages of a module that go out by HTTP. */
export function postedSubscriptions(module: WireModule): WireMessage[] {
  return messagesOf(module).filter(
    (message) => SUBSCRIBING.includes(message.method.name) && carrierOf(module, message).kind === 'http',
  );
}

/** Those messages as the stream of a request sees them. */
export function subscriptionsFor(module: WireModule, stream: Node): HttpSubscriptions {
  const messages = postedSubscriptions(module);
  const uris: string[] = [];
  const statements: Node[] = [];
  let obstacle: WireMessage | undefined;
  for (const message of messages) {
    const plain = plainSubscription(module, message, stream);
    if (plain === undefined) obstacle ??= message;
    else {
      if (plain.uri !== undefined && !uris.includes(plain.uri)) uris.push(plain.uri);
      statements.push(plain.statement);
    }
  }
  return { messages, uris, statements, obstacle };
}

/** A statement of the stream's own function, always run before it, whose URI can be named there as well. */
function plainSubscription(
  module: WireModule,
  message: WireMessage,
  stream: Node,
): { readonly uri?: string; readonly statement: Node } | undefined {
  const { call } = carrierOf(module, message);
  const statement = call === undefined ? undefined : statementOfUnused(module, call);
  if (statement === undefined || functionAround(module, statement) !== functionAround(module, stream))
    return undefined;
  // Nobody is subscribed any more when the stream has ended.
  if (message.method.name === METHOD.resourcesUnsubscribe)
    return statement.start > stream.end && siblingsOf(module, statement) !== undefined
      ? { statement }
      : undefined;
  const uri = message.params === undefined ? undefined : valueOf(module, message.params, 'uri');
  if (uri === undefined || statement.start > stream.start || !isPure(uri)) return undefined;
  if (isBefore(module, statement, stream))
    return isSayableAt(module, uri, stream) ? { uri: module.textOf(uri), statement } : undefined;
  const loop = loopOf(module, statement);
  const [items, item] = [child(loop, 'right'), loopVariable(loop)];
  const isWhole =
    loop !== undefined &&
    items !== undefined &&
    item !== undefined &&
    nameOf(peel(uri)) === item &&
    isBefore(module, loop, stream) &&
    isPure(items) &&
    isSayableAt(module, items, stream);
  return isWhole ? { uri: `...${module.textOf(items)}`, statement: loop } : undefined;
}

/** Whether a statement stands in a list of which a later statement holds the stream. */
function isBefore(module: WireModule, statement: Node, stream: Node): boolean {
  return siblingsOf(module, statement)?.some((one) => one !== statement && contains(one, stream)) === true;
}

/** The loop of which a statement is all that it does. */
function loopOf(module: WireModule, statement: Node): Node | undefined {
  let parent = module.parentOf(statement);
  if (parent?.type === 'BlockStatement' && list(parent, 'body').length === 1)
    parent = module.parentOf(parent);
  return parent?.type === 'ForOfStatement' && parent['await'] !== true ? parent : undefined;
}

function loopVariable(loop: Node | undefined): string | undefined {
  const [declarator] = list(child(loop, 'left'), 'declarations');
  return nameOf(child(declarator, 'id'));
}

/** Whether an expression means the same at another place of the function. */
function isSayableAt(module: WireModule, expression: Node, place: Node): boolean {
  return [...within(expression)].every(
    (node) =>
      !isFunction(node) &&
      (node.type !== 'Identifier' || isNameOnly(module, node) || isVisibleAt(module, node, place)),
  );
}
