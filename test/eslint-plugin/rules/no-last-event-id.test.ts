import { noLastEventId } from '../../../eslint-plugin/src/rules/no-last-event-id.js';
import { testRule } from '../support/rule-tester.js';

const CLIENT = `import { Client } from '@modelcontextprotocol/client';\n`;
const auto = `{ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } }`;
const LISTEN = `const listen = { jsonrpc: '2.0', id: 'l-1', method: 'subscriptions/listen', params: { notifications: {} } };\n`;

/** A client of raw code that opens a stream by GET. */
const stream = (headers: string): string =>
  `export async function open(url, last) {\n  return fetch(url + '/mcp', { headers: { accept: 'text/event-stream', ${headers} } });\n}\n`;

testRule(noLastEventId, {
  valid: [
    {
      name: 'a legacy client resumes',
      code: `${CLIENT}const client = new Client({ name: 'a', version: '1' });\nawait client.callTool({ name: 't' }, { resumptionToken: 'x' });\n`,
    },
    {
      name: 'tokens behind the question for the legacy era',
      code: `${CLIENT}const client = new Client(${auto});\nawait client.callTool({ name: 't' }, client.getProtocolEra() === 'legacy' ? { resumptionToken: 'x' } : {});\nif (client.getProtocolEra() !== 'modern') await client.callTool({ name: 't' }, { onresumptiontoken: save });\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the tokens of a client whose era is unknown',
      code: `import type { Client } from '@modelcontextprotocol/client';\nexport const call = (client: Client) => client.callTool({ name: 't' }, { resumptionToken: 'x' });\n`,
    },
    {
      name: 'another library with such an option',
      code: `import '@modelcontextprotocol/client';\nimport { Chat } from 'chat-kit';\nnew Chat().send({ text: 'x' }, { resumptionToken: 'x' });\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the event store of a transport that is wired by hand',
      code: `import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';\nexport const open = (eventStore) => new NodeStreamableHTTPServerTransport({ sessionIdGenerator: id, eventStore });\n`,
    },
    {
      name: 'the event store of the legacy leg behind a front',
      code: `import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';\nimport { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';\nexport const modern = createMcpHandler(build, { legacy: 'reject' });\nexport const open = (eventStore) => new NodeStreamableHTTPServerTransport({ eventStore });\nexport const isOld = (request) => isLegacyRequest(request);\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'an event store of event sourcing',
      code: `import '@modelcontextprotocol/server';\nimport type { EventStore } from './ledger.js';\nexport class Ledger implements EventStore {}\nexport const app = start({ eventStore: new Ledger() });\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the header on a stream that is not of MCP',
      code: `${LISTEN}export const send = (post) => post(listen);\nexport async function follow(job, last) {\n  return fetch('/jobs/' + job, { headers: { accept: 'text/event-stream', 'Last-Event-ID': last } });\n}\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the route of another stream in a server of MCP',
      code: `export function start(app) {\n  app.post('/mcp', (req, res) => {\n    if (req.body.method === 'subscriptions/listen') res.end();\n  });\n  app.get('/jobs/:id/events', (req, res) => {\n    res.setHeader('content-type', 'text/event-stream');\n    replay(req.headers['last-event-id'], res);\n    res.write(\`id: \${next()}\\ndata: {"jsonrpc":true}\\n\\n\`);\n  });\n}\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'raw code of the legacy era alone',
      code: stream(`'mcp-session-id': 's', 'last-event-id': last`),
    },
    {
      name: 'the legacy branch of raw code',
      code: `${LISTEN}export async function open(url, last, era) {\n  if (era === 'modern') return post(url, listen);\n  return fetch(url + '/mcp', { headers: { accept: 'text/event-stream', 'last-event-id': last } });\n}\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'a method that only the legacy branch calls',
      code: `${LISTEN}export class Wire {\n  start() {\n    if (this.protocolVersion >= '2026-07-28') return this.post(listen);\n    return this.get();\n  }\n  get() {\n    return fetch(this.url + '/mcp', { headers: { accept: 'text/event-stream', 'last-event-id': this.last } });\n  }\n}\n`,
    },
    {
      name: 'a stream that needs a session',
      code: `${LISTEN}export class Wire {\n  start() {\n    this.post(listen);\n    if (this.sessionId) this.get();\n  }\n  get() {\n    return fetch(this.url + '/mcp', { headers: { accept: 'text/event-stream', 'last-event-id': this.last } });\n  }\n}\n`,
    },
    {
      name: 'the replay of a server with sessions',
      code: `export function serve(app) {\n  app.post('/mcp', (req, res) => (req.body.method === 'subscriptions/listen' ? listen(req, res) : sessions.get(req.headers['mcp-session-id'])(req, res)));\n  app.get('/mcp', (req, res) => replay(req.headers['last-event-id'], res));\n}\n`,
    },
    {
      name: 'a table by header names',
      code: `${LISTEN}export function check(rows, last) {\n  const byName = Object.fromEntries(rows);\n  expect(byName['Last-Event-ID']).toBe('mcp-session-id');\n  const checks = { 'Last-Event-ID': last, 'Mcp-Session-Id': last };\n  const cells = new Map();\n  cells.set('Last-Event-ID', checks);\n  return cells.get('Last-Event-ID');\n}\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'a list of headers that browsers may send',
      code: `${LISTEN}export const cors = { allowedHeaders: ['mcp-session-id', 'last-event-id'] };\nexport const names = { mcp: 'mcp-session-id', 'last-event-id': 'Last-Event-ID' };\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'another text with an id',
      code: `${LISTEN}export const type = 'text/event-stream';\nexport const query = (id) => \`{\nid: \${id}\nname: "/mcp"\n}\`;\n`,
      options: [{ includeLegacy: true }],
    },
  ],
  invalid: [
    {
      name: 'tokens on a client that negotiates',
      code: `${CLIENT}const client = new Client(${auto});\nawait client.callTool({ name: 't' }, { timeout: 5, resumptionToken: saved, onresumptiontoken: (t) => save(t) });\n`,
      typed: true,
      errors: [
        {
          messageId: 'token',
          line: 3,
          column: 52,
          suggestions: [
            {
              messageId: 'remove',
              output: `${CLIENT}const client = new Client(${auto});\nawait client.callTool({ name: 't' }, { timeout: 5, onresumptiontoken: (t) => save(t) });\n`,
            },
          ],
        },
        {
          messageId: 'token',
          line: 3,
          data: { name: 'onresumptiontoken' },
          suggestions: [
            {
              messageId: 'remove',
              output: `${CLIENT}const client = new Client(${auto});\nawait client.callTool({ name: 't' }, { timeout: 5, resumptionToken: saved });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'tokens in a constant, with a comment that a removal would take along',
      code: `${CLIENT}const client = new Client(${auto});\nconst options = {\n  resumptionToken: saved, // from the last run\n  timeout: 5,\n};\nexport const call = () => client.request({ method: 'tools/call' }, options);\n`,
      errors: [{ messageId: 'token', line: 4 }],
    },
    {
      name: 'tokens of a legacy client on its way',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nimport { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';\nconst client = new Client({ name: 'a', version: '1' });\nconst transport = new StreamableHTTPClientTransport(url);\nawait client.callTool({ name: 't' }, Result, { resumptionToken: 'x' });\nawait transport.send(message, { onresumptiontoken: save });\n`,
      options: [{ includeLegacy: true }],
      errors: [
        {
          messageId: 'token',
          line: 5,
          suggestions: [
            {
              messageId: 'remove',
              output: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nimport { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';\nconst client = new Client({ name: 'a', version: '1' });\nconst transport = new StreamableHTTPClientTransport(url);\nawait client.callTool({ name: 't' }, Result, {});\nawait transport.send(message, { onresumptiontoken: save });\n`,
            },
          ],
        },
        {
          messageId: 'token',
          line: 6,
          suggestions: [
            {
              messageId: 'remove',
              output: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nimport { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';\nconst client = new Client({ name: 'a', version: '1' });\nconst transport = new StreamableHTTPClientTransport(url);\nawait client.callTool({ name: 't' }, Result, { resumptionToken: 'x' });\nawait transport.send(message, {});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'an event store that is given to the modern handler',
      code: `import { createMcpHandler } from '@modelcontextprotocol/server';\nexport const handler = createMcpHandler(build, { eventStore: store });\n`,
      errors: [
        {
          messageId: 'eventStore',
          line: 2,
          suggestions: [
            {
              messageId: 'remove',
              output: `import { createMcpHandler } from '@modelcontextprotocol/server';\nexport const handler = createMcpHandler(build, {});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'event stores where nobody speaks 2025 any more',
      code: `import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nimport type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nexport class Memory implements EventStore {}\nexport const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: id, eventStore: new Memory() });\n`,
      settings: { target: 'modern' },
      errors: [
        { messageId: 'eventStore', line: 3 },
        {
          messageId: 'eventStore',
          line: 4,
          suggestions: [
            {
              messageId: 'remove',
              output: `import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nimport type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';\nexport class Memory implements EventStore {}\nexport const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: id });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'the header on the stream of a raw client that listens as well',
      code: `${LISTEN}${stream(`'last-event-id': last`)}export const start = (post) => post(listen);\n`,
      errors: [
        {
          messageId: 'headerSent',
          line: 3,
          suggestions: [
            {
              messageId: 'remove',
              output: `${LISTEN}export async function open(url, last) {\n  return fetch(url + '/mcp', { headers: { accept: 'text/event-stream' } });\n}\nexport const start = (post) => post(listen);\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'the header under a condition, behind a constant, in legacy code on its way',
      code: `const LAST_EVENT_ID = 'Last-Event-ID';\nexport async function open(url, last) {\n  const headers = { 'Mcp-Session-Id': 's', ...(last && { [LAST_EVENT_ID]: last }) };\n  headers[LAST_EVENT_ID] = last;\n  return fetch(url, { headers });\n}\n`,
      options: [{ includeLegacy: true }],
      errors: [
        {
          messageId: 'headerSent',
          line: 3,
          suggestions: [
            {
              messageId: 'remove',
              output: `const LAST_EVENT_ID = 'Last-Event-ID';\nexport async function open(url, last) {\n  const headers = { 'Mcp-Session-Id': 's', ...(last && {}) };\n  headers[LAST_EVENT_ID] = last;\n  return fetch(url, { headers });\n}\n`,
            },
          ],
        },
        { messageId: 'headerSent', line: 4, suggestions: [] },
      ],
    },
    {
      name: 'a raw server of the modern era that replays',
      code: `import express from 'express';\nconst app = express();\napp.post('/mcp', (req, res) => {\n  if (req.body.method !== 'subscriptions/listen') return;\n  res.setHeader('content-type', 'text/event-stream');\n  const from = req.get('Last-Event-ID');\n  for (const event of since(from)) res.write(\`id: \${event.id}\\ndata: \${event.data}\\n\\n\`);\n});\n`,
      errors: [
        { messageId: 'headerRead', line: 6 },
        { messageId: 'eventId', line: 7 },
      ],
    },
    {
      name: 'a method that the modern branch calls',
      code: `${LISTEN}export class Wire {\n  start() {\n    if (this.protocolVersion >= '2026-07-28') return this.get();\n    return this.post(listen);\n  }\n  get() {\n    this.headers.set('last-event-id', this.last);\n    return fetch(this.url + '/mcp', { headers: this.headers });\n  }\n}\n`,
      errors: [{ messageId: 'headerSent', line: 8 }],
    },
  ],
});
