import { noFatalRefusal } from '../../../eslint-plugin/src/rules/no-fatal-refusal.js';
import { testRule } from '../support/rule-tester.js';

const IMPORT = `import { Client } from '@modelcontextprotocol/client';\n`;
const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;
const DUAL = `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nexport const call = (name) => client.callTool({ name });\n`;
const open = (body: string, handler = 'report(error);'): string =>
  `export async function open(transport) {\n  try {\n    await client.connect(transport);\n${body}  } catch (error) {\n    ${handler}\n  }\n}\n`;
const LISTEN = `    await client.listen({ toolsListChanged: true });\n`;

testRule(noFatalRefusal, {
  valid: [
    {
      name: 'a try of its own',
      code: DUAL + open(`    try {\n  ${LISTEN}    } catch {\n      console.warn('no changes');\n    }\n`),
    },
    {
      name: 'catch() of its own',
      code: DUAL + open(`    await client.listen({ toolsListChanged: true }).catch(report);\n`),
    },
    {
      name: 'nobody waits for it',
      code: DUAL + open(`    void client.listen({ toolsListChanged: true });\n`),
    },
    {
      name: 'the handler tells errors apart',
      code: DUAL + open(LISTEN, 'if (error instanceof SdkHttpError) return;'),
    },
    {
      name: 'no handler at all',
      code: `${DUAL}export async function open(transport) {\n  try {\n    await client.connect(transport);\n${LISTEN}  } finally {\n    await client.close();\n  }\n}\n`,
    },
    {
      name: 'connected elsewhere',
      code: `${DUAL}export async function watch() {\n  try {\n${LISTEN}  } catch (error) {\n    report(error);\n  }\n}\nexport const open = (transport) => client.connect(transport);\n`,
    },
    {
      name: 'another client is connected',
      code: `${DUAL}const other = new Client({ name: 'b', version: '1' });\nexport async function open(transport) {\n  try {\n    await other.connect(transport);\n${LISTEN}  } catch (error) {\n    report(error);\n  }\n}\n`,
    },
    {
      name: 'a loop that connects again',
      code: `${DUAL}export async function run(transport) {\n  while (true) {\n    try {\n      await client.connect(transport);\n      const sub = await client.listen({ toolsListChanged: true });\n      await sub.closed;\n    } catch (error) {\n      report(error);\n    }\n  }\n}\n`,
    },
    {
      name: 'a client that does nothing but listen',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\nclient.setNotificationHandler('notifications/tools/list_changed', () => client.listTools());\n${open(LISTEN)}`,
    },
    {
      name: 'a client that never opts in',
      code: `${IMPORT}const client = new Client({ name: 'a', version: '1' });\nexport const call = (name) => client.callTool({ name });\n${open(LISTEN)}`,
    },
  ],
  invalid: [
    {
      name: 'the handler of the connection',
      code: DUAL + open(LISTEN),
      typed: true,
      errors: [
        {
          messageId: 'fatal',
          line: 7,
          column: 18,
          suggestions: [
            {
              messageId: 'catchIt',
              output:
                DUAL +
                open(
                  `    try {\n      await client.listen({ toolsListChanged: true });\n    } catch (refusal) {\n      console.warn('No change notifications:', refusal);\n    }\n`,
                ),
            },
          ],
        },
      ],
    },
    {
      name: 'behind a question for the era, over several lines, kept in a field',
      code: `${TYPED}export class Host {\n  sub: unknown;\n  async open(client: Client, transport: never) {\n    try {\n      await client.connect(transport);\n      if (client.getProtocolEra() === 'modern') {\n        this.sub = await client.listen({\n          toolsListChanged: true, // all of them\n        });\n      }\n    } catch (error) {\n      await client.close();\n      throw error;\n    }\n  }\n}\n`,
      errors: [
        {
          messageId: 'fatal',
          line: 8,
          suggestions: [
            {
              messageId: 'catchIt',
              output: `${TYPED}export class Host {\n  sub: unknown;\n  async open(client: Client, transport: never) {\n    try {\n      await client.connect(transport);\n      if (client.getProtocolEra() === 'modern') {\n        try {\n          this.sub = await client.listen({\n            toolsListChanged: true, // all of them\n          });\n        } catch (refusal) {\n          console.warn('No change notifications:', refusal);\n        }\n      }\n    } catch (error) {\n      await client.close();\n      throw error;\n    }\n  }\n}\n`,
            },
          ],
        },
      ],
    },
    {
      name: 'a name that would not reach beyond a try has no suggestion',
      code:
        DUAL +
        open(
          `    const sub = await client.listen({ toolsListChanged: true });\n    sub.closed.then(report);\n`,
        ),
      errors: [{ messageId: 'fatal', line: 7 }],
    },
  ],
});
