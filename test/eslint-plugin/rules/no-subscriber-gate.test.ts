import { describe, expect, it } from 'vitest';
import { noSubscriberGate } from '../../../eslint-plugin/src/rules/no-subscriber-gate.js';
import { packageReports } from '../support/packages.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { McpServer } from '@modelcontextprotocol/server';\nimport { serveStdio } from '@modelcontextprotocol/server/stdio';\n\nconst watched = new Set();\n`;

const HANDLERS = `  server.server.setRequestHandler('resources/subscribe', async (req) => {\n    watched.add(req.params.uri);\n    return {};\n  });\n  server.server.setRequestHandler('resources/unsubscribe', async (req) => {\n    watched.delete(req.params.uri);\n    return {};\n  });\n`;

const stdio = (emitting: string, { head = IMPORT, parameters = '()', handlers = HANDLERS } = {}) =>
  `${head}serveStdio(${parameters} => {\n  const server = new McpServer({ name: 'sensor', version: '1.0.0' }, { capabilities: { resources: { subscribe: true } } });\n${handlers}${emitting}  return server;\n});\n`;

const timer = (body: string) => `  setInterval(() => {\n${body}  }, 1000);\n`;

const SEND = `server.server.sendResourceUpdated({ uri: 'sensor:temp' })`;

const GATED = timer(`    if (watched.has('sensor:temp')) {\n      void ${SEND};\n    }\n`);

const OPENED = timer(
  `    if (ctx.era === 'modern' || watched.has('sensor:temp')) {\n      ${SEND}.catch(() => {});\n    }\n`,
);

const DUAL = `import { createMcpHandler, Server } from '@modelcontextprotocol/server';
const subscriptions = new Map();
const handler = createMcpHandler(createServer, { legacy: 'reject' });
export async function changed() {
  for (const [server, uris] of subscriptions) {
    if (uris.has('sensor:temp')) await server.sendResourceUpdated({ uri: 'sensor:temp' });
  }
  handler.notify.resourceUpdated('sensor:temp');
}
function createServer() {
  const server = new Server({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    const uris = subscriptions.get(server) ?? new Set();
    uris.add(params.uri);
    subscriptions.set(server, uris);
    return {};
  });
  return server;
}
`;

