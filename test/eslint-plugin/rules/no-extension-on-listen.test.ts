import { noExtensionOnListen } from '../../../eslint-plugin/src/rules/no-extension-on-listen.js';
import { testRule } from '../support/rule-tester.js';

const CLIENT = `import { Client } from '@modelcontextprotocol/client';\nconst client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });\n`;
const ZOD = `import { z } from 'zod';\n`;
const ANY = `{ params: { '~standard': { version: 1, vendor: 'any', validate: (value) => ({ value }) } } }`;
const TASKS = `client.setNotificationHandler('notifications/tasks', { params: schema }, (params) => show(params));\n`;

testRule(noExtensionOnListen, {
  valid: [
    {
      name: 'every notification of the core protocol with two arguments',
      code: `${CLIENT}for (const method of ['notifications/tools/list_changed', 'notifications/progress', 'notifications/elicitation/complete', 'notifications/tasks/status'])\n  client.setNotificationHandler(method, () => {});\n`,
    },
    { name: 'schemas in between', code: CLIENT + TASKS },
    {
      name: 'schemas, a wish for tasks, and a request that asks as well',
      code: `${CLIENT}${TASKS}await client.listen({ taskIds: ['t-1'] });\nsetTimeout(() => client.request({ method: 'tasks/get', params: { taskId: 't-1' } }, schema), 1000);\n`,
    },
    {
      name: 'a method that cannot be read',
      code: `${CLIENT}export const on = (method, handler) => client.setNotificationHandler(method, handler);\n`,
    },
    {
      name: 'version 1 takes a schema in place of the method',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nconst client = new Client({ name: 'a', version: '1' });\nclient.setNotificationHandler('notifications/tasks', () => {});\n`,
    },
    {
      name: 'another emitter',
      code: `${CLIENT}import { hub } from './hub.js';\nhub.setNotificationHandler('notifications/tasks', () => {});\n`,
    },
    {
      name: 'spread arguments',
      code: `${CLIENT}client.setNotificationHandler('notifications/tasks', ...rest);\n`,
    },
  ],
  invalid: [
    {
      name: 'two arguments, behind a cast',
      code: `${CLIENT}client.setNotificationHandler('notifications/tasks' as 'notifications/tools/list_changed', async n => {\n  console.log(n);\n});\n`,
      errors: [
        {
          messageId: 'needsSchemas',
          line: 3,
          column: 31,
          data: { method: 'notifications/tasks' },
          suggestions: [
            {
              messageId: 'addSchemas',
              output: `${CLIENT}client.setNotificationHandler('notifications/tasks' as 'notifications/tools/list_changed', ${ANY}, async (_params, n) => {\n  console.log(n);\n});\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a private notification, where the file has zod',
      code: `${ZOD}${CLIENT}client.setNotificationHandler('ide/contextUpdate', (notification) => show(notification));\n`,
      errors: [
        {
          messageId: 'needsSchemas',
          line: 4,
          suggestions: [
            {
              messageId: 'addSchemas',
              output: `${ZOD}${CLIENT}client.setNotificationHandler('ide/contextUpdate', { params: z.object({}).passthrough() }, (_params, notification) => show(notification));\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a handler without a parameter',
      code: `${CLIENT}client.setNotificationHandler('notifications/tasks', () => refresh());\n`,
      typed: true,
      errors: [
        {
          messageId: 'needsSchemas',
          suggestions: [
            {
              messageId: 'addSchemas',
              output: `${CLIENT}client.setNotificationHandler('notifications/tasks', ${ANY}, () => refresh());\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a handler that is made elsewhere, or takes its parameter apart, has no suggestion',
      code: `${CLIENT}client.setNotificationHandler('notifications/tasks', onTasks);\nclient.setNotificationHandler('notifications/tasks', ({ params }) => show(params));\n`,
      errors: [
        { messageId: 'needsSchemas', line: 3 },
        { messageId: 'needsSchemas', line: 4 },
      ],
    },
    {
      name: 'a wish for tasks and nothing that asks as well',
      code: `${CLIENT}${TASKS}await client.listen({ toolsListChanged: true, taskIds: ['t-1'] });\n`,
      errors: [
        {
          messageId: 'noFallback',
          line: 3,
          data: {
            method: 'notifications/tasks',
            field: 'taskIds',
            poll: 'tasks/get',
            version: '@modelcontextprotocol/client of an unknown version, taken for the newest',
          },
        },
      ],
    },
  ],
});
