import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatterCommand } from '../../src/workspace/formatter.js';
import type { PackageManager } from '../../src/workspace/package-manager.js';
import { folderWith } from './folder.js';

/** The command for `a.ts` of packages/a, run at the root. */
function command(
  files: Readonly<Record<string, string>>,
  {
    packageManager = 'npm',
    names = ['packages/a/a.ts'],
  }: { packageManager?: PackageManager; names?: readonly string[] } = {},
): string | undefined {
  const root = folderWith({ 'packages/a/package.json': '{}', ...files });
  const owner = { directory: join(root, 'packages/a'), packageManager };
  return formatterCommand(
    owner,
    names.map((name) => join(root, name)),
    { root, repository: undefined },
  );
}

describe('the formatter of a project', () => {
  it.each([
    ['.prettierrc', 'npx prettier --write packages/a/a.ts'],
    ['prettier.config.mjs', 'npx prettier --write packages/a/a.ts'],
    ['biome.jsonc', 'npx biome format --write packages/a/a.ts'],
    ['dprint.json', 'npx dprint fmt packages/a/a.ts'],
    ['eslint.config.js', 'npx eslint --fix packages/a/a.ts'],
  ])('shows by its configuration %s, in the package or above it', (file, expected) => {
    expect(command({ [file]: '' })).toBe(expected);
    expect(command({ [`packages/a/${file}`]: '' })).toBe(expected);
    expect(command({ [`packages/b/${file}`]: '' })).toBeUndefined();
  });

  it('shows by package.json', () => {
    expect(command({ 'package.json': '{"prettier":{}}' })).toBe('npx prettier --write packages/a/a.ts');
    expect(command({ 'package.json': '{"devDependencies":{"@biomejs/biome":"2"}}' })).toBe(
      'npx biome format --write packages/a/a.ts',
    );
  });

  it('is the configured one before one that is only installed, and ESLint last', () => {
    const files = {
      'packages/a/package.json': '{"devDependencies":{"prettier":"3"}}',
      'packages/a/eslint.config.js': '',
      'biome.json': '{}',
    };
    expect(command(files)).toBe('npx biome format --write packages/a/a.ts');
  });

  it('is the nearer one of two', () => {
    expect(command({ '.prettierrc': '', 'packages/a/dprint.json': '' })).toBe(
      'npx dprint fmt packages/a/a.ts',
    );
  });

  it('is looked for up to the top of the repository only', () => {
    const outer = folderWith({ '.prettierrc': '', 'repository/app/package.json': '{}' });
    const owner = { directory: join(outer, 'repository/app'), packageManager: 'npm' as const };
    const scope = { root: join(outer, 'repository/app'), repository: join(outer, 'repository') };
    expect(formatterCommand(owner, [join(outer, 'repository/app/a.ts')], scope)).toBeUndefined();
  });

  it.each([
    ['pnpm', 'pnpm exec prettier --write packages/a/a.ts'],
    ['yarn', 'yarn prettier --write packages/a/a.ts'],
    ['bun', 'bunx prettier --write packages/a/a.ts'],
  ] as const)('is run with the package manager: %s', (packageManager, expected) => {
    expect(command({ '.prettierrc': '' }, { packageManager })).toBe(expected);
  });

  it('gets names that a shell would split in quotes', () => {
    const names = ['a b.ts', '[id].ts', '$x.ts', "it's $y.ts", 'ü.ts'];
    expect(command({ '.prettierrc': '' }, { names })).toBe(
      `npx prettier --write "a b.ts" "[id].ts" '$x.ts' 'it'\\''s $y.ts' "ü.ts"`,
    );
  });

  it('is not needed when nothing was changed', () => {
    expect(command({ '.prettierrc': '' }, { names: [] })).toBeUndefined();
  });
});
