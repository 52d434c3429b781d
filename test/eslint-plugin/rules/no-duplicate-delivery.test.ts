import { noDuplicateDelivery } from '../../../eslint-plugin/src/rules/no-duplicate-delivery.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const OPTION = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { onChanged: (error, tools) => console.log(error, tools) } } });\n`;
const TOOLS = `client.setNotificationHandler('notifications/tools/list_changed', () => {});\n`;
const GET = `fetch('http://127.0.0.1/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': id } })`;
const POST = `fetch('http://127.0.0.1/mcp', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }) })`;
const OVERLAPPING: [object] = [{ overlapping: true }];

testRule(noDuplicateDelivery, {
  valid: [
    {
      name: 'the option for one kind, a handler and a stream for another',
      code: `${OPTION}client.setNotificationHandler('notifications/prompts/list_changed', () => {});\nawait client.listen({ promptsListChanged: true });\n`,
    },
    {
      name: 'a handler and a stream without the option',
      code: `${DUAL}${TOOLS}await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'an option that is made elsewhere',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, listChanged });\n${TOOLS}`,
    },
    {
      name: 'a client that never opts in',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { listChanged: { tools: { onChanged: console.log } } });\n${TOOLS}`,
    },
    {
      name: 'another client has the option',
      code: `${OPTION}export const other = new Client({ name: 'b', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nother.setNotificationHandler('notifications/tools/list_changed', () => {});\nawait other.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'a stream where the option has opened none',
      code: `${OPTION}if (client.autoOpenedSubscription === undefined) await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'a stream of a session that is taken up again, where the option opens none',
      code: `${OPTION}await client.connect(transport, { prior: { kind: 'modern' } });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the old path and the new one, an era each',
      code: `export const open = (era, id) => (era === 'modern' ? ${POST} : ${GET});\n`,
    },
    { name: 'the old path alone', code: `export const open = (id) => ${GET};\n` },
    { name: 'the new path alone', code: `export const open = () => ${POST};\n` },
    {
      name: 'two streams without anything in common',
      code: `${DUAL}await client.listen({ toolsListChanged: true, resourceSubscriptions: ['a://b'] });\nawait client.listen({ promptsListChanged: true, resourceSubscriptions: ['a://c'] });\n`,
      options: OVERLAPPING,
    },
    {
      name: 'one stream after the other',
      code: `${DUAL}const first = await client.listen({ toolsListChanged: true });\nawait first.close();\nconst second = await client.listen({ toolsListChanged: true });\nawait second.closed;\n`,
      options: OVERLAPPING,
    },
    {
      name: 'one stream or the other',
      code: `${DUAL}export async function open(wide) {\n  if (wide) await client.listen({ toolsListChanged: true, promptsListChanged: true });\n  else await client.listen({ toolsListChanged: true });\n}\n`,
      options: OVERLAPPING,
    },
    {
      name: 'two streams that overlap, without the option of the rule',
      code: `${DUAL}await client.listen({ toolsListChanged: true });\nawait client.listen({ toolsListChanged: true });\n`,
    },
  ],
  invalid: [
    {
      name: 'a handler for a kind of the option',
      code: OPTION + TOOLS,
      typed: true,
      errors: [{ messageId: 'handlerAndOption', line: 3, column: 31, data: { option: 'tools' } }],
    },
    {
      name: 'a stream for a kind of the option',
      code: `${OPTION}await client.listen({ promptsListChanged: true, toolsListChanged: true });\n`,
      errors: [
        {
          messageId: 'listenAndOption',
          line: 3,
          column: 49,
          data: { option: 'tools', field: 'toolsListChanged' },
        },
      ],
    },
    {
      name: 'the managed stream for a kind of the option',
      code: `${OPTION}import { changeStream } from './mcp-change-stream.js';\nawait changeStream(client).listen({ toolsListChanged: true });\n`,
      errors: [{ messageId: 'listenAndOption', line: 4 }],
    },
    {
      name: 'a GET stream and a listen',
      code: `export async function open(id) {\n  void ${GET};\n  return ${POST};\n}\n`,
      errors: [{ messageId: 'bothPaths', line: 3, data: { old: 'opens the GET stream' } }],
    },
    {
      name: 'a subscription of 2025 and a listen',
      code: `export function open(send, uri) {\n  send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });\n  send({ jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [uri] } } });\n}\n`,
      errors: [{ messageId: 'bothPaths', line: 3, data: { old: 'sends resources/subscribe' } }],
    },
    {
      name: 'two streams that overlap',
      code: `${DUAL}await client.listen({ toolsListChanged: true });\nawait client.listen({ promptsListChanged: true, toolsListChanged: true });\n`,
      options: OVERLAPPING,
      errors: [{ messageId: 'overlap', line: 4, column: 49, data: { what: 'toolsListChanged' } }],
    },
    {
      name: 'two streams for one URI',
      code: `${DUAL}const INDEX = 'a://index';\nawait client.listen({ resourceSubscriptions: [INDEX] });\nawait client.listen({ resourceSubscriptions: ['a://b', 'a://index'] });\n`,
      options: OVERLAPPING,
      errors: [{ messageId: 'overlap', line: 5, data: { what: 'a://index' } }],
    },
  ],
});
