import { authorizeFilterUris } from '../../../eslint-plugin/src/rules/authorize-filter-uris.js';
import { testRule } from '../support/rule-tester.js';

const server = (body: string, before = '') =>
  `import express from 'express';\n\nconst app = express();\nconst watched = new Map();\n${before}app.post('/mcp', (req, res) => {\n  const { id, method, params } = req.body;\n  if (method === 'subscriptions/listen') {\n    ${body}\n  }\n});\n`;

const KEEP = 'watched.set(id, params.notifications.resourceSubscriptions ?? []);';

testRule(authorizeFilterUris, {
  valid: [
    {
      name: 'each URI is judged',
      code: server(
        'watched.set(id, (params.notifications.resourceSubscriptions ?? []).filter((uri) => uris.has(uri)));',
      ),
    },
    {
      name: 'a function is asked in front',
      code: server(`if (!mayWatch(req, params)) return;\n    ${KEEP}`),
    },
    { name: 'the client is known', code: server(KEEP, `app.use(authenticate);\n`) },
    {
      name: 'a schema in front',
      code: server(
        'const filter = Filter.parse(params.notifications);\n    watched.set(id, filter.resourceSubscriptions);',
      ),
    },
    {
      name: 'they are neither kept nor acknowledged',
      code: server('console.log(params.notifications.resourceSubscriptions);'),
    },
    {
      name: 'a client that asks for them',
      code: `import express from 'express';\nexport const request = (id, uris) => ({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: uris } } });\n`,
    },
    {
      name: 'on stdio there is one client',
      code: `const watched = new Map();\nprocess.stdin.on('data', (line) => {\n  const { id, method, params } = JSON.parse(line);\n  if (method === 'subscriptions/listen') {\n    ${KEEP}\n    process.stdout.write('…');\n  }\n});\n`,
    },
    {
      name: 'in a test',
      code: `it('watches', () => {\n  ${server(KEEP).split('\n').slice(2).join('\n  ')}\n});\nimport 'express';\n`,
    },
  ],
  invalid: [
    {
      name: 'kept as they came (the case from practice)',
      code: `import express from 'express';\nimport { randomUUID } from 'node:crypto';\n\nconst app = express();\napp.use(express.json());\nconst subs = new Map<string, string[]>();\napp.post('/mcp', (req, res) => {\n    const { id, method, params } = req.body;\n    if (method === 'subscriptions/listen') {\n        const subscriptionId = randomUUID();\n        subs.set(subscriptionId, params.notifications.resourceSubscriptions ?? []);\n        res.json({ jsonrpc: '2.0', id, result: { subscriptionId, status: 'subscribed' } });\n        return;\n    }\n    res.status(404).json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });\n});\napp.listen(3000);\n`,
      errors: [{ messageId: 'unchecked', line: 11, column: 34 }],
    },
    {
      name: 'kept by a name: once',
      code: server(
        'const uris = params.notifications.resourceSubscriptions ?? [];\n    watched.set(id, { res, uris: new Set(uris) });',
      ),
      errors: [{ messageId: 'unchecked', line: 8 }],
    },
    {
      name: 'acknowledged',
      code: server(
        `res.json({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: { resourceSubscriptions: params.notifications.resourceSubscriptions } } });`,
      ),
      errors: [{ messageId: 'unchecked', line: 8 }],
    },
  ],
});
