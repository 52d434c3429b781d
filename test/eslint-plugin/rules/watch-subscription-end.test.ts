import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule as EslintRule } from 'eslint';
import { expect, it } from 'vitest';
import { boundedRelisten } from '../../../eslint-plugin/src/rules/bounded-relisten.js';
import { refetchAfterAck } from '../../../eslint-plugin/src/rules/refetch-after-ack.js';
import { watchSubscriptionEnd } from '../../../eslint-plugin/src/rules/watch-subscription-end.js';
import { REPOSITORY, TYPESCRIPT } from '../support/parsers.js';
import { testRule } from '../support/rule-tester.js';

const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;
const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const HEAD = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const LISTEN = `client.listen({ toolsListChanged: true })`;

const withOption = (mode: string, more = ''): string =>
  `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: ${mode} }, listChanged: { tools: { onChanged: show } } });\n${more}`;

/** A class that restarts its server. */
const restarting = (behind: string, more = ''): string => `${IMPORT}export class Host {
  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  async start() {
    await this.#client.connect(this.spawn());
    await this.open();
  }
  async open() {
    const subscription = await this.#client.listen({ toolsListChanged: true });
    subscription.closed.then(this.onEnd);
  }
  async restart() {
    await this.#client.connect(this.spawn());
    ${behind}
  }
  ${more}
}
`;

