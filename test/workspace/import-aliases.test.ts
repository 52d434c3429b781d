import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModuleResolver } from '../../src/analysis/module-resolution.js';
import { createImportAliases } from '../../src/workspace/import-aliases.js';
import { findPackages } from '../../src/workspace/packages.js';
import { relativePosix } from '../../src/workspace/paths.js';
import { folderWith } from './folder.js';

type Files = Readonly<Record<string, unknown>>;

/** The file that a specifier means, relative to the root; everything that is no JSON is a source file. */
function meaning(files: Files, specifier: string, from: string): string | undefined {
  const { root, aliases, known } = open(files);
  const found = createModuleResolver(aliases)(specifier, join(root, from), (file) => known.has(file));
  return found === undefined ? undefined : relativePosix(root, found);
}

function names(files: Files, file: string): readonly string[] {
  const { root, aliases } = open(files);
  return aliases.namesOf(join(root, file));
}

function open(files: Files) {
  const texts = Object.entries(files).map(([path, content]): [string, string] => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  const root = folderWith(Object.fromEntries(texts));
  const known = new Set(
    Object.keys(files)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => join(root, path)),
  );
  return { root, known, aliases: createImportAliases(findPackages(root, []), root) };
}

describe('mapped paths', () => {
  const base = { 'package.json': { name: 'app' }, 'src/lib/client.ts': '', 'src/ui/panel.ts': '' };

  it.each([
    ['with a wildcard', { paths: { '@/*': ['./src/*'] } }, '@/lib/client'],
    ['with an emitted extension', { paths: { '@/*': ['./src/*'] } }, '@/lib/client.js'],
    ['without one', { paths: { mcp: ['./src/lib/client.ts'] } }, 'mcp'],
    [
      'by the longest beginning',
      { paths: { '@/*': ['./none/*'], '@/lib/*': ['./src/lib/*'] } },
      '@/lib/client',
    ],
    ['from the base', { baseUrl: './src', paths: { '~/*': ['lib/*'] } }, '~/client'],
    ['by the base alone', { baseUrl: 'src' }, 'lib/client'],
    ['by the second place', { paths: { '@/*': ['./none/*', './src/*'] } }, '@/lib/client'],
    ['by the folder of the configuration', { paths: { '@/*': ['${configDir}/src/*'] } }, '@/lib/client'],
  ])('%s', (_, compilerOptions, specifier) => {
    expect(meaning({ ...base, 'tsconfig.json': { compilerOptions } }, specifier, 'src/ui/panel.ts')).toBe(
      'src/lib/client.ts',
    );
  });

  it('are inherited, relative to where they stand', () => {
    const files = {
      ...base,
      'tsconfig.json': { extends: './configs/paths', compilerOptions: { strict: true } },
      'configs/paths.json': '{ /* shared */ "compilerOptions": { "paths": { "@/*": ["../src/*"] }, }, }',
    };
    expect(meaning(files, '@/lib/client', 'src/ui/panel.ts')).toBe('src/lib/client.ts');
  });

  it('are those of the configurations that a solution refers to', () => {
    const files = {
      ...base,
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
      'tsconfig.app.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
    };
    expect(meaning(files, '@/lib/client', 'src/ui/panel.ts')).toBe('src/lib/client.ts');
  });

  it('survive a configuration that extends itself', () => {
    const files = { ...base, 'tsconfig.json': { extends: './tsconfig.json' } };
    expect(meaning(files, '@/lib/client', 'src/ui/panel.ts')).toBeUndefined();
  });

  it('are names of the file, where they have no wildcard', () => {
    const compilerOptions = { paths: { '@acme/mcp': ['./src/lib/client.ts'], '@/*': ['./src/*'] } };
    const files = { ...base, 'tsconfig.json': { compilerOptions } };
    expect(names(files, 'src/lib/client.ts')).toEqual(['app', '@acme/mcp']);
    expect(names(files, 'src/ui/panel.ts')).toEqual(['app']);
  });
});

describe('private names of a package', () => {
  it.each([
    ['#client', { '#client': './src/client.js' }],
    ['#lib/client', { '#lib/*': './src/*.js' }],
    ['#client', { '#client': { development: './none.js', default: ['./dist/client.js'] } }],
  ])('%s by %o', (specifier, imports) => {
    const files = { 'package.json': { name: 'app', imports }, 'src/client.ts': '', 'src/a.ts': '' };
    expect(meaning(files, specifier, 'src/a.ts')).toBe('src/client.ts');
  });
});

describe('names of workspace packages', () => {
  const workspace = (core: Files, files: Files): Files => ({
    'package.json': { name: 'root', workspaces: ['packages/*'] },
    'packages/core/package.json': { name: '@acme/core', ...core },
    'packages/app/package.json': { name: '@acme/app' },
    'packages/app/a.ts': '',
    ...files,
  });

  it.each([
    ['main', { main: './dist/index.js' }, '@acme/core', 'src/index.ts'],
    ['types', { types: 'dist/index.d.ts' }, '@acme/core', 'src/index.ts'],
    ['source itself', { main: './src/entry.ts' }, '@acme/core', 'src/entry.ts'],
    [
      'conditions',
      { exports: { import: './dist/esm/index.mjs', require: './dist/cjs/index.cjs' } },
      '@acme/core',
      'src/index.mts',
    ],
    [
      'a subpath',
      { exports: { '.': './dist/index.js', './client': './dist/client.js' } },
      '@acme/core/client',
      'src/client.ts',
    ],
    ['a pattern', { exports: { './*': './lib/*.js' } }, '@acme/core/deep/client', 'src/deep/client.ts'],
    ['nothing but convention', {}, '@acme/core', 'src/index.ts'],
    ['a file below the package', {}, '@acme/core/src/client', 'src/client.ts'],
  ])('by %s', (_, core, specifier, expected) => {
    const files = workspace(core, { [`packages/core/${expected}`]: '' });
    expect(meaning(files, specifier, 'packages/app/a.ts')).toBe(`packages/core/${expected}`);
  });

  it('mean nothing outside the workspace', () => {
    const files = workspace(
      {},
      { 'packages/core/src/index.ts': '', 'other/package.json': { name: 'other' }, 'other/a.ts': '' },
    );
    expect(meaning(files, '@acme/core', 'other/a.ts')).toBeUndefined();
  });

  it('leave packages from elsewhere alone', () => {
    const files = workspace({}, { 'packages/core/src/index.ts': '' });
    expect(meaning(files, 'express', 'packages/app/a.ts')).toBeUndefined();
    expect(meaning(files, 'node:fs', 'packages/app/a.ts')).toBeUndefined();
  });

  it('include the package by its own name', () => {
    const files = {
      'package.json': { name: 'app', exports: './src/index.ts' },
      'src/index.ts': '',
      'test/a.ts': '',
    };
    expect(meaning(files, 'app', 'test/a.ts')).toBe('src/index.ts');
  });
});
