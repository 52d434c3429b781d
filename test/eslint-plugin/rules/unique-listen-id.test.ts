import { uniqueListenId } from '../../../eslint-plugin/src/rules/unique-listen-id.js';
import { testRule } from '../support/rule-tester.js';

const listen = (id: string) =>
  `{ jsonrpc: '2.0', id: ${id}, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }`;

testRule(uniqueListenId, {
  valid: [
    {
      name: 'a counter',
      code: `let next = 1;\nexport const open = (send) => send(${listen('next++')});\n`,
    },
    {
      name: 'a name that is written again',
      code: `let id = 1;\nexport const open = (send) => { id += 1; return send(${listen('id')}); };\n`,
    },
    { name: 'the id is handed in', code: `export const open = (send, id) => send(${listen('id')});\n` },
    {
      name: 'a text with something in it',
      code: `export const open = (send, n) => send(${listen('`listen-${n}`')});\n`,
    },
    {
      name: 'a script that listens once',
      code: `async function main() {\n  await send(${listen('1')});\n}\nmain();\nasync function send(message) { process.stdout.write(JSON.stringify(message)); }\n`,
    },
    { name: 'on the level of the module', code: `child.stdin.write(JSON.stringify(${listen('2')}));\n` },
    { name: 'in what runs at once', code: `(async () => { await send(${listen('2')}); })();\n` },
    {
      name: 'in a test',
      code: `test('listens', async () => { await send(${listen('1')}); });\n`,
    },
    {
      name: 'another request',
      code: `// beside subscriptions/listen\nexport const list = (send) => send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });\n`,
    },
    {
      name: 'the id comes later',
      code: `export const open = (send) => send({ jsonrpc: '2.0', id: 0, method: 'subscriptions/listen', params: { notifications: {} }, ...next() });\n`,
    },
  ],
  invalid: [
    {
      name: 'a number in a function that others call',
      code: `export function open(send) {\n  return send(${listen('1')});\n}\n`,
      errors: [{ messageId: 'constant', line: 2, column: 37, data: { id: '1' } }],
    },
    {
      name: 'a constant of the module, in a method',
      code: `const LISTEN_ID = 'listen';\nexport class Host {\n  open() {\n    this.transport.send(${listen('LISTEN_ID')});\n  }\n}\n`,
      errors: [{ messageId: 'constant', line: 4, data: { id: "'listen'" } }],
    },
    {
      name: 'in a loop of a script',
      code: `for (const child of children) child.stdin.write(JSON.stringify(${listen('7')}));\n`,
      errors: [{ messageId: 'constant', line: 1, data: { id: '7' } }],
    },
    {
      name: 'in a function that is called twice',
      code: `function open(send) {\n  send(${listen('1')});\n}\nopen(first);\nopen(second);\n`,
      errors: [{ messageId: 'constant', line: 2 }],
    },
    {
      name: 'in a function that is called from a loop',
      code: `function open(send) {\n  send(${listen('1')});\n}\nwhile (true) open(first);\n`,
      errors: [{ messageId: 'constant', line: 2 }],
    },
    {
      name: 'null, even once',
      code: `child.stdin.write(JSON.stringify(${listen('null')}));\n`,
      errors: [{ messageId: 'nothing', line: 1 }],
    },
  ],
});
