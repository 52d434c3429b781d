import { tagSubscriptionId } from '../../../eslint-plugin/src/rules/tag-subscription-id.js';
import { testRule } from '../support/rule-tester.js';

const KEY = `'io.modelcontextprotocol/subscriptionId'`;
const ack = (params: string) =>
  `{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: ${params} }`;
const TAGGED_ACK = ack(`{ notifications: {}, _meta: { ${KEY}: id } }`);

const handler = (body: string) =>
  `export function handle({ id, method, params }, res) {\n  if (method === 'subscriptions/listen') {\n    ${body}\n  }\n}\n`;

testRule(tagSubscriptionId, {
  valid: [
    {
      name: 'each message has it',
      code: handler(
        `const _meta = { ${KEY}: id };\n    const send = (message) => res.write(\`data: \${JSON.stringify({ jsonrpc: '2.0', ...message })}\\n\\n\`);\n    send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: {} } });\n    bus.on('tools', () => send({ method: 'notifications/tools/list_changed', params: { _meta } }));\n    res.on('close', () => send({ id, result: { resultType: 'complete', _meta } }));`,
      ),
    },
    {
      name: 'the key behind a constant',
      code: `const META = { subscription: ${KEY} };\n${handler(`res.write(JSON.stringify(${ack('{ notifications: {}, _meta: { [META.subscription]: id } }')}));`)}`,
    },
    {
      name: 'the key comes from another file',
      code: `import { SUBSCRIPTION_ID } from './keys.js';\n${handler(`res.write(JSON.stringify(${ack('{ notifications: {}, _meta: { [SUBSCRIPTION_ID]: id } }')}));`)}`,
    },
    {
      name: 'a function tags it on its way',
      code: `const tagged = (message, id) => ({ ...message, params: { ...message.params, _meta: { ${KEY}: id } } });\n${handler(`res.write(JSON.stringify(tagged(${ack('{ notifications: {} }')}, id)));`)}`,
    },
    {
      name: 'the sender is elsewhere and may tag it',
      code: handler(`stream.send(${ack('{ notifications: {} }')});`),
    },
    {
      name: 'a legacy broadcast beside it',
      code: `${handler(`res.write(JSON.stringify(${TAGGED_ACK}));`)}export function legacy(sessions) {\n  for (const session of sessions.values()) session.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));\n}\n`,
    },
    {
      name: 'results of other requests',
      code: `${handler(`res.write(JSON.stringify(${TAGGED_ACK}));`)}export const ping = (id, res) => res.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));\n`,
    },
    {
      name: 'a result in place of an acknowledgment is the matter of ack-first',
      code: handler(`res.json({ jsonrpc: '2.0', id, result: {} });`),
    },
    {
      name: 'an error needs none',
      code: handler(
        `if (!params) return res.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no params' } });\n    res.write(JSON.stringify(${TAGGED_ACK}));`,
      ),
    },
    {
      name: 'an id of another kind',
      code: handler(
        `const connectionId = crypto.randomUUID();\n    log({ connectionId });\n    res.write(JSON.stringify(${TAGGED_ACK}));`,
      ),
    },
    {
      name: 'a subscription of ours with a name of its own',
      code: `// subscriptions/listen is handled elsewhere\nexport const subscribe = () => ({ subscriptionId: crypto.randomUUID() });\n`,
    },
    {
      name: 'in a test that expects a wrong server',
      code: `it('drops it', () => {\n  res.write(JSON.stringify(${ack('{ notifications: {} }')}));\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'a random id in a result (the case from practice)',
      code: `import express from 'express';\nimport { randomUUID } from 'node:crypto';\n\nconst app = express();\napp.use(express.json());\nconst subs = new Map<string, string[]>();\napp.post('/mcp', (req, res) => {\n    const { id, method, params } = req.body;\n    if (method === 'subscriptions/listen') {\n        const subscriptionId = randomUUID();\n        subs.set(subscriptionId, params.notifications.resourceSubscriptions ?? []);\n        res.json({ jsonrpc: '2.0', id, result: { subscriptionId, status: 'subscribed' } });\n        return;\n    }\n});\napp.listen(3000);\n`,
      errors: [{ messageId: 'random', line: 12, column: 50 }],
    },
    {
      name: 'a random id under the key, handed to a function from elsewhere',
      code: handler(
        `const subscription = crypto.randomUUID();\n    return respond(id, { result: { _meta: { ${KEY}: subscription } } });`,
      ),
      errors: [{ messageId: 'random', line: 4 }],
    },
    {
      name: 'made a text',
      code: handler(
        `res.write(JSON.stringify(${ack(`{ notifications: {}, _meta: { ${KEY}: String(id) } }`)}));`,
      ),
      errors: [{ messageId: 'stringified', line: 3 }],
    },
    {
      name: 'made a text by a template, by toString',
      code: handler(
        `const name = \`\${id}\`;\n    res.write(JSON.stringify(${ack(`{ notifications: {}, _meta: { ${KEY}: name } }`)}));\n    later(() => res.write(JSON.stringify({ jsonrpc: '2.0', id, result: { _meta: { ${KEY}: id.toString() } } })));`,
      ),
      errors: [
        { messageId: 'stringified', line: 4 },
        { messageId: 'stringified', line: 5 },
      ],
    },
    {
      name: 'an acknowledgment without it',
      code: handler(`res.write(\`data: \${JSON.stringify(${ack('{ notifications: {} }')})}\\n\\n\`);`),
      errors: [{ messageId: 'missing', line: 3, data: { kind: 'acknowledgment', member: 'params' } }],
    },
    {
      name: 'beside params',
      code: handler(
        `const send = (message) => res.write(JSON.stringify(message));\n    send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {} }, _meta: { ${KEY}: id } });`,
      ),
      errors: [{ messageId: 'misplaced', line: 4, data: { kind: 'acknowledgment', member: 'params' } }],
    },
    {
      name: 'under a name of its own',
      code: handler(`res.write(JSON.stringify(${ack('{ notifications: {}, subscriptionId: id }')}));`),
      errors: [{ messageId: 'misplaced', line: 3 }],
    },
    {
      name: 'a notification and the closing result without it',
      code: handler(
        `res.write(JSON.stringify(${TAGGED_ACK}));\n    bus.on('tools', () => res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })));\n    bus.on('end', () => res.write(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete' } })));`,
      ),
      errors: [
        { messageId: 'missing', line: 4, data: { kind: 'notification', member: 'params' } },
        { messageId: 'missing', line: 5, data: { kind: 'result', member: 'result' } },
      ],
    },
    {
      name: 'the same text for all that were kept',
      code: `const open = new Map();\n${handler(`open.set(id, res);\n    res.write(JSON.stringify(${TAGGED_ACK}));`)}export function updated(uri) {\n  const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });\n  for (const stream of open.values()) stream.write(message);\n}\n`,
      errors: [{ messageId: 'missing', line: 9 }],
    },
  ],
});
