/** The built wire codemods under plain jscodeshift: what comes out is what `mcp-listen migrate` writes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { readFixtures } from '../../support/fixtures.js';

const run = promisify(execFile);
const BUILT = fileURLToPath(new URL('../../../dist/codemods/wire', import.meta.url));
const JSCODESHIFT = createRequire(import.meta.url).resolve('jscodeshift/bin/jscodeshift.js');

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What jscodeshift makes of a text in a file of its own. */
async function transformed(codemod: string, file: string, text: string, ...flags: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-listen-jscodeshift-'));
  folders.push(folder);
  const path = join(folder, file);
  writeFileSync(path, text);
  const extensions = `--extensions=${extname(file).slice(1)}`;
  const transform = join(BUILT, `${codemod}.js`);
  const { stdout } = await run(process.execPath, [
    JSCODESHIFT,
    '-t',
    transform,
    extensions,
    ...flags,
    folder,
  ]);
  expect(stdout).toContain('0 errors');
  return readFileSync(path, 'utf8');
}

function fixture(name: string): { file: string; before: string; after: Record<'dual' | 'modern', string> } {
  const found = readFixtures(['wire']).find((one) => one.name === name)!;
  const [[file = '', before = ''] = []] = found.input;
  const after = (target: 'dual' | 'modern'): string => found.expected[target].get(file) ?? before;
  return { file, before, after: { dual: after('dual'), modern: after('modern') } };
}

describe.each([
  ['get-stream', 'd2-tail-of-several-uris'],
  ['get-stream', 'd2-http-request'],
  ['get-stream', 'd2-undici-request'],
  ['subscribe-messages', 'r1-harness-without-handshake'],
  ['last-event-id', 'e2-tokens-on-the-transport'],
  ['closing', 'closing-by-message'],
])('%s on %s', (codemod, name) => {
  const { file, before, after } = fixture(name);

  it('writes what migrate writes, and nothing the second time', async () => {
    const once = await transformed(codemod, file, before, '--target=modern');
    expect(once).toBe(after.modern);
    expect(await transformed(codemod, file, once, '--target=modern')).toBe(once);
  });
});

it('works for both eras where no target is given', async () => {
  const { file, before, after } = fixture('r1-harness-without-handshake');
  expect(await transformed('subscribe-messages', file, before)).toBe(after.dual);
});

it('keeps tabs, CRLF and a byte order mark', async () => {
  const { file, before, after } = fixture('d2-class-with-headers-in-a-variable');
  const stored = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  expect(await transformed('get-stream', file, stored(before), '--target=modern')).toBe(stored(after.modern));
});

it('leaves look-alikes alone', async () => {
  const { file, before } = fixture('decoy-chat-stream');
  for (const codemod of ['get-stream', 'last-event-id'])
    expect(await transformed(codemod, file, before, '--target=modern')).toBe(before);
});

it('reads with the parser that is asked for', async () => {
  const before = `// @flow
const open = (url: string, session: ?string): Promise<Response> =>
  fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session ?? '' } });
`;
  const after = await transformed('get-stream', 'open.js', before, '--parser=flow', '--target=modern');
  expect(after).toContain("method: 'subscriptions/listen'");
  expect(after.startsWith(before.slice(0, before.indexOf('{ headers')))).toBe(true);
});
