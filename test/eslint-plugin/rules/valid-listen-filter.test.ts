import { validListenFilter } from '../../../eslint-plugin/src/rules/valid-listen-filter.js';
import { testRule } from '../support/rule-tester.js';

const CLIENT = `import { Client } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n`;
const listen = (filter: string): string => `${CLIENT}await client.listen(${filter});\n`;
const raw = (params: string): string =>
  `export const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: ${params} };\n`;
const mended = (filter: string, text: string) => ({
  messageId: 'mend',
  data: { text },
  output: listen(filter),
});

testRule(validListenFilter, {
  valid: [
    {
      name: 'all four keys',
      code: listen(
        `{ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: false, resourceSubscriptions: ['a://b'] }`,
      ),
    },
    { name: 'keys that are decided as the code runs', code: listen('{ toolsListChanged: wanted }') },
    { name: 'a spread', code: listen('{ ...wishes, toolsListChanged: false }') },
    { name: 'a filter from elsewhere', code: listen('filterOf(client)') },
    {
      name: 'a filter that is filled after it was made',
      code: `${CLIENT}const filter = {};\nif (wanted) filter.toolsListChanged = true;\nawait client.listen(filter);\n`,
    },
    { name: 'URIs from elsewhere', code: listen('{ resourceSubscriptions: [...watched, uri] }') },
    { name: 'a list of URIs by name', code: listen('{ resourceSubscriptions: uris }') },
    {
      name: 'URIs with a star or a brace that are no pattern',
      code: listen(`{ resourceSubscriptions: ['db://query?q=select*', 'a://5*3', \`b://\${id}\`] }`),
    },
    {
      name: 'tasks, where the client declares the extension',
      code: `import { Client } from '@modelcontextprotocol/client';\nconst extensions = { 'io.modelcontextprotocol/tasks': {} };\nconst client = new Client({ name: 'a', version: '1' }, { capabilities: { extensions }, versionNegotiation: { mode: 'auto' } });\nawait client.listen({ taskIds: ['t-1'], toolsListChanged: true });\n`,
    },
    { name: 'tasks in raw code', code: raw(`{ notifications: { taskIds: ['t-1'] } }`) },
    { name: 'the right place in raw code', code: raw(`{ notifications: { toolsListChanged: true } }`) },
    { name: 'params that something is spread into', code: raw(`{ ...params, notifications }`) },
    {
      name: 'the filters of others',
      code: `${CLIENT}import { bus } from './bus.js';\nbus.listen({ toolListChanged: true });\n`,
    },
  ],
  invalid: [
    {
      name: 'a slip in a key',
      code: listen(`{ toolListChanged: true, 'resourceSubscription': ['a://b'] }`),
      output: listen(`{ toolsListChanged: true, 'resourceSubscriptions': ['a://b'] }`),
      typed: true,
      errors: [
        {
          messageId: 'misspelt',
          line: 3,
          column: 23,
          data: { what: 'toolListChanged', instead: 'toolsListChanged' },
        },
        { messageId: 'misspelt', line: 3 },
      ],
    },
    {
      name: 'a slip in a key that stands for its value',
      code: listen('{ toolsListChange }'),
      output: listen('{ toolsListChanged: toolsListChange }'),
      errors: [{ messageId: 'misspelt' }],
    },
    {
      name: 'a slip beside the right key is not mended',
      code: listen('{ toolListChanged: true, toolsListChanged: true }'),
      errors: [{ messageId: 'misspelt' }],
    },
    {
      name: 'another name for a key',
      code: listen(`{ uris: ['a://b'] }`),
      errors: [
        {
          messageId: 'misspelt',
          data: { what: 'uris', instead: 'resourceSubscriptions' },
          suggestions: [mended(`{ resourceSubscriptions: ['a://b'] }`, 'resourceSubscriptions')],
        },
      ],
    },
    {
      name: 'a key that nobody knows',
      code: listen('{ toolsListChanged: true, progress: true }'),
      errors: [
        {
          messageId: 'unknownKey',
          data: { what: 'progress' },
          suggestions: [{ messageId: 'remove', output: listen('{ toolsListChanged: true }') }],
        },
      ],
    },
    {
      name: 'tasks, behind a constant',
      code: `${CLIENT}const filter = { taskIds: ['t-1'], toolsListChanged: true };\nawait client.listen(filter);\n`,
      errors: [
        {
          messageId: 'extensionKey',
          line: 3,
          data: {
            what: 'taskIds',
            version: '@modelcontextprotocol/client of an unknown version, taken for the newest',
            capability: 'io.modelcontextprotocol/tasks',
            poll: 'tasks/get',
          },
          suggestions: [
            {
              messageId: 'remove',
              output: `${CLIENT}const filter = { toolsListChanged: true };\nawait client.listen(filter);\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'tasks, beside another extension',
      code: `import { Client } from '@modelcontextprotocol/client';\nconst extensions = { 'io.modelcontextprotocol/ui': {} };\nconst client = new Client({ name: 'a', version: '1' }, { capabilities: { extensions }, versionNegotiation: { mode: 'auto' } });\nawait client.listen({ taskIds: [id], toolsListChanged: true });\n`,
      errors: [
        {
          messageId: 'extensionKey',
          line: 4,
          suggestions: [
            {
              messageId: 'remove',
              output: `import { Client } from '@modelcontextprotocol/client';\nconst extensions = { 'io.modelcontextprotocol/ui': {} };\nconst client = new Client({ name: 'a', version: '1' }, { capabilities: { extensions }, versionNegotiation: { mode: 'auto' } });\nawait client.listen({ toolsListChanged: true });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a slip beside a declared extension',
      code: `${CLIENT}const TASKS = 'io.modelcontextprotocol/tasks';\nawait client.listen({ taskIds: [id], toolListChanged: true });\n`,
      output: `${CLIENT}const TASKS = 'io.modelcontextprotocol/tasks';\nawait client.listen({ taskIds: [id], toolsListChanged: true });\n`,
      errors: [{ messageId: 'misspelt', line: 4 }],
    },
    {
      name: 'no boolean',
      code: listen(`{ toolsListChanged: 'yes', promptsListChanged: null, resourcesListChanged: [] }`),
      errors: [
        {
          messageId: 'notBoolean',
          suggestions: [
            mended(`{ toolsListChanged: true, promptsListChanged: null, resourcesListChanged: [] }`, 'true'),
          ],
        },
        { messageId: 'notBoolean', data: { what: 'promptsListChanged' } },
        {
          messageId: 'notBoolean',
          suggestions: [
            mended(
              `{ toolsListChanged: 'yes', promptsListChanged: null, resourcesListChanged: true }`,
              'true',
            ),
          ],
        },
      ],
    },
    {
      name: 'one URI without its list',
      code: listen(`{ resourceSubscriptions: 'urn:b' }`),
      errors: [
        {
          messageId: 'notUris',
          suggestions: [mended(`{ resourceSubscriptions: ['urn:b'] }`, `['urn:b']`)],
        },
      ],
    },
    {
      name: 'a Set of URIs',
      code: `${CLIENT}const watched = new Set();\nawait client.listen({ resourceSubscriptions: watched });\n`,
      errors: [
        {
          messageId: 'notUris',
          line: 4,
          suggestions: [
            {
              messageId: 'mend',
              data: { text: '[...watched]' },
              output: `${CLIENT}const watched = new Set();\nawait client.listen({ resourceSubscriptions: [...watched] });\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'true in place of URIs, and a number among them',
      code: `${CLIENT}await client.listen({ resourceSubscriptions: true });\nawait client.listen({ resourceSubscriptions: ['a://b', 7] });\n`,
      errors: [
        { messageId: 'notUris', line: 3 },
        { messageId: 'notUri', line: 4, data: { what: '7' } },
      ],
    },
    {
      name: 'the parameters of 2025 among URIs',
      code: listen('{ resourceSubscriptions: [{ uri }] }'),
      errors: [{ messageId: 'notUri', suggestions: [mended('{ resourceSubscriptions: [uri] }', 'uri')] }],
    },
    {
      name: 'a template and wildcards',
      code: listen(`{ resourceSubscriptions: ['notes://{id}', 'file:///logs/*', 'file:///**/a.md'] }`),
      errors: [
        { messageId: 'pattern', data: { what: 'notes://{id}' } },
        { messageId: 'pattern', data: { what: 'file:///logs/*' } },
        { messageId: 'pattern', data: { what: 'file:///**/a.md' } },
      ],
    },
    {
      name: 'a URI named twice',
      code: listen(`{ resourceSubscriptions: ['a://b', 'a://c', 'a://b'] }`),
      errors: [
        {
          messageId: 'twice',
          data: { what: 'a://b' },
          suggestions: [
            { messageId: 'remove', output: listen(`{ resourceSubscriptions: ['a://b', 'a://c'] }`) },
          ],
        },
      ],
    },
    {
      name: 'nothing at all',
      code: `${CLIENT}await client.listen({});\nawait client.listen({ toolsListChanged: false, resourceSubscriptions: [] });\nawait client.listen();\n`,
      errors: [
        { messageId: 'asksForNothing', line: 3 },
        { messageId: 'asksForNothing', line: 4 },
        { messageId: 'asksForNothing', line: 5 },
      ],
    },
    {
      name: 'raw code with the filter elsewhere',
      code: `${raw(`{ filter: { toolsListChanged: true } }`)}export const other = { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { uri } };\n`,
      errors: [
        {
          messageId: 'wrongPlace',
          line: 1,
          data: { what: 'filter' },
          suggestions: [
            {
              messageId: 'mend',
              data: { text: 'notifications' },
              output: `${raw(`{ notifications: { toolsListChanged: true } }`)}export const other = { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { uri } };\n`,
            },
          ],
        },
        { messageId: 'wrongPlace', line: 2, data: { what: 'uri' } },
      ],
    },
    {
      name: 'raw code with a slip in a key',
      code: raw(`{ notifications: { resourceListChanged: true } }`),
      output: raw(`{ notifications: { resourcesListChanged: true } }`),
      errors: [{ messageId: 'misspelt', line: 1 }],
    },
    {
      name: 'raw code that asks for nothing',
      code: raw(`{ notifications: { toolsListChanged: false } }`),
      errors: [{ messageId: 'asksForNothing', line: 1 }],
    },
  ],
});
