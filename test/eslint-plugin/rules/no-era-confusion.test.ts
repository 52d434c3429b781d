import { noEraConfusion } from '../../../eslint-plugin/src/rules/no-era-confusion.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const PINNED = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n`;
const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;

testRule(noEraConfusion, {
  valid: [
    {
      name: 'the legacy branch',
      code: `${DUAL}if (client.getProtocolEra() === 'legacy') await client.ping();\nif (client.getProtocolEra() !== 'modern') await client.setLoggingLevel('info');\n`,
    },
    {
      name: 'behind the modern branch, which leaves',
      code: `${DUAL}export async function check() {\n  if (client.getProtocolEra() === 'modern') return client.listTools();\n  return client.ping();\n}\n`,
    },
    { name: 'nobody asked for the era', code: `${DUAL}await client.ping();\n` },
    {
      name: 'what both eras know, on the modern branch',
      code: `${DUAL}if (client.getProtocolEra() === 'modern') await client.request({ method: 'tools/list' });\n`,
    },
    {
      name: 'the ping of something else',
      code: `${PINNED}import { redis } from './redis.js';\nif (client.getProtocolEra() === 'modern') await redis.ping();\n`,
    },
    {
      name: 'a subscription on a pinned client, which is reported as such',
      code: `${PINNED}await client.subscribeResource({ uri: 'a://b' });\n`,
    },
    {
      name: 'a test that expects it to reject',
      code: `${PINNED}await expect(client.ping()).rejects.toThrow();\nawait expect(() => client.setLoggingLevel('info')).rejects.toThrow();\n`,
    },
    {
      name: 'a client of version 1',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nconst client = new Client({ name: 'a', version: '1' });\nif (era === 'modern') await client.ping();\n`,
    },
  ],
  invalid: [
    {
      name: 'on the modern branch',
      code: `${DUAL}if (client.getProtocolEra() === 'modern') {\n  await client.ping();\n  await client.setLoggingLevel('info');\n  await client.sendRootsListChanged();\n  await client.subscribeResource({ uri: 'a://b' });\n}\n`,
      typed: true,
      errors: [
        {
          messageId: 'onModernBranch',
          line: 4,
          column: 16,
          data: { what: 'ping()', method: 'ping', instead: '' },
        },
        { messageId: 'onModernBranch', line: 5 },
        { messageId: 'onModernBranch', line: 6 },
        {
          messageId: 'onModernBranch',
          line: 7,
          data: {
            what: 'subscribeResource()',
            method: 'resources/subscribe',
            instead: ', and open a stream with listen() here',
          },
        },
      ],
    },
    {
      name: 'after the legacy branch has left',
      code: `${TYPED}export async function check(client: Client) {\n  const era = client.getProtocolEra();\n  if (era === 'legacy') return;\n  await client.ping();\n}\n`,
      errors: [{ messageId: 'onModernBranch', line: 5 }],
    },
    {
      name: 'in a function that only the modern branch calls',
      code: `${DUAL}async function check() {\n  await client.ping();\n}\nif (client.getProtocolEra() === 'modern') await check();\n`,
      errors: [{ messageId: 'onModernBranch', line: 4 }],
    },
    {
      name: 'as a request and as a notification',
      code: `${DUAL}if (client.getProtocolEra() === 'modern') {\n  await client.request({ method: 'logging/setLevel', params: { level: 'info' } });\n  await client.notification({ method: 'notifications/roots/list_changed' });\n}\n`,
      errors: [
        {
          messageId: 'onModernBranch',
          line: 4,
          data: { what: 'logging/setLevel', method: 'logging/setLevel', instead: '' },
        },
        { messageId: 'onModernBranch', line: 5 },
      ],
    },
    {
      name: 'on a pinned client',
      code: `${PINNED}export const alive = () => client.ping().then(() => true);\n`,
      errors: [{ messageId: 'onPinnedClient', line: 3 }],
    },
  ],
});
