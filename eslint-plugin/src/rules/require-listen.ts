/** What tells of changes and what asks for them go together: handlers, and the filter of a stream (C4). */
import { CLIENT_MEMBER, METHOD, SPEC_NOTIFICATIONS, type FilterField } from '../../../src/protocol/index.js';
import { enclosingFunction, parentOf, peel, type Node, type SourceCode } from '../ast.js';
import { lifeOf, mayStillSubscribe } from '../detection/client-life.js';
import { isSameClient, staysLegacy, type SdkClient } from '../detection/clients.js';
import { eraAt } from '../detection/era.js';
import { askedFor, type Asked } from '../detection/filters.js';
import {
  handlersOf,
  handlersOfClient,
  listChangedOption,
  type NotificationHandler,
} from '../detection/handlers.js';
import { canBeAnswered, listensOf, reads, type Listen } from '../detection/listens.js';
import { callsOf, usesOf } from '../detection/uses.js';
import { INCLUDE_LEGACY, type IncludeLegacy } from '../include-legacy.js';
import { createRule, type CheckedFile } from '../rule.js';
import { listenAfterConnectFixes, wishFixes } from '../suggestions/listen.js';

type Message = 'noListen' | 'noWish' | 'noHandler' | 'legacyHandler' | 'listenToAll' | 'addWish';

