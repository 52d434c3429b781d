// `--sdk-upgrade`: the official codemod works on a copy, and what it returns is ours to write.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/migration/options.js';
import type { RunResult } from '../../src/migration/result.js';
import { run } from '../../src/migration/run.js';
import { exitCode } from '../../src/reporting/exit-code.js';
import { addFiles, folderWith, git, repositoryWith } from '../workspace/folder.js';

const V1 = `{
  "name": "old",
  "type": "module",
  "dependencies": {
    "@modelcontextprotocol/sdk": "^1.32.0",
    "express": "^5.0.0"
  }
}
`;
const V2 = V1.replace('"@modelcontextprotocol/sdk": "^1.32.0"', '"@modelcontextprotocol/client": "^2.4.0"');

const CLIENT = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' });
  watch(uri: string) {
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => {});
    return this.client.subscribeResource({ uri });
  }
}
`;

const MIGRATED = `import { Client } from '@modelcontextprotocol/client';
import { changeStream } from './mcp-change-stream.js';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  watch(uri: string) {
    this.client.setNotificationHandler('notifications/resources/updated', () => {});
    return changeStream(this.client).subscribe(uri);
  }
}
`;

const CLIENT_V2 = `import { Client } from '@modelcontextprotocol/client';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' });
  watch(uri: string) {
    return this.client.subscribeResource({ uri });
  }
}
`;

/** Parses, and makes the official codemod throw. */
const DEADLY = `import type { Tool } from '@modelcontextprotocol/sdk/types.js';\nimport foo from bar;\n`;

const upgrade = (root: string, options: Partial<RunOptions> = {}): Promise<RunResult> =>
  run({ command: 'migrate', root, target: 'dual', sdkUpgrade: true, ...options });

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const paths = ({ changes }: RunResult): string[] => changes.map(({ path }) => path);

describe('an upgrade of the SDK', () => {
  test('comes before the migration, and both are written as one', async () => {
    const root = folderWith({ 'package.json': V1, 'src/watcher.ts': CLIENT });
    const result = await upgrade(root);
    expect(result.errors).toEqual([]);
    expect(read(root, 'src/watcher.ts')).toBe(MIGRATED);
    expect(read(root, 'package.json')).toBe(V2);
    expect(paths(result)).toEqual(['package.json', 'src/mcp-change-stream.ts', 'src/watcher.ts']);
    expect(result.changes.map(({ before }) => before)).toEqual([V1, undefined, CLIENT]);
    expect(result.upgrades).toEqual([
      {
        package: '.',
        files: ['src/watcher.ts'],
        manifest: 'package.json',
        added: { '@modelcontextprotocol/client': '^2.4.0' },
        removed: true,
        left: [],
        messages: [],
      },
    ]);
    expect(result.packages.map(({ generation }) => generation)).toEqual(['v2']);
  });

  test('changes nothing when it is run again', async () => {
    const root = folderWith({ 'package.json': V1, 'src/watcher.ts': CLIENT });
    await upgrade(root);
    const again = await upgrade(root);
    expect([again.changes, again.upgrades, exitCode(again)]).toEqual([[], [], 0]);
  });

  test('writes nothing in a dry run, whose report is that of the real run', async () => {
    const root = folderWith({ 'package.json': V1, 'src/watcher.ts': CLIENT });
    const dry = await upgrade(root, { dryRun: true });
    expect([read(root, 'package.json'), read(root, 'src/watcher.ts')]).toEqual([V1, CLIENT]);
    expect(existsSync(join(root, 'src/mcp-change-stream.ts'))).toBe(false);
    expect(await upgrade(root)).toEqual({ ...dry, dryRun: false });
  });

  test('is not done by a scan, nor without the flag', async () => {
    const root = folderWith({ 'package.json': V1, 'src/watcher.ts': CLIENT });
    const scan = await upgrade(root, { command: 'scan' });
    expect(scan.upgrades).toBeUndefined();
    expect(scan.sites[0]!.reason).toBe(
      'its package is on version 1 of the SDK: npx mcp-listen migrate . --sdk-upgrade upgrades it first',
    );
    const refused = await upgrade(root, { sdkUpgrade: false });
    expect(refused.refusals.map(({ kind, about }) => [kind, about])).toEqual([['version-one', ['.']]]);
    expect(exitCode(refused)).toBe(2);
    expect(read(root, 'src/watcher.ts')).toBe(CLIENT);
  });

  test('leaves nothing behind in the folder for temporary files', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('mcp-listen-upgrade-'));
    await upgrade(folderWith({ 'package.json': V1, 'a.ts': CLIENT, 'b.ts': DEADLY }));
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('mcp-listen-upgrade-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  test('reaches what a client does in files that never name the SDK', async () => {
    const root = folderWith({
      'package.json': V1,
      'open.ts': `import { Client } from '@modelcontextprotocol/sdk/client/index.js';\nexport const client = new Client({ name: 'w', version: '1' });\n`,
      'use.ts': `import { client } from './open.js';\nexport const watch = (uri: string) => client.subscribeResource({ uri });\n`,
    });
    const result = await upgrade(root);
    expect(result.upgrades![0]!.files).toEqual(['open.ts']);
    expect(read(root, 'use.ts')).toContain('changeStream(client).subscribe(uri)');
  });

  test('also reaches files in folders that the official codemod passes over', async () => {
    const root = folderWith({
      'package.json': V1,
      'src/build/watcher.ts': CLIENT,
      'src/.internal/watcher.ts': CLIENT,
    });
    git(root, 'init', '--quiet'); // without git, folders with a dot are no source
    const result = await upgrade(root, { force: true });
    expect(result.upgrades![0]!.files).toEqual(['src/.internal/watcher.ts', 'src/build/watcher.ts']);
    expect(read(root, 'src/build/watcher.ts')).toContain(`from '@modelcontextprotocol/client';`);
  });

  test('goes over the files of a monorepo whose package is on version 1, and the others are migrated as ever', async () => {
    const root = folderWith({
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      'packages/new/package.json': V2,
      'packages/new/a.ts': CLIENT_V2,
      'packages/old/package.json': V1,
      'packages/old/a.ts': CLIENT,
    });
    const result = await upgrade(root);
    expect(result.upgrades!.map((one) => [one.package, one.files])).toEqual([
      ['packages/old', ['packages/old/a.ts']],
    ]);
    expect(read(root, 'packages/new/a.ts')).toContain('changeStream(this.client)');
    expect(read(root, 'packages/old/a.ts')).toBe(MIGRATED);
    expect(read(root, 'packages/new/package.json')).toBe(V2);
    expect(exitCode(result)).toBe(0);
  });

  test('changes the package.json of the workspace when that lists the SDK for its members', async () => {
    const manifest = JSON.stringify(
      { private: true, workspaces: ['packages/*'], dependencies: { '@modelcontextprotocol/sdk': '^1.0.0' } },
      null,
      2,
    );
    const server = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nexport const server = new McpServer({ name: 's', version: '1' });\n`;
    const root = folderWith({
      'package.json': manifest,
      'packages/a/package.json': '{ "name": "a" }',
      'packages/a/a.ts': CLIENT,
      'packages/b/package.json': '{ "name": "b" }',
      'packages/b/b.ts': server,
    });
    const one = await upgrade(root, { paths: ['packages/a'], dryRun: true });
    expect(one.upgrades![0]!.removed).toBe(false);
    expect(one.upgrades![0]!.messages.map(({ message }) => message)).toEqual([
      '@modelcontextprotocol/sdk stays, since it is still needed by packages/b/b.ts',
    ]);
    await upgrade(root);
    expect(JSON.parse(read(root, 'package.json'))).toMatchObject({
      dependencies: { '@modelcontextprotocol/client': '^2.4.0', '@modelcontextprotocol/server': '^2.4.0' },
    });
    expect(read(root, 'package.json')).not.toContain('sdk');
  });

  test('asks for a commit when package.json has uncommitted changes', async () => {
    const root = repositoryWith({ 'package.json': V1, 'src/watcher.ts': CLIENT });
    writeFileSync(join(root, 'package.json'), V1.replace('^5.0.0', '^5.1.0'));
    const refused = await upgrade(root);
    expect(refused.refusals.map(({ about }) => about)).toEqual([['package.json']]);
    expect(read(root, 'src/watcher.ts')).toBe(CLIENT);
    expect((await upgrade(root, { force: true })).refusals).toEqual([]);
    expect(read(root, 'package.json')).toBe(V2.replace('^5.0.0', '^5.1.0'));
  });

  test('is written whole or not at all', async () => {
    const root = folderWith({ 'package.json': V1, 'a.ts': CLIENT, 'b.ts': CLIENT });
    const real = readFileSync(join(root, 'b.ts'));
    const result = await upgrade(root, {
      onStage: (stage) => {
        if (stage === 'writing')
          writeFileSync(join(root, 'b.ts'), Buffer.concat([real, Buffer.from('//\n')]));
      },
    });
    expect(result.errors.map(({ file }) => file)).toEqual(['b.ts']);
    expect([read(root, 'package.json'), read(root, 'a.ts')]).toEqual([V1, CLIENT]);
    expect(result.upgrades).toMatchObject([{ files: [], manifest: null, removed: false }]);
    expect(result.sites.some(({ outcome }) => outcome === 'rewritten')).toBe(false);
  });
});

