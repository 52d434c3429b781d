import { gracefulClose } from '../../../eslint-plugin/src/rules/graceful-close.js';
import { testRule } from '../support/rule-tester.js';

const SDK = `import express from 'express';\nimport { createServer } from 'node:http';\nimport { createMcpHandler } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\nimport { build } from './build.js';\n`;
const HANDLER = `const handler = createMcpHandler(() => build());\n`;
const APP = `const app = express();\napp.all('/mcp', toNodeHandler(handler));\nconst server = app.listen(3000);\n`;

/** A server without the SDK that keeps what `kept` says of each listen. */
function raw(declared: string, kept: string, after: string): string {
  return `import express from 'express';
const app = express();
app.use(express.json());
${declared};
app.post('/mcp', (req, res) => {
  const { id, method, params } = req.body;
  if (method === 'subscriptions/listen') {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(\`data: \${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: params.notifications } })}\\n\\n\`);
    ${kept};
    res.on('close', () => open.delete(id));
    return;
  }
  res.status(404).json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
});
const server = app.listen(3000);
${after}
`;
}

const MAP = 'const open = new Map()';
const KEPT = 'open.set(id, { id, res })';

/** The same as a class. */
function rawClass(field: string, ending: string, method = 'close'): string {
  return `export class McpServer {
  ${field} = new Map();
  handle(message, res) {
    switch (message.method) {
      case 'subscriptions/listen':
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(frame({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} }));
        this.#open.set(message.id, res);
        return;
    }
  }
  ${method}() {
    ${ending}
  }
}
`;
}

