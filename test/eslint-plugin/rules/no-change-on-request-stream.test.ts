import { describe, expect, it } from 'vitest';
import { noChangeOnRequestStream } from '../../../eslint-plugin/src/rules/no-change-on-request-stream.js';
import { packageReports } from '../support/packages.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;

const STDIO = `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\n`;

/** A tool's handler in the factory of an HTTP handler. */
const http = (handler: string) =>
  `${IMPORT}export const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, ${handler});\n  return server;\n});\n`;

testRule(noChangeOnRequestStream, {
  valid: [
    {
      name: 'progress',
      code: http(
        `async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });\n    return { content: [] };\n  }`,
      ),
    },
    {
      name: 'a log message through version 1 names',
      code: http(
        `async (args, { sendNotification }) => {\n    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'x' } });\n    return { content: [] };\n  }`,
      ),
    },
    {
      name: 'stdio alone, where the SDK reroutes it',
      code: `${STDIO}serveStdio(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  });\n  return server;\n});\n`,
    },
    {
      name: 'a server of version 1, wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nconst server = new McpServer({ name: 'a', version: '1' });\nserver.registerTool('import', {}, async (args, extra) => {\n  await extra.sendNotification({ method: 'notifications/tools/list_changed' });\n  return { content: [] };\n});\nawait server.connect(new StreamableHTTPServerTransport({ sessionIdGenerator: undefined }));\n`,
    },
    {
      name: 'an entry that the file does not show',
      code: `import type { McpServer } from '@modelcontextprotocol/server';\nexport function addTools(server: McpServer) {\n  server.registerTool('import', {}, async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  });\n}\n`,
    },
    {
      name: 'the legacy branch of a fork',
      code: `${IMPORT}export const handler = createMcpHandler((context) => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    if (context.era === 'legacy') await ctx.mcpReq.notify({ method: 'notifications/tools/list_changed' });\n    return { content: [] };\n  });\n  return server;\n});\n`,
    },
    {
      name: 'an object of that shape which no request was given',
      code: http(
        `async (ctx) => {\n    await hub.mcpReq.notify({ method: 'notifications/tools/list_changed' });\n    return { content: [] };\n  }`,
      ),
    },
    {
      name: 'a method that is not written down',
      code: http(
        `async ({ method }, ctx) => {\n    await ctx.mcpReq.notify({ method });\n    return { content: [] };\n  }`,
      ),
    },
    {
      name: 'the handler of the other createMcpHandler',
      code: `import { createMcpHandler } from 'agents/mcp';\nimport { McpServer } from '@modelcontextprotocol/server';\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/tools/list_changed' });\n    return { content: [] };\n  });\n  return server;\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'a list change',
      typed: true,
      code: http(
        `async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  }`,
      ),
      errors: [
        {
          messageId: 'callerAlone',
          line: 5,
          column: 11,
          data: {
            method: 'notifications/resources/list_changed',
            publish: 'handler.notify.resourcesChanged()',
          },
          suggestions: [
            {
              messageId: 'useNotifier',
              data: { publish: 'handler.notify.resourcesChanged()' },
              output: http(
                `async (ctx) => {\n    handler.notify.resourcesChanged();\n    return { content: [] };\n  }`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'an update, with its URI, thrown away',
      code: http(
        `async ({ id }, ctx) => {\n    void ctx.mcpReq.notify({ method: 'notifications/resources/updated', params: { uri: \`row://\${id}\` } });\n    return { content: [] };\n  }`,
      ),
      errors: [
        {
          messageId: 'callerAlone',
          line: 5,
          suggestions: [
            {
              messageId: 'useNotifier',
              data: { publish: 'handler.notify.resourceUpdated(uri)' },
              output: http(
                `async ({ id }, ctx) => {\n    handler.notify.resourceUpdated(\`row://\${id}\`);\n    return { content: [] };\n  }`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'taken out of the context by a pattern, with a schema constant around',
      code: http(
        `async (args, { mcpReq: { notify } }) => {\n    return notify({ method: 'notifications/tools/list_changed' }).then(() => ({ content: [] }));\n  }`,
      ),
      errors: [{ messageId: 'callerAlone', line: 5 }],
    },
    {
      name: 'the name of version 1, kept',
      code: http(
        `async (args, extra) => {\n    await extra.sendNotification({ method: 'notifications/prompts/list_changed' });\n    return { content: [] };\n  }`,
      ),
      errors: [
        {
          messageId: 'callerAlone',
          line: 5,
          suggestions: [
            {
              messageId: 'useNotifier',
              data: { publish: 'handler.notify.promptsChanged()' },
              output: http(
                `async (args, extra) => {\n    handler.notify.promptsChanged();\n    return { content: [] };\n  }`,
              ),
            },
          ],
        },
      ],
    },
    {
      name: 'tied to a request by its id',
      code: `${IMPORT}export const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    await server.server.notification({ method: 'notifications/tools/list_changed' }, { relatedRequestId: ctx.mcpReq.id });\n    return { content: [] };\n  });\n  return server;\n});\n`,
      errors: [
        {
          messageId: 'callerAlone',
          line: 5,
          suggestions: [
            {
              messageId: 'useNotifier',
              data: { publish: 'handler.notify.toolsChanged()' },
              output: `${IMPORT}export const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    handler.notify.toolsChanged();\n    return { content: [] };\n  });\n  return server;\n});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a comment in what would be replaced: no suggestion',
      code: http(
        `async (ctx) => {\n    await ctx.mcpReq.notify({\n      // rows were added\n      method: 'notifications/resources/list_changed',\n    });\n    return { content: [] };\n  }`,
      ),
      errors: [{ messageId: 'callerAlone', line: 5 }],
    },
    {
      name: 'a factory of both entries: no suggestion',
      code: `${IMPORT}import { serveStdio } from '@modelcontextprotocol/server/stdio';\nconst build = () => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  server.registerTool('import', {}, async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  });\n  return server;\n};\nexport const handler = createMcpHandler(build);\nserveStdio(build);\n`,
      errors: [{ messageId: 'callerAlone', line: 6 }],
    },
    {
      name: 'a handler without a name: no suggestion',
      code: `${IMPORT}export default createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  const run = async (args, ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  };\n  server.registerTool('import', {}, run);\n  return server;\n});\n`,
      errors: [{ messageId: 'callerAlone', line: 5 }],
    },
    {
      name: 'a context by its type, in a helper that the factory hands its server to',
      code: `${IMPORT}import type { ServerContext } from '@modelcontextprotocol/server';\nfunction addTools(server: McpServer) {\n  server.registerTool('import', {}, async (ctx: ServerContext) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  });\n}\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  addTools(server);\n  return server;\n});\n`,
      errors: [
        {
          messageId: 'callerAlone',
          line: 5,
          suggestions: [
            {
              messageId: 'useNotifier',
              data: { publish: 'handler.notify.resourcesChanged()' },
              output: `${IMPORT}import type { ServerContext } from '@modelcontextprotocol/server';\nfunction addTools(server: McpServer) {\n  server.registerTool('import', {}, async (ctx: ServerContext) => {\n    handler.notify.resourcesChanged();\n    return { content: [] };\n  });\n}\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' });\n  addTools(server);\n  return server;\n});\n`,
            },
          ],
        },
      ],
    },
  ],
});

describe('with the other files of a package', () => {
  const reports = packageReports(noChangeOnRequestStream);
  const tools = `import type { McpServer } from '@modelcontextprotocol/server';\nexport function addTools(server: McpServer) {\n  server.registerTool('import', {}, async (ctx) => {\n    await ctx.mcpReq.notify({ method: 'notifications/resources/list_changed' });\n    return { content: [] };\n  });\n}\n`;
  const http = `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { build } from './build.js';\nexport const handler = createMcpHandler(build);\n`;
  const stdio = `import { serveStdio } from '@modelcontextprotocol/server/stdio';\nimport { build } from './build.js';\nserveStdio(build);\n`;

  it('reports what the HTTP entry alone serves', () => {
    expect(reports({ 'tools.ts': tools, 'http.ts': http })).toEqual(['callerAlone 4']);
  });

  it('is silent where stdio may serve it', () => {
    expect(reports({ 'tools.ts': tools, 'http.ts': http, 'stdio.ts': stdio })).toEqual([]);
  });
});
