import { noGetStream } from '../../../eslint-plugin/src/rules/no-get-stream.js';
import { testRule } from '../support/rule-tester.js';

const migration: [object] = [{ includeLegacy: true }];

const post = (indent: string, kinds: string, extra = '', more = ''): string => `{
${indent}  method: 'POST',
${indent}  headers: {
${indent}    'content-type': 'application/json',
${indent}    accept: 'application/json, text/event-stream',
${indent}    'MCP-Protocol-Version': '2026-07-28',
${indent}    'Mcp-Method': 'subscriptions/listen',
${extra}${indent}  },
${indent}  body: JSON.stringify({
${indent}    jsonrpc: '2.0',
${indent}    id: crypto.randomUUID(),
${indent}    method: 'subscriptions/listen',
${indent}    params: {
${indent}      notifications: { ${kinds} },
${indent}      _meta: {
${indent}        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
${indent}        'io.modelcontextprotocol/clientCapabilities': {},
${indent}      },
${indent}    },
${indent}  }),
${more}${indent}}`;

const ALL = 'toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true';

testRule(noGetStream, {
  valid: [
    {
      name: 'a legacy client opens its stream',
      code: `export const open = (url, id) => fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id } });\n`,
    },
    {
      name: 'the legacy branch of an era fork',
      code: `export async function open(url, era, id) {\n  if (era === 'modern') return listen(url, 'subscriptions/listen');\n  return fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id } });\n}\n`,
      options: migration,
    },
    {
      name: 'a stream that is skipped on a modern connection',
      code: `export class Transport {\n  async start() {\n    await this.post('subscriptions/listen');\n    if (!this.isModern()) await this.openGet();\n  }\n  openGet() {\n    return this.fetch(this.url, { method: 'GET', headers: { accept: 'text/event-stream', 'mcp-session-id': this.id } });\n  }\n}\n`,
      options: migration,
    },
    {
      name: 'the response of a listen',
      code: `export const open = (url, body) => fetch(url, { method: 'POST', headers: { accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' }, body });\n`,
      options: migration,
    },
    {
      name: 'a verb that is chosen elsewhere',
      code: `export const open = (url, method) => fetch(url + '/mcp', { method, headers: { accept: 'text/event-stream' } });\n`,
      options: migration,
    },
    {
      name: 'a GET that asks for a page',
      code: `export const open = (url) => fetch(url + '/mcp', { headers: { accept: 'text/html' } });\n`,
      options: migration,
    },
    {
      name: 'the stream of jobs in a file about MCP',
      code: `export const listen = { jsonrpc: '2.0', id: 'l-1', method: 'subscriptions/listen', params: {} };\nexport const follow = (job) => fetch('/jobs/' + job, { headers: { accept: 'text/event-stream' } });\n`,
      options: migration,
    },
    {
      name: 'HTTP+SSE, by its event',
      code: `export async function open(url) {\n  const response = await fetch(url + '/mcp', { headers: { accept: 'text/event-stream' } });\n  for await (const event of parse(response.body)) if (event.type === 'endpoint') return new URL(event.data, url);\n}\n`,
      options: migration,
    },
    {
      name: 'HTTP+SSE, by its path and by EventSource',
      code: `export const open = () => fetch('http://127.0.0.1/mcp/sse', { headers: { accept: 'text/event-stream' } });\nexport const source = new EventSource('http://127.0.0.1/mcp');\n`,
      options: migration,
    },
    {
      name: 'a test that asks whether there is a stream',
      code: `export async function probe(url) {\n  const response = await fetch(url + '/mcp', { method: 'GET', headers: { accept: 'text/event-stream' } });\n  expect(response.status).toBe(405);\n  expect(response.headers.get('allow')).toBe('POST');\n  await fetch(url + '/mcp', { headers: { accept: 'text/event-stream' } });\n}\n`,
      options: migration,
    },
    {
      name: 'a server that answers the GET',
      code: `app.get('/mcp', (req, res) => {\n  if (req.headers.accept === 'text/event-stream') return sessions.get(req.headers['mcp-session-id']).open(res);\n});\n`,
      options: migration,
    },
  ],
  invalid: [
    {
      name: 'beside a listen, without a fork',
      code: `const listen = { jsonrpc: '2.0', id: 'l-1', method: 'subscriptions/listen', params: { notifications: {} } };\nexport async function start(url, id) {\n  await post(url, listen);\n  const stream = await fetch(url, { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': id } });\n  return stream.body;\n}\n`,
      errors: [
        {
          messageId: 'getStream',
          line: 4,
          column: 24,
          suggestions: [
            {
              messageId: 'postListen',
              output: `const listen = { jsonrpc: '2.0', id: 'l-1', method: 'subscriptions/listen', params: { notifications: {} } };\nexport async function start(url, id) {\n  await post(url, listen);\n  const stream = await fetch(url, ${post('  ', ALL)});\n  return stream.body;\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'legacy code on its way: other headers and options stay, and so does what the file listens for',
      code: `export async function open(url, id, last, token, signal) {\n  const response = await fetch(url, {\n    method: 'GET',\n    headers: {\n      accept: 'text/event-stream',\n      authorization: token,\n      'mcp-session-id': id,\n      ...(last && { 'last-event-id': last }),\n    },\n    signal,\n  });\n  for await (const event of parse(response.body)) {\n    const message = JSON.parse(event.data);\n    if (message.method === 'notifications/tools/list_changed') await refetch();\n  }\n}\n`,
      options: migration,
      errors: [
        {
          messageId: 'getStream',
          line: 2,
          suggestions: [
            {
              messageId: 'postListen',
              output: `export async function open(url, id, last, token, signal) {\n  const response = await fetch(url, ${post('  ', 'toolsListChanged: true', '      authorization: token,\n', '    signal,\n')});\n  for await (const event of parse(response.body)) {\n    const message = JSON.parse(event.data);\n    if (message.method === 'notifications/tools/list_changed') await refetch();\n  }\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'headers put together one by one',
      code: `export async function open(url, id) {\n  const headers = new Headers({ authorization: token() });\n  headers.set('Accept', 'text/event-stream');\n  if (id) headers.set('mcp-session-id', id);\n  return globalThis.fetch(url, { headers });\n}\n`,
      settings: { target: 'modern' },
      errors: [{ messageId: 'getStream', line: 5 }],
    },
    {
      name: 'an option object by name, and an endpoint by its path',
      code: `const init = { headers: { accept: 'text/event-stream' } };\nexport const open = () => fetch('http://127.0.0.1:3000/mcp', init);\n`,
      options: migration,
      errors: [{ messageId: 'getStream', line: 2 }],
    },
    {
      name: 'a comment that a rewrite would lose',
      code: `export const open = (url, id) =>\n  fetch(url, {\n    // push from the server\n    headers: { accept: 'text/event-stream', 'mcp-session-id': id },\n  });\n`,
      options: migration,
      errors: [{ messageId: 'getStream', line: 2, suggestions: [] }],
    },
    {
      name: 'a spread that may hold the session',
      code: `export const open = (url, id) => fetch(url, { headers: { ...base({ 'mcp-session-id': id, a: 1 }), accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' } });\n`,
      options: migration,
      errors: [{ messageId: 'getStream', line: 1, suggestions: [] }],
    },
  ],
});
