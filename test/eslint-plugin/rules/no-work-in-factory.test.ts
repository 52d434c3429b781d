import { noWorkInFactory } from '../../../eslint-plugin/src/rules/no-work-in-factory.js';
import { testRule } from '../support/rule-tester.js';

const HTTP = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;
const STDIO = `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\n`;
const SERVER = `  const server = new McpServer({ name: 'a', version: '1' });\n`;
const http = (body: string, before = '') =>
  `${HTTP}${before}export const handler = createMcpHandler(() => {\n${SERVER}${body}  return server;\n});\n`;
const stdio = (body: string, before = '') =>
  `${STDIO}${before}serveStdio(() => {\n${SERVER}${body}  return server;\n});\n`;

const SENSOR = (body: string) =>
  `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\n\nconst watched = new Set<string>();\nconst uri = 'sensor://temp';\nlet value = 20;\n\n${body}`;

testRule(noWorkInFactory, {
  valid: [
    {
      name: 'a timer beside the factory',
      code: `${HTTP}export const handler = createMcpHandler(() => {\n${SERVER}  return server;\n});\nsetInterval(() => handler.notify.toolsChanged(), 1000);\n`,
    },
    {
      name: 'a timer in a tool',
      code: http(
        `  server.registerTool('wait', {}, async () => {\n    const timer = setInterval(() => {}, 10);\n    await done();\n    clearInterval(timer);\n    return { content: [] };\n  });\n`,
      ),
    },
    {
      name: 'stopped in onclose, on stdio',
      code: stdio(
        `  const timer = setInterval(() => poll(), 1000);\n  server.server.onclose = () => clearInterval(timer);\n`,
      ),
    },
    {
      name: 'a listener that is taken off in onclose, on stdio',
      code: stdio(
        `  const changed = () => server.sendToolListChanged();\n  bus.on('changed', changed);\n  server.server.onclose = () => bus.off('changed', changed);\n`,
        `import { EventEmitter } from 'node:events';\nconst bus = new EventEmitter();\n`,
      ),
    },
    {
      name: 'a marker says it already',
      code: SENSOR(
        `serveStdio(ctx => {\n    const server = new McpServer({ name: 'sensor', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });\n    // TODO(mcp-listen): a factory can run more than once (probe, reconnect); stop this timer in server.server.onclose (F3)\n    setInterval(() => {\n        value += 1;\n        if (ctx.era === 'modern' || watched.has(uri)) {\n            server.server.sendResourceUpdated({ uri }).catch(() => {}); // rejects once this instance is closed\n        }\n    }, 1000);\n    return server;\n});\n`,
      ),
    },
    {
      name: 'it starts once only',
      code: http(
        `  if (!started) {\n    started = true;\n    setInterval(poll, 1000);\n  }\n  timer ??= setInterval(poll, 1000);\n`,
        `let started = false;\nlet timer;\n`,
      ),
    },
    {
      name: 'an emitter of the instance itself',
      code: http(
        `  const bus = new EventEmitter();\n  bus.on('changed', () => {});\n`,
        `import { EventEmitter } from 'node:events';\n`,
      ),
    },
    {
      name: 'hand-wired, one instance of 2025 for each session',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nfunction build() {\n${SERVER}  setInterval(() => void server.server.sendResourceUpdated({ uri: 'a:b' }), 1000);\n  return server;\n}\nawait build().connect(new StdioServerTransport());\n`,
    },
    {
      name: 'the handler of another package',
      code: `import { createMcpHandler } from 'mcp-handler';\nexport const handler = createMcpHandler((server) => {\n  setInterval(() => server.sendToolListChanged(), 1000);\n});\n`,
    },
    {
      name: 'closed in the factory itself',
      code: http(
        `  const database = new Database('tools.db');\n  for (const row of database.prepare('select name from tools').all()) add(server, row);\n  database.close();\n`,
        `import Database from 'better-sqlite3';\n`,
      ),
    },
    {
      name: 'another setInterval',
      code: http(`  setInterval(() => {}, 10);\n`, `import { setInterval } from './clock.js';\n`),
    },
    {
      name: 'a push of McpServer asks whether it is connected',
      code: stdio(`  setTimeout(() => server.sendToolListChanged(), 10);\n`),
    },
    {
      name: 'a push that is caught, or awaited in a try',
      code: stdio(
        `  setTimeout(() => server.server.sendToolListChanged().catch(() => {}), 10);\n  setTimeout(async () => {\n    try {\n      await server.server.sendToolListChanged();\n    } catch {}\n  }, 10);\n`,
      ),
    },
    {
      name: 'a push in a tool, while it is connected',
      code: stdio(
        `  server.registerTool('add', {}, async () => {\n    void server.server.sendToolListChanged();\n    return { content: [] };\n  });\n`,
      ),
    },
    {
      name: 'work in a test double of a factory that nothing serves',
      code: `${HTTP}export const build = () => {\n${SERVER}  setInterval(() => {}, 10);\n  return server;\n};\nexport { createMcpHandler };\n`,
    },
  ],
  invalid: [
    {
      name: 'a timer that pushes, on stdio',
      typed: true,
      code: SENSOR(
        `serveStdio(() => {\n    const server = new McpServer({ name: 'sensor', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });\n    server.registerResource('temp', uri, {}, async () => ({ contents: [{ uri, text: String(value) }] }));\n    setInterval(() => {\n        value += 1;\n        if (watched.has(uri)) {\n            void server.server.sendResourceUpdated({ uri });\n        }\n    }, 1000);\n    return server;\n});\n`,
      ),
      errors: [
        {
          messageId: 'perConnectionAndRejects',
          line: 11,
          column: 5,
          data: { work: 'timer' },
          suggestions: [
            {
              messageId: 'stopIt',
              output: SENSOR(
                `serveStdio(() => {\n    const server = new McpServer({ name: 'sensor', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });\n    server.registerResource('temp', uri, {}, async () => ({ contents: [{ uri, text: String(value) }] }));\n    const timer = setInterval(() => {\n        value += 1;\n        if (watched.has(uri)) {\n            void server.server.sendResourceUpdated({ uri }).catch(() => {});\n        }\n    }, 1000);\n    server.server.onclose = () => clearInterval(timer);\n    return server;\n});\n`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'a timer, for every request',
      code: http(`  setInterval(() => poll(server), 1000);\n`),
      errors: [{ messageId: 'perRequest', line: 4, column: 3, data: { work: 'timer' } }],
    },
    {
      name: 'onclose does not fire for a listen over HTTP',
      code: http(
        `  const timer = setInterval(() => poll(server), 1000);\n  server.server.onclose = () => clearInterval(timer);\n`,
      ),
      errors: [{ messageId: 'perRequest', line: 4 }],
    },
    {
      name: 'watchers',
      code: http(
        `  watch('notes', () => {});\n  chokidar.watch('tools');\n`,
        `import { watch } from 'node:fs';\nimport chokidar from 'chokidar';\n`,
      ),
      errors: [
        { messageId: 'perRequest', line: 6, data: { work: 'watcher' } },
        { messageId: 'perRequest', line: 7, data: { work: 'watcher' } },
      ],
    },
    {
      name: 'listeners on what outlives the instance',
      code: http(
        `  bus.on('changed', () => server.sendToolListChanged());\n  store.subscribe(() => server.sendToolListChanged());\n`,
        `import { EventEmitter } from 'node:events';\nimport { store } from './store.js';\nconst bus = new EventEmitter();\n`,
      ),
      errors: [
        { messageId: 'perRequest', line: 7, data: { work: 'listener' } },
        { messageId: 'perRequest', line: 8, data: { work: 'listener' } },
      ],
    },
    {
      name: 'connections',
      code: http(
        `  const pool = new pg.Pool();\n  register(() => query(pool));\n  const cache = createClient({ url });\n`,
        `import pg from 'pg';\nimport { createClient } from 'redis';\n`,
      ),
      errors: [
        { messageId: 'perRequest', line: 6, data: { work: 'connection' } },
        { messageId: 'perRequest', line: 8, data: { work: 'connection' } },
      ],
    },
    {
      name: 'through functions of the file, served twice',
      code: `${HTTP}import { serveStdio } from '@modelcontextprotocol/server/stdio';\nfunction tick(server) {\n  setInterval(() => poll(server), 1000);\n}\nfunction build() {\n${SERVER}  tick(server);\n  return server;\n}\nexport const handler = createMcpHandler(() => build());\nserveStdio(build);\n`,
      errors: [{ messageId: 'perRequest', line: 4 }],
    },
    {
      name: 'a watcher on stdio that nothing stops',
      code: stdio(
        `  const watcher = watch('notes', () => {});\n  watcher.ref();\n`,
        `import { watch } from 'node:fs';\n`,
      ),
      errors: [{ messageId: 'perConnection', line: 6, data: { work: 'watcher' } }],
    },
    {
      name: 'onclose is taken: the timer is left to a person',
      code: stdio(
        `  setInterval(() => poll(server), 1000);\n  server.server.onclose = () => log('closed');\n`,
      ),
      errors: [{ messageId: 'perConnection', line: 5 }],
    },
    {
      name: 'pushes in callbacks for later',
      code: stdio(`  setTimeout(() => {\n    void server.server.sendToolListChanged();\n  }, 10);\n`),
      errors: [
        {
          messageId: 'floating',
          line: 6,
          column: 10,
          suggestions: [
            {
              messageId: 'catchIt',
              output: stdio(
                `  setTimeout(() => {\n    void server.server.sendToolListChanged().catch(() => {});\n  }, 10);\n`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'the result of a callback, and an await in one',
      code: stdio(
        `  setTimeout(() => server.server.notification({ method: 'notifications/tools/list_changed' }), 10);\n  setTimeout(async () => {\n    await server.sendLoggingMessage({ level: 'info', data: 'ready' });\n  }, 10);\n`,
      ),
      errors: [
        {
          messageId: 'floating',
          line: 5,
          suggestions: [
            {
              messageId: 'catchIt',
              output: stdio(
                `  setTimeout(() => server.server.notification({ method: 'notifications/tools/list_changed' }).catch(() => {}), 10);\n  setTimeout(async () => {\n    await server.sendLoggingMessage({ level: 'info', data: 'ready' });\n  }, 10);\n`,
              ),
            },
          ],
        },
        {
          messageId: 'floating',
          line: 7,
          suggestions: [
            {
              messageId: 'catchIt',
              output: stdio(
                `  setTimeout(() => server.server.notification({ method: 'notifications/tools/list_changed' }), 10);\n  setTimeout(async () => {\n    await server.sendLoggingMessage({ level: 'info', data: 'ready' }).catch(() => {});\n  }, 10);\n`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'a push before any connection',
      code: http(`  server.server.sendToolListChanged();\n`),
      errors: [
        {
          messageId: 'floating',
          line: 4,
          suggestions: [
            {
              messageId: 'catchIt',
              output: http(`  server.server.sendToolListChanged().catch(() => {});\n`),
            },
          ],
        },
      ],
    },
    {
      name: 'CommonJS',
      commonjs: true,
      code: `const { createMcpHandler, McpServer } = require('@modelcontextprotocol/server');\nconst fs = require('fs');\nexports.handler = createMcpHandler(() => {\n${SERVER}  fs.watch('notes', () => {});\n  return server;\n});\n`,
      errors: [{ messageId: 'perRequest', line: 5 }],
    },
  ],
});
