import { noUncheckedAck } from '../../../eslint-plugin/src/rules/no-unchecked-ack.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;

const inserted = (name: string, missing: string, indent = ''): string =>
  `\n${indent}if (${missing}) {\n${indent}  await ${name}.close();\n${indent}  throw new Error('The server does not send everything that was asked for');\n${indent}}`;

testRule(noUncheckedAck, {
  valid: [
    {
      name: 'the acknowledgment is read',
      code: `${DUAL}const sub = await client.listen({ toolsListChanged: true });\nif (!sub.honoredFilter.toolsListChanged) await sub.close();\n`,
    },
    {
      name: 'a test that waits for the change itself',
      code: `import { expect, it, vi } from 'vitest';\n${DUAL}it('delivers', async () => {\n  const sub = await client.listen({ resourceSubscriptions: ['file:///watched.txt'] });\n  await vi.waitFor(() => expect(updates).toEqual(['file:///watched.txt']));\n  await sub.close();\n});\n`,
    },
    {
      name: 'it is taken out by a pattern',
      code: `${DUAL}const { honoredFilter, closed } = await client.listen({ toolsListChanged: true });\nexport { honoredFilter, closed };\n`,
    },
    {
      name: 'it is read in then()',
      code: `${DUAL}client.listen({ toolsListChanged: true }).then((sub) => console.log(sub.honoredFilter));\n`,
    },
    {
      name: 'it is read in another function, of a variable outside',
      code: `${DUAL}let sub;\nexport const open = async () => { sub = await client.listen({ toolsListChanged: true }); };\nexport const live = () => sub?.honoredFilter.toolsListChanged === true;\n`,
    },
    {
      name: 'a function of the file reads it',
      code: `${DUAL}const check = (sub) => { if (!sub.honoredFilter.toolsListChanged) throw new Error('declined'); };\ncheck(await client.listen({ toolsListChanged: true }));\n`,
    },
    {
      name: 'the subscription goes to the caller',
      code: `${TYPED}export async function open(client: Client) {\n  const sub = await client.listen({ toolsListChanged: true });\n  return sub;\n}\n`,
    },
    {
      name: 'the subscription goes to a stranger',
      code: `${DUAL}import { track } from './track.js';\ntrack(await client.listen({ toolsListChanged: true }));\n`,
    },
    {
      name: 'the subscription is kept where others can read it',
      code: `${DUAL}export class Host {\n  async open() {\n    this.sub = await client.listen({ toolsListChanged: true });\n  }\n}\n`,
    },
    {
      name: 'the subscription is exported',
      code: `${DUAL}export const sub = await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the managed stream',
      code: `${DUAL}import { changeStream } from './mcp-change-stream.js';\nawait changeStream(client).listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'a stream that is closed again at once',
      code: `${DUAL}const sub = await client.listen({ toolsListChanged: true });\nawait sub.close();\n`,
    },
    {
      name: 'a client that never opts in, whose listen always rejects',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'an HTTP server beside a client',
      code: `${DUAL}import express from 'express';\nexpress().listen(3000);\n`,
    },
  ],
  invalid: [
    {
      name: 'only closed is read',
      code: `${TYPED}\nexport async function keepListening(client: Client) {\n  while (true) {\n    const sub = await client.listen({ toolsListChanged: true });\n    const reason = await sub.closed;\n    if (reason === 'remote') {\n      await new Promise((r) => setTimeout(r, 500));\n    }\n  }\n}\n`,
      typed: true,
      errors: [
        {
          messageId: 'unread',
          line: 5,
          column: 30,
          suggestions: [
            {
              messageId: 'insist',
              output: `${TYPED}\nexport async function keepListening(client: Client) {\n  while (true) {\n    const sub = await client.listen({ toolsListChanged: true });${inserted('sub', '!sub.honoredFilter.toolsListChanged', '    ')}\n    const reason = await sub.closed;\n    if (reason === 'remote') {\n      await new Promise((r) => setTimeout(r, 500));\n    }\n  }\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'the subscription is dropped, with two wishes and a comment behind',
      code: `${DUAL}await client.listen({ promptsListChanged: true, resourceSubscriptions: ['a://b'] }); // from here on\nexport let active = true;\n`,
      errors: [
        {
          messageId: 'unread',
          suggestions: [
            {
              messageId: 'insist',
              output: `${DUAL}const subscription = await client.listen({ promptsListChanged: true, resourceSubscriptions: ['a://b'] }); // from here on${inserted('subscription', `!subscription.honoredFilter.promptsListChanged || !subscription.honoredFilter.resourceSubscriptions?.includes('a://b')`)}\nexport let active = true;\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a Set that takes any acknowledgment for success, without a suggestion for a filter out of sight',
      code: `${DUAL}const watched = new Set();\nexport async function watch(uri, filter) {\n  await client.listen(filter);\n  watched.add(uri);\n}\n`,
      errors: [{ messageId: 'unread', line: 5 }],
    },
    {
      name: 'then() that does not take it',
      code: `${DUAL}client.listen({ toolsListChanged: true }).then(() => console.log('live')).catch(console.error);\nvoid client.listen({ promptsListChanged: true });\n`,
      errors: [
        { messageId: 'unread', line: 3 },
        { messageId: 'unread', line: 4 },
      ],
    },
    {
      name: 'a private field that is only closed',
      code: `${IMPORT}export class Host {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n  #sub;\n  async open() {\n    this.#sub = await this.#client.listen({ toolsListChanged: true });\n  }\n  async close() {\n    await this.#sub?.close();\n  }\n}\n`,
      errors: [{ messageId: 'unread', line: 6 }],
    },
    {
      name: 'a swap of streams that looks at neither',
      code: `${TYPED}export function streams(client: Client, timeout: object) {\n  let current: { close(): Promise<void> } | undefined;\n  return async (uris: string[]) => {\n    const previous = current;\n    const opened = await client.listen({ resourceSubscriptions: [...uris] }, timeout);\n    current = opened;\n    await previous?.close();\n  };\n}\n`,
      errors: [{ messageId: 'unread', line: 6 }],
    },
    {
      name: 'a function of the file returns it to one that does not look',
      code: `${DUAL}async function open() {\n  return client.listen({ toolsListChanged: true });\n}\nconst sub = await open();\nsub.closed.then(console.log);\n`,
      errors: [{ messageId: 'unread', line: 4 }],
    },
  ],
});
