import { describe, expect, it } from 'vitest';
import { publishNeedsCapability } from '../../../eslint-plugin/src/rules/publish-needs-capability.js';
import { packageReports } from '../support/packages.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';\n`;

const STDIO = `import { serveStdio } from '@modelcontextprotocol/server/stdio';\n`;

const PUBLISH = `export const save = () => handler.notify.resourceUpdated('note://today');\n`;

const notes = (creation: string, before = '') =>
  `${IMPORT}${before}export const handler = createMcpHandler(() => {\n  const server = ${creation};\n  server.registerResource('note', 'note://today', {}, async () => ({ contents: [] }));\n  return server;\n});\n${PUBLISH}`;

const INFO = `{ name: 'notes', version: '1.0.0' }`;

testRule(publishNeedsCapability, {
  valid: [
    {
      name: 'declared',
      code: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`),
    },
    {
      name: 'declared later',
      code: notes(`new McpServer(${INFO})`).replace(
        '  return server;',
        `  server.server.registerCapabilities({ resources: { subscribe: true } });\n  return server;`,
      ),
    },
    {
      name: 'declared by a value that is not in sight',
      code: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: wanted } } })`),
    },
    {
      name: 'options that spread something',
      code: notes(`new McpServer(${INFO}, { ...more })`),
    },
    {
      name: 'options that a call makes',
      code: notes(`new McpServer(${INFO}, optionsFor('notes'))`),
    },
    {
      name: 'options of another package',
      code: notes(`new McpServer(${INFO}, options)`, `import { options } from 'our-defaults';\n`),
    },
    {
      name: 'options that a caller from elsewhere gives',
      code: `${IMPORT}export function build(options) {\n  const handler = createMcpHandler(() => new McpServer(${INFO}, options));\n  return { handler, save: () => handler.notify.resourceUpdated('note://today') };\n}\n`,
    },
    {
      name: 'declared by an object that the file names',
      code: notes(
        `new McpServer(${INFO}, { capabilities })`,
        `const capabilities = { resources: { subscribe: true } };\n`,
      ),
    },
    {
      name: 'list changes, which an McpServer advertises by itself',
      code: notes(`new McpServer(${INFO})`).replace(`resourceUpdated('note://today')`, 'resourcesChanged()'),
    },
    {
      name: 'a list change that is declared on a Server',
      code: `${IMPORT}export const handler = createMcpHandler(() => new Server(${INFO}, { capabilities: { tools: { listChanged: true } } }));\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'a server wired by hand speaks 2025 alone',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nconst server = new McpServer(${INFO});\nawait server.connect(new StdioServerTransport());\nawait server.server.sendResourceUpdated({ uri: 'note://today' });\n`,
    },
    {
      name: 'a notifier of another package',
      code: `${IMPORT}import { handler } from 'push-service';\nexport const other = createMcpHandler(() => new McpServer(${INFO}));\nhandler.notify.resourceUpdated('note://today');\n`,
    },
    {
      name: 'the handler of the other createMcpHandler',
      code: `import { createMcpHandler } from 'agents/mcp';\nimport { McpServer } from '@modelcontextprotocol/server';\nconst handler = createMcpHandler(() => new McpServer(${INFO}));\nhandler.notify.resourceUpdated('note://today');\n`,
    },
    {
      name: 'the factory is in another file',
      code: `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { build } from './build.js';\nconst handler = createMcpHandler(build);\nhandler.notify.resourceUpdated('note://today');\n`,
    },
    {
      name: "a client's own option of the same words",
      code: `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: { roots: { listChanged: true } }, listChanged: { tools: { onChanged: () => {} } } });\n`,
    },
    {
      name: "a server's capability on a client of version 1",
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nexport const client = new Client({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });\n`,
    },
    {
      name: 'in the name and version, on a server of version 1',
      code: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport const server = new McpServer({ name: 'a', version: '1', capabilities: { resources: { subscribe: true } } });\n`,
    },
  ],
  invalid: [
    {
      name: 'no options',
      typed: true,
      code: notes(`new McpServer(${INFO})`),
      errors: [
        {
          messageId: 'notAdvertised',
          line: 7,
          column: 42,
          data: { group: 'resources', member: 'subscribe', field: 'resourceSubscriptions' },
        },
      ],
      output: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`),
    },
    {
      name: 'options without capabilities, on lines of their own',
      code: notes(`new McpServer(${INFO}, {\n    instructions: 'Read.', // short\n  })`),
      errors: [{ messageId: 'notAdvertised', line: 9 }],
      output: notes(
        `new McpServer(${INFO}, {\n    capabilities: { resources: { subscribe: true } },\n    instructions: 'Read.', // short\n  })`,
      ),
    },
    {
      name: 'empty options',
      code: notes(`new McpServer(${INFO}, {})`),
      errors: [{ messageId: 'notAdvertised', line: 7 }],
      output: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`),
    },
    {
      name: 'capabilities without resources',
      code: notes(`new McpServer(${INFO}, { capabilities: { logging: {} } })`),
      errors: [{ messageId: 'notAdvertised', line: 7 }],
      output: notes(
        `new McpServer(${INFO}, { capabilities: { resources: { subscribe: true }, logging: {} } })`,
      ),
    },
    {
      name: 'resources without the member',
      code: notes(`new McpServer(${INFO}, { capabilities: { resources: { listChanged: true } } })`),
      errors: [{ messageId: 'notAdvertised', line: 7 }],
      output: notes(
        `new McpServer(${INFO}, { capabilities: { resources: { subscribe: true, listChanged: true } } })`,
      ),
    },
    {
      name: 'options by a name: no fix',
      code: notes(`new McpServer(${INFO}, options)`, `const options = { instructions: 'Read.' };\n`),
      errors: [{ messageId: 'notAdvertised', line: 8 }],
    },
    {
      name: 'options of another file of the package: no fix',
      code: notes(`new McpServer(${INFO}, options)`, `import { options } from './options.js';\n`),
      errors: [{ messageId: 'notAdvertised', line: 8 }],
    },
    {
      name: 'set to false: no fix',
      code: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: false } } })`),
      errors: [{ messageId: 'switchedOff', line: 7 }],
    },
    {
      name: 'a list change that is set to false',
      code: `${IMPORT}const handler = createMcpHandler(() => new McpServer(${INFO}, { capabilities: { tools: { listChanged: false } } }));\nhandler.notify.toolsChanged();\n`,
      errors: [{ messageId: 'switchedOff', line: 3 }],
    },
    {
      name: 'two publishers, one report',
      code: `${notes(`new McpServer(${INFO})`)}export const undo = () => handler.notify.resourceUpdated('note://yesterday');\n`,
      errors: [{ messageId: 'notAdvertised', line: 7 }],
      output: `${notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`)}export const undo = () => handler.notify.resourceUpdated('note://yesterday');\n`,
    },
    {
      name: 'through the bus',
      code: notes(`new McpServer(${INFO})`).replace(
        `handler.notify.resourceUpdated('note://today')`,
        `handler.bus.publish({ kind: 'resource_updated', uri: 'note://today' })`,
      ),
      errors: [{ messageId: 'notAdvertised', line: 7 }],
      output: notes(`new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } })`).replace(
        `handler.notify.resourceUpdated('note://today')`,
        `handler.bus.publish({ kind: 'resource_updated', uri: 'note://today' })`,
      ),
    },
    {
      name: 'a notifier taken out of its handler',
      code: `${IMPORT}const { notify } = createMcpHandler(() => new McpServer(${INFO}));\nnotify.resourceUpdated('note://today');\n`,
      errors: [{ messageId: 'notAdvertised', line: 3 }],
      output: `${IMPORT}const { notify } = createMcpHandler(() => new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } }));\nnotify.resourceUpdated('note://today');\n`,
    },
    {
      name: 'a Server does not advertise list changes by itself',
      code: `${IMPORT}const handler = createMcpHandler(() => new Server(${INFO}, { capabilities: { tools: {} } }));\nhandler.notify.toolsChanged();\n`,
      errors: [
        {
          messageId: 'notAdvertised',
          line: 3,
          data: { group: 'tools', member: 'listChanged', field: 'toolsListChanged' },
        },
      ],
      output: `${IMPORT}const handler = createMcpHandler(() => new Server(${INFO}, { capabilities: { tools: { listChanged: true } } }));\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'on stdio, from the instance',
      code: `${IMPORT}${STDIO}serveStdio(() => {\n  const server = new McpServer(${INFO});\n  server.registerTool('save', {}, async () => {\n    await server.server.sendResourceUpdated({ uri: 'note://today' });\n    return { content: [] };\n  });\n  return server;\n});\nexport { createMcpHandler, Server };\n`,
      errors: [{ messageId: 'notAdvertised', line: 6, column: 25 }],
      output: `${IMPORT}${STDIO}serveStdio(() => {\n  const server = new McpServer(${INFO}, { capabilities: { resources: { subscribe: true } } });\n  server.registerTool('save', {}, async () => {\n    await server.server.sendResourceUpdated({ uri: 'note://today' });\n    return { content: [] };\n  });\n  return server;\n});\nexport { createMcpHandler, Server };\n`,
    },
    {
      name: 'declared in the name and version, where the SDK does not look',
      code: notes(
        `new McpServer({ name: 'notes', version: '1.0.0', capabilities: { resources: { subscribe: true } } })`,
      ).replace(PUBLISH, ''),
      errors: [{ messageId: 'inServerInfo', line: 3, data: { group: 'resources', member: 'subscribe' } }],
    },
    {
      name: 'declared on a client',
      code: `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: { resources: { subscribe: true } } });\n`,
      errors: [{ messageId: 'onClient', line: 2, data: { group: 'resources', member: 'subscribe' } }],
    },
  ],
});

