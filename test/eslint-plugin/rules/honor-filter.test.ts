import { honorFilter } from '../../../eslint-plugin/src/rules/honor-filter.js';
import { testRule } from '../support/rule-tester.js';

const META = `_meta: { 'io.modelcontextprotocol/subscriptionId': id }`;
const CHANGE = `{ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { ${META} } }`;

const handler = (body: string) =>
  `const open = new Map();\nexport function handle({ id, method, params }, res) {\n  if (method === 'subscriptions/listen') {\n    ${body}\n  }\n}\n`;
const ack = (filter: string) =>
  `res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { ${META}, notifications: ${filter} } }));`;
const broadcast = (loop: string) => `export function toolsChanged() {\n  ${loop}\n}\n`;

testRule(honorFilter, {
  valid: [
    {
      name: 'each subscription is asked',
      code: `${handler('open.set(id, { res, filter: params.notifications });')}${broadcast(`for (const [id, { res, filter }] of open) if (filter.toolsListChanged) res.write(JSON.stringify(${CHANGE}));`)}`,
    },
    {
      name: 'those that did not ask are left out',
      code: `${handler('open.set(id, { res, filter: params.notifications });')}${broadcast(`for (const [id, { res, filter }] of open) {\n    if (!filter.toolsListChanged) continue;\n    res.write(JSON.stringify(${CHANGE}));\n  }`)}`,
    },
    {
      name: 'filtered before',
      code: `${handler('open.set(id, { id, res, filter: params.notifications });')}${broadcast(`[...open.values()].filter(({ filter }) => filter.toolsListChanged).forEach(({ id, res }) => res.write(JSON.stringify(${CHANGE})));`)}`,
    },
    {
      name: 'only those are kept that asked',
      code: `${handler('if (params.notifications.toolsListChanged) open.set(id, res);')}${broadcast(`for (const [id, res] of open) res.write(JSON.stringify(${CHANGE}));`)}`,
    },
    {
      name: 'what is kept asks by itself',
      code: `${handler(`open.set(id, (message) => { if (params.notifications.toolsListChanged) res.write(JSON.stringify(message)); });`)}${broadcast(`for (const [id, deliver] of open) deliver(${CHANGE});`)}`,
    },
    {
      name: 'a loop over the sessions of the 2025 era',
      code: `const sessions = new Map();\n${handler('open.set(id, res);')}${broadcast(`for (const session of sessions.values()) session.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));`)}`,
    },
    {
      name: 'all are told of the end',
      code: `${handler('open.set(id, res);')}export function stop() {\n  for (const [id, res] of open) res.write(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ${META} } }));\n}\n`,
    },
    {
      name: 'a narrowed filter',
      code: handler(
        `const honored = params.notifications.toolsListChanged ? { toolsListChanged: true } : {};\n    ${ack('honored')}`,
      ),
    },
    {
      name: 'a filter that a function narrows',
      code: `import { negotiate } from './filter.js';\n${handler(ack('negotiate(params.notifications)'))}`,
    },
    {
      name: 'a filter that was judged before',
      code: handler(
        `const { notifications } = params;\n    if (!isHonored(notifications)) return;\n    ${ack('notifications')}`,
      ),
    },
    {
      name: 'a schema reads it before',
      code: handler(`const notifications = Filter.parse(params.notifications);\n    ${ack('notifications')}`),
    },
    { name: 'an empty acknowledgment', code: handler(ack('{}')) },
    {
      name: 'comments keep the stream open',
      code: handler(`setInterval(() => res.write(': keep-alive\\n\\n'), 15_000);`),
    },
    {
      name: 'a timer that looks for changes',
      code: handler(`setInterval(() => { if (hasChanged()) res.write(JSON.stringify(${CHANGE})); }, 1_000);`),
    },
    {
      name: 'in a test',
      code: `it('sees through an echo', () => {\n  const handle = ({ id, method, params }, res) => {\n    if (method === 'subscriptions/listen') ${ack('params.notifications')}\n  };\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'to everybody',
      code: `${handler('open.set(id, res);')}${broadcast(`for (const [id, res] of open) res.write(JSON.stringify(${CHANGE}));`)}`,
      errors: [
        {
          messageId: 'broadcast',
          line: 8,
          data: { method: 'notifications/tools/list_changed', field: 'toolsListChanged' },
        },
      ],
    },
    {
      name: 'to everybody, with a filter in reach, in a class',
      code: `export class Server {\n  #open = new Set();\n  handle({ id, method, params }, res) {\n    if (method === 'subscriptions/listen') {\n      this.#open.add({ id, res, filter: params.notifications });\n    }\n  }\n  updated(uri) {\n    this.#open.forEach(({ id, res }) => {\n      res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, ${META} } }));\n    });\n  }\n}\n`,
      errors: [
        {
          messageId: 'broadcast',
          line: 10,
          data: { method: 'notifications/resources/updated', field: 'resourceSubscriptions.includes(uri)' },
        },
      ],
    },
    {
      name: 'the request is echoed',
      code: handler(ack('params.notifications')),
      errors: [{ messageId: 'echoed', line: 4 }],
    },
    {
      name: 'the request is kept and echoed, behind a name and a default',
      code: handler(
        `const asked = params?.notifications ?? {};\n    open.set(id, asked);\n    ${ack('asked')}`,
      ),
      errors: [{ messageId: 'echoed', line: 6 }],
    },
    {
      name: 'a notification as heartbeat',
      code: handler(`setInterval(() => res.write(JSON.stringify(${CHANGE})), 15_000);`),
      errors: [{ messageId: 'heartbeat', line: 4 }],
    },
    {
      name: 'an invented notification as heartbeat',
      code: handler(
        `const beat = () => { res.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/ping' })); };\n    setInterval(beat, 15_000);`,
      ),
      errors: [{ messageId: 'heartbeat', line: 4 }],
    },
  ],
});
