import { noLostSubscribeCheck } from '../../../eslint-plugin/src/rules/no-lost-subscribe-check.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;

const SERVER = `new McpServer({ name: 'crm', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } })`;

const http = (body: string, after = '') =>
  `${IMPORT}export const handler = createMcpHandler((ctx) => {\n  const server = ${SERVER};\n  server.server.setRequestHandler('resources/subscribe', async (req, extra) => {\n${body}    return {};\n  });\n  return server;\n});\n${after}`;

const WORK = { options: [{ includeWork: true }] as [object] };

testRule(noLostSubscribeCheck, {
  valid: [
    {
      name: 'bookkeeping',
      code: http(`    watched.add(req.params.uri);\n    console.error('one more');\n`),
      ...WORK,
    },
    {
      name: 'work, unless it is asked for',
      code: http(`    startWatcher(req.params.uri);\n`),
    },
    {
      name: 'a caught error that is thrown on',
      code: http(
        `    try {\n      watched.add(req.params.uri);\n    } catch (error) {\n      console.error(error);\n      throw error;\n    }\n`,
      ),
    },
    {
      name: 'the filter is read in front of the handler',
      code: http(
        `    if (!allowed(req.params.uri)) throw new Error('forbidden');\n`,
        `export async function fetch(request) {\n  const { params } = await request.clone().json();\n  if (!params.notifications.resourceSubscriptions.every(allowed)) return new Response(null, { status: 403 });\n  return handler.fetch(request);\n}\n`,
      ),
    },
    {
      name: 'installed on legacy instances alone',
      code: http(`    throw new Error('forbidden');\n`).replace(
        '  server.server.set',
        `  if (ctx.era === 'legacy') server.server.set`,
      ),
    },
    {
      name: 'a server wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nconst server = ${SERVER};\nserver.server.setRequestHandler('resources/subscribe', async () => {\n  throw new Error('forbidden');\n});\nawait server.connect(new StdioServerTransport());\n`,
    },
    {
      name: 'version 1',
      code: `import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nimport { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';\nconst server = new Server({ name: 'a', version: '1' });\nserver.setRequestHandler(SubscribeRequestSchema, async () => {\n  throw new Error('forbidden');\n});\n`,
    },
    {
      name: 'a handler for each tenant',
      code: `${IMPORT}export function handlerFor(tenant) {\n  return createMcpHandler(() => {\n    const server = ${SERVER};\n    server.server.setRequestHandler('resources/subscribe', async (req) => {\n      if (!req.params.uri.startsWith(tenant)) throw new Error('forbidden');\n      return {};\n    });\n    return server;\n  });\n}\n`,
    },
    {
      name: 'a handler of another request',
      code: http(`    if (!allowed(req.params.uri)) throw new Error('forbidden');\n`).replace(
        'resources/subscribe',
        'resources/read',
      ),
    },
    {
      name: 'an entry that the file does not show',
      code: `import type { McpServer } from '@modelcontextprotocol/server';\nexport function wire(server: McpServer) {\n  server.server.setRequestHandler('resources/subscribe', async () => {\n    throw new Error('forbidden');\n  });\n}\n`,
    },
    {
      name: 'a server of another package',
      code: `${IMPORT}import { Hub } from 'hub';\nexport const handler = createMcpHandler(() => new McpServer({ name: 'a', version: '1' }));\nnew Hub().setRequestHandler('resources/subscribe', async () => {\n  throw new Error('forbidden');\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'a throw',
      typed: true,
      code: http(
        `    if (!req.params.uri.startsWith(mine)) throw new Error('forbidden');\n`,
        `export const changed = (uri) => handler.notify.resourceUpdated(uri);\n`,
      ),
      errors: [
        {
          messageId: 'check',
          line: 4,
          column: 35,
          data: {
            check: `throw new Error('forbidden');`,
            published: ', and `resourceUpdated` on line 10 reaches whoever names the URI',
          },
        },
      ],
    },
    {
      name: 'asking who it is',
      code: http(`    log(extra.authInfo);\n`),
      errors: [{ messageId: 'check', line: 4, data: { check: 'extra.authInfo', published: '' } }],
    },
    {
      name: 'a function that asserts',
      code: http(`    await assertReadable(req.params.uri);\n`),
      errors: [
        { messageId: 'check', line: 4, data: { check: 'assertReadable(req.params.uri)', published: '' } },
      ],
    },
    {
      name: 'a function of the file that throws',
      code: http(
        `    limit();\n`,
        `function limit() {\n  if (watched.size > 100) throw new Error('too many');\n}\n`,
      ),
      errors: [{ messageId: 'check', line: 4 }],
    },
    {
      name: 'on stdio, by a handler with a name',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\nasync function onSubscribe(req) {\n  if (!known.has(req.params.uri)) return Promise.reject(new Error('unknown'));\n  return {};\n}\nserveStdio(() => {\n  const server = ${SERVER};\n  server.server.setRequestHandler('resources/subscribe', onSubscribe);\n  return server;\n});\n`,
      errors: [{ messageId: 'check', line: 9 }],
    },
    {
      name: 'work, asked for: a watcher',
      code: http(`    watchers.set(req.params.uri, watch(req.params.uri));\n`),
      ...WORK,
      errors: [{ messageId: 'work', line: 4, data: { work: 'watch(req.params.uri)' } }],
    },
    {
      name: 'work, asked for: a timer',
      code: http(`    setInterval(() => poll(req.params.uri), 1000);\n`),
      ...WORK,
      errors: [{ messageId: 'work', line: 4 }],
    },
    {
      name: 'work, asked for: an object that lives on',
      code: http(`    feeds.push(new Feed(req.params.uri));\n`),
      ...WORK,
      errors: [{ messageId: 'work', line: 4, data: { work: 'new Feed(req.params.uri)' } }],
    },
    {
      name: 'a check comes before work',
      code: http(`    startWatcher(req.params.uri);\n    if (closed) throw new Error('closed');\n`),
      ...WORK,
      errors: [{ messageId: 'check', line: 4 }],
    },
  ],
});
