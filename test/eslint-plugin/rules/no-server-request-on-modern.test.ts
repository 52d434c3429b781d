import { noServerRequestOnModern } from '../../../eslint-plugin/src/rules/no-server-request-on-modern.js';
import { testRule } from '../support/rule-tester.js';

const HTTP = `import { createMcpHandler, inputRequired, McpServer, Server } from '@modelcontextprotocol/server';\n`;
const STDIO = `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\n`;
const SERVER = `  const server = new McpServer({ name: 'a', version: '1' });\n`;
const tool = (body: string) => `  server.registerTool('deploy', {}, async (args, ctx) => {\n${body}  });\n`;
const http = (body: string) =>
  `${HTTP}export const handler = createMcpHandler((request) => {\n${SERVER}${tool(body)}  return server;\n});\n`;
const stdio = (body: string) =>
  `${STDIO}serveStdio((request) => {\n${SERVER}${tool(body)}  return server;\n});\n`;
const ASK = `server.server.elicitInput({ message: 'Sure?', requestedSchema: schema })`;

testRule(noServerRequestOnModern, {
  valid: [
    {
      name: 'input that is required',
      code: http(`    return inputRequired({ sure: inputRequired.elicit({ message: 'Sure?' }) });\n`),
    },
    {
      name: 'on the branch of 2025',
      code: http(`    if (request.era === 'legacy') return ${ASK};\n    return { content: [] };\n`),
    },
    {
      name: 'after the modern era has left',
      code: http(`    if (request.era === 'modern') return inputRequired({});\n    return ${ASK};\n`),
    },
    {
      name: 'a server of 2025, wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\n${SERVER.trimStart()}${tool(`    return ${ASK};\n`)}await server.connect(new StdioServerTransport());\n`,
    },
    {
      name: 'a factory of which nobody in sight knows what serves it',
      code: `${HTTP}export function build() {\n${SERVER}${tool(`    return ${ASK};\n`)}  return server;\n}\nexport { createMcpHandler };\n`,
    },
    {
      name: 'version 1',
      code: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { createMcpHandler } from 'mcp-handler';\nexport const handler = createMcpHandler(() => {\n${SERVER}${tool(`    return ${ASK};\n`)}  return server;\n});\n`,
    },
    {
      name: 'guarded by a capability that stdio does not tell',
      code: stdio(
        `    if (server.server.getClientCapabilities()?.elicitation) return ${ASK};\n    return { content: [] };\n`,
      ),
    },
    {
      name: 'something else of that name',
      code: http(
        `    await database.ping();\n    await prompts.elicitInput('Sure?');\n    return { content: [] };\n`,
      ),
    },
    {
      name: 'a client that is asked for nothing',
      code: http(
        `    await ctx.mcpReq.notify({ method: 'notifications/progress', params: {} });\n    await ctx.mcpReq.send({ method: 'acme/thing' }, schema);\n    return { content: [] };\n`,
      ),
    },
  ],
  invalid: [
    {
      name: 'all four, over HTTP',
      typed: true,
      code: http(
        `    await ${ASK};\n    await server.server.createMessage({ messages: [], maxTokens: 1 });\n    await server.server.listRoots();\n    await server.server.ping();\n    return { content: [] };\n`,
      ),
      errors: [
        {
          messageId: 'asks',
          line: 5,
          column: 25,
          data: { call: 'elicitInput()', error: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION' },
        },
        { messageId: 'asks', line: 6 },
        { messageId: 'asks', line: 7 },
        { messageId: 'pings', line: 8 },
      ],
    },
    { name: 'on stdio', code: stdio(`    return ${ASK};\n`), errors: [{ messageId: 'asks', line: 6 }] },
    {
      name: 'a capability does not guard over HTTP, where the client tells it with each request',
      code: http(
        `    if (server.server.getClientCapabilities()?.elicitation) return ${ASK};\n    return { content: [] };\n`,
      ),
      errors: [{ messageId: 'asks', line: 5 }],
    },
    {
      name: 'by the context of the request',
      code: http(
        `    await ctx.mcpReq.elicitInput({ message: 'Sure?' });\n    await ctx.mcpReq.requestSampling({ messages: [] });\n    return ctx.mcpReq.send({ method: 'roots/list' });\n`,
      ),
      errors: [
        { messageId: 'asks', line: 5 },
        {
          messageId: 'asks',
          line: 6,
          data: { call: 'requestSampling()', error: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION' },
        },
        { messageId: 'asks', line: 7 },
      ],
    },
    {
      name: 'in a function that the factory calls',
      code: `${HTTP}async function confirm(server: McpServer) {\n  return ${ASK};\n}\nexport const handler = createMcpHandler(() => {\n${SERVER}${tool('    return confirm(server);\n')}  return server;\n});\n`,
      errors: [{ messageId: 'asks', line: 3 }],
    },
    {
      name: 'the low-level server, a builder served by both',
      code: `${HTTP}import { serveStdio } from '@modelcontextprotocol/server/stdio';\nfunction build() {\n  const low = new Server({ name: 'a', version: '1' });\n  low.setRequestHandler('tools/call', async () => low.listRoots());\n  return low;\n}\nexport const handler = createMcpHandler(() => build());\nserveStdio(build);\n`,
      errors: [{ messageId: 'asks', line: 5, column: 55 }],
    },
    {
      name: 'CommonJS',
      commonjs: true,
      code: `const { createMcpHandler, McpServer } = require('@modelcontextprotocol/server');\nexports.handler = createMcpHandler(() => {\n${SERVER}${tool(`    return ${ASK};\n`)}  return server;\n});\n`,
      errors: [{ messageId: 'asks', line: 5 }],
    },
  ],
});