describe('the look of an upgraded file', () => {
  test('keeps Windows line ends and the byte order mark', async () => {
    const windows = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    const root = folderWith({ 'package.json': windows(V1), 'watcher.ts': windows(CLIENT) });
    await upgrade(root);
    expect(read(root, 'watcher.ts')).toBe(windows(MIGRATED));
    expect(read(root, 'package.json')).toBe(windows(V2));
  });

  test('keeps a missing final newline, and several of them', async () => {
    const root = folderWith({ 'package.json': V1, 'a.ts': CLIENT.trimEnd(), 'b.ts': `${CLIENT}\n\n` });
    await upgrade(root);
    expect(read(root, 'a.ts')).toBe(MIGRATED.trimEnd());
    expect(read(root, 'b.ts')).toBe(`${MIGRATED}\n\n`);
  });

  test('keeps quotes and the absence of semicolons', async () => {
    const double = (text: string): string => text.replaceAll("'", '"').replaceAll(/;$/gm, '');
    const root = folderWith({ 'package.json': V1, 'watcher.ts': double(CLIENT) });
    await upgrade(root);
    expect(read(root, 'watcher.ts')).toBe(double(MIGRATED));
  });

  test('an example of version 1 in a comment that is kept does not keep the file from being migrated', async () => {
    const head = `/**\n * Usage:\n *   import { Client } from '@modelcontextprotocol/sdk/client/index.js';\n */\n\n`;
    const root = folderWith({ 'package.json': V1, 'watcher.ts': head + CLIENT });
    await upgrade(root);
    expect(read(root, 'watcher.ts')).toBe(head + MIGRATED);
  });

  test.each([
    ['a licence', '/*\n * Copyright of nobody.\n */\n\n'],
    ['a directive to a linter', '/* eslint-disable no-console */\n'],
    ['several comments', '// @ts-check\n\n/** Watches. */\n'],
    ['a comment behind a hash bang', '#!/usr/bin/env node\n// Watches.\n\n'],
  ])('keeps what stands above the first import: %s', async (_name, head) => {
    const root = folderWith({ 'package.json': V1, 'watcher.ts': head + CLIENT });
    await upgrade(root);
    expect(read(root, 'watcher.ts')).toBe(head + MIGRATED);
  });

  test('is none of ours where line ends are mixed', async () => {
    const root = folderWith({ 'package.json': V1, 'watcher.ts': CLIENT.replace('\n', '\r\n') });
    await upgrade(root);
    expect(read(root, 'watcher.ts').replaceAll('\r', '')).toBe(MIGRATED);
  });
});

