import { waitForAck } from '../../../eslint-plugin/src/rules/wait-for-ack.js';
import { testRule } from '../support/rule-tester.js';

const BODY = `JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } })`;

const client = (rest: string) =>
  `export async function open(url, id, refetch, read, handle) {\n  const response = await fetch(url, { method: 'POST', body: ${BODY} });\n  if (!response.ok) throw new Error(await response.text());\n  ${rest}\n}\n`;

testRule(waitForAck, {
  valid: [
    {
      name: 'the refetch comes after the acknowledgment',
      code: client(
        `for await (const message of read(response.body)) {\n    if (message.method === 'notifications/subscriptions/acknowledged') await refetch();\n    if (message.method === 'notifications/tools/list_changed') await refetch();\n  }`,
      ),
    },
    {
      name: 'something else is awaited first',
      code: client(`await waitUntilAcknowledged(id);\n  await refetch();`),
    },
    {
      name: 'the response is handed on',
      code: client(`const honored = await read(response);\n  await refetch();`),
    },
    {
      name: 'nothing that takes it for open',
      code: client(`console.log('listening', response.status);\n  return response;`),
    },
    {
      name: 'the refetch is for later',
      code: client(`const onChange = () => refetch();\n  return read(response.body, onChange);`),
    },
    { name: 'another refresh', code: client(`await refreshToken();\n  return read(response.body);`) },
    {
      name: 'ready is taken back',
      code: client(`state.ready = false;\n  return read(response.body);`),
    },
    {
      name: 'who reads is somebody else, and the file does not tell notifications apart',
      code: client(`for await (const message of read(response.body)) handle(message);`),
    },
    {
      name: 'the response is not kept',
      code: `export const open = (url, id) => fetch(url, { method: 'POST', body: ${BODY} }).then((response) => response.body);\n`,
    },
    {
      name: 'another request, then a refetch',
      code: `// no subscriptions/listen here\nexport async function open(url, refetch) {\n  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover' }) });\n  await refetch();\n  return response.json();\n}\n`,
    },
    {
      name: 'on stdio, after a wait',
      code: `export async function open(child, id, acknowledged, refetch) {\n  child.stdin.write(${BODY} + '\\n');\n  await acknowledged;\n  await refetch();\n}\n`,
    },
    {
      name: 'in a test',
      code: `it('streams', async () => {\n  const response = await fetch(url, { method: 'POST', body: ${BODY} });\n  await refetch();\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'refetch before anything is read (the case from practice)',
      code: `export async function listenRaw(url: string, refetch: () => Promise<void>) {\n    const res = await fetch(url, {\n        method: 'POST',\n        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },\n        body: JSON.stringify({\n            jsonrpc: '2.0',\n            id: 1,\n            method: 'subscriptions/listen',\n            params: { notifications: { toolsListChanged: true } }\n        })\n    });\n    if (!res.ok) throw new Error('subscribe failed');\n    await refetch();\n    const reader = res.body!.pipeThrough(new TextDecoderStream()).getReader();\n    for (;;) {\n        const { value, done } = await reader.read();\n        if (done) return;\n        if (value.includes('list_changed')) await refetch();\n    }\n}\n`,
      errors: [{ messageId: 'tooEarly', line: 13, column: 11 }],
    },
    {
      name: 'HTTP 200 is taken for success',
      code: client(`this.ready = true;\n  return read(response.body);`),
      errors: [{ messageId: 'tooEarly', line: 4 }],
    },
    {
      name: 'a promise is resolved',
      code: `export const open = (url, id, read) => new Promise(async (resolve) => {\n  const response = await fetch(url, { method: 'POST', body: ${BODY} });\n  resolve();\n  read(response.body);\n});\n`,
      errors: [{ messageId: 'tooEarly', line: 3 }],
    },
    {
      name: 'an event says that it is ready',
      code: client(`emitter.emit('ready');\n  return read(response.body);`),
      errors: [{ messageId: 'tooEarly', line: 4 }],
    },
    {
      name: 'a list is posted for',
      code: client(
        `await fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: id + 1, method: 'tools/list' }) });\n  return read(response.body);`,
      ),
      errors: [{ messageId: 'tooEarly', line: 4 }],
    },
    {
      name: 'on stdio',
      code: `export async function open(child, id, refetch) {\n  child.stdin.write(${BODY} + '\\n');\n  await refetch();\n}\n`,
      errors: [{ messageId: 'tooEarly', line: 3 }],
    },
    {
      name: 'the acknowledgment is never read',
      code: client(
        `for await (const message of read(response.body)) {\n    if (message.method === 'notifications/tools/list_changed') await refetch();\n  }`,
      ),
      errors: [{ messageId: 'neverRead', line: 2 }],
    },
  ],
});
