import { noInstancePush } from '../../../eslint-plugin/src/rules/no-instance-push.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;

const STDIO = `import { serveStdio } from '@modelcontextprotocol/server/stdio';\n`;

/** A tool's handler in the factory of an HTTP handler. */
const http = (body: string, before = '') =>
  `${IMPORT}export const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n${before}  server.registerTool('enable', {}, async () => {\n${body}    return { content: [] };\n  });\n  return server;\n});\n`;

/** A tool's handler in a factory that `createMcpHandler` serves, and sessions of 2025 as well: those are in a collection. */
const sessions = (made: string, kept: string, body: string) =>
  `${IMPORT}${made}\nfunction createServer() {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n${body}    handler.notify.toolsChanged();\n    return { content: [] };\n  });\n  return server;\n}\nexport const handler = createMcpHandler(createServer, { legacy: 'reject' });\nexport function open(id) {\n  ${kept}\n}\n`;

testRule(noInstancePush, {
  valid: [
    ...[
      [
        'values of a map',
        'const servers = new Map<string, McpServer>();',
        'servers.set(id, createServer());',
        'for (const session of servers.values()) session.sendToolListChanged();',
      ],
      [
        'entries of a map without types',
        'const servers = new Map();',
        'servers.set(id, createServer());',
        'for (const [, session] of servers) session.sendToolListChanged();',
      ],
      [
        'a set',
        'const servers = new Set<McpServer>();',
        'servers.add(createServer());',
        'servers.forEach((session: McpServer) => session.sendToolListChanged());',
      ],
      [
        'an array',
        'const servers: McpServer[] = [];',
        'servers.push(createServer());',
        'await Promise.all(servers.map((session) => session.server.sendToolListChanged()));',
      ],
      [
        'an object',
        'const servers = {};',
        'servers[id] = createServer();',
        'for (const session of Object.values(servers)) if (session.isConnected()) session.sendToolListChanged();',
      ],
      [
        'session objects',
        'const servers = new Map<string, { server: McpServer }>();',
        'servers.set(id, { server: createServer() });',
        'for (const { server } of servers.values()) server.sendToolListChanged();',
      ],
      [
        'one of them',
        'const servers = new Map<string, McpServer>();',
        'servers.set(id, createServer());',
        "const session = servers.get('first'); session?.sendToolListChanged();",
      ],
      [
        'a late registration on each',
        'const servers = new Map<string, McpServer>();',
        'servers.set(id, createServer());',
        "for (const session of servers.values()) session.registerTool('late', {}, async () => ({ content: [] }));",
      ],
    ].map(([name, made = '', kept = '', loop = '']) => ({
      name: `sessions of 2025 out of a collection: ${name ?? ''}`,
      code: sessions(made, kept, `    ${loop}\n`),
    })),
    {
      name: 'the notifier',
      code: http(`    handler.notify.toolsChanged();\n`),
    },
    {
      name: 'stdio, which routes it',
      code: `${IMPORT}${STDIO}serveStdio(() => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n});\nexport { createMcpHandler };\n`,
    },
    {
      name: 'a server wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nconst server = new McpServer({ name: 'flags', version: '1.0.0' });\nserver.registerTool('enable', {}, async () => {\n  server.sendToolListChanged();\n  return { content: [] };\n});\nawait server.connect(new StdioServerTransport());\n`,
    },
    {
      name: 'an entry that the file does not show',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nexport function build() {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n}\n`,
    },
    {
      name: 'registering and disabling while the factory builds its server',
      code: `${IMPORT}const names = ['a', 'b'];\nconst hidden = new Set(['b']);\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  names.forEach((name) => {\n    const tool = server.registerTool(name, {}, async () => ({ content: [] }));\n    if (hidden.has(name)) tool.disable();\n  });\n  return server;\n});\n`,
    },
    {
      name: 'the legacy branch of a fork',
      code: `${IMPORT}export const handler = createMcpHandler((ctx) => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    if (ctx.era === 'modern') handler.notify.toolsChanged();\n    else server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n});\n`,
    },
    {
      name: 'both entries, with the notifier beside the instance',
      code: `${IMPORT}${STDIO}const build = () => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    handler.notify.toolsChanged();\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n};\nexport const handler = createMcpHandler(build);\nserveStdio(build);\n`,
    },
    {
      name: 'a log message',
      code: http(
        `    await server.server.notification({ method: 'notifications/message', params: { level: 'info', data: 'x' } });\n`,
      ),
    },
    {
      name: 'a method of that prefix on something else',
      code: http(`    hub.sendToolListChanged();\n    server.sendToolListChangedNotification?.();\n`),
    },
    {
      name: 'the handler of the other createMcpHandler',
      code: http(`    server.sendToolListChanged();\n`).replace(
        IMPORT,
        `import { createMcpHandler } from 'mcp-handler';\nimport { McpServer } from '@modelcontextprotocol/server';\n`,
      ),
    },
    {
      name: 'a question for the connection that gates no change',
      code: http(`    if (server.isConnected()) console.error('connected');\n`),
    },
  ],
  invalid: [
    {
      name: 'a list change',
      typed: true,
      code: http(`    server.sendToolListChanged();\n`),
      errors: [
        {
          messageId: 'reachesNobody',
          line: 5,
          column: 5,
          data: { member: 'sendToolListChanged', publish: 'handler.notify.toolsChanged()' },
        },
      ],
      output: http(`    handler.notify.toolsChanged();\n`),
    },
    {
      name: 'awaited, thrown away, caught in vain',
      code: http(
        `    await server.sendPromptListChanged();\n    void server.sendResourceListChanged();\n    server.sendToolListChanged().catch(() => {});\n`,
      ),
      errors: [
        { messageId: 'reachesNobody', line: 5 },
        { messageId: 'reachesNobody', line: 6 },
        { messageId: 'reachesNobody', line: 7 },
      ],
      output: http(
        `    handler.notify.promptsChanged();\n    handler.notify.resourcesChanged();\n    handler.notify.toolsChanged();\n`,
      ),
    },
    {
      name: 'updates, by method and as a notification',
      code: http(
        `    await server.server.sendResourceUpdated({ uri: 'flags://all' });\n    await server.server.notification({ method: 'notifications/resources/updated', params: { uri: 'flags://one' } });\n`,
      ),
      errors: [
        {
          messageId: 'reachesNobody',
          line: 5,
          data: { member: 'sendResourceUpdated', publish: 'handler.notify.resourceUpdated(uri)' },
        },
        {
          messageId: 'reachesNobody',
          line: 6,
          data: { member: 'notification', publish: 'handler.notify.resourceUpdated(uri)' },
        },
      ],
      output: http(
        `    handler.notify.resourceUpdated('flags://all');\n    handler.notify.resourceUpdated('flags://one');\n`,
      ),
    },
    {
      name: 'a timer in the factory',
      code: http('', `  setInterval(() => {\n    server.sendToolListChanged();\n  }, 1000);\n`),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
      output: http('', `  setInterval(() => {\n    handler.notify.toolsChanged();\n  }, 1000);\n`),
    },
    {
      name: 'at once in the factory, where every request would be a change: no fix',
      code: http('', `  server.sendToolListChanged();\n`),
      errors: [{ messageId: 'reachesNobody', line: 4 }],
    },
    {
      name: 'a result that somebody uses: no fix',
      code: http(`    await Promise.all([server.sendToolListChanged()]);\n`),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'an update with more than its URI: no fix',
      code: http(
        `    await server.server.notification({ method: 'notifications/resources/updated', params: { uri: 'a://b', title: 'B' } });\n`,
      ),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'a comment in what would be replaced: no fix',
      code: http(`    await server.server.sendResourceUpdated({ uri: 'a://b' /* the first */ });\n`),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'the change is published already: no fix, or it would be published twice',
      code: http(`    handler.notify.toolsChanged();\n    server.sendToolListChanged();\n`),
      errors: [{ messageId: 'reachesNobody', line: 6 }],
    },
    {
      name: 'a handler whose name is another thing there: no fix',
      code: http(`    const handler = () => server.sendToolListChanged();\n    handler();\n`),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'a handler without a name: no fix',
      code: http(`    server.sendToolListChanged();\n`).replace('const handler =', 'default'),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'an exported factory, which another file may serve by stdio: no fix',
      code: `${IMPORT}export function build() {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n}\nexport const handler = createMcpHandler(build);\n`,
      errors: [{ messageId: 'reachesNobody', line: 5 }],
    },
    {
      name: 'a factory of both entries',
      code: `${IMPORT}${STDIO}const build = () => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  server.registerTool('enable', {}, async () => {\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n  return server;\n};\nexport const handler = createMcpHandler(build);\nserveStdio(build);\n`,
      errors: [{ messageId: 'reachesNobodyOnHttp', line: 6 }],
    },
    {
      name: 'a helper that the factory hands its server to',
      code: `${IMPORT}function addTools(server: McpServer) {\n  server.registerTool('enable', {}, async () => {\n    server.sendToolListChanged();\n    return { content: [] };\n  });\n}\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  addTools(server);\n  return server;\n});\n`,
      errors: [{ messageId: 'reachesNobody', line: 4 }],
      output: `${IMPORT}function addTools(server: McpServer) {\n  server.registerTool('enable', {}, async () => {\n    handler.notify.toolsChanged();\n    return { content: [] };\n  });\n}\nexport const handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'flags', version: '1.0.0' });\n  addTools(server);\n  return server;\n});\n`,
    },
    {
      name: 'this instance, beside the sessions of 2025',
      code: sessions(
        'const servers = new Map<string, McpServer>();',
        'servers.set(id, createServer());',
        `    for (const session of servers.values()) session.sendToolListChanged();\n    server.sendToolListChanged();\n`,
      ),
      errors: [{ messageId: 'reachesNobody', line: 7 }],
    },
    {
      name: 'tools of this instance, out of a collection of its own',
      code: http(
        `    for (const tool of tools) tool.disable();\n`,
        `  const tools: RegisteredTool[] = [server.registerTool('search', {}, async () => ({ content: [] }))];\n`,
      ).replace('McpServer }', 'McpServer, type RegisteredTool }'),
      errors: [{ messageId: 'doesNotStay', line: 6 }],
    },
    {
      name: 'the last server, kept outside of the factory',
      code: `${IMPORT}let last;\nexport const handler = createMcpHandler(() => {\n  last = new McpServer({ name: 'flags', version: '1.0.0' });\n  return last;\n});\nexport const changed = () => last.sendToolListChanged();\n`,
      errors: [{ messageId: 'reachesNobody', line: 7 }],
    },
    {
      name: 'registering, disabling and removing during a request',
      code: http(
        `    tool.disable();\n    server.registerPrompt('late', {}, async () => ({ messages: [] }));\n`,
        `  const tool = server.registerTool('search', {}, async () => ({ content: [] }));\n`,
      ),
      errors: [
        {
          messageId: 'doesNotStay',
          line: 6,
          data: { member: 'disable', publish: 'handler.notify.toolsChanged()' },
        },
        {
          messageId: 'doesNotStay',
          line: 7,
          data: { member: 'registerPrompt', publish: 'handler.notify.promptsChanged()' },
        },
      ],
    },
    {
      name: 'a question for the connection in front of it is one report, on the question',
      code: http(
        `    if (server.isConnected()) await server.server.sendResourceUpdated({ uri: 'a://b' });\n`,
      ),
      errors: [{ messageId: 'neverConnected', line: 5, column: 9 }],
    },
    {
      name: 'a question for the connection in front of the notifier',
      code: http(`    server.isConnected() && handler.notify.toolsChanged();\n`),
      errors: [{ messageId: 'neverConnected', line: 5, column: 5 }],
    },
    {
      name: 'double quotes and no semicolons',
      code: http(`    server.server.sendResourceUpdated({ uri: "a://b" })\n`),
      errors: [{ messageId: 'reachesNobody', line: 5 }],
      output: http(`    handler.notify.resourceUpdated("a://b")\n`),
    },
  ],
});
