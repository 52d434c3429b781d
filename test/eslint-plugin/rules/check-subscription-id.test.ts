import { checkSubscriptionId } from '../../../eslint-plugin/src/rules/check-subscription-id.js';
import { testRule } from '../support/rule-tester.js';

const MESSAGE = `{ jsonrpc: '2.0', id: next++, method: 'subscriptions/listen', params: { notifications } }`;
const OPEN = `let next = 1;\nexport function open(child, notifications) {\n  child.stdin.write(JSON.stringify(${MESSAGE}) + '\\n');\n}\n`;
const HTTP = `let next = 1;\nexport const open = (url, notifications) => fetch(url, { method: 'POST', body: JSON.stringify(${MESSAGE}) });\n`;
const RECEIVE = `export function receive({ method, params }, refetch) {\n  if (method === 'notifications/tools/list_changed') refetch();\n  if (method === 'notifications/resources/updated') refetch(params.uri);\n}\n`;

testRule(checkSubscriptionId, {
  valid: [
    {
      name: 'the id is looked up',
      code: `${OPEN}export function receive({ method, params }, open) {\n  const id = params._meta['io.modelcontextprotocol/subscriptionId'];\n  if (method === 'notifications/tools/list_changed') open.get(id)?.refetch();\n}\n`,
    },
    {
      name: 'the key comes from another file',
      code: `import { SUBSCRIPTION_ID } from './keys.js';\n${OPEN}${RECEIVE}export const idOf = (message) => message.params._meta[SUBSCRIPTION_ID];\n`,
    },
    {
      name: 'one subscription of a script',
      code: `let next = 1;\nchild.stdin.write(JSON.stringify(${MESSAGE}) + '\\n');\n${RECEIVE}`,
    },
    { name: 'nobody receives here', code: OPEN },
    { name: 'over HTTP each has its stream', code: `${HTTP}${RECEIVE}` },
    {
      name: 'a proxy that answers listens as well',
      code: `${OPEN}${RECEIVE}export function handle({ id, method }, res) {\n  if (method === 'subscriptions/listen') res.end();\n}\n`,
    },
    {
      name: 'it asks for another thing than changes',
      code: `${OPEN}export function receive({ method }, log) {\n  if (method === 'notifications/message') log(method);\n}\n`,
    },
    {
      name: 'in a test',
      code: `it('hears', () => {\n  let next = 1;\n  const open = (child, notifications) => child.stdin.write(JSON.stringify(${MESSAGE}));\n  on(({ method }) => method === 'notifications/tools/list_changed');\n});\n`,
    },
  ],
  invalid: [
    {
      name: 'by the method alone: once for the function',
      code: `${OPEN}${RECEIVE}`,
      errors: [{ messageId: 'byMethodAlone', line: 6, column: 7 }],
    },
    {
      name: 'two subscriptions of a script, and a switch',
      code: `let next = 1;\nconst notifications = { toolsListChanged: true };\nchild.stdin.write(JSON.stringify(${MESSAGE}));\nchild.stdin.write(JSON.stringify(${MESSAGE}));\nfunction receive({ method }, refetch) {\n  switch (method) {\n    case 'notifications/tools/list_changed':\n      refetch();\n  }\n}\nchild.stdout.on('data', receive);\n`,
      errors: [{ messageId: 'byMethodAlone', line: 7, column: 10 }],
    },
    {
      name: 'over HTTP with the option',
      code: `${HTTP}${RECEIVE}`,
      options: [{ http: true }],
      errors: [{ messageId: 'byMethodAlone', line: 4 }],
    },
  ],
});
