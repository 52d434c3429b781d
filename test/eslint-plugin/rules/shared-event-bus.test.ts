import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedEventBus } from '../../../eslint-plugin/src/rules/shared-event-bus.js';
import { severalInstances } from '../../../eslint-plugin/src/package/several-instances.js';
import { testRule } from '../support/rule-tester.js';

const SDK = `import { createMcpHandler, InMemoryServerEventBus, McpServer } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\nconst build = () => new McpServer({ name: 'a', version: '1' });\n`;
const SEVERAL = { multiInstance: true };

testRule(sharedEventBus, {
  valid: [
    {
      name: 'one instance',
      code: `${SDK}const handler = createMcpHandler(build);\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'a package that says nothing of instances',
      options: [{ inferInstances: true }],
      code: `${SDK}const handler = createMcpHandler(build);\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'a bus is given',
      settings: SEVERAL,
      code: `${SDK}import { bus } from './redis-bus.js';\nconst handler = createMcpHandler(build, { bus });\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'options from elsewhere',
      settings: SEVERAL,
      code: `${SDK}import { options } from './options.js';\nexport const handler = createMcpHandler(build, options);\nexport const other = createMcpHandler(build, { ...options });\n`,
    },
    {
      name: 'nobody can publish on it',
      settings: SEVERAL,
      code: `${SDK}const handler = createMcpHandler(build);\nexport default { fetch: (request) => handler.fetch(request) };\napp.all('/mcp', toNodeHandler(createMcpHandler(build)));\n`,
    },
    {
      name: 'the handler of another package',
      settings: SEVERAL,
      code: `import { createMcpHandler } from 'mcp-handler';\nexport const handler = createMcpHandler(() => {});\nhandler.notify.toolsChanged();\n`,
    },
    {
      name: 'a bus of that name from elsewhere',
      settings: SEVERAL,
      code: `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { InMemoryServerEventBus } from './bus.js';\nexport const handler = createMcpHandler(build, { bus: new InMemoryServerEventBus() });\n`,
    },
    {
      name: 'processes are forked, and nobody asked for it to count',
      code: `${SDK}import cluster from 'node:cluster';\nif (cluster.isPrimary) cluster.fork();\nexport const handler = createMcpHandler(build);\n`,
    },
  ],
  invalid: [
    {
      name: 'no options',
      settings: SEVERAL,
      typed: true,
      code: `${SDK}const handler = createMcpHandler(build);\nexport const changed = () => handler.notify.toolsChanged();\n`,
      errors: [
        {
          messageId: 'ownBus',
          line: 4,
          column: 17,
          data: { evidence: 'Several instances run by the setting `multiInstance`' },
        },
      ],
    },
    {
      name: 'other options, exported',
      settings: SEVERAL,
      code: `${SDK}export const handler = createMcpHandler(build, { legacy: 'reject' });\n`,
      errors: [{ messageId: 'ownBus', line: 4 }],
    },
    {
      name: 'a bus that stays in its process',
      settings: SEVERAL,
      code: `${SDK}const bus = new InMemoryServerEventBus();\nconst handler = createMcpHandler(build, { bus });\nbus.publish({ kind: 'tools_list_changed' });\n`,
      errors: [{ messageId: 'localBus', line: 5 }],
    },
    {
      name: 'processes are forked',
      options: [{ inferInstances: true }],
      code: `${SDK}import cluster from 'node:cluster';\nif (cluster.isPrimary) cluster.fork();\nexport const handler = createMcpHandler(build);\n`,
      errors: [{ messageId: 'ownBus', line: 6, data: { evidence: 'This file forks several processes' } }],
    },
    {
      name: 'CommonJS',
      settings: SEVERAL,
      commonjs: true,
      code: `const { createMcpHandler } = require('@modelcontextprotocol/server');\nconst handler = createMcpHandler(build);\nmodule.exports = { handler };\n`,
      errors: [{ messageId: 'ownBus', line: 2 }],
    },
  ],
});

describe('what a package says of its instances', () => {
  const folder = mkdtempSync(join(tmpdir(), 'instances-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  it.each([
    ['ecosystem.config.cjs', 'module.exports = { apps: [{ script: "a.js", instances: "max" }] };', true],
    ['ecosystem.config.js', 'module.exports = { apps: [{ script: "a.js", instances: 1 }] };', false],
    ['compose.yaml', 'services:\n  mcp:\n    deploy:\n      replicas: 3\n', true],
    ['docker-compose.yml', 'services:\n  mcp:\n    deploy:\n      replicas: 1\n', false],
    ['fly.toml', 'min_machines_running = 2\n', true],
    ['wrangler.toml', 'name = "mcp"\nmain = "src/index.ts"\n', true],
    ['README.md', 'replicas: 3\n', false],
  ])('%s: %s', (file, text, isSeveral) => {
    const root = mkdtempSync(join(folder, 'package-'));
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'package.json'), '{}');
    writeFileSync(join(root, file), text);
    expect(severalInstances(join(root, 'src/server.ts'), '')).toBe(
      isSeveral ? `${file} runs several instances` : undefined,
    );
  });
});
