import { requireModernEra } from '../../../eslint-plugin/src/rules/require-modern-era.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;

testRule(requireModernEra, {
  valid: [
    {
      name: 'the client negotiates',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the client is pinned',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the options come from the caller',
      code: `${IMPORT}export async function open(options) {\n  const client = new Client({ name: 'a', version: '1' }, options);\n  return client.listen({ toolsListChanged: true });\n}\n`,
    },
    {
      name: 'the options spread something',
      code: `${IMPORT}export const open = (more) => new Client({ name: 'a', version: '1' }, { ...more }).listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the client comes from elsewhere',
      code: `import type { Client } from '@modelcontextprotocol/client';\nexport const open = (client: Client) => client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the era is checked',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nif (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'the era is chosen later',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nclient.setVersionNegotiation({ mode: 'auto' });\nawait client.listen({ toolsListChanged: true });\n`,
    },
    {
      name: 'another class of that name',
      code: `import { Client } from 'node-rest-client';\nimport '@modelcontextprotocol/client';\nnew Client({ name: 'a' }).listen(3000);\n`,
    },
    {
      name: 'an HTTP server beside a client',
      code: `${IMPORT}import express from 'express';\nconst app = express();\napp.listen(3000);\nexport const client = new Client({ name: 'a', version: '1' });\n`,
    },
    {
      name: 'a shadowed name',
      code: `${IMPORT}export function f(Client) {\n  return new Client({ name: 'a' }).listen({});\n}\n`,
    },
  ],
  invalid: [
    {
      name: 'no options',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nawait client.listen({ toolsListChanged: true });\n`,
      typed: true,
      errors: [
        {
          messageId: 'neverOptsIn',
          line: 3,
          column: 14,
          suggestions: [
            {
              messageId: 'addNegotiation',
              output: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nawait client.listen({ toolsListChanged: true });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'other options, in a field',
      code: `${IMPORT}class Host {\n  #client = new Client({ name: "a", version: "1" }, { capabilities: {} });\n  open() {\n    return this.#client.listen({ toolsListChanged: true });\n  }\n}\nexport { Host };\n`.replaceAll(
        "'",
        '"',
      ),
      errors: [
        {
          messageId: 'neverOptsIn',
          line: 5,
          suggestions: [
            {
              messageId: 'addNegotiation',
              output:
                `${IMPORT}class Host {\n  #client = new Client({ name: "a", version: "1" }, { versionNegotiation: { mode: "auto" }, capabilities: {} });\n  open() {\n    return this.#client.listen({ toolsListChanged: true });\n  }\n}\nexport { Host };\n`.replaceAll(
                  "'",
                  '"',
                ),
            },
          ],
        },
      ],
    },
    {
      name: 'an explicit legacy mode, required',
      code: `const mcp = require('@modelcontextprotocol/client');\nconst client = new mcp.Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'legacy' } });\nclient.listen({ toolsListChanged: true });\n`,
      commonjs: true,
      errors: [{ messageId: 'neverOptsIn', line: 3 }],
    },
    {
      name: 'version 1',
      code: `import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';\nconst client = new McpClient({ name: 'a', version: '1' });\nawait client.listen({ toolsListChanged: true });\n`,
      errors: [{ messageId: 'versionOne', line: 3 }],
    },
  ],
});
