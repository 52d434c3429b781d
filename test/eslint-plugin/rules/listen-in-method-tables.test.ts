import { listenInMethodTables } from '../../../eslint-plugin/src/rules/listen-in-method-tables.js';
import { testRule } from '../support/rule-tester.js';

const ALL: [object] = [{ allTables: true }];

testRule(listenInMethodTables, {
  valid: [
    {
      name: 'both rows',
      code: `export const SCOPES = {\n  'resources/read': 'read',\n  'resources/subscribe': 'read',\n  'subscriptions/listen': 'read',\n};\n`,
    },
    {
      name: 'a table of something else, not strict',
      code: `export const TITLES = {\n  'resources/read': 'Read',\n  'resources/subscribe': 'Subscribe',\n};\n`,
    },
    {
      name: 'a row may come from elsewhere',
      code: `import { base } from './scopes.js';\nexport const SCOPES = { ...base, 'resources/read': 'read', 'resources/subscribe': 'read' };\n`,
    },
    {
      name: 'one method is no table',
      options: ALL,
      code: `export const allowed = { 'resources/subscribe': true };\n`,
    },
    {
      name: 'a table for each era',
      code: `export const scopes = {\n  old: { 'resources/read': 'read', 'resources/subscribe': 'read' },\n  now: { 'resources/read': 'read', 'subscriptions/listen': 'read' },\n};\n`,
    },
    {
      name: 'what is gone',
      options: ALL,
      code: `export const REMOVED_METHODS = ['ping', 'resources/subscribe', 'resources/unsubscribe'];\n`,
    },
    {
      name: 'a list of 2025',
      options: ALL,
      code: `export const legacyPermissions = { 'resources/read': 1, 'resources/subscribe': 1 };\n`,
    },
    {
      name: 'version 1 of the SDK',
      options: ALL,
      code: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport const permissions = { 'resources/read': 1, 'resources/subscribe': 1 };\nexport { McpServer };\n`,
    },
    {
      name: 'handlers: the SDK answers a listen',
      options: ALL,
      code: `export const handlers = { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) };\n`,
    },
    {
      name: 'on the branch of 2025',
      options: ALL,
      code: `export function allowed(method, era) {\n  if (era === 'legacy') {\n    switch (method) {\n      case 'resources/read':\n      case 'resources/subscribe':\n        return true;\n    }\n  }\n  return false;\n}\n`,
    },
    {
      name: 'a test',
      options: ALL,
      code: `import { expect, it } from 'vitest';\nconst allowed = ['resources/read', 'resources/subscribe'];\nit('allows', () => expect(allowed).toHaveLength(2));\n`,
    },
  ],
  invalid: [
    {
      name: 'scopes by method',
      code: `export const SCOPES: Record<string, string> = {\n  'resources/read': 'resources:read',\n  'resources/subscribe': 'resources:read',\n};\n`,
      errors: [
        {
          messageId: 'security',
          line: 3,
          column: 3,
          suggestions: [
            {
              messageId: 'addRow',
              data: { listen: 'subscriptions/listen' },
              output: `export const SCOPES: Record<string, string> = {\n  'resources/read': 'resources:read',\n  'resources/subscribe': 'resources:read',\n  'subscriptions/listen': 'resources:read',\n};\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'rates, by what the rows hold, in double quotes',
      code: `export const table = { "tools/call": { limit: 10 }, "resources/subscribe": { limit: 5 } };\n`,
      errors: [
        {
          messageId: 'security',
          line: 1,
          suggestions: [
            {
              messageId: 'addRow',
              data: { listen: 'subscriptions/listen' },
              output: `export const table = { "tools/call": { limit: 10 }, "resources/subscribe": { limit: 5 }, "subscriptions/listen": { limit: 5 } };\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'an allow-list, with the methods in constants',
      code: `const METHODS = { read: 'resources/read', subscribe: 'resources/subscribe' };\nexport const allowedMethods = new Set([METHODS.read, METHODS.subscribe]);\n`,
      errors: [
        {
          messageId: 'security',
          line: 2,
          column: 54,
          suggestions: [
            {
              messageId: 'addRow',
              data: { listen: 'subscriptions/listen' },
              output: `const METHODS = { read: 'resources/read', subscribe: 'resources/subscribe' };\nexport const allowedMethods = new Set([METHODS.read, METHODS.subscribe, 'subscriptions/listen']);\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a map of roles',
      code: `export const roles = new Map([\n  ['tools/call', 'user'],\n  ['resources/subscribe', 'reader'],\n]);\n`,
      errors: [
        {
          messageId: 'security',
          line: 3,
          suggestions: [
            {
              messageId: 'addRow',
              data: { listen: 'subscriptions/listen' },
              output: `export const roles = new Map([\n  ['tools/call', 'user'],\n  ['resources/subscribe', 'reader'],\n  ['subscriptions/listen', 'reader'],\n]);\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a type that says which rows there are',
      code: `export const permissions: Record<Method, Permission> = {\n  'resources/read': Permission.Read,\n  'resources/subscribe': Permission.Read,\n};\n`,
      errors: [{ messageId: 'security', line: 3 }],
    },
    {
      name: 'a switch that decides',
      code: `export function requiredScope(method) {\n  switch (method) {\n    case 'resources/read':\n    case 'resources/subscribe':\n      return 'read';\n    default:\n      return 'none';\n  }\n}\n`,
      errors: [{ messageId: 'security', line: 4 }],
    },
    {
      name: 'any table, strict',
      options: ALL,
      code: `export const TITLES = {\n  'resources/read': 'Read',\n  'resources/subscribe': 'Subscribe', // in the log\n};\n`,
      errors: [
        {
          messageId: 'table',
          line: 3,
          suggestions: [
            {
              messageId: 'addRow',
              data: { listen: 'subscriptions/listen' },
              output: `export const TITLES = {\n  'resources/read': 'Read',\n  'resources/subscribe': 'Subscribe',\n  'subscriptions/listen': 'Subscribe', // in the log\n};\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'CommonJS',
      commonjs: true,
      code: `module.exports.permissions = { 'resources/read': 1, 'resources/subscribe': scopeOf(/* it */ 1) };\n`.replace(
        'module.exports.permissions =',
        'const permissions =',
      ),
      errors: [{ messageId: 'security', line: 1 }],
    },
  ],
});
