/** The core stream carries the four kinds of change alone: tasks and private notifications need more than a handler (T13, J3). */
import {
  CLIENT_MEMBER,
  EXTENSION_FILTER_FIELDS,
  SPEC_NOTIFICATIONS,
  SUBSCRIPTION_MEMBER,
  V2_CLIENT_PACKAGE,
} from '../../../src/protocol/index.js';
import { keyName } from '../ast.js';
import { isSameClient } from '../detection/clients.js';
import { handlersOf, type NotificationHandler } from '../detection/handlers.js';
import { listensOf } from '../detection/listens.js';
import { describeVersion, sdkVersion } from '../package/sdk-version.js';
import { createRule, type CheckedFile, type NoOptions } from '../rule.js';
import { schemaFixes } from '../suggestions/notification-schema.js';

type Message = 'needsSchemas' | 'noFallback' | 'addSchemas';

type File = CheckedFile<Message, NoOptions>;

export const noExtensionOnListen = createRule<Message>({
  name: 'no-extension-on-listen',
  docs: {
    description:
      'Disallow that notifications of extensions are expected as if they were of the core protocol',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [CLIENT_MEMBER.setNotificationHandler],
  messages: {
    needsSchemas: `This throws a TypeError at once: \`{{method}}\` is no notification of the core protocol, and for any other ${CLIENT_MEMBER.setNotificationHandler}() takes the schema of its parameters as second argument: \`(method, { params: schema }, (params) => …)\`.`,
    noFallback: `\`{{method}}\` is expected on the listen stream and nowhere else, but a server may drop \`{{field}}\` in silence, and \`${SUBSCRIPTION_MEMBER.honoredFilter}\` never shows it ({{version}}). Keep asking with \`{{poll}}\`.`,
    addSchemas: 'Accept any parameters, by a schema in between.',
  },
  check(file) {
    for (const handler of handlersOf(file.sourceCode)) {
      const { node, client, methods } = handler;
      if (client.generation === 'v1' || node.type !== 'CallExpression' || typeof methods === 'string')
        continue;
      const unknown = methods.find((method) => !SPEC_NOTIFICATIONS.includes(method));
      if (unknown === undefined) continue;
      if (node.arguments.length === 2) checkForm(file, handler, unknown);
      else checkFallback(file, handler, unknown);
    }
  },
});

function checkForm(
  { sourceCode, report }: File,
  { node, callback }: NotificationHandler,
  method: string,
): void {
  if (node.type !== 'CallExpression' || callback?.type === 'ObjectExpression') return;
  if (node.arguments.some(({ type }) => type === 'SpreadElement')) return;
  const [name] = node.arguments;
  if (name === undefined) return;
  report({
    node: name,
    messageId: 'needsSchemas',
    data: { method },
    suggest: schemaFixes(sourceCode, node).map((fix) => ({ messageId: 'addSchemas', fix })),
  });
}

/** Only where the filter asks for the extension: what else may bring the notification, nobody can tell. */
function checkFallback(file: File, { node, client }: NotificationHandler, method: string): void {
  const { sourceCode, report, filename, otherFiles } = file;
  const row = EXTENSION_FILTER_FIELDS.find(({ notification }) => notification === method);
  if (row === undefined) return;
  const isAsked = listensOf(sourceCode).some(
    (listen) =>
      isSameClient(listen.client, client) &&
      listen.filterObject?.properties.some(
        (property) => property.type === 'Property' && keyName(property) === row.field,
      ) === true,
  );
  const polls = new RegExp(row.poll.replace('/', '\\/'));
  if (!isAsked || polls.test(sourceCode.text) || otherFiles?.some(polls) === true) return;
  const name = node.type === 'CallExpression' ? node.arguments[0] : undefined;
  report({
    node: name ?? node,
    messageId: 'noFallback',
    data: {
      method,
      field: row.field,
      poll: row.poll,
      version: describeVersion(V2_CLIENT_PACKAGE, sdkVersion(filename, V2_CLIENT_PACKAGE)),
    },
  });
}
