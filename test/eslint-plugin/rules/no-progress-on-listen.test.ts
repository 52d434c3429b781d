import { noProgressOnListen } from '../../../eslint-plugin/src/rules/no-progress-on-listen.js';
import { testRule } from '../support/rule-tester.js';

const HANDLER = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nconst handler = createMcpHandler(() => new McpServer({ name: 'a', version: '1' }));\n`;

const CLIENT = `import { Client, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;

testRule(noProgressOnListen, {
  valid: [
    {
      name: 'progress on the stream of its request',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nconst server = new McpServer({ name: 'a', version: '1' });\nserver.registerTool('t', {}, async (ctx) => {\n  await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });\n  return { content: [] };\n});\n`,
    },
    {
      name: 'a change with the id of its subscription',
      code: `export const stamp = (id) => ({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });\n`,
    },
    {
      name: 'a change on the bus',
      code: `${HANDLER}handler.bus.publish({ kind: 'tools_list_changed' });\n`,
    },
    {
      name: 'progress on a bus of another kind',
      code: `${HANDLER}import { bus } from './bus.js';\nbus.publish({ kind: 'progress' });\nexport { handler };\n`,
    },
    {
      name: 'a server that writes progress where it answers a tool, and an acknowledgment where it answers a listen',
      code: `export function serve(message, write) {\n  if (message.method === 'subscriptions/listen') {\n    write({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} });\n  } else if (message.method === 'tools/call') {\n    write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });\n  }\n}\n`,
    },
    {
      name: 'a client that handles progress of its requests',
      code: `${CLIENT}client.setNotificationHandler('notifications/progress', (n) => show(n.params.progress, SUBSCRIPTION_ID_META_KEY));\n`,
    },
    {
      name: 'a client that reads the id of a change',
      code: `${CLIENT}client.setNotificationHandler('notifications/tools/list_changed', (n) => show(n.params._meta['io.modelcontextprotocol/subscriptionId'], SUBSCRIPTION_ID_META_KEY));\n`,
    },
    {
      name: 'a method that is not written down',
      code: `export const stamp = (method, id) => ({ method, params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });\nexport const known = ['notifications/progress'];\n`,
    },
  ],
  invalid: [
    {
      name: 'progress with the id of a subscription, raw',
      code: `export function report(stream, id, progress) {\n  stream.write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } });\n}\n`,
      errors: [{ messageId: 'stamped', line: 2, column: 16, data: { method: 'notifications/progress' } }],
    },
    {
      name: 'a log message with the id, by a constant, on an SDK server',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nconst SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';\nconst server = new McpServer({ name: 'a', version: '1' });\nexport const log = (id, data) => server.server.notification({ method: 'notifications/message', params: { level: 'info', data, _meta: { [SUBSCRIPTION_ID]: id } } });\n`,
      errors: [{ messageId: 'stamped', line: 4, data: { method: 'notifications/message' } }],
    },
    {
      name: 'written where a listen is answered',
      code: `export function serve(message, write) {\n  switch (message.method) {\n    case 'subscriptions/listen':\n      write({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} });\n      setInterval(() => write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }), 1000);\n      break;\n    default:\n  }\n}\n`,
      errors: [{ messageId: 'written', line: 5, data: { method: 'notifications/progress' } }],
    },
    {
      name: 'written in a branch for listen',
      code: `export function serve(message, write) {\n  if (message.method === 'subscriptions/listen') {\n    write({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'open' } });\n  }\n}\n`,
      errors: [{ messageId: 'written', line: 3, data: { method: 'notifications/message' } }],
    },
    {
      name: 'on the bus of a handler',
      code: `${HANDLER}handler.bus.publish({ kind: 'progress', progress: 1 });\n`,
      typed: true,
      errors: [{ messageId: 'onBus', line: 3, data: { method: 'progress' } }],
    },
    {
      name: 'on a bus of its own, by its method',
      code: `import { InMemoryServerEventBus } from '@modelcontextprotocol/server';\nconst bus = new InMemoryServerEventBus();\nbus.publish({ method: 'notifications/message', params: {} });\n`,
      errors: [{ messageId: 'onBus', line: 3, data: { method: 'notifications/message' } }],
    },
    {
      name: 'a client that waits for it there',
      code: `${CLIENT}client.setNotificationHandler('notifications/progress', (n) => {\n  if (n.params._meta?.['io.modelcontextprotocol/subscriptionId'] === undefined) return;\n  show(n.params.progress, SUBSCRIPTION_ID_META_KEY);\n});\n`,
      errors: [{ messageId: 'awaited', line: 3, data: { method: 'notifications/progress' } }],
    },
  ],
});
