import { boundedRelisten } from '../../../eslint-plugin/src/rules/bounded-relisten.js';
import { testRule } from '../support/rule-tester.js';

const TYPED = `import type { Client } from '@modelcontextprotocol/client';\n`;
const HEAD = `import { Client } from '@modelcontextprotocol/client';
const client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;
const LISTEN = `client.listen({ toolsListChanged: true })`;

/** A loop that does everything right, with some of it replaced. */
function loop(
  changes: { test?: string; after?: string; end?: string; caught?: string; wait?: string } = {},
): string {
  const { test, after, end, caught, wait } = {
    test: 'failures < 8',
    after: 'await refetch();',
    end: `if (reason === 'local') return;`,
    caught: 'if (isTerminal(error)) return;\n      failures += 1;',
    wait: 'await sleep(Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random()));',
    ...changes,
  };
  return `${HEAD}export async function follow(refetch, isTerminal) {
  let failures = 0;
  while (${test}) {
    try {
      const subscription = await ${LISTEN};
      ${after}
      const reason = await subscription.closed;
      ${end}
      failures = Date.now() - openedAt > 30_000 ? 0 : failures + 1;
    } catch (error) {
      ${caught}
    }
    ${wait}
  }
}
`;
}

const fault = (faults: string) => ({ messageId: 'unbounded', data: { faults } });

testRule(boundedRelisten, {
  valid: [
    { name: 'a loop that does everything', code: loop() },
    {
      name: 'the managed stream',
      code: `import { changeStream } from './mcp-change-stream.js';\n${HEAD}export async function follow() {\n  while (true) await changeStream(client).listen({ toolsListChanged: true });\n}\n`,
    },
    { name: 'a budget out of sight', code: loop({ test: 'retries.allowed()' }) },
    { name: 'a delay out of sight', code: loop({ wait: 'await backoff(failures);' }) },
    {
      name: 'a helper in the file that is random',
      code: loop({
        wait: 'await sleep(next(failures));\n    function next(n) { return 2 ** n * Math.random(); }',
      }),
    },
    {
      name: 'a limit behind a condition that leaves',
      code: loop({
        test: 'true',
        wait: `if (failures > 5) return;\n    await sleep(500 * 2 ** failures * Math.random());`,
      }),
    },
    {
      name: 'a counter that runs down',
      code: `${HEAD}export async function open() {\n  let left = 5;\n  while (left) {\n    left -= 1;\n    try {\n      return await ${LISTEN};\n    } catch (error) {\n      rethrowUnlessTransient(error);\n      await sleep(1000 / left + 100 * Math.random());\n    }\n  }\n}\n`,
    },
    {
      name: 'one stream for each of a list',
      code: `${HEAD}export async function open(uris) {\n  for (const uri of uris) await client.listen({ resourceSubscriptions: [uri] });\n  while (uris.length > 0) await client.listen({ resourceSubscriptions: [uris.pop()] });\n}\n`,
    },
    {
      name: 'a loop that reads what one stream tells',
      code: `${HEAD}const subscription = await ${LISTEN};\nwhile (true) show(await next(subscription));\n`,
    },
    {
      name: 'a function that a person calls again',
      code: `${HEAD}export async function open(button) {\n  const subscription = await ${LISTEN};\n  button.onclick = () => open(button);\n  return subscription;\n}\n`,
    },
    {
      name: 'a server that listens in a loop',
      code: `import '@modelcontextprotocol/client';\nimport { createServer } from 'node:http';\nlet port = 3000;\nexport function open() {\n  const server = createServer();\n  server.once('error', () => { port += 1; open(); });\n  server.listen(port);\n}\n`,
    },
    {
      name: 'a recursion with a limit and a delay that grows at random',
      code: `${HEAD}export async function open(attempt) {\n  try {\n    const subscription = await ${LISTEN};\n    subscription.closed.then(() => again(attempt));\n  } catch (error) {\n    if (isTransient(error)) again(attempt);\n  }\n}\nfunction again(attempt) {\n  if (attempt >= 5) return;\n  setTimeout(() => open(attempt + 1), 2 ** attempt * 500 * (0.5 + Math.random()));\n}\n`,
    },
  ],
  invalid: [
    {
      name: 'the loop that everybody writes first',
      code: `${TYPED}