describe('what is not given to the official codemod', () => {
  test('is what git ignores, what a tool has generated, and what does not parse', async () => {
    const generated = `// @generated\n${CLIENT}`;
    const broken = CLIENT.replace('watch(uri: string) {', 'watch(uri: string {');
    const root = repositoryWith({
      '.gitignore': 'ignored/\n',
      'package.json': V1,
      'src/watcher.ts': CLIENT,
      'src/generated.ts': generated,
      'src/broken.ts': broken,
    });
    addFiles(root, { 'ignored/watcher.ts': CLIENT });
    const result = await upgrade(root);
    expect(result.upgrades![0]!.files).toEqual(['src/watcher.ts']);
    expect(read(root, 'ignored/watcher.ts')).toBe(CLIENT);
    expect(read(root, 'src/generated.ts')).toBe(generated);
    expect(read(root, 'src/broken.ts')).toBe(broken);
    expect(result.errors.map(({ file }) => file)).toEqual(['src/broken.ts']);
    expect(result.upgrades![0]!.removed).toBe(false);
    expect(result.upgrades![0]!.messages.map(({ message }) => message)).toEqual([
      '@modelcontextprotocol/sdk stays, since it is still needed by src/broken.ts, src/generated.ts',
    ]);
    expect(JSON.parse(read(root, 'package.json'))).toMatchObject({
      dependencies: {
        '@modelcontextprotocol/client': '^2.4.0',
        '@modelcontextprotocol/sdk': '^1.32.0',
      },
    });
  });
});