export const requireListen = createRule<Message, IncludeLegacy>({
  name: 'require-listen',
  docs: {
    description: 'Require that change notifications which are handled are asked for, and the reverse',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  options: INCLUDE_LEGACY,
  tokens: [CLIENT_MEMBER.setNotificationHandler, CLIENT_MEMBER.listen],
  messages: {
    noListen: `On a modern connection this handler never runs: a server sends changes only on a stream that asked for them, and this client opens none. After connect(), where getProtocolEra() is 'modern', call \`${CLIENT_MEMBER.listen}({ {{wishes}} })\`.`,
    noWish: `On a modern connection this handler never runs: no filter of this client asks for what it handles. Add \`{{wishes}}\` to the filter of its ${CLIENT_MEMBER.listen}().`,
    noHandler: `Nobody handles what \`{{field}}\` asks for: the notifications arrive and are dropped. Set a handler for it before ${CLIENT_MEMBER.listen}(), or leave the key out.`,
    legacyHandler: `This handler depends on a 2025 server that sends changes unasked. In the modern era they come only on a stream: opt the client in, and call \`${CLIENT_MEMBER.listen}({ {{wishes}} })\` after connect() where getProtocolEra() is 'modern'.`,
    listenToAll: `Open a stream for the lists that are handled, after ${CLIENT_MEMBER.connect}().`,
    addWish: 'Ask for it in the filter.',
  },
  check(file) {
    for (const client of clientsOf(file.sourceCode)) {
      const handlers = handlersOfClient(file.sourceCode, client);
      // The fallback and the option are told of changes as well; what opens their stream is not for this rule to say.
      if (handlers.some(({ methods }) => methods === 'all')) continue;
      if (client.era === 'legacy' || client.era === 'unknown') checkLegacy(file, client, handlers);
      else checkClient(file, client, handlers);
    }
  },
});

function clientsOf(sourceCode: SourceCode): SdkClient[] {
  const mentions = [...handlersOf(sourceCode), ...listensOf(sourceCode)].map(({ client }) => client);
  return mentions.filter(
    (client, index) => mentions.findIndex((other) => isSameClient(other, client)) === index,
  );
}

function checkLegacy(
  { sourceCode, report, options }: CheckedFile<Message, IncludeLegacy>,
  client: SdkClient,
  handlers: readonly NotificationHandler[],
): void {
  if (!options.includeLegacy || listensOf(sourceCode).some((listen) => isSameClient(listen.client, client)))
    return;
  if (client.creation !== undefined && listChangedOption(sourceCode, client) !== undefined) return;
  if (staysLegacy(sourceCode, client)) return;
  const isElsewhere = mayBeSubscribed(sourceCode, client);
  for (const handler of handlers) {
    const fields = handler.fields.filter((field) => field !== 'resourceSubscriptions' || !isElsewhere);
    if (fields.length > 0 && eraAt(sourceCode, handler.node) === undefined)
      report({ node: placeOf(handler), messageId: 'legacyHandler', data: { wishes: wishText(fields) } });
  }
}

/** Updates of 2025 are subscribed to one by one, which is reported where it stands: here, or where the client is handed to. */
function mayBeSubscribed(sourceCode: SourceCode, { creation }: SdkClient): boolean {
  const { text } = sourceCode;
  if (text.includes(CLIENT_MEMBER.subscribeResource) || text.includes(METHOD.resourcesSubscribe)) return true;
  return (
    creation !== undefined &&
    usesOf(sourceCode, creation).escapes.some((place) => parentOf(place)?.type === 'CallExpression')
  );
}

function checkClient(
  file: CheckedFile<Message, IncludeLegacy>,
  client: SdkClient,
  handlers: readonly NotificationHandler[],
): void {
  const { sourceCode } = file;
  const life = lifeOf(sourceCode, client);
  if (life === undefined || listChangedOption(sourceCode, client) !== undefined) return;
  const asked = askedFor(sourceCode, client);
  const left = handlers
    .filter(({ node }) => eraAt(sourceCode, node) !== 'legacy')
    .map((handler) => ({
      ...handler,
      // What still subscribes as in 2025 is reported where it does.
      fields: handler.fields.filter((field) => field !== 'resourceSubscriptions' || !mayStillSubscribe(life)),
    }))
    .filter(({ fields }) => fields.length > 0);
  if (asked.listens.length === 0 && !asked.hasStream) reportSilence(file, client, left);
  else if (!asked.isOpen) reportWishless(file, asked, left);
  if (handlers.every(({ methods }) => isReadable(methods))) reportUnhandled(file, asked, handlers);
}

/** A method that the SDK does not know may stand for one that it does: then it is the handler that is wrong. */
function isReadable(methods: NotificationHandler['methods']): boolean {
  return typeof methods !== 'string' && methods.every((method) => SPEC_NOTIFICATIONS.includes(method));
}

function reportSilence(
  { sourceCode, report }: CheckedFile<Message, IncludeLegacy>,
  client: SdkClient,
  handlers: readonly NotificationHandler[],
): void {
  const all = [...new Set(handlers.flatMap(({ fields }) => fields))];
  for (const handler of handlers)
    report({
      node: placeOf(handler),
      messageId: 'noListen',
      data: { wishes: wishText(handler.fields) },
      suggest: listenAfterConnectFixes(sourceCode, client, all).map((fix) => ({
        messageId: 'listenToAll',
        fix,
      })),
    });
}

function reportWishless(
  { sourceCode, report }: CheckedFile<Message, IncludeLegacy>,
  { listens, wishes }: Asked,
  handlers: readonly NotificationHandler[],
): void {
  for (const handler of handlers) {
    const missing = handler.fields.filter((field) => !wishes.some(({ fields }) => fields.has(field)));
    if (missing.length < handler.fields.length) continue;
    report({
      node: placeOf(handler),
      messageId: 'noWish',
      data: { wishes: wishText(missing) },
      suggest: wishFixes(sourceCode, listens, missing).map((fix) => ({ messageId: 'addWish', fix })),
    });
  }
}

function reportUnhandled(
  { sourceCode, report }: CheckedFile<Message, IncludeLegacy>,
  { listens, wishes }: Asked,
  handlers: readonly NotificationHandler[],
): void {
  if (listens.some((listen) => isProbe(listen) || !canBeAnswered(sourceCode, listen))) return;
  const handled = new Set(handlers.flatMap(({ fields }) => fields));
  for (const { fields, certain } of wishes)
    for (const [field, property] of fields)
      if (certain.has(field) && !handled.has(field))
        report({ node: property, messageId: 'noHandler', data: { field } });
}

/** A stream that is opened to see what is acknowledged, and closed again, needs no handler. */
function isProbe(listen: Listen): boolean {
  return (
    reads(listen, 'honoredFilter') &&
    callsOf(listen.subscription, 'close').some(
      (call) => enclosingFunction(call) === enclosingFunction(listen.call),
    )
  );
}

function placeOf({ node }: NotificationHandler): Node {
  if (node.type !== 'CallExpression') return node;
  const callee = peel(node.callee);
  return callee.type === 'MemberExpression' ? callee.property : node;
}

function wishText(fields: readonly FilterField[]): string {
  return fields
    .map((field) => (field === 'resourceSubscriptions' ? `${field}: [uri]` : `${field}: true`))
    .join(', ');
}
