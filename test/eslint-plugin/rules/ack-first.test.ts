import { ackFirst } from '../../../eslint-plugin/src/rules/ack-first.js';
import { testRule } from '../support/rule-tester.js';

const ACK = `{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } }`;
const RESULT = `{ jsonrpc: '2.0', id, result: { resultType: 'complete' } }`;
const CHANGE = `{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }`;

const handler = (body: string) =>
  `export function handle(req, res, hub) {\n  const { id, method, params } = req.body;\n  if (method === 'subscriptions/listen') {\n    ${body}\n  }\n}\n`;

testRule(ackFirst, {
  valid: [
    {
      name: 'the acknowledgment, then the result on shutdown (the case from practice)',
      code: `import express from 'express';\n\nconst app = express();\nconst open = new Set<() => void>();\napp.post('/mcp', (req, res) => {\n    const { id, method, params } = req.body;\n    if (method === 'subscriptions/listen') {\n        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };\n        const send = (m: object) => res.write(\`event: message\\ndata: \${JSON.stringify({ jsonrpc: '2.0', ...m })}\\n\\n\`);\n        res.writeHead(200, { 'content-type': 'text/event-stream' });\n        const notifications = params.notifications.toolsListChanged ? { toolsListChanged: true } : {};\n        send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });\n        const finish = () => {\n            send({ id, result: { resultType: 'complete', _meta } });\n            res.end();\n        };\n        open.add(finish);\n        res.on('close', () => open.delete(finish));\n        return;\n    }\n});\n`,
    },
    {
      name: 'an error is an answer',
      code: handler(
        `res.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no subscriptions here' } });`,
      ),
    },
    {
      name: 'the code that serves it is elsewhere, then the result',
      code: handler(`await hub.serve(id, params, res);\n    res.json(${RESULT});`).replace(
        'function',
        'async function',
      ),
    },
    {
      name: 'the result comes when the stream has ended',
      code: handler(`await ended;\n    res.json(${RESULT});`).replace(
        'export function',
        'export async function',
      ),
    },
    {
      name: 'a proxy that pipes',
      code: handler(
        `const upstream = await fetch(url, { method: 'POST', body: JSON.stringify(req.body) });\n    upstream.body.pipe(res);`,
      ).replace('export function', 'export async function'),
    },
    {
      name: 'the acknowledgment comes from another file',
      code: `import { acknowledge } from './frames.js';\n${handler(`acknowledge(res, id);\n    res.json(${RESULT});`)}`,
    },
    {
      name: 'the acknowledgment is in a list of frames',
      code: handler(`return { hold: [${ACK}] };`),
    },
    {
      name: 'a legacy branch answers otherwise',
      code: handler(`return legacy ? ${RESULT} : hub.open(id);`),
    },
    {
      name: 'what is queued is sent later',
      code: handler(`queue.push(${CHANGE});\n    res.write(JSON.stringify(${ACK}));`),
    },
    {
      name: 'another stream is written to first',
      code: handler(`other.write(JSON.stringify(${CHANGE}));\n    res.write(JSON.stringify(${ACK}));`),
    },
    {
      name: 'a case that others share',
      code: `export function handle({ id, method }) {\n  switch (method) {\n    case 'tools/list':\n    case 'subscriptions/listen':\n      return ${RESULT};\n  }\n}\n`,
    },
    {
      name: 'the result of another method',
      code: `export function handle({ id, method }) {\n  if (method !== 'subscriptions/listen') return ${RESULT};\n}\n`,
    },
    {
      name: 'a description of methods',
      code: `export const describe = (method) => (method === 'subscriptions/listen' ? 'listen for changes' : method);\n`,
    },
    {
      name: 'in a test',
      code: `it('survives a wrong server', () => {\n  serve(({ id, method }) => {\n    if (method === 'subscriptions/listen') return ${RESULT};\n  });\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'a result at once (the case from practice)',
      code: `import express from 'express';\nimport { randomUUID } from 'node:crypto';\n\nconst app = express();\napp.use(express.json());\nconst subs = new Map<string, string[]>();\napp.post('/mcp', (req, res) => {\n    const { id, method, params } = req.body;\n    if (method === 'subscriptions/listen') {\n        const subscriptionId = randomUUID();\n        subs.set(subscriptionId, params.notifications.resourceSubscriptions ?? []);\n        res.json({ jsonrpc: '2.0', id, result: { subscriptionId, status: 'subscribed' } });\n        return;\n    }\n    res.status(404).json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });\n});\napp.listen(3000);\n`,
      errors: [{ messageId: 'result', line: 12, column: 9 }],
    },
    {
      name: 'a case that returns the result of a function of the file',
      code: `const ok = (id, result) => ({ jsonrpc: '2.0', id, result });\nexport function handle({ id, method }) {\n  switch (method) {\n    case 'subscriptions/listen':\n      return ok(id, { resultType: 'complete' });\n    default:\n      return ok(id, {});\n  }\n}\n`,
      errors: [{ messageId: 'result', line: 5 }],
    },
    {
      name: 'through a function in the handler, after a check',
      code: `export async function handle(c) {\n  const { id, method, params } = await c.req.json();\n  const respond = (result) => c.json({ jsonrpc: '2.0', id, result });\n  switch (method) {\n    case 'subscriptions/listen': {\n      if (!params) return c.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no params' } });\n      const filter = {};\n      if (params.notifications.toolsListChanged) filter.toolsListChanged = true;\n      return respond({});\n    }\n  }\n}\n`,
      errors: [{ messageId: 'result', line: 9 }],
    },
    {
      name: 'in a table of methods',
      code: `const methods = {\n  'subscriptions/listen': ({ id }, res) => {\n    res.json(${RESULT});\n  },\n};\nexport { methods };\n`,
      errors: [{ messageId: 'result', line: 3 }],
    },
    {
      name: 'after a guard, in CommonJS',
      code: `module.exports = function handle(req, res) {\n  const { id, method } = req.body;\n  if (method !== 'subscriptions/listen') return;\n  res.write(JSON.stringify(${RESULT}));\n};\n`,
      commonjs: true,
      errors: [{ messageId: 'result', line: 4 }],
    },
    {
      name: 'a notification before the acknowledgment',
      code: handler(`res.write(JSON.stringify(${CHANGE}));\n    res.write(JSON.stringify(${ACK}));`),
      errors: [{ messageId: 'before', line: 4, column: 5 }],
    },
    {
      name: 'a notification before the acknowledgment, by name, into a ReadableStream',
      code: `export function listen(id, method) {\n  if (method === 'subscriptions/listen') {\n    return new Response(new ReadableStream({\n      start(controller) {\n        const send = (message) => controller.enqueue(\`data: \${JSON.stringify(message)}\\n\\n\`);\n        send(${CHANGE});\n        send(${ACK});\n      },\n      cancel() {},\n    }));\n  }\n}\n`,
      errors: [{ messageId: 'before', line: 3 }],
    },
  ],
});
