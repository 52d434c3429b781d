import { noUnfinishedMigration } from '../../../eslint-plugin/src/rules/no-unfinished-migration.js';
import { testRule } from '../support/rule-tester.js';

testRule(noUnfinishedMigration, {
  valid: [
    { name: 'a task of another kind', code: `// TODO: say hello to mcp-listen\nexport const a = 1;\n` },
    { name: 'a task of another tool', code: `// TODO(mcp-listener): rename\nexport const a = 1; // mcp\n` },
    {
      name: 'the tag in a string',
      code: `export const tag = 'TODO(mcp-listen): nothing';\n`,
    },
    {
      name: 'the tag in a template that holds code',
      code: 'export const route = `\n// TODO(mcp-listen): decide\nlisten();\n`;\n',
    },
    {
      name: 'a comment that speaks of markers',
      code: `// Counts what is left: every TODO(mcp-listen) in the tree.\nexport const a = 1;\n`,
    },
  ],
  invalid: [
    {
      name: 'a marker before a statement',
      code: `// TODO(mcp-listen): subscribe where the server says so (A9)\nexport const a = 1;\n`,
      errors: [
        {
          messageId: 'unfinished',
          line: 1,
          column: 4,
          data: { what: 'subscribe where the server says so (A9)' },
        },
      ],
    },
    {
      name: 'markers in a block, with and without a star',
      code: `/*\n * TODO(mcp-listen): one thing.\n TODO(mcp-listen): another (F3)\n */\nexport const a = 1; /* TODO(mcp-listen): behind code */\n`,
      errors: [
        { messageId: 'unfinished', line: 2, column: 4, data: { what: 'one thing' } },
        { messageId: 'unfinished', line: 3, column: 2, data: { what: 'another (F3)' } },
        { messageId: 'unfinished', line: 5, column: 24, data: { what: 'behind code' } },
      ],
    },
    {
      name: 'a marker whose text is gone, on a line that ends as on Windows',
      code: `// TODO(mcp-listen)\r\nexport const a = 1;\r\n`,
      errors: [{ messageId: 'unfinishedWithoutText', line: 1, column: 4 }],
    },
    {
      name: 'a marker between elements',
      code: `export const view = <ul>{/* TODO(mcp-listen): refetch here (C8) */}</ul>;\n`,
      jsx: true,
      errors: [{ messageId: 'unfinished', line: 1, column: 29, data: { what: 'refetch here (C8)' } }],
    },
    {
      name: 'a timer that the codemod of the stdio entry marked',
      code: `import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const watched = new Set<string>();
const uri = 'sensor://temp';
let value = 20;

serveStdio(ctx => {
    const server = new McpServer({ name: 'sensor', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });
    server.server.setRequestHandler('resources/subscribe', async req => {
        watched.add(req.params.uri);
        return {};
    });
    // TODO(mcp-listen): a factory can run more than once (probe, reconnect); stop this timer in server.server.onclose (F3)
    setInterval(() => {
        value += 1;
        if (ctx.era === 'modern' || watched.has(uri)) {
            server.server.sendResourceUpdated({ uri }).catch(() => {}); // rejects once this instance is closed
        }
    }, 1000);
    return server;
});
`,
      errors: [{ messageId: 'unfinished', line: 14, column: 8 }],
    },
  ],
});
