import { noRequestScopedHandler } from '../../../eslint-plugin/src/rules/no-request-scoped-handler.js';
import { testRule } from '../support/rule-tester.js';

const SDK = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\nimport { build } from './build.js';\n`;

testRule(noRequestScopedHandler, {
  valid: [
    {
      name: 'one handler for all requests',
      code: `${SDK}const handler = createMcpHandler(() => build());\nexport default { fetch: (request) => handler.fetch(request) };\nprocess.on('SIGTERM', () => handler.close());\n`,
    },
    {
      name: 'a function that mounts a handler',
      code: `${SDK}export function mount(app) {\n  const handler = createMcpHandler(() => build());\n  app.all('/mcp', toNodeHandler(handler));\n  return () => handler.close();\n}\n`,
    },
    {
      name: 'a function that makes something to fetch with',
      code: `${SDK}export function host(options) {\n  const handler = createMcpHandler(() => build(options));\n  return { fetch: (request) => handler.fetch(request), close: () => handler.close() };\n}\n`,
    },
    {
      name: 'a cache of one per user',
      code: `${SDK}const handlers = new Map();\nexport async function serve(request, user) {\n  let handler = handlers.get(user);\n  if (!handler) {\n    handler = createMcpHandler(() => build(user));\n    handlers.set(user, handler);\n  }\n  return handler.fetch(request);\n}\nexport const revoke = (user) => handlers.get(user)?.close();\n`,
    },
    {
      name: 'put into a cache at once',
      code: `${SDK}const handlers = new Map();\nexport async function serve(request, user) {\n  const handler = createMcpHandler(() => build(user));\n  handlers.set(user, handler);\n  request.signal.addEventListener('abort', () => handler.close());\n  return handler.fetch(request);\n}\n`,
    },
    {
      name: 'never closed and nothing is published: a static catalogue of a worker',
      code: `${SDK}export default {\n  fetch(request, env) {\n    const handler = createMcpHandler(() => build(env));\n    return handler.fetch(request);\n  },\n};\n`,
    },
    {
      name: 'a test',
      code: `${SDK}import { test } from 'vitest';\nasync function rpc(request) {\n  const handler = createMcpHandler(() => build());\n  const response = await handler.fetch(request);\n  await handler.close();\n  return response;\n}\ntest('it answers', () => rpc(new Request('http://localhost/mcp')));\n`,
    },
    {
      name: 'a request of its own making',
      code: `${SDK}export async function probe(url) {\n  const handler = createMcpHandler(() => build());\n  const request = new Request('http://localhost/mcp', { method: 'POST' });\n  console.log(url, await handler.fetch(request));\n  await handler.close();\n}\n`,
    },
    {
      name: 'the handler of another package',
      code: `import { createMcpHandler } from 'agents/mcp';\nexport async function serve(request) {\n  const handler = createMcpHandler(server);\n  const response = await handler.fetch(request);\n  await handler.close();\n  return response;\n}\n`,
    },
    {
      name: 'mounted in a function and closed with a request',
      code: `${SDK}export function mount(app, req) {\n  const handler = createMcpHandler(() => build());\n  app.all('/mcp', toNodeHandler(handler));\n  req.on('close', () => handler.close());\n}\n`,
    },
  ],
  invalid: [
    {
      name: 'closed after the answer',
      typed: true,
      code: `${SDK}export async function POST(request: Request) {\n  const handler = createMcpHandler(() => build());\n  try {\n    return await handler.fetch(request);\n  } finally {\n    await handler.close();\n  }\n}\n`,
      errors: [{ messageId: 'closed', line: 5, column: 19 }],
    },
    {
      name: 'closed when the response is',
      code: `${SDK}import express from 'express';\nconst app = express();\napp.post('/mcp', async (req, res) => {\n  const handler = createMcpHandler(() => build(req.auth), { legacy: 'reject' });\n  res.on('close', () => void handler.close());\n  await toNodeHandler(handler)(req, res, req.body);\n});\n`,
      errors: [{ messageId: 'closed', line: 7 }],
    },
    {
      name: 'wrapped under a name',
      code: `${SDK}export async function serve(req, res) {\n  const handler = createMcpHandler(() => build());\n  const node = toNodeHandler(handler);\n  await node(req, res);\n  await handler.close();\n}\n`,
      errors: [{ messageId: 'closed', line: 5 }],
    },
    {
      name: 'inside of another function of the request',
      code: `${SDK}export const serve = (c) =>\n  storage.run(c.env, async () => {\n    const handler = createMcpHandler(() => build());\n    const response = await handler.fetch(c.req.raw);\n    await handler.close();\n    return response;\n  });\n`,
      errors: [{ messageId: 'closed', line: 6 }],
    },
    {
      name: 'publishes to its own request',
      code: `${SDK}export function serve(request) {\n  const handler = createMcpHandler(() => build(() => handler.notify.toolsChanged()));\n  return handler.fetch(request);\n}\n`,
      errors: [{ messageId: 'unheard', line: 5, column: 54 }],
    },
    {
      name: 'CommonJS',
      commonjs: true,
      code: `const { createMcpHandler } = require('@modelcontextprotocol/server');\nexports.serve = async (request) => {\n  const handler = createMcpHandler(build);\n  const response = await handler.fetch(request);\n  await handler.close();\n  return response;\n};\n`,
      errors: [{ messageId: 'closed', line: 3 }],
    },
  ],
});
