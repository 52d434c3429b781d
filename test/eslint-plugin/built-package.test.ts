// The plugin as its users get it: the built package, loaded by its name, both ways.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ESLint, type Linter } from 'eslint';
import { expect, test } from 'vitest';

const name = 'eslint-plugin-mcp-listen';
const require = createRequire(import.meta.url);
const imported = ((await import(name)) as { default: ESLint.Plugin }).default;
const required = require(name) as ESLint.Plugin;
const manifest = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as {
  version: string;
  dependencies?: object;
};

test('import and require give the same plugin, without a detour over .default', () => {
  for (const plugin of [imported, required]) {
    expect(Object.keys(plugin).sort()).toEqual(['configs', 'meta', 'rules']);
  }
  expect(Object.keys(required.rules!)).toEqual(Object.keys(imported.rules!));
});

test('the plugin says its name and the version of its package', () => {
  expect(imported.meta).toMatchObject({ name, version: manifest.version, namespace: 'mcp-listen' });
});

test('the built files import nothing, so that installing the plugin installs nothing else', () => {
  expect(manifest.dependencies ?? {}).toEqual({});
  const built = readFileSync(require.resolve(name), 'utf8');
  const modules = [...built.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, specifier]) => specifier!);
  expect(modules.filter((specifier) => !specifier.startsWith('node:'))).toEqual([]);
});

test('ESLint accepts the plugin in a flat config', async () => {
  const config: Linter.Config = { plugins: { 'mcp-listen': imported } };
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });
  const [result] = await eslint.lintText('export {};\n');
  expect(result!.messages).toEqual([]);
});