testRule(noSubscriberGate, {
  valid: [
    { name: 'the era is asked first', code: stdio(OPENED, { parameters: '(ctx)' }) },
    {
      name: 'the era is asked first, by a name for the answer',
      code: stdio(
        `  const isModern = ctx.era === 'modern';\n${timer(`    if (!isModern && !watched.has('sensor:temp')) return;\n    void ${SEND};\n`)}`,
        { parameters: '(ctx)' },
      ),
    },
    {
      name: 'a gate before the old leg, beside what is published for all others',
      code: DUAL,
    },
    {
      name: 'something else opens the gate',
      code: stdio(timer(`    if (force || watched.has('sensor:temp')) void ${SEND};\n`)),
    },
    {
      name: 'the registry is filled by a tool as well',
      code: stdio(
        `  server.registerTool('watch', {}, async () => {\n    watched.add('sensor:temp');\n    return { content: [] };\n  });\n${GATED}`,
      ),
    },
    {
      name: 'the registry does not start empty',
      code: stdio(GATED, { head: IMPORT.replace('new Set()', `new Set(['sensor:temp'])`) }),
    },
    {
      name: 'the registry is handed to others',
      code: stdio(`  restore(watched);\n${GATED}`),
    },
    {
      name: 'the registry can be imported',
      code: stdio(GATED, { head: IMPORT.replace('const watched', 'export const watched') }),
    },
    {
      name: 'the registry counts, and gates nothing that is sent',
      code: stdio(timer(`    if (watched.size > 0) console.error(watched.size);\n    void ${SEND};\n`)),
    },
    {
      name: 'what is sent to those that are not in the registry',
      code: stdio(timer(`    if (!watched.has('sensor:temp')) void ${SEND};\n`)),
    },
    {
      name: 'a server wired by hand',
      code: `import { McpServer } from '@modelcontextprotocol/server';\nimport { StdioServerTransport } from '@modelcontextprotocol/server/stdio';\nconst watched = new Set();\nconst server = new McpServer({ name: 'sensor', version: '1.0.0' });\n${HANDLERS}${GATED}await server.connect(new StdioServerTransport());\n`,
    },
    {
      name: 'version 1',
      code: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';\nconst watched = new Set();\nexport function wire(server: McpServer) {\n  server.server.setRequestHandler(SubscribeRequestSchema, async (req) => {\n    watched.add(req.params.uri);\n    return {};\n  });\n  if (watched.has('a:b')) void server.server.sendResourceUpdated({ uri: 'a:b' });\n}\n`,
    },
    {
      name: 'an entry that the file does not show',
      code: `import type { McpServer } from '@modelcontextprotocol/server';\nconst watched = new Set();\nexport function wire(server: McpServer) {\n${HANDLERS}${GATED}}\n`,
    },
    {
      name: 'the registry is kept for legacy connections alone',
      code: stdio(GATED, {
        parameters: '(ctx)',
        handlers: HANDLERS.replace('  server.server', `  if (ctx.era === 'legacy') server.server`),
      }),
    },
    {
      name: 'another set of that name',
      code: stdio(
        `  const run = (watched) => {\n    if (watched.has('sensor:temp')) void ${SEND};\n  };\n  run(new Set(['sensor:temp']));\n`,
      ),
    },
    {
      name: 'handlers of another package',
      code: stdio(GATED, { handlers: HANDLERS.replaceAll('server.server.set', 'bus.set') }),
    },
  ],
  invalid: [
    {
      name: 'a condition on stdio, with a promise that nobody catches',
      typed: true,
      code: stdio(GATED),
      errors: [{ messageId: 'askEra', line: 16, column: 9, data: { registry: 'watched' } }],
      output: stdio(OPENED, { parameters: '(ctx)' }),
    },
    {
      name: "the factory's own parameter, and the file's way without parentheses",
      code: stdio(GATED, { parameters: 'context' }).replaceAll('(req)', 'req'),
      errors: [{ messageId: 'askEra', line: 16 }],
      output: stdio(OPENED.replace('ctx.era', 'context.era'), { parameters: 'context' }).replaceAll(
        '(req)',
        'req',
      ),
    },
    {
      name: 'the era taken out of the argument, and a condition of two parts',
      code: stdio(timer(`    if (enabled && watched.has('sensor:temp')) ${SEND}.catch(() => {});\n`), {
        parameters: '({ era })',
      }),
      errors: [{ messageId: 'askEra', line: 16, column: 20 }],
      output: stdio(
        timer(
          `    if (enabled && (era === 'modern' || watched.has('sensor:temp'))) ${SEND}.catch(() => {});\n`,
        ),
        { parameters: '({ era })' },
      ),
    },
    {
      name: 'left early',
      code: stdio(timer(`    if (!watched.has('sensor:temp')) return;\n    ${SEND};\n`)),
      errors: [{ messageId: 'askEra', line: 16 }],
      output: stdio(
        timer(
          `    if (!(ctx.era === 'modern' || watched.has('sensor:temp'))) return;\n    ${SEND}.catch(() => {});\n`,
        ),
        { parameters: '(ctx)' },
      ),
    },
    {
      name: 'a loop over the registry: no fix',
      code: stdio(
        timer(
          `    for (const uri of watched) {\n      server.server.notification({ method: 'notifications/resources/updated', params: { uri } }).catch(() => {});\n    }\n`,
        ),
      ),
      errors: [{ messageId: 'askEra', line: 16, column: 23 }],
    },
    {
      name: 'a walk over the registry: no fix',
      code: stdio(timer(`    watched.forEach((uri) => void server.server.sendResourceUpdated({ uri }));\n`)),
      errors: [{ messageId: 'askEra', line: 16, column: 5 }],
    },
    {
      name: 'a question for the size: no fix',
      code: stdio(timer(`    if (watched.size > 0) void ${SEND};\n`)),
      errors: [{ messageId: 'askEra', line: 16 }],
    },
    {
      name: 'awaited where nobody catches: no fix',
      code: stdio(
        timer(`    if (watched.has('sensor:temp')) await ${SEND};\n`).replace('(() =>', '(async () =>'),
      ),
      errors: [{ messageId: 'askEra', line: 16 }],
    },
    {
      name: 'a factory with a name: no fix',
      code: `${stdio(GATED)
        .replace('serveStdio(() => {', 'const build = () => {')
        .replace(/\}\);\n$/, '};\n')}serveStdio(build);\n`,
      errors: [{ messageId: 'askEra', line: 16 }],
    },
    {
      name: 'a question by a function of the file: it is asked as it stands',
      code: stdio(
        `  const isWatched = (uri) => watched.has(uri);\n${timer(`    if (isWatched('sensor:temp')) void ${SEND};\n`)}`,
      ),
      errors: [{ messageId: 'askEra', line: 17, column: 9 }],
      output: stdio(
        `  const isWatched = (uri) => watched.has(uri);\n${timer(`    if (ctx.era === 'modern' || isWatched('sensor:temp')) ${SEND}.catch(() => {});\n`)}`,
        { parameters: '(ctx)' },
      ),
    },
    {
      name: 'a gate before the old leg, and nothing published for all others',
      code: DUAL.replace("  handler.notify.resourceUpdated('sensor:temp');\n", ''),
      errors: [{ messageId: 'publishAlways' }],
    },
    {
      name: 'published beside it for another kind of change',
      code: DUAL.replace("resourceUpdated('sensor:temp')", 'resourcesChanged()'),
      errors: [{ messageId: 'publishAlways' }],
    },
    {
      name: 'sessions by URI, on the notifier of an HTTP handler',
      code: `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nconst sessions = new Map();\nconst handler = createMcpHandler(() => {\n  const server = new McpServer({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });\n  server.server.setRequestHandler('resources/subscribe', async (req, ctx) => {\n    const known = sessions.get(req.params.uri) ?? new Set();\n    known.add(ctx.sessionId);\n    sessions.set(req.params.uri, known);\n    return {};\n  });\n  return server;\n});\nexport function changed(uri) {\n  const interested = sessions.get(uri);\n  if (interested === undefined || interested.size === 0) return;\n  handler.notify.resourceUpdated(uri);\n}\n`,
      errors: [{ messageId: 'publishAlways', line: 15, data: { registry: 'sessions' } }],
    },
    {
      name: 'a field of a class, filled through a function of its own',
      code: `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nexport class Feed {\n  #subscribed = new Set();\n  handler = createMcpHandler(() => {\n    const server = new McpServer({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });\n    server.server.setRequestHandler('resources/subscribe', async (req) => {\n      this.#subscribed.add(req.params.uri);\n      return {};\n    });\n    return server;\n  });\n  changed(uri) {\n    if (this.#subscribed.has(uri)) this.handler.notify.resourceUpdated(uri);\n  }\n}\n`,
      errors: [{ messageId: 'publishAlways', line: 13, data: { registry: 'this.#subscribed' } }],
    },
    {
      name: "a wrapper's method of that name, for both entries",
      code: `${IMPORT}import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { notifierFor } from './notifier.js';\nconst build = () => {\n  const server = new McpServer({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });\n${HANDLERS}  setInterval(() => {\n    for (const uri of watched) notifierFor(server).resourceUpdated(uri);\n  }, 1000);\n  return server;\n};\nserveStdio(build);\nexport default createMcpHandler(build);\n`,
      errors: [{ messageId: 'askEra', line: 18 }],
    },
  ],
});

