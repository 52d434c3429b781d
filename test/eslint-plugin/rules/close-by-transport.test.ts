import { closeByTransport } from '../../../eslint-plugin/src/rules/close-by-transport.js';
import { testRule } from '../support/rule-tester.js';

const headers = `headers: { 'content-type': 'application/json' }`;
const message = (id: string): string =>
  `{ jsonrpc: '2.0', id: ${id}, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }`;
const cancel = (params: string): string =>
  `{ jsonrpc: '2.0', method: 'notifications/cancelled', params: ${params} }`;

/** A client over HTTP that keeps its controller, and another statement that closes. */
const http = (closing: string): string =>
  `export async function open(url, id) {
  const controller = new AbortController();
  const response = await fetch(url, { method: 'POST', ${headers}, body: JSON.stringify(${message('id')}), signal: controller.signal });
  const close = async () => {
    ${closing}
  };
  return { response, close };
}
`;

const stdio = (closing: string, id = '7'): string =>
  `export function follow(child, onLine) {
  child.stdout.on('data', onLine);
  child.stdin.write(JSON.stringify(${message(id)}) + '\\n');
  return () => {
    ${closing}
  };
}
`;

const posted = (params: string): string =>
  `await fetch(url, { method: 'POST', ${headers}, body: JSON.stringify(${cancel(params)}) });`;

testRule(closeByTransport, {
  valid: [
    { name: 'HTTP: the stream is aborted', code: http('controller.abort();') },
    {
      name: 'HTTP: another request is cancelled',
      code: http(
        `await call({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: {} });\n    ${posted('{ requestId: 9 }')}`,
      ),
    },
    {
      name: 'HTTP: the cancellation of the legacy branch',
      code: http(`if (era === 'legacy') ${posted('{ requestId: id }')}`),
    },
    {
      name: 'HTTP: the DELETE of a legacy session',
      code: http(`await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });`),
    },
    {
      name: 'HTTP: the DELETE of something else',
      code: http(`await fetch(url + '/drafts/1', { method: 'DELETE', headers: {} });`),
    },
    {
      name: 'stdio: the very id is cancelled',
      code: stdio(
        `child.stdin.write(JSON.stringify(${cancel('{ requestId: 7 }')}) + '\\n');\n    child.stdout.off('data', onLine);`,
      ),
    },
    {
      name: 'stdio: the id of a registry is cancelled',
      code: stdio(
        `child.stdin.write(JSON.stringify(${cancel('{ requestId: open.get(name) }')}) + '\\n');`,
        'next()',
      ),
    },
    { name: 'stdio: the process ends', code: stdio(`child.stdout.off('data', onLine);\n    child.kill();`) },
    {
      name: 'stdio: the pipe ends',
      code: stdio(`child.stdout.off('data', onLine);\n    child.stdin.end();`),
    },
    {
      name: 'stdio: a reader that waits for one message takes itself away',
      code: stdio(
        `const once = (line) => { if (line.includes('acknowledged')) child.stdout.off('data', once); };\n    child.stdout.on('data', once);`,
      ),
    },
    {
      name: 'stdio: another reader goes',
      code: stdio(`child.stderr.off('data', onLog);`),
    },
    {
      name: 'the SDK closes by itself, and a reader that is not of a listen goes',
      code: `import { Client } from '@modelcontextprotocol/client';\nexport async function open(client: Client, child) {\n  const subscription = await client.listen({ toolsListChanged: true });\n  child.stdout.off('data', log);\n  await subscription.close(); // ends subscriptions/listen\n}\n`,
    },
    {
      name: 'a server that tells of its teardown either way',
      code: `export function close(streams, write) {\n  for (const { id } of streams) write(${cancel('{ requestId: id }')});\n}\nexport const isListen = (message) => message.method === 'subscriptions/listen';\n`,
    },
    {
      name: 'a table of methods',
      code: `export const listen = ${message('7')};\nexport const table = [{ method: 'notifications/cancelled', handle: onCancelled }];\n`,
    },
  ],
  invalid: [
    {
      name: 'HTTP: a cancellation is POSTed',
      code: http(posted('{ requestId: id }')),
      errors: [
        {
          messageId: 'cancelOverHttp',
          line: 5,
          column: 11,
          suggestions: [{ messageId: 'abort', output: http('controller.abort();') }],
        },
      ],
    },
    {
      name: 'HTTP: a cancellation from elsewhere, of the only request there is',
      code: `const url = 'http://127.0.0.1:3000/mcp';\nexport const open = () => fetch(url, { method: 'POST', ${headers}, body: JSON.stringify(${message('crypto.randomUUID()')}) });\nexport const close = (requestId) => fetch(url, { method: 'POST', ${headers}, body: JSON.stringify(${cancel('{ requestId }')}) });\n`,
      errors: [{ messageId: 'cancelOverHttp', line: 3, suggestions: [] }],
    },
    {
      name: 'HTTP: DELETE',
      code: http(`await fetch(url, { method: 'DELETE' });`),
      errors: [
        {
          messageId: 'deleteOverHttp',
          line: 5,
          suggestions: [{ messageId: 'abort', output: http('controller.abort();') }],
        },
      ],
    },
    {
      name: 'HTTP: DELETE in a class that keeps its controller, with a comment',
      code: `export class Stream {\n  #stop = new AbortController();\n  open() {\n    return fetch(this.url, { method: 'POST', ${headers}, body: JSON.stringify(${message('++this.last')}), signal: this.#stop.signal });\n  }\n  async close() {\n    await fetch(this.url, { method: 'DELETE' });\n  }\n  async leave() {\n    await fetch(this.url, { method: 'DELETE' /* no body */ });\n  }\n}\n`,
      errors: [
        {
          messageId: 'deleteOverHttp',
          line: 7,
          suggestions: [
            {
              messageId: 'abort',
              output: `export class Stream {\n  #stop = new AbortController();\n  open() {\n    return fetch(this.url, { method: 'POST', ${headers}, body: JSON.stringify(${message('++this.last')}), signal: this.#stop.signal });\n  }\n  async close() {\n    this.#stop.abort();\n  }\n  async leave() {\n    await fetch(this.url, { method: 'DELETE' /* no body */ });\n  }\n}\n`,
            },
          ],
        },
        { messageId: 'deleteOverHttp', line: 10, suggestions: [] },
      ],
    },
    {
      name: 'stdio: the reader is dropped',
      code: stdio(`child.stdout.removeListener('data', onLine);`),
      errors: [{ messageId: 'droppedOnStdio', line: 5 }],
    },
    {
      name: 'stdio: another id',
      code: stdio(`child.stdin.write(JSON.stringify(${cancel('{ requestId: 8 }')}) + '\\n');`),
      errors: [{ messageId: 'wrongId', line: 5 }],
    },
    {
      name: 'stdio: the number as text',
      code: `let next = 0;\nexport function follow(child) {\n  const id = ++next;\n  child.stdin.write(JSON.stringify(${message('id')}) + '\\n');\n  return () => child.stdin.write(JSON.stringify(${cancel('{ requestId: String(id) }')}) + '\\n');\n}\n`,
      errors: [{ messageId: 'wrongId', line: 5 }],
    },
    {
      name: 'stdio: an invented member',
      code: stdio(`child.stdin.write(JSON.stringify(${cancel('{ subscriptionId: 7 }')}) + '\\n');`),
      errors: [{ messageId: 'wrongId', line: 5 }],
    },
  ],
});
