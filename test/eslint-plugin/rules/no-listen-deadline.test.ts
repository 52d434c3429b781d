import { noListenDeadline } from '../../../eslint-plugin/src/rules/no-listen-deadline.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const listen = (options: string): string =>
  `${DUAL}await client.listen({ toolsListChanged: true }, ${options});\n`;
const message = `{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }`;

testRule(noListenDeadline, {
  valid: [
    { name: 'a bound on the acknowledgment', code: listen('{ timeout: 5000 }') },
    { name: 'a signal that somebody aborts', code: listen('{ signal: controller.signal }') },
    { name: 'options from elsewhere', code: listen('options') },
    {
      name: 'a time limit on another call',
      code: `${DUAL}await client.listTools(undefined, { signal: AbortSignal.timeout(5000) });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'another AbortSignal',
      code: `import { AbortSignal } from './signals.js';\n${listen('{ signal: AbortSignal.timeout(5000) }')}`,
    },
    {
      name: 'a client that never opts in',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nawait client.listen({ toolsListChanged: true }, { signal: AbortSignal.timeout(5000) });\n`,
    },
    {
      name: 'a raw request without a limit, beside one with',
      code: `await fetch(url, { method: 'POST', body: JSON.stringify(${message}) });\nawait fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }), signal: AbortSignal.timeout(5000) });\n`,
    },
    {
      name: 'axios without a limit',
      code: `import axios from 'axios';\nawait axios.post(url, ${message}, { timeout: 0, responseType: 'stream' });\n`,
    },
    {
      name: 'a transport with a limit whose client does not listen',
      code: `${DUAL}await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { signal: AbortSignal.timeout(5000) } }));\n`,
    },
  ],
  invalid: [
    {
      name: 'a time limit as the signal',
      code: listen('{ signal: AbortSignal.timeout(5_000) }'),
      typed: true,
      errors: [
        {
          messageId: 'deadline',
          line: 3,
          column: 51,
          suggestions: [{ messageId: 'boundAcknowledgment', output: listen('{ timeout: 5_000 }') }],
        },
      ],
    },
    {
      name: 'a time limit behind names, and as one of several',
      code: `${DUAL}const limit = AbortSignal.timeout(LIMIT);\nconst options = { signal: AbortSignal.any([stop, limit]) };\nawait client.listen({ toolsListChanged: true }, options);\nawait client.listen({ promptsListChanged: true }, { signal: AbortSignal.timeout(5000), timeout: 100 });\n`,
      errors: [
        { messageId: 'deadline', line: 4 },
        { messageId: 'deadline', line: 6 },
      ],
    },
    {
      name: 'raw code with fetch',
      code: `await fetch(url, { method: 'POST', signal: AbortSignal.timeout(30000), body: JSON.stringify(${message}) });\n`,
      errors: [{ messageId: 'httpDeadline', line: 1, column: 44 }],
    },
    {
      name: 'raw code with axios',
      code: `import axios from 'axios';\nconst message = ${message};\nawait axios.post(url, message, { responseType: 'stream', timeout: 30000 });\n`,
      errors: [{ messageId: 'httpDeadline', line: 3 }],
    },
    {
      name: 'the transport of a client that listens',
      code: `${DUAL}const transport = new StreamableHTTPClientTransport(url, { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(30000) }) });\nawait client.connect(transport);\nawait client.listen({ toolsListChanged: true });\n`,
      errors: [{ messageId: 'transportDeadline', line: 3 }],
    },
  ],
});
