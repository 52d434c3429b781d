import { noHandwrittenListen } from '../../../eslint-plugin/src/rules/no-handwritten-listen.js';
import { testRule } from '../support/rule-tester.js';

const SERVER = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;

testRule(noHandwrittenListen, {
  valid: [
    {
      name: 'another method',
      code: `${SERVER}const server = new McpServer({ name: 'a', version: '1' });\nserver.server.setRequestHandler('resources/subscribe', async () => ({}));\n`,
    },
    {
      name: 'version 1, which has no such method',
      code: `import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nconst server = new Server({ name: 'a', version: '1' });\nserver.setRequestHandler('subscriptions/listen', async () => ({}));\n`,
    },
    {
      name: 'an object of another package with that method',
      code: `${SERVER}import { Router } from 'json-rpc-router';\nconst router = new Router();\nrouter.setRequestHandler('subscriptions/listen', async () => ({}));\nexport { createMcpHandler };\n`,
    },
    {
      name: 'a shadowed server',
      code: `${SERVER}const server = new McpServer({ name: 'a', version: '1' });\nexport function wire(server) {\n  server.setRequestHandler('subscriptions/listen', async () => ({}));\n}\nexport { server };\n`,
    },
    {
      name: 'a method that is not written down',
      code: `${SERVER}const server = new McpServer({ name: 'a', version: '1' });\nexport const add = (method) => server.server.setRequestHandler(method, async () => ({}));\n`,
    },
    {
      name: 'a client',
      code: `import { Client } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' });\nclient.setRequestHandler('subscriptions/listen', async () => ({}));\n`,
    },
  ],
  invalid: [
    {
      name: 'on the server below',
      code: `${SERVER}export const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.server.setRequestHandler('subscriptions/listen', async () => ({}));\n  return server;\n});\n`,
      errors: [{ messageId: 'neverRuns', line: 4, column: 35 }],
    },
    {
      name: 'with schemas of its own, behind a cast',
      code: `import { Server } from '@modelcontextprotocol/server';\nimport * as z from 'zod/v4';\nconst server = new Server({ name: 'a', version: '1' }, { capabilities: {} });\n(server as any).setRequestHandler('subscriptions/listen', { params: z.object({ uris: z.array(z.string()) }) }, async () => ({ subscriptionId: '1' }));\n`,
      errors: [{ messageId: 'neverRuns', line: 4 }],
    },
    {
      name: 'the method by a constant',
      code: `${SERVER}const LISTEN = 'subscriptions/listen';\nconst server = new McpServer({ name: 'a', version: '1' });\nserver.server.setRequestHandler(LISTEN, async () => ({}));\n`,
      errors: [{ messageId: 'neverRuns', line: 4 }],
    },
    {
      name: 'a server that is handed in',
      code: `import type { McpServer } from '@modelcontextprotocol/server';\nexport function wire(server: McpServer) {\n  server.server.setRequestHandler('subscriptions/listen', { params: {} as never }, async () => ({}));\n}\n`,
      typed: true,
      errors: [{ messageId: 'neverRuns', line: 3 }],
    },
    {
      name: 'required in a script',
      code: `const { McpServer } = require('@modelcontextprotocol/server');\nconst server = new McpServer({ name: 'a', version: '1' });\nserver.server.setRequestHandler('subscriptions/listen', async () => ({}));\n`,
      commonjs: true,
      errors: [{ messageId: 'neverRuns', line: 3 }],
    },
  ],
});