testRule(gracefulClose, {
  valid: [
    {
      name: 'raw: each listen is answered first',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) {\n    one.res.write(JSON.stringify({ jsonrpc: '2.0', id: one.id, result: { resultType: 'complete' } }));\n    one.res.end();\n  }\n});`,
      ),
    },
    {
      name: 'raw: the result is what ends it',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) one.res.end(last(one.id));\n});`,
      ),
    },
    {
      name: 'raw: a cancellation, which one page of the specification asks for',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) {\n    one.res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: one.id } }));\n    one.res.end();\n  }\n});`,
      ),
    },
    {
      name: 'raw: a loop before it answers',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) answer(one);\n  for (const one of open.values()) one.res.end();\n});`,
      ),
    },
    {
      name: 'raw: a function that the shutdown calls before answers',
      code: raw(
        MAP,
        KEPT,
        `function leave(one) {\n  one.res.write(JSON.stringify({ jsonrpc: '2.0', id: one.id, result: {} }));\n}\nfunction leaveAll() {\n  open.forEach((one) => leave(one));\n}\nprocess.on('SIGTERM', () => {\n  leaveAll();\n  open.forEach((one) => one.res.end());\n});`,
      ),
    },
    {
      name: 'raw: other code is handed the streams first',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  goodbye(open);\n  for (const one of open.values()) one.res.end();\n});`,
      ),
    },
    {
      name: 'raw: other files can answer',
      code: raw(
        `export ${MAP}`,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) one.res.end();\n});`,
      ),
    },
    {
      name: 'raw: no shutdown',
      code: raw(
        MAP,
        KEPT,
        `export function expire() {\n  for (const one of open.values()) one.res.end();\n}`,
      ),
    },
    {
      name: 'raw: some of the streams',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  [...open.values()].filter((one) => one.idle).forEach((one) => one.res.end());\n});`,
      ),
    },
    {
      name: 'raw: what is kept ends itself with its result',
      code: raw(
        MAP,
        `open.set(id, { end: () => res.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} })) })`,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) one.end();\n});`,
      ),
    },
    {
      name: 'raw: the branch hears of the shutdown',
      code: raw(
        MAP,
        `${KEPT};\n    lifecycle.once('shutdown', () => answer(res, id))`,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) one.res.end();\n});`,
      ),
    },
    {
      name: 'raw: streams of something else',
      code: raw(
        `${MAP};\nconst pages = new Set()`,
        KEPT,
        `app.get('/feed', (req, res) => {\n  res.writeHead(200);\n  pages.add(res);\n});\nprocess.on('SIGTERM', () => {\n  for (const page of pages) page.end();\n});`,
      ),
    },
    {
      name: 'raw: keys are no streams',
      code: raw(
        MAP,
        'open.set(id, res)',
        `process.on('SIGTERM', () => {\n  for (const one of open.keys()) one.end();\n});`,
      ),
    },
    {
      name: 'raw: each stream ends by itself',
      code: raw(
        'const open = new Set()',
        `const finish = () => {\n      res.write(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }));\n      res.end();\n    };\n    open.add(finish)`,
        `process.once('SIGTERM', () => open.forEach((finish) => finish()));`,
      ),
    },
    {
      name: 'raw: a class whose streams others reach',
      code: rawClass('open', `for (const res of this.open.values()) res.end();`).replaceAll('#open', 'open'),
    },
    {
      name: 'raw: a method of a class that ends nothing but the streams',
      code: rawClass('#open', `for (const res of this.#open.values()) res.end();`, 'expire'),
    },
    {
      name: 'raw: a test',
      code: `import { test } from 'vitest';\ntest('a stream that breaks off', () => {\n${rawClass('#open', `for (const res of this.#open.values()) res.end();`).replace('export ', '')}});\n`,
    },
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
      name: 'on a signal, with what breaks the connections off behind it: that has to wait',
      code: `${SDK}${HANDLER}${APP}process.on('SIGTERM', () => {\n  server.close();\n  server.closeAllConnections();\n});\n`,
      errors: [
        {
          messageId: 'abrupt',
          line: 11,
          suggestions: [
            {
              messageId: 'addClose',
              output: `${SDK}${HANDLER}${APP}process.on('SIGTERM', async () => {\n  await handler.close();\n  server.close();\n  server.closeAllConnections();\n});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'in a function that cannot wait for it: no suggestion',
      code: `${SDK}${HANDLER}${APP}function shutdown() {\n  server.close();\n  process.exit(0);\n}\nprocess.once('SIGINT', shutdown);\n`,
      errors: [{ messageId: 'abrupt', line: 11 }],
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
    {
      name: 'raw: on a signal',
      code: raw(
        MAP,
        KEPT,
        `process.on('SIGTERM', () => {\n  for (const one of open.values()) {\n    clearInterval(one.timer);\n    one.res.end();\n  }\n  open.clear();\n  process.exit(0);\n});`,
      ),
      errors: [{ messageId: 'unanswered', line: 20, column: 5 }],
    },
    {
      name: 'raw: beside a loop that writes changes',
      code: raw(
        'const open = new Set()',
        'open.add(res)',
        `export function changed() {\n  for (const res of open) res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));\n}\nprocess.on('SIGINT', () => open.forEach((res) => res.end()));`,
      ),
      errors: [{ messageId: 'unanswered', line: 20, column: 50 }],
    },
    {
      name: 'raw: in a function that a signal runs, and in the one that closes the server',
      code: raw(
        MAP,
        'open.set(id, res)',
        `function endAll() {\n  for (const [, res] of open) {\n    try {\n      res.end();\n    } catch {}\n  }\n}\nprocess.once('SIGTERM', () => endAll());\nexport function stop() {\n  open.forEach((res) => {\n    res.end();\n  });\n  server.close();\n}`,
      ),
      errors: [
        { messageId: 'unanswered', line: 20 },
        { messageId: 'unanswered', line: 27 },
      ],
    },
    {
      name: 'raw: the response out of a record',
      code: raw(
        MAP,
        'const entry = { id, stream: res };\n    open.set(id, entry)',
        `process.on('SIGTERM', () => {\n  for (const { stream } of open.values()) stream.end();\n});`,
      ),
      errors: [{ messageId: 'unanswered', line: 19 }],
    },
    {
      name: 'raw: close() of a class',
      code: rawClass('#open', `for (const res of this.#open.values()) res.end();\n    this.#open.clear();`),
      errors: [{ messageId: 'unanswered', line: 13 }],
    },
    {
      name: 'raw: close() of a class in TypeScript',
      code: `import type { ServerResponse } from 'node:http';\n${rawClass('private readonly open', `for (const res of this.open.values()) res.end();`).replaceAll('#open', 'open').replace('message, res', 'message: { id: string; method: string }, res: ServerResponse')}`,
      errors: [{ messageId: 'unanswered', line: 14 }],
    },
  ],
});
