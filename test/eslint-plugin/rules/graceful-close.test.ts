import { gracefulClose } from '../../../eslint-plugin/src/rules/graceful-close.js';
import { testRule } from '../support/rule-tester.js';

const SDK = `import express from 'express';\nimport { createServer } from 'node:http';\nimport { createMcpHandler } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\nimport { build } from './build.js';\n`;
const HANDLER = `const handler = createMcpHandler(() => build());\n`;
const APP = `const app = express();\napp.all('/mcp', toNodeHandler(handler));\nconst server = app.listen(3000);\n`;

testRule(gracefulClose, {
  valid: [
    {
      name: 'both are closed',
      code: `${SDK}${HANDLER}${APP}process.on('SIGTERM', async () => {\n  await handler.close();\n  server.close();\n});\n`,
    },
    {
      name: 'nothing is closed',
      code: `${SDK}${HANDLER}${APP}process.on('SIGTERM', () => process.exit(0));\n`,
    },
    {
      name: 'others may close the handler',
      code: `${SDK}export ${HANDLER}${APP}process.on('SIGTERM', () => {\n  server.close();\n});\n`,
    },
    {
      name: 'the handler is handed on',
      code: `${SDK}import { onShutdown } from './shutdown.js';\n${HANDLER}${APP}onShutdown(handler);\nprocess.on('SIGTERM', () => {\n  server.close();\n});\n`,
    },
    {
      name: 'one of two servers is closed, which of them is not said',
      code: `${SDK}${HANDLER}${APP}const metrics = createServer(report).listen(9090);\nexport const stop = () => {\n  metrics.close();\n  server.close();\n};\n`,
    },
    {
      name: 'another server is closed than the one that carries the handler',
      code: `${SDK}${HANDLER}${APP}export async function isFree(port) {\n  const probe = createServer();\n  probe.listen(port);\n  probe.close();\n}\n`,
    },
    {
      name: 'something else is closed',
      code: `${SDK}import { database } from './database.js';\n${HANDLER}${APP}process.on('SIGTERM', () => {\n  database.close();\n});\n`,
    },
    {
      name: 'a test',
      code: `${SDK}import { afterEach } from 'vitest';\n${HANDLER}${APP}afterEach(() => {\n  server.close();\n});\n`,
    },
    {
      name: 'the handler of another package',
      code: `import express from 'express';\nimport { createMcpHandler } from 'mcp-handler';\nconst handler = createMcpHandler(() => {});\nconst app = express();\napp.post('/mcp', handler);\nconst server = app.listen(3000);\nprocess.on('SIGTERM', () => {\n  server.close();\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'on a signal',
      typed: true,
      code: `${SDK}${HANDLER}${APP}process.on('SIGTERM', async () => {\n  server.close(() => process.exit(0));\n});\n`,
      errors: [
        {
          messageId: 'abrupt',
          line: 11,
          column: 3,
          data: { handler: 'handler' },
          suggestions: [
            {
              messageId: 'addClose',
              output: `${SDK}${HANDLER}${APP}process.on('SIGTERM', async () => {\n  await handler.close();\n  server.close(() => process.exit(0));\n});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'in a function that is not async',
      code: `${SDK}${HANDLER}const server = createServer(toNodeHandler(handler));\nserver.listen(3000);\nfunction shutdown() {\n  server.close();\n}\nprocess.once('SIGINT', shutdown);\n`,
      errors: [
        {
          messageId: 'abrupt',
          line: 10,
          suggestions: [
            {
              messageId: 'addClose',
              output: `${SDK}${HANDLER}const server = createServer(toNodeHandler(handler));\nserver.listen(3000);\nfunction shutdown() {\n  void handler.close();\n  server.close();\n}\nprocess.once('SIGINT', shutdown);\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'as the body of an arrow',
      code: `${SDK}${HANDLER}${APP}process.on('SIGTERM', () => server.close());\n`,
      errors: [
        {
          messageId: 'abrupt',
          line: 10,
          suggestions: [
            {
              messageId: 'addClose',
              output: `${SDK}${HANDLER}${APP}process.on('SIGTERM', () => { void handler.close(); server.close(); });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'in a function that cannot see the handler',
      code: `${SDK}let server;\nexport function start() {\n  ${HANDLER}  server = createServer(toNodeHandler(handler));\n  server.listen(3000);\n}\nexport function stop() {\n  server.close();\n}\n`,
      errors: [{ messageId: 'abrupt', line: 13 }],
    },
    {
      name: 'CommonJS and Hono',
      commonjs: true,
      code: `const { serve } = require('@hono/node-server');\nconst { createMcpHandler } = require('@modelcontextprotocol/server');\nconst handler = createMcpHandler(build);\nconst server = serve({ fetch: (request) => handler.fetch(request) });\nprocess.on('SIGTERM', async () => {\n  const done = server.close();\n  await done;\n});\n`,
      errors: [{ messageId: 'abrupt', line: 6 }],
    },
  ],
});
