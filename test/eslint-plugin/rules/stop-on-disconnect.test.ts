import { stopOnDisconnect } from '../../../eslint-plugin/src/rules/stop-on-disconnect.js';
import { testRule } from '../support/rule-tester.js';

const ACK = `{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } }`;

const http = (body: string, before = '') =>
  `const open = new Map();\n${before}export function handle({ id, method }, req, res, hub) {\n  if (method === 'subscriptions/listen') {\n    res.writeHead(200, { 'content-type': 'text/event-stream' });\n    res.write(\`data: \${JSON.stringify(${ACK})}\\n\\n\`);\n    ${body}\n  }\n}\n`;

const stdio = (rest: string) =>
  `import { createInterface } from 'node:readline';\nconst open = new Map();\nconst send = (message) => process.stdout.write(\`\${JSON.stringify(message)}\\n\`);\ncreateInterface({ input: process.stdin }).on('line', (line) => {\n  const { id, method, params } = JSON.parse(line);\n  switch (method) {\n    case 'subscriptions/listen':\n      open.set(id, params.notifications);\n      send(${ACK});\n      break;\n    ${rest}\n  }\n});\n`;

testRule(stopOnDisconnect, {
  valid: [
    {
      name: 'the response closes',
      code: http(`open.set(id, res);\n    res.on('close', () => open.delete(id));`),
    },
    {
      name: 'the request closes, and a function of the file listens',
      code: http(
        `open.set(id, res);\n    forgetLater(req, id);`,
        `function forgetLater(req, id) {\n  req.once('aborted', () => open.delete(id));\n}\n`,
      ),
    },
    {
      name: 'a signal ends it',
      code: http(`open.set(id, res);\n    req.signal.addEventListener('abort', () => open.delete(id));`),
    },
    {
      name: 'a ReadableStream is cancelled',
      code: `const open = new Map();\nexport function handle(id, method) {\n  if (method === 'subscriptions/listen')\n    return new Response(new ReadableStream({\n      start(controller) {\n        open.set(id, controller);\n        controller.enqueue(JSON.stringify(${ACK}));\n      },\n      cancel() {\n        open.delete(id);\n      },\n    }), { headers: { 'content-type': 'text/event-stream' } });\n}\n`,
    },
    { name: 'nothing is kept', code: http('res.end();') },
    {
      name: 'the response is handed to code out of sight',
      code: http('open.set(id, params);\n    hub.attach(res);'),
    },
    { name: 'what keeps it is out of sight', code: http('hub.set(id, res);') },
    {
      name: 'a proxy',
      code: `const open = new Map();\nexport function handle({ id, method }, res, upstream) {\n  if (method === 'subscriptions/listen') {\n    open.set(id, 'text/event-stream');\n    upstream.body.pipe(res);\n  }\n}\n`,
    },
    {
      name: 'stdio with cancellation',
      code: stdio(`case 'notifications/cancelled':\n      open.delete(params.requestId);\n      break;`),
    },
    {
      name: 'stdio that hands on what it does not know by a name',
      code: stdio(`default:\n      handleCancellation(method, params);`),
    },
    {
      name: 'in a test',
      code: `it('drops', () => {\n  ${http('open.set(id, res);').replace('export ', '').replaceAll('\n', '\n  ')}\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'a Map of streams',
      code: http('open.set(id, res);'),
      errors: [{ messageId: 'http', line: 3, column: 7 }],
    },
    {
      name: 'a comment closes nothing',
      code: http('// open until the client closes it\n    open.set(id, res);'),
      errors: [{ messageId: 'http', line: 3 }],
    },
    {
      name: 'a timer',
      code: http(`setInterval(() => res.write(': alive\\n\\n'), 15_000);`),
      errors: [{ messageId: 'http', line: 3 }],
    },
    {
      name: 'an emitter',
      code: http(`hub.on('tools', () => res.write('data: …'));`),
      errors: [{ messageId: 'http', line: 3 }],
    },
    {
      name: 'a Set in a class',
      code: `export class Server {\n  #open = new Set();\n  handle({ id, method }, res) {\n    if (method !== 'subscriptions/listen') return;\n    res.writeHead(200, { 'content-type': 'text/event-stream' });\n    this.#open.add(res);\n    res.write(JSON.stringify(${ACK}));\n  }\n}\n`,
      errors: [{ messageId: 'http', line: 4 }],
    },
    {
      name: 'stdio without cancellation',
      code: stdio(`default:\n      send({ jsonrpc: '2.0', id, error: { code: -32601, message: method } });`),
      errors: [{ messageId: 'stdio', line: 7, column: 10 }],
    },
  ],
});