describe('with the other files of a package', () => {
  const reports = packageReports(publishNeedsCapability);
  const server = notes(`new McpServer(${INFO})`);
  const silent = server.replace(PUBLISH, '');

  it('reports a capability that none of them declares', () => {
    expect(reports({ 'server.ts': server, 'other.ts': `// resources/subscribe, for mcp\n` })).toEqual([
      'notAdvertised 7 fix',
    ]);
  });

  it('is silent where one of them declares it', () => {
    const capabilities = `// mcp\nexport const capabilities = { resources: { subscribe: true } };\n`;
    expect(reports({ 'server.ts': server, 'capabilities.ts': capabilities })).toEqual([]);
  });

  it('does not take a method of that name for a declaration, nor a false one', () => {
    const others = {
      'store.ts': `// mcp\nexport const store = { subscribe: () => {}, unsubscribe() {} };\n`,
      'off.ts': `// mcp\nexport const off = { resources: { subscribe: false } };\n`,
    };
    expect(reports({ 'server.ts': server, ...others })).toEqual(['notAdvertised 7 fix']);
  });

  it('reports the server whose updates another file publishes', () => {
    const publish = `import { handler } from './server.js'; // mcp\nhandler.notify.resourceUpdated('note://today');\n`;
    expect(reports({ 'server.ts': silent, 'publish.ts': publish })).toEqual(['publishedElsewhere 3 fix']);
  });

  it('is silent where another file publishes list changes alone', () => {
    const publish = `import { handler } from './server.js'; // mcp\nhandler.notify.resourcesChanged();\n`;
    expect(reports({ 'server.ts': silent, 'publish.ts': publish })).toEqual([]);
  });
});
