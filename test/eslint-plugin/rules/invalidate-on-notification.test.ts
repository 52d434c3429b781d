import { invalidateOnNotification } from '../../../eslint-plugin/src/rules/invalidate-on-notification.js';
import { testRule } from '../support/rule-tester.js';

const HEAD = `import { Client } from '@modelcontextprotocol/client';
const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
let cached;
let expires = 0;
async function tools(past) {
  if (Date.now() < expires) return cached;
  const result = await client.listTools();
  cached = result.tools;
  expires = Date.now() + result.ttlMs;
  return cached;
}
`;
const on = (handler: string, method = 'tools/list_changed'): string =>
  `client.setNotificationHandler('notifications/${method}', ${handler});\n`;

testRule(invalidateOnNotification, {
  valid: [
    {
      name: 'the handler asks the server',
      code: `${HEAD}${on('async () => show(await client.listTools())')}`,
    },
    {
      name: 'the entry is dropped before it is read',
      code: `${HEAD}${on('async () => {\n  expires = 0;\n  show(await tools());\n}')}`,
    },
    {
      name: 'the entry is dropped by a function of the file, and by a method',
      code: `${HEAD}function forget() {\n  cached = undefined;\n}\n${on('async () => {\n  forget();\n  show(await tools());\n}')}${on('async () => {\n  entries.delete("tools");\n  show(await tools());\n}', 'prompts/list_changed')}`,
    },
    {
      name: 'the read is told to go past the cache',
      code: `${HEAD}${on('async () => show(await tools(true))')}`,
    },
    {
      name: 'a function that reads no cache, and one out of sight',
      code: `${HEAD}import { load } from './load.js';\nasync function fresh() {\n  if (Date.now() - started < 1000) return later();\n  return client.listTools();\n}\n${on('async () => show(await fresh(), await load())')}`,
    },
    {
      name: 'an answer for what is old',
      code: `${HEAD}async function old() {\n  if (expires < Date.now()) return nothing;\n  return client.listTools();\n}\n${on('async () => show(await old())')}`,
    },
    {
      name: 'the handler of a message',
      code: `${HEAD}${on('async () => show(await tools())', 'message')}`,
    },
    {
      name: 'a client of the legacy era alone',
      code: `${HEAD.replace(`, { versionNegotiation: { mode: 'auto' } }`, '')}${on('async () => show(await tools())')}setInterval(() => client.listTools(), ttlMs);\n`,
    },
    {
      name: 'the legacy branch',
      code: `${HEAD}${on(`async () => {\n  if (client.getProtocolEra() === 'legacy') show(await tools());\n}`)}`,
    },
    {
      name: 'a timer of another kind, and one that polls at its own pace',
      code: `${HEAD}setInterval(() => cache.prune(), ttlMs);\nsetInterval(() => client.listTools(), 60_000);\nsetTimeout(() => client.listTools(), ttlMs);\n`,
    },
    {
      name: 'a timer that is not the platform’s client',
      code: `import '@modelcontextprotocol/client';\nimport { client } from './jobs.js';\nsetInterval(() => client.listTools(), ttlMs);\n`,
    },
  ],
  invalid: [
    {
      name: 'the handler reads what is still fresh',
      code: `${HEAD}${on('async () => show(await tools())')}`,
      typed: true,
      errors: [{ messageId: 'stale', line: 12, column: 90, data: { name: 'tools' } }],
    },
    {
      name: 'a method, a map, and an age',
      code: `import { Client } from '@modelcontextprotocol/client';
export class Host {
  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  #entries = new Map();
  start() {
    this.#client.setNotificationHandler('notifications/resources/updated', async (n) => {
      this.show(await this.read(n.params.uri));
    });
  }
  async read(uri) {
    const entry = this.#entries.get(uri);
    if (entry !== undefined && Date.now() - entry.at < entry.ttlMs) {
      return entry.value;
    }
    const value = await this.#client.readResource({ uri });
    this.#entries.set(uri, { value, at: Date.now(), ttlMs: value.ttlMs });
    return value;
  }
}
`,
      errors: [{ messageId: 'stale', line: 7, data: { name: 'read' } }],
    },
    {
      name: 'polls at the time to live',
      code: `${HEAD}const { ttlMs } = await client.listTools();\nsetInterval(async () => show(await client.listTools()), ttlMs);\nsetInterval(poll, TOOLS_TTL * 1000);\nasync function poll() {\n  show(await client.readResource({ uri }));\n}\n`,
      errors: [
        { messageId: 'poll', line: 13, column: 1 },
        { messageId: 'poll', line: 14 },
      ],
    },
    {
      name: 'a script',
      code: `const { Client } = require('@modelcontextprotocol/client');\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nmodule.exports = (result) => setInterval(() => client.listPrompts(), result.ttlMs);\n`,
      commonjs: true,
      errors: [{ messageId: 'poll', line: 3 }],
    },
  ],
});