describe('with the other files of a package', () => {
  const reports = packageReports(noSubscriberGate);

  const everything = `import type { McpServer } from '@modelcontextprotocol/server';\nimport { notifierFor } from './notifier.js';\nconst subscribers = new Map<string, Set<string | undefined>>();\nexport function wire(server: McpServer) {\n  server.server.setRequestHandler('resources/subscribe', async (request, ctx) => {\n    const known = subscribers.get(request.params.uri) ?? new Set();\n    known.add(ctx.sessionId);\n    subscribers.set(request.params.uri, known);\n    return {};\n  });\n}\nexport function tick(server: McpServer) {\n  for (const uri of subscribers.keys()) notifierFor(server).resourceUpdated(uri);\n}\n`;

  const entry = `import { createMcpHandler } from '@modelcontextprotocol/server';\nimport { build } from './build.js';\nexport const handler = createMcpHandler(build);\n`;

  const wired = `import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';\nexport const start = (server) => server.connect(new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined }));\n`;

  it('reports what the package serves by a modern entry', () => {
    expect(reports({ 'subscriptions.ts': everything, 'entry.ts': entry })).toEqual(['publishAlways 13']);
  });

  it('is silent in a package that wires its servers by hand', () => {
    expect(reports({ 'subscriptions.ts': everything, 'entry.ts': wired })).toEqual([]);
  });

  it('is silent in tests, which wire servers of their own', () => {
    expect(reports({ 'subscriptions.test.ts': everything, 'entry.ts': entry })).toEqual([]);
  });

  it('is silent about code that the file hands to nobody', () => {
    expect(reports({ 'subscriptions.ts': everything.replaceAll('export ', ''), 'entry.ts': entry })).toEqual(
      [],
    );
  });
});
