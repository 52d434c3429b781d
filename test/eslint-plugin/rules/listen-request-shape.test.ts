import { listenRequestShape } from '../../../eslint-plugin/src/rules/listen-request-shape.js';
import { testRule } from '../support/rule-tester.js';

const META = `_meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }`;
const HEADERS = `'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen'`;

const post = (headers: string, params: string) =>
  `export const open = (url, id) =>\n  fetch(url, {\n    method: 'POST',\n    headers: ${headers},\n    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${params} }),\n  });\n`;

const GOOD_PARAMS = `{ notifications: { toolsListChanged: true }, ${META} }`;

testRule(listenRequestShape, {
  valid: [
    { name: 'a whole request', code: post(`{ ${HEADERS} }`, GOOD_PARAMS) },
    {
      name: 'headers in other letters, in a constant',
      code: `const headers = { 'content-type': 'application/json', accept: 'text/event-stream, application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };\n${post('headers', GOOD_PARAMS)}`,
    },
    {
      name: 'keys and method behind constants',
      code: `const LISTEN = 'subscriptions/listen';\nconst KEY = { version: 'io.modelcontextprotocol/protocolVersion', capabilities: 'io.modelcontextprotocol/clientCapabilities' };\nexport const body = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: LISTEN, params: { notifications: {}, _meta: { [KEY.version]: '2026-07-28', [KEY.capabilities]: {} } } });\n`,
    },
    { name: 'headers from elsewhere', code: post('modernHeaders()', GOOD_PARAMS) },
    { name: 'headers with a spread', code: post('{ ...common }', GOOD_PARAMS) },
    {
      name: 'headers that are added to',
      code: `export function open(url, id) {\n  const headers = { accept: 'application/json, text/event-stream' };\n  headers['Mcp-Method'] = 'subscriptions/listen';\n  headers['MCP-Protocol-Version'] = '2026-07-28';\n  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${GOOD_PARAMS} }) });\n}\n`,
    },
    {
      name: 'a fetch of its own may add headers',
      code: `export const open = (authorizedFetch, url, id) =>\n  authorizedFetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${GOOD_PARAMS} }) });\n`,
    },
    {
      name: '_meta from elsewhere',
      code: post(`{ ${HEADERS} }`, '{ notifications: filter, _meta: modernMeta() }'),
    },
    { name: 'params from elsewhere', code: post(`{ ${HEADERS} }`, 'params') },
    {
      name: 'a sender of its own may complete the request',
      code: `export const open = (transport, id) =>\n  transport.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } });\n`,
    },
    {
      name: 'a builder completes the request',
      code: `import { modernBody } from './body.js';\nexport const open = (url, id) =>\n  fetch(url, { method: 'POST', headers: { ${HEADERS} }, body: JSON.stringify(modernBody({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: {} } })) });\n`,
    },
    {
      name: 'only the method and its params, for somebody else to frame',
      code: `export const open = (call) => call({ method: 'subscriptions/listen', params: {} });\n`,
    },
    {
      name: 'a filter under another name is the matter of valid-listen-filter',
      code: post(`{ ${HEADERS} }`, `{ uri: 'a://b', ${META} }`),
    },
    {
      name: 'several messages, one line each',
      code: `export const text = (id) =>\n  [{ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${GOOD_PARAMS} }].map((one) => JSON.stringify(one)).join('\\n');\n`,
    },
    {
      name: 'a test sends what a server must refuse',
      code: `import { it } from 'vitest';\nit('refuses', async () => {\n  await fetch('http://127.0.0.1/mcp', { method: 'POST', headers: {}, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }) });\n});\n`,
    },
    {
      name: 'another protocol with a method of that name elsewhere',
      code: `// subscriptions/listen is MCP's\nexport const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/open', params: {} });\n`,
    },
  ],
  invalid: [
    {
      name: 'headers and _meta are missing (the case from practice)',
      code: `export async function listenRaw(url: string, refetch: () => Promise<void>) {\n    const res = await fetch(url, {\n        method: 'POST',\n        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },\n        body: JSON.stringify({\n            jsonrpc: '2.0',\n            id: 1,\n            method: 'subscriptions/listen',\n            params: { notifications: { toolsListChanged: true } }\n        })\n    });\n    if (!res.ok) throw new Error('subscribe failed');\n    await refetch();\n}\n`,
      errors: [
        {
          messageId: 'incomplete',
          line: 5,
          column: 30,
          data: {
            faults:
              "`params._meta` lacks 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities'; Accept must be 'application/json, text/event-stream'; the header Mcp-Method is missing; the header MCP-Protocol-Version is missing",
          },
        },
      ],
    },
    {
      name: 'no filter, through any sender',
      code: `export const open = (transport, id) => transport.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: {} });\n`,
      errors: [{ messageId: 'incomplete', line: 1, data: { faults: '`params.notifications` is missing' } }],
    },
    {
      name: 'no params at all',
      code: `export const open = (transport, id) => transport.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen' });\n`,
      errors: [{ messageId: 'incomplete', line: 1 }],
    },
    {
      name: 'on stdio, built by a function of the file',
      code: `const frame = (message) => JSON.stringify(message) + '\\n';\nexport function open(child, id) {\n  child.stdin.write(frame({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: {} } }));\n}\n`,
      errors: [
        {
          messageId: 'incomplete',
          line: 3,
          data: {
            faults:
              "`params._meta` lacks 'io.modelcontextprotocol/protocolVersion' and 'io.modelcontextprotocol/clientCapabilities'",
          },
        },
      ],
    },
    {
      name: 'no headers',
      code: `export const open = (url, id) =>\n  fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${GOOD_PARAMS} }) });\n`,
      errors: [
        {
          messageId: 'incomplete',
          line: 2,
          data: {
            faults:
              "Accept must be 'application/json, text/event-stream'; the header Mcp-Method is missing; the header MCP-Protocol-Version is missing",
          },
        },
      ],
    },
    {
      name: 'header and body disagree',
      code: post(
        `{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'resources/subscribe' }`,
        GOOD_PARAMS,
      ),
      errors: [
        {
          messageId: 'incomplete',
          line: 5,
          data: {
            faults:
              "the header Mcp-Method says 'resources/subscribe', the body 'subscriptions/listen'; the header MCP-Protocol-Version says '2025-11-25', the body '2026-07-28'",
          },
        },
      ],
    },
    {
      name: 'a batch',
      code: `export const body = (id) => JSON.stringify([{ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: ${GOOD_PARAMS} }]);\n`,
      errors: [{ messageId: 'batched', line: 1 }],
    },
    {
      name: 'fetch of a package',
      code: `import { fetch } from 'undici';\n${post('{}', GOOD_PARAMS)}`,
      errors: [{ messageId: 'incomplete', line: 6 }],
    },
  ],
});
