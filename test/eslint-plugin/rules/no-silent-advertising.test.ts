import { describe, expect, it } from 'vitest';
import { noSilentAdvertising } from '../../../eslint-plugin/src/rules/no-silent-advertising.js';
import { packageReports } from '../support/packages.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\n`;

const TOOL = `  server.registerTool('add', {}, async () => ({ content: [] }));\n`;

const INFO = `{ name: 'calc', version: '1.0.0' }`;

interface Parts {
  creation?: string;
  body?: string;
  options?: string;
  before?: string;
  after?: string;
}

const http = ({
  creation = `new McpServer(${INFO})`,
  body = TOOL,
  options = '',
  before = '',
  after = `export default { fetch: (request) => handler.fetch(request) };\n`,
}: Parts = {}) =>
  `${IMPORT}${before}const handler = createMcpHandler(() => {\n  const server = ${creation};\n${body}  return server;\n}${options});\n${after}`;

const OFF = `new McpServer(${INFO}, { capabilities: { tools: { listChanged: false } } })`;

const suggestions = (parts: Parts = {}) => [
  {
    messageId: 'stopAndRefuse',
    output: http({ creation: OFF, options: ', { maxSubscriptions: 0 }', ...parts }),
  },
  { messageId: 'stopAdvertising', output: http({ creation: OFF, ...parts }) },
];