testRule(watchSubscriptionEnd, {
  valid: [
    {
      name: 'the end is awaited',
      code: `${HEAD}const subscription = await ${LISTEN};\nawait subscription.closed;\n`,
    },
    {
      name: 'the end is taken by a pattern, or without a name',
      code: `${HEAD}const { closed } = await ${LISTEN};\nvoid closed.then(end);\n(await ${LISTEN}).closed.then(end);\n${LISTEN}.then((subscription) => subscription.closed).then(end);\n`,
    },
    {
      name: 'the subscription goes to the caller, into a field that others see, and to a stranger',
      code: `${TYPED}export const open = (client: Client) => client.listen({ toolsListChanged: true });\nexport class Holder {\n  subscription;\n  async open(client: Client) {\n    this.subscription = await client.listen({ toolsListChanged: true });\n    keep(await client.listen({ promptsListChanged: true }));\n  }\n}\n`,
    },
    {
      name: 'closed again in the same function',
      code: `${HEAD}export async function look() {\n  const subscription = await ${LISTEN};\n  await change();\n  await subscription.close();\n}\n`,
    },
    {
      name: 'closed by the disposer of the same function',
      code: `${HEAD}export async function follow() {\n  const subscription = await ${LISTEN};\n  return async () => {\n    await subscription.close();\n  };\n}\n`,
    },
    {
      name: 'the client is closed in the same function',
      code: `${HEAD}export async function look() {\n  await ${LISTEN};\n  await change();\n  await client.close();\n}\n`,
    },
    {
      name: 'the process exits',
      code: `${HEAD}await ${LISTEN};\nawait change();\nprocess.exit(0);\n`,
    },
    {
      name: 'the managed stream',
      code: `import { changeStream } from './mcp-change-stream.js';\n${HEAD}await changeStream(client).listen({ toolsListChanged: true });\nexport const reconnect = () => client.connect(transport());\n`,
    },
    {
      name: 'a server that listens',
      code: `import '@modelcontextprotocol/client';\nimport express from 'express';\nexpress().listen(3000);\n`,
    },
    { name: 'a restart that listens again', code: restarting('await this.open();') },
    {
      name: 'a restart that leads to a listen',
      code: restarting('await this.ready();', 'ready() {\n    return this.open();\n  }'),
    },
    {
      name: 'a restart whose caller listens',
      code: restarting('', 'async onExit() {\n    await this.restart();\n    await this.open();\n  }'),
    },
    {
      name: 'the stream of listChanged is watched',
      code: withOption(
        `'auto'`,
        'await client.connect(transport);\nclient.autoOpenedSubscription?.closed.then(end);\n',
      ),
    },
    {
      name: 'listChanged of a legacy client, which opens no stream',
      code: withOption(`'legacy'`),
    },
    {
      name: 'listChanged in options from elsewhere',
      code: `${IMPORT}export const make = (options) => new Client({ name: 'a', version: '1' }, options);\nexport const listChanged = { tools: {} };\n`,
    },
    {
      name: 'listChanged of the capabilities',
      code: `${IMPORT}export const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: { roots: { listChanged: true } } });\n`,
    },
    {
      name: 'a connect with prior that listens by hand',
      code: withOption(
        `'auto'`,
        `await client.connect(transport, { prior: { kind: 'modern' } });\nconst subscription = client.autoOpenedSubscription ?? (await ${LISTEN});\nsubscription.closed.then(end);\n`,
      ),
    },
  ],
  invalid: [
    {
      name: 'nobody looks at the end',
      code: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'tray', version: '1.0.0' });
client.setNotificationHandler('notifications/tools/list_changed', async () => {
    await client.listTools();
});
await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1:3000/mcp')));
const sub = await client.listen({ toolsListChanged: true });
console.log(sub.honoredFilter);
`,
      typed: true,
      errors: [{ messageId: 'unwatched', line: 8, column: 26 }],
    },
    {
      name: 'nobody has it',
      code: `${HEAD}await client.connect(transport);\nvoid ${LISTEN}.catch(log);\n`,
      errors: [{ messageId: 'unwatched', line: 4 }],
    },
    {
      name: 'a private field that is closed by another method',
      code: `${IMPORT}export class Host {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n  #subscription;\n  async open() {\n    this.#subscription = await this.#client.listen({ toolsListChanged: true });\n  }\n  async close() {\n    await this.#subscription?.close();\n  }\n}\n`,
      errors: [{ messageId: 'unwatched', line: 6 }],
    },
    {
      name: 'a restart that does not listen again',
      code: restarting('this.ready = true;'),
      errors: [{ messageId: 'reconnect', line: 13 }],
    },
    {
      name: 'a function that connects again when the connection closes',
      code: `${HEAD}await client.connect(transport());\nconst subscription = await ${LISTEN};\nsubscription.closed.then(end);\nclient.onclose = async () => {\n  await client.connect(transport());\n};\n`,
      errors: [{ messageId: 'reconnect', line: 7, column: 16 }],
    },
    {
      name: 'the stream of listChanged that nobody watches',
      code: withOption(`{ pin: '2026-07-28' }`, 'await client.connect(transport);\n'),
      errors: [{ messageId: 'autoOpened', line: 2 }],
    },
    {
      name: 'listChanged and prior',
      code: withOption(
        `'auto'`,
        `await client.connect(transport, { prior: { kind: 'modern' } });\nclient.autoOpenedSubscription?.closed.then(end);\n`,
      ),
      errors: [{ messageId: 'prior', line: 3 }],
    },
  ],
});

it.each([watchSubscriptionEnd, boundedRelisten, refetchAfterAck])(
  '$name is silent in the file of the managed stream, and not in another of that content',
  (rule) => {
    const code = `${HEAD}export async function open() {\n  await ${LISTEN};\n  setTimeout(open, 1000);\n}\n`;
    const managed = readFileSync(join(REPOSITORY, 'src/runtime/change-stream.ts'), 'utf8');
    expect(messages(rule, managed, 'mcp-change-stream.ts')).toEqual([]);
    expect(messages(rule, code, 'mcp-change-stream.ts')).toEqual([]);
    expect(messages(rule, code, 'change-stream.ts')).not.toEqual([]);
  },
);

function messages(rule: typeof watchSubscriptionEnd, code: string, filename: string) {
  return new TYPESCRIPT.Linter().verify(
    code,
    {
      files: ['**/*.ts'],
      languageOptions: TYPESCRIPT.languageOptions,
      plugins: { 'mcp-listen': { rules: { [rule.name]: rule as unknown as EslintRule.RuleModule } } },
      settings: { 'mcp-listen': { packageIndex: false } },
      rules: { [`mcp-listen/${rule.name}`]: 'error' },
    },
    { filename },
  );
}
