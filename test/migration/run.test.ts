import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/migration/options.js';
import { run } from '../../src/migration/run.js';

const created: string[] = [];
afterEach(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const V2 = JSON.stringify({
  name: 'app',
  type: 'module',
  dependencies: { '@modelcontextprotocol/client': '^2.4.0' },
});
const V1 = JSON.stringify({ name: 'old', dependencies: { '@modelcontextprotocol/sdk': '^1.32.0' } });

/** A client with a subscription: the smallest code that a migration changes. */
const CLIENT = `import { Client } from '@modelcontextprotocol/client';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' });
  watch(uri: string) {
    return this.client.subscribeResource({ uri });
  }
  unwatch(uri: string) {
    return this.client.unsubscribeResource({ uri });
  }
}
`;

function workspace(files: Record<string, string>, { git = false } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'mcp-listen-run-'));
  created.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  if (git) commit(root);
  return root;
}

function commit(root: string): void {
  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'x');
}

const migrate = (root: string, options: Partial<RunOptions> = {}): ReturnType<typeof run> =>
  run({ command: 'migrate', root, target: 'dual', ...options });

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

describe('a migration', () => {
  test('says of no site that a server does what only the rewritten one would', async () => {
    const root = workspace({
      'package.json': JSON.stringify({
        name: 'app',
        type: 'module',
        dependencies: { '@modelcontextprotocol/server': '^2.4.0' },
      }),
      'server.ts': `import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

function createServer(): Server {
  const server = new Server({ name: 's', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  server.setRequestHandler('resources/subscribe', async (request) => {
    if (!request.params.uri.startsWith('file:')) throw new Error('unknown');
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.setRequestHandler('tools/call', async () => {
    await server.sendResourceUpdated({ uri: 'file:///a' });
    return { content: [] };
  });
  return server;
}

const server = createServer();
await server.connect(new StdioServerTransport());
`,
    });
    const { sites } = await migrate(root, { verify: false });
    const left =
      "not migrated: decide first what is asked above server.setRequestHandler('resources/subscribe', async (requ… in server.ts";
    expect(sites.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [6, 'marked', expect.stringContaining('a listen passes by its check')],
      [10, 'kept', 'clients of 2025 need it'],
      [12, 'kept', left],
      [19, 'marked', left],
    ]);
  });

  test('says the line of a call that cannot be read in the report, and not in the code, where it would be wrong', async () => {
    const root = workspace({
      'package.json': V2,
      'src/watcher.ts': `${CLIENT}export const forward = (watcher: Watcher, request: any, schema: any) =>
  watcher.client.request(request, schema);
`,
    });
    const result = await migrate(root);
    const effect = 'may be any call, also one that a 2026-07-28 connection rejects';
    expect(result.sites.map(({ line, outcome, reason }) => `${line} ${outcome}: ${reason}`)).toEqual(
      ['4 kept', '6 marked', '9 marked'].map(
        (site) => `${site}: not migrated: watcher.client.request(request, …) in src/watcher.ts:13 ${effect}`,
      ),
    );
    expect(read(root, 'src/watcher.ts').match(/TODO.*/g)).toEqual([
      `TODO(mcp-listen): not migrated: watcher.client.request(request, …) in src/watcher.ts ${effect} (no-resource-subscribe)`,
      `TODO(mcp-listen): not migrated: watcher.client.request(request, …) in src/watcher.ts ${effect} (no-resource-subscribe)`,
    ]);
  });

  test('writes the client, the import, the opt-in and one copy of the stream', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    const result = await migrate(root);
    expect(result.changes.map((change) => change.path)).toEqual([
      'src/mcp-change-stream.ts',
      'src/watcher.ts',
    ]);
    expect(read(root, 'src/watcher.ts')).toBe(`import { Client } from '@modelcontextprotocol/client';
import { changeStream } from './mcp-change-stream.js';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  watch(uri: string) {
    return changeStream(this.client).subscribe(uri);
  }
  unwatch(uri: string) {
    return changeStream(this.client).unsubscribe(uri);
  }
}
`);
    expect(read(root, 'src/mcp-change-stream.ts')).toBe(readFileSync('src/runtime/change-stream.ts', 'utf8'));
  });

  test('changes nothing when it is run again', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    await migrate(root);
    const again = await migrate(root);
    expect(again.changes).toEqual([]);
    expect(again.sites.map((site) => [site.mechanism, site.outcome])).toEqual([['era', 'kept']]);
  });

  test('writes nothing in a dry run and reports the same changes', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    const dry = await migrate(root, { dryRun: true });
    expect(read(root, 'src/watcher.ts')).toBe(CLIENT);
    expect(existsSync(join(root, 'src/mcp-change-stream.ts'))).toBe(false);
    const real = await migrate(root);
    expect(real.changes).toEqual(dry.changes);
    expect(real.sites).toEqual(dry.sites);
  });

  test('uses the copy of an earlier run, wherever the package keeps it', async () => {
    const root = workspace({
      'package.json': V2,
      'src/lib/mcp-change-stream.ts': 'export function changeStream(client: unknown): any {}\n',
      'src/watcher.ts': CLIENT,
    });
    const result = await migrate(root);
    expect(result.changes.map((change) => change.path)).toEqual(['src/watcher.ts']);
    expect(read(root, 'src/watcher.ts')).toContain(`from './lib/mcp-change-stream.js';`);
  });

  test('gives each package of a monorepo its own copy, beside the first file that uses it', async () => {
    const root = workspace({
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      'packages/a/package.json': V2,
      'packages/a/src/z.ts': CLIENT,
      'packages/a/src/deep/y.ts': CLIENT,
      'packages/b/package.json': V2.replace('app', 'b'),
      'packages/b/index.ts': CLIENT,
    });
    const result = await migrate(root);
    expect(
      result.changes.filter((change) => change.before === undefined).map((change) => change.path),
    ).toEqual(['packages/a/src/deep/mcp-change-stream.ts', 'packages/b/mcp-change-stream.ts']);
    expect(read(root, 'packages/a/src/z.ts')).toContain(`from './deep/mcp-change-stream.js';`);
  });

  test('asks for a commit before it touches files with uncommitted changes, unless forced', async () => {
    const root = workspace(
      { 'package.json': V2, 'src/watcher.ts': CLIENT, 'src/other.ts': 'f();\n' },
      { git: true },
    );
    writeFileSync(join(root, 'src/watcher.ts'), `${CLIENT}// mine\n`);
    const refused = await migrate(root);
    expect(refused.refusals.map((refusal) => [refusal.kind, refusal.about])).toEqual([
      ['uncommitted-changes', ['src/watcher.ts']],
    ]);
    expect(read(root, 'src/watcher.ts')).toBe(`${CLIENT}// mine\n`);
    const forced = await migrate(root, { force: true });
    expect(forced.refusals).toEqual([]);
    expect(read(root, 'src/watcher.ts')).toContain('changeStream(this.client)');
  });

  test('does not mind uncommitted changes in files that it leaves alone', async () => {
    const root = workspace(
      { 'package.json': V2, 'src/watcher.ts': CLIENT, 'src/other.ts': 'f();\n' },
      { git: true },
    );
    writeFileSync(join(root, 'src/other.ts'), 'g();\n');
    expect((await migrate(root)).refusals).toEqual([]);
  });

  test('refuses a package on version 1 by itself and goes on with the others', async () => {
    const root = workspace({
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      'packages/new/package.json': V2,
      'packages/new/a.ts': CLIENT,
      'packages/old/package.json': V1,
      'packages/old/a.ts': CLIENT.replace('/client', '/sdk/client/index.js'),
    });
    const result = await migrate(root);
    expect(result.refusals.map((refusal) => [refusal.kind, refusal.about])).toEqual([
      ['version-one', ['packages/old']],
    ]);
    expect(result.changes.map((change) => change.path)).toEqual([
      'packages/new/a.ts',
      'packages/new/mcp-change-stream.ts',
    ]);
    expect(
      result.sites.filter((site) => site.package === 'packages/old').map((site) => site.outcome),
    ).toEqual(['reported', 'reported', 'reported']);
  });

  test('leaves calls in a package that has the client from another one and not the SDK', async () => {
    const files = {
      'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
      'packages/core/package.json': V2.replace('"app"', '"@acme/core"'),
      'packages/core/index.ts': `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'w', version: '1' });\n`,
      'packages/ui/package.json': '{ "name": "ui", "dependencies": { "@acme/core": "*" } }',
      'packages/ui/a.ts': `import { client } from '@acme/core';\nexport const watch = (uri: string) => client.subscribeResource({ uri });\n`,
    };
    const root = workspace(files);
    const result = await run({ command: 'migrate', root, target: 'dual', verify: false });
    expect(result.changes).toEqual([]);
    expect(new Set(result.sites.map((site) => site.reason))).toEqual(
      new Set([
        'packages/ui does not depend on @modelcontextprotocol/client, which the change stream imports: add it there and run again',
      ]),
    );
    const more = files['packages/ui/package.json'].replace(
      '"*"',
      '"*", "@modelcontextprotocol/client": "^2.4.0"',
    );
    writeFileSync(join(root, 'packages/ui/package.json'), more);
    const next = await run({ command: 'migrate', root, target: 'dual', verify: false });
    expect(next.changes.map(({ path }) => path)).toEqual([
      'packages/core/index.ts',
      'packages/ui/a.ts',
      'packages/ui/mcp-change-stream.ts',
    ]);
  });

  test('with --only that would leave a client half migrated marks it', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    const result = await migrate(root, { only: ['client/subscribe-calls'] });
    expect(result.sites.map((site) => [site.mechanism, site.outcome])).toEqual([
      ['era', 'kept'],
      ['resource-subscribe', 'marked'],
      ['resource-subscribe', 'marked'],
    ]);
    expect(read(root, 'src/watcher.ts')).toContain(
      '// TODO(mcp-listen): --only leaves out client/era-opt-in, without which this client would be half migrated (no-resource-subscribe)',
    );
  });

  test('leaves a file that does not parse, names it, and does the rest', async () => {
    const root = workspace({
      'package.json': V2,
      'src/bad.ts': CLIENT.replace('watch(uri: string) {', 'watch(uri: string {'),
      'src/good.ts': CLIENT,
    });
    const bad = read(root, 'src/bad.ts');
    const result = await migrate(root);
    expect(result.errors).toEqual([
      { file: 'src/bad.ts', message: 'does not parse (line 5), so it was left alone: fix it and run again' },
    ]);
    expect(read(root, 'src/bad.ts')).toBe(bad);
    expect(read(root, 'src/good.ts')).toContain('changeStream(this.client)');
  });

  test('leaves a file whose mode has no write bit, and every file that is tied to it', async () => {
    const root = workspace({
      'package.json': V2,
      'src/client.ts': `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'w', version: '1' });\n`,
      'src/use.ts': `import { client } from './client.js';\nexport const watch = (uri: string) => client.subscribeResource({ uri });\n`,
      'src/alone.ts': CLIENT,
    });
    const before = read(root, 'src/use.ts');
    chmodSync(join(root, 'src/client.ts'), 0o444);
    const result = await migrate(root);
    expect(result.errors.map((error) => error.file)).toEqual(['src/client.ts']);
    expect(read(root, 'src/use.ts')).toBe(before);
    expect(read(root, 'src/alone.ts')).toContain('changeStream(this.client)');
  });

  test('leaves a generated file and says so', async () => {
    const root = workspace({ 'package.json': V2, 'src/gen.ts': `// @generated\n${CLIENT}` });
    const result = await migrate(root);
    expect(result.changes).toEqual([]);
    expect(result.notes.map((note) => note.kind)).toEqual(['generated']);
    expect(result.sites.every((site) => site.outcome !== 'rewritten' && site.outcome !== 'marked')).toBe(
      true,
    );
  });

  test('keeps a byte order mark and Windows line ends', async () => {
    const root = workspace({
      'package.json': V2,
      'src/watcher.ts': `\uFEFF${CLIENT.replaceAll('\n', '\r\n')}`,
    });
    await migrate(root);
    const text = read(root, 'src/watcher.ts');
    expect(text.startsWith('\uFEFFimport')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(read(root, 'src/mcp-change-stream.ts').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('marks once, however often it is run', async () => {
    const blocked = CLIENT.replace('unwatch(', 'beat() {\n    return this.client.ping();\n  }\n  unwatch(');
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': blocked });
    const first = await migrate(root);
    expect(first.markers.map((marker) => marker.line)).toEqual([6, 13]);
    const marked = read(root, 'src/watcher.ts');
    const second = await migrate(root);
    expect(second.changes).toEqual([]);
    expect(read(root, 'src/watcher.ts')).toBe(marked);
    expect(second.markers).toEqual(first.markers);
  });

  test('says the new reason where the one of an earlier run no longer holds, and leaves what a person wrote', async () => {
    const blocked = CLIENT.replace('unwatch(', 'beat() {\n    return this.client.ping();\n  }\n  unwatch(');
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': blocked });
    await migrate(root);
    const marked = read(root, 'src/watcher.ts');
    const [marker = ''] = /\/\/ TODO\(mcp-listen\).*/.exec(marked) ?? [];
    const [above = '', between = '', below = ''] = marked.split(marker);
    const earlier = marker.replace(/: .* \(/, ': some other reason (');
    const rest = `${between}${marker} asked Ada${below}`;
    writeFileSync(join(root, 'src/watcher.ts'), above + earlier + rest);
    await migrate(root);
    expect(read(root, 'src/watcher.ts')).toBe(above + marker + rest);
    expect((await migrate(root)).changes).toEqual([]);
  });

  test('takes a marker away once what it asked is done', async () => {
    const blocked = CLIENT.replace('unwatch(', 'beat() {\n    return this.client.ping();\n  }\n  unwatch(');
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': blocked });
    await migrate(root);
    const marked = read(root, 'src/watcher.ts');
    writeFileSync(
      join(root, 'src/watcher.ts'),
      marked.replace('return this.client.ping();', 'return undefined;'),
    );
    const result = await migrate(root);
    expect(result.markers).toEqual([]);
    expect(read(root, 'src/watcher.ts')).not.toContain('TODO(mcp-listen)');
    expect(read(root, 'src/watcher.ts')).toContain('return changeStream(this.client).subscribe(uri);');
  });

  test('ties a marker to its site', async () => {
    const blocked = CLIENT.replace('unwatch(', 'beat() {\n    return this.client.ping();\n  }\n  unwatch(');
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': blocked });
    const { markers, sites } = await migrate(root);
    const marked = sites.filter((site) => site.outcome === 'marked').map((site) => site.id);
    expect(markers.map((marker) => marker.site)).toEqual(marked);
  });
});

describe('a scan', () => {
  test('says what a migration would do and writes nothing', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    const scan = await run({ command: 'scan', root, target: 'dual' });
    expect(read(root, 'src/watcher.ts')).toBe(CLIENT);
    expect(scan.changes).toEqual([]);
    expect(
      scan.sites.map((site) => `${site.shape} ${site.outcome} ${String(site.line)}:${String(site.column)}`),
    ).toEqual(['ERA rewritten 4:12', 'A2 rewritten 6:12', 'A2 rewritten 9:12']);
  });

  test('gives a site the same id after lines have moved', async () => {
    const root = workspace({ 'package.json': V2, 'src/watcher.ts': CLIENT });
    const before = await run({ command: 'scan', root, target: 'dual' });
    writeFileSync(join(root, 'src/watcher.ts'), `// one more line\n${CLIENT}`);
    const after = await run({ command: 'scan', root, target: 'dual' });
    expect(after.sites.map((site) => site.id)).toEqual(before.sites.map((site) => site.id));
    expect(new Set(after.sites.map((site) => site.id)).size).toBe(3);
  });

  test('finds nothing to scan where no file speaks MCP', async () => {
    const root = workspace({
      'package.json': V2,
      'src/a.ts': 'export const redis = { ping() {} };\nredis.ping();\n',
    });
    const scan = await run({ command: 'scan', root, target: 'dual' });
    expect([scan.files, scan.sites, scan.packages]).toEqual([{ listed: 1, candidates: 0 }, [], []]);
  });

  test('names Vue, Svelte and Astro files that carry MCP code', async () => {
    const root = workspace({
      'package.json': V2,
      'src/a.ts': CLIENT,
      'src/App.vue': `<script setup lang="ts">\nimport { Client } from '@modelcontextprotocol/client';\n</script>\n`,
      'src/Plain.vue': `<script setup lang="ts">\nlet a = 1;\n</script>\n`,
    });
    expect((await run({ command: 'scan', root, target: 'dual' })).notLookedInto).toEqual(['src/App.vue']);
  });

  test.each([
    [
      'a transport that is kept in a variable',
      `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';\nexport async function open(url: URL, save: (id?: string) => void) {\n  const client = new Client({ name: 'w', version: '1' });\n  const transport = new StreamableHTTPClientTransport(url);\n  await client.connect(transport);\n  await client.subscribeResource({ uri: 'a://b' });\n  save(transport.sessionId);\n}\n`,
    ],
    [
      'an event that carries the client',
      `import { EventEmitter } from 'node:events';\nimport { Client } from '@modelcontextprotocol/client';\nconst bus = new EventEmitter();\nbus.on('ready', (c) => c.ping());\nexport async function open() {\n  const client = new Client({ name: 'w', version: '1' });\n  await client.subscribeResource({ uri: 'a://b' });\n  bus.emit('ready', client);\n}\n`,
    ],
  ])('leaves a client that a call of 2025 may reach out of sight: %s', async (_name, text) => {
    const root = workspace({ 'package.json': V2, 'src/a.ts': text });
    const scan = await run({ command: 'scan', root, target: 'dual' });
    expect(scan.sites.find((site) => site.mechanism === 'resource-subscribe')?.outcome).toBe('marked');
    expect(scan.sites.find((site) => site.mechanism === 'era')?.outcome).toBe('kept');
  });

  test('follows a client into files that never name MCP', async () => {
    const root = workspace({
      'package.json': V2,
      'src/open.ts': `import { Client } from '@modelcontextprotocol/client';\nexport function open() {\n  const client = new Client({ name: 'w', version: '1' });\n  return client;\n}\n`,
      'src/health.ts': `import type { Client } from '@modelcontextprotocol/client';\nexport const beat = (client: Client) => client.ping();\n`,
      'src/main.ts': `import { open } from './open.js';\nimport { beat } from './health.js';\nimport { watch } from './watch.js';\nconst one = open();\nsetInterval(() => beat(one), 1000);\nwatch(one);\n`,
      'src/watch.ts': `import type { Client } from '@modelcontextprotocol/client';\nexport const watch = (client: Client) => client.subscribeResource({ uri: 'a://b' });\n`,
    });
    const scan = await run({ command: 'scan', root, target: 'dual' });
    const call = scan.sites.find((site) => site.mechanism === 'resource-subscribe');
    expect([call?.outcome, call?.reason]).toEqual([
      'marked',
      'not migrated: the same client uses ping() in src/health.ts, which a 2026-07-28 connection rejects',
    ]);
  });

  const ROOT = JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] });
  const HOST = `import { Client } from '@modelcontextprotocol/client';\nexport const client = new Client({ name: 'w', version: '1' });\nexport const watch = (uri: string) => client.subscribeResource({ uri });\n`;
  const core = (more: object): string =>
    JSON.stringify({
      name: '@acme/core',
      type: 'module',
      dependencies: { '@modelcontextprotocol/client': '^2.4.0' },
      ...more,
    });

  test.each([
    [
      'a workspace package by its name',
      {
        'package.json': ROOT,
        'packages/core/package.json': core({ main: './dist/index.js' }),
        'packages/core/src/index.ts': HOST,
        'packages/app/package.json': '{ "name": "app" }',
        'packages/app/beat.ts': `import { client } from '@acme/core';\nsetInterval(() => client.ping(), 1000);\n`,
      },
      'packages/app/beat.ts',
    ],
    [
      'a workspace package whose entry only hands on',
      {
        'package.json': ROOT,
        'packages/core/package.json': core({ exports: { './host': './build/host/index.js' } }),
        'packages/core/src/host/mcp.ts': HOST,
        'packages/core/src/host/index.ts': `export * from './mcp.js';\n`,
        'packages/app/package.json': '{ "name": "app" }',
        'packages/app/beat.ts': `import { client } from '@acme/core/host';\nsetInterval(() => client.ping(), 1000);\n`,
      },
      'packages/app/beat.ts',
    ],
    [
      'a mapped path',
      {
        'package.json': V2,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
        'src/mcp/host.ts': HOST,
        'src/beat.ts': `import { client } from '@/mcp/host';\nsetInterval(() => client.ping(), 1000);\n`,
      },
      'src/beat.ts',
    ],
    [
      'a mapped name without wildcard',
      {
        'package.json': V2,
        'tsconfig.json': '{ "compilerOptions": { "paths": { "hosting": ["./src/mcp/entry.ts"] } } }',
        'src/mcp/entry.ts': HOST,
        'src/beat.ts': `import { client } from 'hosting';\nsetInterval(() => client.ping(), 1000);\n`,
      },
      'src/beat.ts',
    ],
    [
      'a private name of the package',
      {
        'package.json': JSON.stringify({
          ...(JSON.parse(V2) as object),
          imports: { '#mcp': './src/mcp/entry.js' },
        }),
        'src/mcp/entry.ts': HOST,
        'src/beat.ts': `import { client } from '#mcp';\nsetInterval(() => client.ping(), 1000);\n`,
      },
      'src/beat.ts',
    ],
    [
      'two barrels, one of them a folder',
      {
        'package.json': V2,
        'src/mcp/host.ts': HOST,
        'src/mcp/index.ts': `export { client } from './host.js';\n`,
        'src/index.ts': `export * from './mcp/index.js';\n`,
        'src/jobs/beat.ts': `import { client } from '../index.js';\nsetInterval(() => client['ping'](), 1000);\n`,
      },
      'src/jobs/beat.ts',
    ],
  ])('follows a client through %s', async (_name, files, file) => {
    const scan = await run({ command: 'scan', root: workspace(files), target: 'dual' });
    const call = scan.sites.find((site) => site.mechanism === 'resource-subscribe');
    expect([call?.outcome, call?.reason]).toEqual([
      'marked',
      `not migrated: the same client uses ping() in ${file}, which a 2026-07-28 connection rejects`,
    ]);
  });

  test('counts a client for every package that it is handed to', async () => {
    const root = workspace({
      'package.json': ROOT,
      'packages/a-health/package.json': V2.replace('"app"', '"@acme/health"'),
      'packages/a-health/src/index.ts': `import type { Client } from '@modelcontextprotocol/client';\nexport const beat = (client: Client) => client.ping();\n`,
      'packages/app/package.json': V2,
      'packages/app/open.ts': `import { Client } from '@modelcontextprotocol/client';\nimport { beat } from '@acme/health';\nexport const one = new Client({ name: 'w', version: '1' });\nsetInterval(() => beat(one), 1000);\n`,
      'packages/app/watch.ts': `import type { Client } from '@modelcontextprotocol/client';\nexport const watch = (clients: Map<string, Client>) => clients.get('a')!.subscribeResource({ uri: 'a://b' });\n`,
    });
    const scan = await run({ command: 'scan', root, target: 'dual' });
    const call = scan.sites.find((site) => site.mechanism === 'resource-subscribe');
    expect([call?.outcome, call?.reason]).toEqual([
      'marked',
      'not migrated: ping() in packages/a-health/src/index.ts may be called on the same client, which a 2026-07-28 connection rejects',
    ]);
  });
});