describe('a crash of the official codemod', () => {
  test('is one line that names the file, leaves its package alone, and lets the others go on', async () => {
    const root = folderWith({
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      'packages/bad/package.json': V1,
      'packages/bad/deadly.ts': DEADLY,
      'packages/bad/watcher.ts': CLIENT,
      'packages/good/package.json': V1,
      'packages/good/watcher.ts': CLIENT,
    });
    const result = await upgrade(root);
    expect(result.errors).toEqual([
      {
        file: 'packages/bad/deadly.ts',
        message:
          'the official codemod fails on it (Expected the module specifier to be a string literal), so nothing of packages/bad was upgraded: mend it, or leave it out with --ignore, and run again',
      },
    ]);
    expect(result.refusals).toEqual([]);
    expect([read(root, 'packages/bad/watcher.ts'), read(root, 'packages/bad/package.json')]).toEqual([
      CLIENT,
      V1,
    ]);
    expect(read(root, 'packages/good/watcher.ts')).toBe(MIGRATED);
    expect(exitCode(result)).toBe(1);
    const call = result.sites.find(
      (site) => site.package === 'packages/bad' && site.mechanism === 'resource-subscribe',
    );
    expect(call).toMatchObject({
      outcome: 'reported',
      reason: 'the upgrade of its package to version 2 of the SDK failed (see the errors)',
    });
  });
});

