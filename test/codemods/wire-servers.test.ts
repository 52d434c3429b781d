/** What a scan says of whole small servers, and that plain jscodeshift says the same in their code. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jscodeshift from 'jscodeshift';
import { afterEach, expect, it } from 'vitest';
import transform from '../../codemods/wire/subscribe-messages.js';
import { run } from '../../src/migration/run.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** The sites of files, laid out as the package of their folder. */
async function scan(...paths: readonly string[]): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'mcp-listen-wire-'));
  cleanUps.push(() => rmSync(root, { recursive: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(FIXTURES, path), join(root, path));
  }
  const { sites, errors } = await run({ command: 'scan', root, target: 'dual', force: true, verify: false });
  expect(errors).toEqual([]);
  return sites.map(
    ({ file, line, shape, outcome, reason }) => `${file}:${String(line)} ${shape} ${outcome}: ${reason}`,
  );
}

it('reports a server that answers listen as modern, whether it does so rightly or not', async () => {
  const modern = 'modern already: answers subscriptions/listen';
  expect(await scan('cases/10-result-instead-of-ack/input.ts')).toEqual([
    `cases/10-result-instead-of-ack/input.ts:9 R3 kept: ${modern}`,
  ]);
  expect(await scan('cases/10-result-instead-of-ack/ok.ts')).toEqual([
    `cases/10-result-instead-of-ack/ok.ts:8 R3 kept: ${modern}`,
    'cases/10-result-instead-of-ack/ok.ts:13 R7 kept: modern already: acknowledges subscriptions/listen',
  ]);
});

it('finds no server in a client that listens', async () => {
  const sites = await scan('cases/11-acts-before-ack/input.ts');
  expect(sites.map((site) => site.slice(0, site.indexOf(': ')))).toEqual([
    'cases/11-acts-before-ack/input.ts:5 LISTEN marked',
  ]);
});

it('marks the same under plain jscodeshift', () => {
  const path = join(FIXTURES, 'wire/r3-switch-dispatch/input.ts');
  const file = { path, source: readFileSync(path, 'utf8') };
  const api = { j: jscodeshift, jscodeshift, stats: () => undefined, report: () => undefined };
  expect(transform(file, api, {})).toBe(
    readFileSync(join(FIXTURES, 'wire/r3-switch-dispatch/expected.dual.ts'), 'utf8'),
  );
});