export async function keepListening(client: Client) {
    while (true) {
        const sub = await client.listen({ toolsListChanged: true });
        const reason = await sub.closed;
        if (reason === 'remote') {
            await new Promise(r => setTimeout(r, 500));
        }
    }
}
`,
      typed: true,
      errors: [
        {
          ...fault(
            `without a limit of attempts, after a delay that never grows, with listen() outside try, so that the first refusal ends it, and at once after 'graceful'`,
          ),
          line: 4,
          column: 5,
        },
      ],
    },
    {
      name: 'no limit',
      code: loop({ test: '!stopped' }),
      errors: [{ ...fault('without a limit of attempts'), line: 6 }],
    },
    {
      name: 'no delay',
      code: loop({ wait: '' }),
      errors: [{ ...fault('without a delay'), line: 6 }],
    },
    {
      name: 'a constant delay',
      code: loop({ wait: 'await sleep(RETRY_MS);\n    var RETRY_MS = 500;' }).replace('var', 'const'),
      errors: [{ ...fault('after a delay that never grows'), line: 6 }],
    },
    {
      name: 'no jitter',
      code: loop({ wait: 'await sleep(Math.min(30_000, 500 * 2 ** failures));' }),
      errors: [{ ...fault('without jitter'), line: 6 }],
    },
    {
      name: 'a counter that every acknowledgment resets',
      code: loop({ after: 'failures = 0;' }),
      errors: [
        {
          ...fault('with a counter that starts anew at every acknowledgment and so never reaches its limit'),
          line: 6,
        },
      ],
    },
    {
      name: 'every error is tried again',
      code: loop({ caught: 'console.warn(error);\n      failures += 1;' }),
      errors: [
        {
          ...fault(
            'whatever the error is, also where it stays (authorization, version, unknown method, limit)',
          ),
          line: 6,
        },
      ],
    },
    {
      name: 'a wait for errors alone',
      code: loop({
        caught: 'if (isTerminal(error)) return;\n      await sleep(500 * 2 ** failures * Math.random());',
        wait: '',
      }),
      errors: [{ ...fault(`at once after 'graceful'`), line: 6 }],
    },
    {
      name: 'a method that opens itself again',
      code: `import { Client } from '@modelcontextprotocol/client';\nclass Watch {\n  #client = new Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });\n  async open() {\n    const subscription = await this.#client.listen({ toolsListChanged: true }).catch(() => undefined);\n    void subscription?.closed.then(() => this.open());\n  }\n}\nexport { Watch };\n`,
      errors: [{ ...fault('without a limit of attempts, and without a delay'), line: 6 }],
    },
    {
      name: 'a circle whose timer catches',
      code: `${HEAD}let attempts = 0;\nasync function open() {\n  const subscription = await ${LISTEN};\n  void subscription.closed.then(later);\n}\nfunction later() {\n  if (attempts > 5) return;\n  attempts += 1;\n  setTimeout(() => open().catch(later), 500 * 2 ** attempts);\n}\nopen();\n`,
      errors: [{ ...fault('without jitter'), line: 12 }],
    },
    {
      name: 'a circle that nobody catches',
      code: `${HEAD}let attempts = 0;\nasync function open() {\n  const subscription = await ${LISTEN};\n  void subscription.closed.then(later);\n}\nfunction later() {\n  if (attempts > 5) return;\n  attempts += 1;\n  setTimeout(() => open(), 500 * 2 ** attempts * Math.random());\n}\nopen();\n`,
      errors: [{ ...fault('with listen() outside try, so that the first refusal ends it'), line: 12 }],
    },
    {
      name: 'two functions in a circle',
      code: `${HEAD}async function open() {\n  try {\n    const subscription = await ${LISTEN};\n    await subscription.closed;\n  } catch {}\n  later();\n}\nfunction later() {\n  setTimeout(open, 5000);\n}\nopen();\n`,
      errors: [{ ...fault('without a limit of attempts, and after a delay that never grows'), line: 12 }],
    },
  ],
});