testRule(noSilentAdvertising, {
  valid: [
    { name: 'switched off', code: http({ creation: OFF }) },
    { name: 'nothing registered', code: http({ body: '' }) },
    {
      name: 'published through the notifier',
      code: http({ after: `export const changed = () => handler.notify.toolsChanged();\n` }),
    },
    {
      name: 'published by a notifier that is handed on',
      code: http({ after: `start(handler.notify);\n` }),
    },
    {
      name: 'published by a name that is put together',
      code: http({ body: `${TOOL}  later(() => server[method]());\n` }),
    },
    {
      name: 'a bus that others publish on',
      code: http({ options: ', { bus }', before: `import { bus } from './bus.js';\n` }),
    },
    { name: 'options from elsewhere', code: http({ options: ', options' }) },
    {
      name: 'a tool that is registered late',
      code: http({
        body: `  server.registerTool('grow', {}, async () => {\n    server.registerTool('late', {}, async () => ({ content: [] }));\n    return { content: [] };\n  });\n`,
      }),
    },
    {
      name: 'a tool that is disabled late',
      code: http({
        body: `  const tool = server.registerTool('add', {}, async () => ({ content: [] }));\n  setTimeout(() => tool.disable(), 1000);\n`,
      }),
    },
    {
      name: 'a handler that other files get',
      code: http({ after: `export { handler };\n` }),
    },
    {
      name: 'a server that another package gets',
      code: http({
        before: `import { instrument } from 'tracing';\n`,
        body: `${TOOL}  instrument(server);\n`,
      }),
    },
    {
      name: 'capabilities that are not in sight',
      code: http({ creation: `new McpServer(${INFO}, { capabilities: capabilitiesOf() })` }),
    },
    {
      name: 'a server wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nconst server = new McpServer(${INFO});\n${TOOL}await server.connect(new StdioServerTransport());\nexport { serveStdio };\n`,
    },
    {
      name: 'the handler of the other createMcpHandler',
      code: http().replace(
        IMPORT,
        `import { createMcpHandler } from 'agents/mcp';\nimport { McpServer } from '@modelcontextprotocol/server';\n`,
      ),
    },
    {
      name: 'a factory of another file',
      code: `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { build } from './build.js';\nconst handler = createMcpHandler(build);\nexport default { fetch: (request) => handler.fetch(request) };\n`,
    },
  ],
  invalid: [
    {
      name: 'tools, by default',
      code: http(),
      errors: [
        {
          messageId: 'neverPublished',
          line: 3,
          column: 22,
          data: { advertised: '`tools.listChanged` is', how: ' by default' },
          suggestions: suggestions(),
        },
      ],
    },
    {
      name: 'a word in a comment publishes nothing',
      code: http({ body: `  // no need for handler.notify.toolsChanged()\n${TOOL}` }),
      errors: [
        {
          messageId: 'neverPublished',
          line: 3,
          suggestions: suggestions({ body: `  // no need for handler.notify.toolsChanged()\n${TOOL}` }),
        },
      ],
    },
    {
      name: 'disabled while the factory builds its server',
      code: http({
        body: `${TOOL}  server.registerTool('sub', {}, async () => ({ content: [] })).disable();\n`,
      }),
      errors: [
        {
          messageId: 'neverPublished',
          line: 3,
          suggestions: suggestions({
            body: `${TOOL}  server.registerTool('sub', {}, async () => ({ content: [] })).disable();\n`,
          }),
        },
      ],
    },
    {
      name: 'two lists, beside other options and behind a comma',
      code: http({
        creation: `new McpServer(${INFO}, { instructions: 'Add.' })`,
        body: `${TOOL}  server.registerPrompt('p', {}, async () => ({ messages: [] }));\n`,
        options: ',',
      }),
      errors: [
        {
          messageId: 'neverPublished',
          line: 3,
          data: { advertised: '`tools.listChanged` and `prompts.listChanged` are', how: ' by default' },
          suggestions: [', { maxSubscriptions: 0 }', ','].map((options, index) => ({
            messageId: index === 0 ? 'stopAndRefuse' : 'stopAdvertising',
            output: http({
              creation: `new McpServer(${INFO}, { capabilities: { tools: { listChanged: false }, prompts: { listChanged: false } }, instructions: 'Add.' })`,
              body: `${TOOL}  server.registerPrompt('p', {}, async () => ({ messages: [] }));\n`,
              options,
            }),
          })),
        },
      ],
    },
    {
      name: 'written down: no suggestion',
      code: http({
        creation: `new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`,
        body: '',
      }),
      errors: [
        { messageId: 'neverPublished', line: 3, data: { advertised: '`resources.subscribe` is', how: '' } },
      ],
    },
    {
      name: 'options of the handler stay: one suggestion',
      code: http({ options: ', { keepAliveMs: 1000 }' }),
      errors: [
        {
          messageId: 'neverPublished',
          line: 3,
          suggestions: [
            {
              messageId: 'stopAdvertising',
              output: http({ creation: OFF, options: ', { keepAliveMs: 1000 }' }),
            },
          ],
        },
      ],
    },
    {
      name: 'on stdio there is nothing to refuse with',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\nserveStdio(() => {\n  const server = new McpServer(${INFO});\n${TOOL}  return server;\n});\n`,
      errors: [
        {
          messageId: 'neverPublished',
          line: 4,
          suggestions: [
            {
              messageId: 'stopAdvertising',
              output: `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\nserveStdio(() => {\n  const server = ${OFF};\n${TOOL}  return server;\n});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'one factory of both entries is reported once',
      code: `${IMPORT}import { serveStdio } from '@modelcontextprotocol/server/stdio';\nconst build = () => {\n  const server = new McpServer(${INFO});\n${TOOL}  return server;\n};\nserveStdio(build);\nconst handler = createMcpHandler(build);\nexport default { fetch: (request) => handler.fetch(request) };\n`,
      errors: [
        {
          messageId: 'neverPublished',
          line: 4,
          suggestions: [
            {
              messageId: 'stopAdvertising',
              output: `${IMPORT}import { serveStdio } from '@modelcontextprotocol/server/stdio';\nconst build = () => {\n  const server = ${OFF};\n${TOOL}  return server;\n};\nserveStdio(build);\nconst handler = createMcpHandler(build);\nexport default { fetch: (request) => handler.fetch(request) };\n`,
            },
          ],
        },
      ],
    },
  ],
});

describe('with the other files of a package', () => {
  const reports = packageReports(noSilentAdvertising);
  const exported = http({ after: `export { handler };\n` });

  it('reports a handler that nobody there publishes on', () => {
    const app = `import { handler } from './server.js'; // mcp\nexport default { fetch: handler.fetch };\n`;
    expect(reports({ 'server.ts': exported, 'app.ts': app })).toEqual(['neverPublished 3']);
  });

  it('is silent where one of them publishes', () => {
    const app = `import { handler } from './server.js'; // mcp\nhandler.notify.toolsChanged();\n`;
    expect(reports({ 'server.ts': exported, 'app.ts': app })).toEqual([]);
  });

  it('is silent where one of them changes what is registered', () => {
    const tools = `// mcp\nexport const hide = (tools) => tools.get('add').disable();\n`;
    expect(reports({ 'server.ts': exported, 'tools.ts': tools })).toEqual([]);
  });

  it('is silent in tests', () => {
    expect(reports({ 'test/server.ts': exported })).toEqual([]);
  });
});