describe('what the official codemod leaves', () => {
  const DESTRUCTURED = `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export function serve(server: Server) {
  server.setRequestHandler(ListToolsRequestSchema, (request, { signal }) => {
    signal.throwIfAborted();
    return { tools: [] };
  });
}
`;

  test('is counted, stays in the code, and makes the exit code 1', async () => {
    const root = folderWith({ 'package.json': V1, 'serve.ts': DESTRUCTURED });
    const result = await upgrade(root);
    const [left, ...others] = result.upgrades![0]!.left;
    expect(others).toEqual([]);
    expect(left).toMatchObject({ file: 'serve.ts', text: expect.stringContaining('{ signal }') });
    expect(read(root, 'serve.ts').split('\n')[left!.line - 1]).toContain('@mcp-codemod-error');
    expect([exitCode(result), result.markers]).toEqual([1, []]);
  });

  test('is said once: what a comment in the code says is no warning besides, whatever the quotes', async () => {
    const custom = `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
export const handle = (client: Client, schema: never) => client.setNotificationHandler(schema, () => {});
`;
    const result = await upgrade(folderWith({ 'package.json': V1, 'handle.ts': custom }));
    expect(result.upgrades![0]!.left).toHaveLength(1);
    expect(result.upgrades![0]!.left[0]!.text).toContain("('method/name',");
    expect(result.upgrades![0]!.messages).toEqual([]);
  });

  test('is neither repeated nor forgotten by the next run', async () => {
    const stays = `import type { Tool } from '@modelcontextprotocol/sdk/of-no-version.js';\n`;
    const root = folderWith({
      'package.json': V1,
      'serve.ts': DESTRUCTURED,
      'again.ts': stays + DESTRUCTURED,
    });
    const first = await upgrade(root);
    const second = await upgrade(root);
    expect(first.upgrades![0]!.left.length).toBeGreaterThan(1);
    expect(second.changes).toEqual([]);
    expect(second.upgrades!.map(({ left }) => left)).toEqual(first.upgrades!.map(({ left }) => left));
    expect(exitCode(second)).toBe(1);
  });

  test('has its comment at once, also behind imports that are merged', async () => {
    const tasks = `/**
 * Holds tasks.
 */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import {
  type ResponseMessage,
  takeResult,
} from '@modelcontextprotocol/sdk/experimental';
export type Held = [Client, Tool, ResponseMessage];
export const held = [CallToolResultSchema, takeResult];
`;
    const root = folderWith({ 'package.json': V1, 'tasks.ts': tasks });
    const first = await upgrade(root);
    expect(first.upgrades![0]!.left.map(({ text }) => text)).toEqual([
      expect.stringContaining('Unknown SDK import path'),
    ]);
    expect(first.upgrades![0]!.messages.filter(({ level }) => level === 'warning')).toEqual([]);
    expect((await upgrade(root)).changes).toEqual([]);
  });

  test('without a comment in the code makes the exit code 1 as well', async () => {
    const socket = `import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
export const open = () => new WebSocketClientTransport(new URL('ws://localhost'));
`;
    const result = await upgrade(folderWith({ 'package.json': V1, 'open.ts': socket }));
    expect(result.upgrades![0]!.messages).toEqual([
      {
        file: 'open.ts',
        line: 1,
        level: 'warning',
        message: expect.stringContaining('WebSocketClientTransport removed in v2'),
      },
    ]);
    expect(exitCode(result)).toBe(1);
  });

  test('keeps version 1 as a dependency: require, types in comments, components, declarations', async () => {
    const left = {
      'load.cjs': `const { Client } = require('@modelcontextprotocol/sdk/client/index.js');\nmodule.exports = Client;\n`,
      'types.js': `/** @type {import('@modelcontextprotocol/sdk/types.js').Tool[]} */\nexport const tools = [];\n`,
      'App.vue': `<script setup lang="ts">\nimport type { Tool } from '@modelcontextprotocol/sdk/types.js';\n</script>\n`,
      'globals.d.ts': `declare const tool: import('@modelcontextprotocol/sdk/types.js').Tool;\n`,
    };
    const root = folderWith({ 'package.json': V1, 'watcher.ts': CLIENT, ...left });
    const result = await upgrade(root);
    expect(result.upgrades![0]).toMatchObject({ files: ['watcher.ts'], removed: false });
    const [message] = result.upgrades![0]!.messages.filter(({ line }) => line === null);
    for (const file of Object.keys(left)) {
      expect(message!.message).toContain(file);
      expect(read(root, file)).toBe(left[file as keyof typeof left]);
    }
    expect(
      Object.keys((JSON.parse(read(root, 'package.json')) as { dependencies: object }).dependencies),
    ).toEqual(['@modelcontextprotocol/client', '@modelcontextprotocol/sdk', 'express']);
    expect((await upgrade(root)).changes).toEqual([]);
  });

  test('keeps version 1 where an installed dependency wants it beside itself', async () => {
    const root = folderWith({
      'package.json': V1.replace('"express": "^5.0.0"', '"adapter": "^1.0.0"'),
      'watcher.ts': CLIENT,
    });
    mkdirSync(join(root, 'node_modules/adapter'), { recursive: true });
    writeFileSync(
      join(root, 'node_modules/adapter/package.json'),
      JSON.stringify({ name: 'adapter', peerDependencies: { '@modelcontextprotocol/sdk': '^1.0.0' } }),
    );
    const result = await upgrade(root);
    expect(result.upgrades![0]!.messages.map(({ message }) => message)).toEqual([
      '@modelcontextprotocol/sdk stays, since it is still needed by adapter',
    ]);
  });
});
