import { refetchAfterAck } from '../../../eslint-plugin/src/rules/refetch-after-ack.js';
import { testRule } from '../support/rule-tester.js';

const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;
const HEAD = `import { Client } from '@modelcontextprotocol/client';
const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
`;
const LISTEN = `client.listen({ toolsListChanged: true })`;

const loop = (behind: string): string =>
  `${HEAD}export async function follow(refetch) {\n  for (let attempt = 0; attempt < 5; attempt += 1) {\n    const subscription = await ${LISTEN};\n    ${behind}\n    await subscription.closed;\n    await sleep(1000 * attempt);\n  }\n}\n`;

testRule(refetchAfterAck, {
  valid: [
    {
      name: 'fetched behind the acknowledgment',
      code: `${HEAD}await client.connect(transport);\nconst subscription = await ${LISTEN};\nshow(await client.listTools());\nawait subscription.closed;\n`,
    },
    {
      name: 'fetched before and behind it',
      code: `${HEAD}show(await client.listTools());\nconst subscription = await ${LISTEN};\nshow(await client.listTools());\nawait subscription.closed;\n`,
    },
    {
      name: 'fetched by a function that may run later',
      code: `${HEAD}const refresh = async () => show(await client.listTools());\nawait refresh();\nconst subscription = await ${LISTEN};\nawait subscription.closed;\n`,
    },
    {
      name: 'another list is fetched before it',
      code: `${HEAD}show(await client.listPrompts());\nconst subscription = await ${LISTEN};\nawait subscription.closed;\n`,
    },
    {
      name: 'the handler fetches, and nothing was fetched before',
      code: `${HEAD}client.setNotificationHandler('notifications/tools/list_changed', async () => show(await client.listTools()));\nconst subscription = await ${LISTEN};\nawait subscription.closed;\n`,
    },
    {
      name: 'a client that others have as well',
      code: `${TYPED}export async function follow(client: Client) {\n  show(await client.listTools());\n  const subscription = await client.listen({ toolsListChanged: true });\n  await subscription.closed;\n}\n`,
    },
    {
      name: 'a client that is handed on',
      code: `${HEAD}export async function follow() {\n  show(await client.listTools());\n  await ${LISTEN};\n  start(client);\n}\n`,
    },
    {
      name: 'a command that looks once',
      code: `${HEAD}show(await client.listTools());\nconst subscription = await ${LISTEN};\nawait subscription.close();\n`,
    },
    {
      name: 'a command that ends the process',
      code: `${HEAD}show(await client.listTools());\nawait ${LISTEN};\nprocess.exit(0);\n`,
    },
    {
      name: 'a filter out of sight',
      code: `${HEAD}show(await client.listTools());\nawait client.listen(filter);\n`,
    },
    { name: 'a loop that calls what it was given', code: loop('await refetch();') },
    {
      name: 'a loop that fetches past the cache',
      code: loop(`show(await client.listTools(undefined, { cacheMode: 'refresh' }));`),
    },
    {
      name: 'a loop that fetches with options from elsewhere',
      code: loop('show(await client.listTools(undefined, options));'),
    },
    { name: 'a loop that hands the subscription on', code: loop('opened(subscription);') },
    {
      name: 'the managed stream',
      code: `import { changeStream } from './mcp-change-stream.js';\n${HEAD}show(await client.listTools());\nawait changeStream(client, { onReopened }).listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'a circle that fetches',
      code: `${HEAD}export async function open() {\n  const subscription = await ${LISTEN};\n  await catchUp();\n  void subscription.closed.then(() => setTimeout(open, 1000));\n}\n`,
    },
  ],
  invalid: [
    {
      name: 'a loop that fetches nothing',
      code: `${TYPED}
export async function keepListening(client: Client) {
    while (true) {
        const sub = await client.listen({ toolsListChanged: true });
        const reason = await sub.closed;
        if (reason === 'remote') {
            await new Promise(r => setTimeout(r, 500));
        }
    }
}
`,
      errors: [{ messageId: 'relisten', line: 5, column: 34 }],
    },
    {
      name: 'a loop that fetches before it listens',
      code: `${HEAD}export async function follow() {\n  while (true) {\n    show(await client.listTools());\n    const subscription = await ${LISTEN};\n    await subscription.closed;\n  }\n}\n`,
      errors: [{ messageId: 'relisten', line: 6 }],
    },
    {
      name: 'a circle that fetches nothing',
      code: `${HEAD}export async function open() {\n  const subscription = await ${LISTEN};\n  void subscription.closed.then(() => setTimeout(open, 1000));\n}\n`,
      errors: [{ messageId: 'relisten', line: 4 }],
    },
    {
      name: 'a refetch after a gap that the cache may answer',
      code: loop(
        'show(await client.listTools());\n    show(await client.readResource({ uri }, { timeout: 5 }));',
      ),
      errors: [
        { messageId: 'cached', line: 6, data: { refetch: 'listTools' } },
        { messageId: 'cached', line: 7, data: { refetch: 'readResource' } },
      ],
    },
    {
      name: 'fetched before the acknowledgment alone',
      code: `${HEAD}await client.connect(transport);\nshow(await client.listTools());\nconst subscription = await ${LISTEN};\nawait subscription.closed;\n`,
      typed: true,
      errors: [{ messageId: 'beforeAck', line: 5, data: { refetch: 'listTools' } }],
    },
    {
      name: 'one of two kinds is fetched again',
      code: `${HEAD}export async function start(uri) {\n  show(await client.readResource({ uri }), await client.listTools());\n  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });\n  show(await client.listTools());\n  subscription.closed.then(stop);\n}\n`,
      errors: [{ messageId: 'beforeAck', line: 5, data: { refetch: 'readResource' } }],
    },
    {
      name: 'a script',
      code: `const { Client } = require('@modelcontextprotocol/client');\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nasync function start() {\n  show(await client.listPrompts());\n  await client.listen({ promptsListChanged: true });\n}\nstart();\n`,
      commonjs: true,
      errors: [{ messageId: 'beforeAck', line: 5 }],
    },
  ],
});
