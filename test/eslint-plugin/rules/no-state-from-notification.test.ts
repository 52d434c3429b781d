import { noStateFromNotification } from '../../../eslint-plugin/src/rules/no-state-from-notification.js';
import { testRule } from '../support/rule-tester.js';

const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;
const client = `import { Client } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const legacy = `import { Client } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' });\n`;
const on = (method: string, handler: string): string =>
  `client.setNotificationHandler('notifications/${method}', ${handler});\n`;
const LISTEN = `const listen = { jsonrpc: '2.0', id: 'l-1', method: 'subscriptions/listen', params: { notifications: {} } };\nsend(listen);\n`;

testRule(noStateFromNotification, {
  valid: [
    {
      name: 'the handler refetches',
      code: `${client}${on('tools/list_changed', 'async () => { tools = (await client.listTools()).tools; }')}`,
    },
    {
      name: 'the handler reads the URI and the tag',
      code: `${client}${on('resources/updated', 'async ({ params: { uri, _meta } }) => show(uri, await client.readResource({ uri }))')}${on('resources/list_changed', 'async (n) => log(n, n.params?._meta, n.params?.uri)')}`,
    },
    {
      name: 'the params are passed on as a message',
      code: `${client}${on('resources/updated', `(n) => server.notification({ method: n.method, params: { ...n.params, uri: prefix + n.params.uri } })`)}`,
    },
    {
      name: 'a copy of the params is logged',
      code: `${client}${on('resources/updated', `(n) => log(Object.assign({}, n.params), { ...n.params })`)}`,
    },
    {
      name: 'content of another notification',
      code: `${client}${on('message', '(n) => lines.push(n.params.data)')}${on('progress', '({ params: { progress } }) => show(progress)')}`,
    },
    {
      name: 'one handler of a change and of a message that has content',
      code: `${client}for (const method of ['notifications/tools/list_changed', 'notifications/message']) client.setNotificationHandler(method, (n) => show(n.params.data));\n`,
    },
    {
      name: 'a client of the legacy era alone',
      code: `${legacy}${on('tools/list_changed', '(n) => { tools = n.params.tools; }')}`,
    },
    {
      name: 'the legacy branch of a fork',
      code: `${client}${on('tools/list_changed', `(n) => { if (client.getProtocolEra() === 'legacy') tools = n.params.tools; }`)}`,
    },
    {
      name: 'another object that has such a method',
      code: `import '@modelcontextprotocol/client';\nimport { bus } from './bus.js';\nbus.setNotificationHandler('notifications/tools/list_changed', (n) => { tools = n.params.tools; });\n`,
    },
    {
      name: 'a handler whose first name is another thing',
      code: `${client}${on('tools/list_changed', '(n) => { const params = catalog(); tools = params.tools; return other.params.tools; }')}`,
    },
    {
      name: 'raw: the tag and the URI',
      code: `${LISTEN}export function read(message) {\n  if (message.method === 'notifications/resources/updated') refetch(message.params.uri, message.params._meta);\n  else if (message.method === 'notifications/message') show(message.params.data);\n}\n`,
    },
    {
      name: 'raw: another message within the branch',
      code: `${LISTEN}export function read(message) {\n  if (message.method === 'notifications/tools/list_changed') request('tools/list').then((answer) => show(answer.params.tools));\n}\n`,
    },
    {
      name: 'raw: a body that serves a message with content as well',
      code: `${LISTEN}export function read(message) {\n  switch (message.method) {\n    case 'notifications/tools/list_changed':\n    case 'notifications/message':\n      show(message.params.data);\n  }\n}\n`,
    },
    {
      name: 'raw: the legacy era alone',
      code: `export function read(message) {\n  if (message.method === 'notifications/tools/list_changed') tools = message.params.tools;\n}\n`,
    },
  ],
  invalid: [
    {
      name: 'tools are taken from the notification',
      code: `${client}${on('tools/list_changed', '(n) => { tools = n.params.tools; }')}`,
      typed: true,
      errors: [
        {
          messageId: 'member',
          line: 3,
          column: 84,
          data: { name: 'params.tools', refetch: 'listTools' },
        },
      ],
    },
    {
      name: 'contents, diffs and patches, by pattern and through optional chains, on a client from elsewhere',
      code: `${TYPED}export function follow(client: Client) {\n  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri, contents } }: any) => cache.set(uri, contents));\n  client.setNotificationHandler('notifications/prompts/list_changed', async (n: any) => {\n    const { params } = n;\n    apply(state, params?.diff);\n    const { patch } = n.params;\n    apply(state, patch);\n  });\n}\n`,
      errors: [
        {
          messageId: 'member',
          line: 3,
          data: { name: 'params.contents', refetch: 'readResource' },
        },
        { messageId: 'member', line: 6, data: { name: 'params.diff', refetch: 'listPrompts' } },
        { messageId: 'member', line: 7, data: { name: 'params.patch', refetch: 'listPrompts' } },
      ],
    },
    {
      name: 'params are merged into state',
      code: `${client}${on('resources/updated', '(n) => { setItem((item) => ({ ...item, ...n.params })); }')}${on('resources/list_changed', '(n) => { Object.assign(state, n.params); state = { ...state, ...n.params }; }')}`,
      errors: [
        { messageId: 'merged', line: 3, data: { refetch: 'readResource' } },
        { messageId: 'merged', line: 4, column: 80 },
        { messageId: 'merged', line: 4, data: { refetch: 'listResources' } },
      ],
    },
    {
      name: 'the fallback asks for the method',
      code: `${client}client.fallbackNotificationHandler = async (n) => {\n  switch (n.method) {\n    case 'notifications/tools/list_changed':\n      tools = n.params.tools;\n      break;\n    default:\n      log(n.params.data);\n  }\n};\n`,
      errors: [{ messageId: 'member', line: 6 }],
    },
    {
      name: 'raw: dispatch by conditions',
      code: `${LISTEN}export function read(message) {\n  if (message.id === undefined && message.method === 'notifications/tools/list_changed') tools = message.params.tools;\n  const { method, params } = message;\n  method === 'notifications/resources/updated' && show(params.contents);\n}\n`,
      errors: [
        { messageId: 'member', line: 4, column: 98 },
        { messageId: 'member', line: 6 },
      ],
    },
    {
      name: 'raw: a case, in a script',
      code: `const method = 'subscriptions/listen';\nmodule.exports = (message) => {\n  switch (message.method) {\n    case 'notifications/tools/list_changed':\n    case 'notifications/prompts/list_changed': {\n      const { items } = message.params;\n      return show(items, method);\n    }\n  }\n};\n`,
      commonjs: true,
      errors: [{ messageId: 'member', line: 6, data: { name: 'params.items', refetch: 'listTools' } }],
    },
  ],
});
