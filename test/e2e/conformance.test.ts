/**
 * A sessionful server of the 2025 revision that carries the diagnostic tools of the official conformance suite
 * (`fixtures/apps/conformance-server`), migrated by the built CLI and put to the suite's scenarios on change notifications.
 */
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runScenario, type Scenario } from './support/conformance-suite.js';
import { commitAll, copyApp, git, migrate, removeApp, typeErrors, type Ran } from './support/notes-app.js';
import { serveApp, type ServedApp } from './support/served-app.js';

const ORIGINAL = fileURLToPath(new URL('../../fixtures/apps/conformance-server', import.meta.url));

const MODERN: Scenario[] = [
  { name: 'server-stateless', revision: '2026-07-28', passes: 30, others: {} },
  { name: 'http-header-validation', revision: '2026-07-28', passes: 14, others: {} },
  {
    name: 'server-sse-multiple-streams',
    revision: '2026-07-28',
    passes: 1,
    others: {
      'server-sse-streams-functional: INFO':
        'The SDK answers tools/list with JSON, as the specification allows: there is no stream to look at.',
    },
  },
];
const LEGACY: Scenario[] = [
  { name: 'resources-subscribe', revision: '2025-11-25', passes: 2, others: {} },
  { name: 'resources-unsubscribe', revision: '2025-11-25', passes: 2, others: {} },
  { name: 'server-session-lifecycle', revision: '2025-11-25', passes: 3, others: {} },
];

const rows: string[] = [];

afterAll(() => {
  console.log(`\nChecks of the conformance suite\n\n${rows.join('\n')}\n`);
});

/** The listed checks are the only ones that do not pass: one that starts to pass has to leave the list. */
async function expectConformance(name: string, scenario: Scenario, url: string): Promise<void> {
  const { passes, others, explained } = await runScenario(scenario, url);
  const title = `${name}, ${scenario.name} (${scenario.revision})`;
  rows.push(`${title.padEnd(64)} ${String(passes).padStart(3)} passed, ${others.length} not`);
  expect(others, explained).toEqual(Object.keys(scenario.others));
  expect(passes).toBe(scenario.passes);
}

describe('the server as it was', () => {
  let server: ServedApp;

  beforeAll(async () => {
    server = await serveApp(ORIGINAL);
  });

  afterAll(() => server.end());

  it.each(LEGACY)('conforms in $name', async (scenario) => {
    await expectConformance('as it was', scenario, server.url);
  });

  it('knows nothing of the new revision', async () => {
    const { others } = await runScenario(MODERN[0]!, server.url);
    expect(others).toContain('sep-2575-server-implements-discover: FAILURE');
    expect(others).toContain('sep-2575-server-sends-subscription-ack: FAILURE');
  });
});

describe.each([
  ['dual', [...MODERN, ...LEGACY]],
  ['modern', MODERN],
] as const)('migrated, --target %s', (target, scenarios) => {
  let directory: string;
  let ran: Ran;
  let server: ServedApp;

  beforeAll(async () => {
    directory = await copyApp(ORIGINAL);
    ran = await migrate(directory, target);
    server = await serveApp(directory);
  });

  afterAll(async () => {
    await server.end();
    await removeApp(directory);
  });

  it('leaves nothing to decide', async () => {
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    const { markers, errors } = JSON.parse(ran.stdout) as { markers: unknown[]; errors: unknown[] };
    expect({ markers, errors }).toEqual({ markers: [], errors: [] });
    expect(await git(directory, 'status', '--porcelain')).toBe(' M src/server.ts\n');
    expect(await typeErrors(directory)).toBe('');
  });

  it.each(scenarios)('conforms in $name', async (scenario) => {
    await expectConformance(target, scenario, server.url);
  });

  if (target === 'modern') {
    it.each(['GET', 'DELETE'])('answers 405 to %s', async (method) => {
      expect((await fetch(server.url, { method })).status).toBe(405);
    });
  }

  it('has nothing more to do the second time', async () => {
    await commitAll(directory, 'Migrated');
    expect((await migrate(directory, target)).code).toBe(0);
    expect(await git(directory, 'status', '--porcelain')).toBe('');
  });
});
