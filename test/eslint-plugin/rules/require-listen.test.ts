import { requireListen } from '../../../eslint-plugin/src/rules/require-listen.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const PINNED = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n`;
const LEGACY = `${IMPORT}const client = new Client({ name: 'a', version: '1' });\n`;
const TOOLS = `client.setNotificationHandler('notifications/tools/list_changed', () => client.listTools());\n`;
const UPDATED = `client.setNotificationHandler('notifications/resources/updated', () => {});\n`;
const CONNECT = `await client.connect(transport);\n`;

testRule(requireListen, {
  valid: [
    {
      name: 'the stream asks for what is handled',
      code: `${DUAL}${TOOLS}${CONNECT}if (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the listChanged option opens a stream',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { onChanged: console.log } } });\nclient.setNotificationHandler('notifications/prompts/list_changed', () => {});\n`,
    },
    {
      name: 'the fallback handler',
      code: `${DUAL}client.fallbackNotificationHandler = async () => {};\n${TOOLS}${CONNECT}await client.listen({ promptsListChanged: true });\n`,
    },
    {
      name: 'the client goes to others, who may listen',
      code: `${DUAL}${TOOLS}${CONNECT}export const open = (host) => host.adopt(client);\n`,
    },
    {
      name: 'the client is exported',
      code: `${IMPORT}export const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n${TOOLS}`,
    },
    {
      name: 'the era is unknown',
      code: `${IMPORT}export function open(options) {\n  const client = new Client({ name: 'a', version: '1' }, options);\n  ${TOOLS}}\n`,
    },
    { name: 'a client that never opts in', code: LEGACY + TOOLS + CONNECT },
    {
      name: 'a handler of the legacy branch',
      code: `${DUAL}${CONNECT}if (client.getProtocolEra() === 'legacy') ${TOOLS}`,
    },
    {
      name: 'the managed stream asks',
      code: `${DUAL}import { changeStream } from './mcp-change-stream.js';\n${TOOLS}${UPDATED}${CONNECT}const changes = changeStream(client);\nawait changes.listen({ toolsListChanged: true });\nawait changes.subscribe('a://b');\n`,
    },
    {
      name: 'a subscription of 2025, which is reported where it stands',
      code: `${DUAL}${UPDATED}${CONNECT}await client.subscribeResource({ uri: 'a://b' });\n`,
    },
    {
      name: 'a filter that is made elsewhere',
      code: `${DUAL}${TOOLS}${CONNECT}await client.listen(filterOf(client.getServerCapabilities()));\n`,
    },
    {
      name: 'a filter that is filled as the code runs',
      code: `${DUAL}${TOOLS}${CONNECT}const filter = {};\nif (wanted) filter.toolsListChanged = true;\nawait client.listen(filter);\n`,
    },
    {
      name: 'a probe that looks at the acknowledgment and closes',
      code: `${PINNED}${CONNECT}const sub = await client.listen({ toolsListChanged: true });\nconsole.log(sub.honoredFilter);\nawait sub.close();\n`,
    },
    {
      name: 'a kind that is decided as the code runs',
      code: `${DUAL}${TOOLS}${CONNECT}await client.listen({ toolsListChanged: true, promptsListChanged: Boolean(client.getServerCapabilities()?.prompts) });\n`,
    },
    {
      name: 'a handler for a method that cannot be read',
      code: `${PINNED}for (const method of methods) client.setNotificationHandler(method, () => {});\n${CONNECT}await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'an alias of the method that sets handlers',
      code: `${PINNED}const on = client.setNotificationHandler.bind(client);\non('notifications/tools/list_changed', () => {});\n${CONNECT}await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'progress and log messages, which no stream carries',
      code: `${DUAL}client.setNotificationHandler('notifications/progress', () => {});\nclient.setNotificationHandler('notifications/message', () => {});\n${CONNECT}`,
    },
    {
      name: 'the handlers of a server',
      code: `import { Server } from '@modelcontextprotocol/server';\nconst server = new Server({ name: 'a', version: '1' });\nserver.setNotificationHandler('notifications/tools/list_changed', () => {});\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'updates of a client that subscribes, or is handed on, on the way',
      code: `${LEGACY}${UPDATED}await client.subscribeResource({ uri: 'a://b' });\nimport { follow } from './follow.js';\nconst other = new Client({ name: 'b', version: '1' });\nother.setNotificationHandler('notifications/resources/updated', () => {});\nfollow(other);\n`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'a client that is kept on the legacy era, on the way',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'legacy' } });\n${TOOLS}`,
      options: [{ includeLegacy: true }],
    },
    {
      name: 'the option of a client on the way',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { listChanged: { tools: { onChanged: console.log } } });\nclient.setNotificationHandler('notifications/prompts/list_changed', () => {});\n`,
      options: [{ includeLegacy: true }],
    },
  ],
  invalid: [
    {
      name: 'handlers without a stream',
      code: DUAL + TOOLS + CONNECT,
      typed: true,
      errors: [
        {
          messageId: 'noListen',
          line: 3,
          column: 8,
          data: { wishes: 'toolsListChanged: true' },
          suggestions: [
            {
              messageId: 'listenToAll',
              output: `${DUAL}${TOOLS}await client.connect(transport);\nif (client.getProtocolEra() === 'modern') {\n  await client.listen({ toolsListChanged: true });\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'two handlers of a pinned client, in a class',
      code: `${IMPORT}export class Host {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n  async open(transport) {\n    for (const method of ['notifications/tools/list_changed', 'notifications/prompts/list_changed'])\n      this.#client.setNotificationHandler(method, () => this.refresh());\n    await this.#client.connect(transport); // then listen\n  }\n}\n`,
      errors: [
        {
          messageId: 'noListen',
          line: 6,
          data: { wishes: 'toolsListChanged: true, promptsListChanged: true' },
          suggestions: [
            {
              messageId: 'listenToAll',
              output: `${IMPORT}export class Host {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n  async open(transport) {\n    for (const method of ['notifications/tools/list_changed', 'notifications/prompts/list_changed'])\n      this.#client.setNotificationHandler(method, () => this.refresh());\n    await this.#client.connect(transport); // then listen\n    await this.#client.listen({ toolsListChanged: true, promptsListChanged: true });\n  }\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'updates without a stream have no suggestion: nobody knows the URI',
      code: DUAL + UPDATED + CONNECT,
      errors: [{ messageId: 'noListen', line: 3, data: { wishes: 'resourceSubscriptions: [uri]' } }],
    },
    {
      name: 'a handler that no filter asks for',
      code: `${DUAL}${TOOLS}client.setNotificationHandler('notifications/prompts/list_changed', () => {});\n${CONNECT}await client.listen({ toolsListChanged: true });\n`,
      errors: [
        {
          messageId: 'noWish',
          line: 4,
          data: { wishes: 'promptsListChanged: true' },
          suggestions: [
            {
              messageId: 'addWish',
              output: `${DUAL}${TOOLS}client.setNotificationHandler('notifications/prompts/list_changed', () => {});\n${CONNECT}await client.listen({ toolsListChanged: true, promptsListChanged: true });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a wish that nobody handles',
      code: `${DUAL}${TOOLS}${CONNECT}const sub = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['a://b'] });\nawait sub.closed;\n`,
      errors: [{ messageId: 'noHandler', line: 5, data: { field: 'resourceSubscriptions' } }],
    },
    {
      name: 'a wish of the managed stream that nobody handles',
      code: `${DUAL}import { changeStream } from './mcp-change-stream.js';\n${TOOLS}${CONNECT}await changeStream(client).listen({ toolsListChanged: true, promptsListChanged: true });\n`,
      errors: [{ messageId: 'noHandler', line: 6, data: { field: 'promptsListChanged' } }],
    },
    {
      name: 'a client that never opts in, on the way',
      code: LEGACY + TOOLS + CONNECT,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyHandler', line: 3 }],
    },
    {
      name: 'updates that nobody subscribes to, on the way',
      code: `${IMPORT}export function open(transport) {\n  const client = new Client({ name: 'a', version: '1' });\n  ${UPDATED}  return client;\n}\n`,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyHandler', line: 4 }],
    },
    {
      name: 'schema constants of version 1, on the way',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nimport { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';\nexport const watch = (client: Client, load: () => void) => client.setNotificationHandler(ToolListChangedNotificationSchema, load);\n`,
      options: [{ includeLegacy: true }],
      errors: [{ messageId: 'legacyHandler', line: 3, data: { wishes: 'toolsListChanged: true' } }],
    },
  ],
});
