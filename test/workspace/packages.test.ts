import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { V1_PACKAGE, V2_CLIENT_PACKAGE, V2_SERVER_PACKAGE } from '../../src/protocol/sdk.js';
import { findPackages, type PackageInfo } from '../../src/workspace/packages.js';
import { folderWith } from './folder.js';

type Json = Readonly<Record<string, unknown>>;

function folderOf(files: Readonly<Record<string, Json | string>>): string {
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  return folderWith(Object.fromEntries(texts) as Record<string, string>);
}

/** The owner of one file. */
function owner(files: Readonly<Record<string, Json | string>>, file: string): PackageInfo {
  const root = folderOf(files);
  return findPackages(root, []).ownerOf(join(root, file));
}

function installed(name: string, version: string): Record<string, Json> {
  return { [`node_modules/${name}/package.json`]: { name, version } };
}

describe('the owner of a file', () => {
  it('is the nearest package.json upwards', () => {
    const root = folderOf({
      'package.json': { name: 'top', type: 'module' },
      'packages/a/package.json': {
        name: '@x/a',
        scripts: { build: 'tsc', odd: 1 },
        devDependencies: { prettier: '3' },
      },
    });
    const file = join(root, 'packages/a/src/deep/a.ts');
    const { list, ownerOf, problems } = findPackages(root, [
      join(root, 'b.ts'),
      file,
      join(root, 'packages/a/b.ts'),
    ]);
    expect(list.map(({ path, name, moduleType }) => [path, name, moduleType])).toEqual([
      ['.', 'top', 'esm'],
      ['packages/a', '@x/a', 'commonjs'],
    ]);
    expect(ownerOf(file)).toBe(list[1]);
    expect(ownerOf(file)).toMatchObject({
      directory: join(root, 'packages/a'),
      manifest: join(root, 'packages/a/package.json'),
      scripts: { build: 'tsc' },
      devDependencies: ['prettier'],
    });
    expect(problems).toEqual([]);
  });

  it('is a package named by the folder where there is no package.json', () => {
    const root = folderOf({ 'src/a.ts': '' });
    expect(findPackages(root, [join(root, 'src/a.ts')]).list).toEqual([
      {
        path: '.',
        directory: root,
        name: root.split('/').at(-1),
        moduleType: 'commonjs',
        generation: 'none',
        sdk: {},
        installed: {},
        dependencyFields: {},
        sdkManifest: undefined,
        packageManager: 'npm',
        manifest: undefined,
        scripts: {},
        devDependencies: [],
        workspace: undefined,
      },
    ]);
  });

  it('may lie above the root, up to the top of the repository and no further', () => {
    const outer = folderOf({
      'package.json': { name: 'outside' },
      'repository/package.json': { name: 'inside' },
      'bare/src/a.ts': '',
    });
    const file = join(outer, 'repository/src/a.ts');
    const inside = findPackages(join(outer, 'repository/src'), [file], join(outer, 'repository')).list;
    expect(inside.map(({ path, name }) => [path, name])).toEqual([['..', 'inside']]);
    const bare = findPackages(join(outer, 'bare'), [join(outer, 'bare/src/a.ts')], join(outer, 'bare')).list;
    expect(bare.map(({ path, name }) => [path, name])).toEqual([['.', 'bare']]);
  });

  it('is the folder of a broken package.json, which is a problem and no crash', () => {
    const root = folderOf({
      'package.json': { name: 'top', dependencies: { [V2_CLIENT_PACKAGE]: '^2.0.0' } },
      'broken/package.json': '{ "name": "broken", }',
      'list/package.json': '[]',
    });
    const files = ['broken/a.ts', 'broken/b.ts', 'list/a.ts'].map((name) => join(root, name));
    const { list, problems } = findPackages(root, files);
    expect(list.map(({ path, name, generation, manifest }) => [path, name, generation, manifest])).toEqual([
      ['broken', 'broken', 'v2', undefined],
      ['list', 'list', 'v2', undefined],
    ]);
    expect(problems.map(({ file }) => file)).toEqual([
      join(root, 'broken/package.json'),
      join(root, 'list/package.json'),
    ]);
    expect(problems[0]?.message).toBe(
      'is not a JSON object, so its dependencies are unknown: repair it and run again',
    );
  });

  it('reads a package.json with a byte order mark and fields of wrong types', () => {
    const files = {
      'package.json': `\uFEFF${JSON.stringify({ name: 7, type: [], dependencies: 'x', scripts: null, workspaces: {} })}`,
    };
    const root = folderOf(files);
    const { list, problems } = findPackages(root, [join(root, 'a.ts')]);
    expect(list[0]).toMatchObject({
      moduleType: 'commonjs',
      generation: 'none',
      manifest: join(root, 'package.json'),
    });
    expect(problems).toEqual([]);
  });
});

describe('the generation of the SDK', () => {
  it.each([
    [{ dependencies: { [V1_PACKAGE]: '^1.20.0' } }, 'v1'],
    [{ devDependencies: { [V2_CLIENT_PACKAGE]: '^2.0.0' } }, 'v2'],
    [{ peerDependencies: { [V2_SERVER_PACKAGE]: '^2.0.0' } }, 'v2'],
    [{ optionalDependencies: { [V1_PACKAGE]: '1', [V2_SERVER_PACKAGE]: '2' } }, 'v1+v2'],
    [{ dependencies: { '@modelcontextprotocol/inspector': '1' } }, 'none'],
    [{}, 'none'],
  ])('follows from %j: %s', (manifest, generation) => {
    expect(owner({ 'package.json': manifest }, 'a.ts').generation).toBe(generation);
  });

  it('tells each field that lists a package, and takes the range of the first', () => {
    const manifest = {
      peerDependencies: { [V2_CLIENT_PACKAGE]: '>=2' },
      devDependencies: { [V2_CLIENT_PACKAGE]: '^2.4.0' },
    };
    expect(owner({ 'package.json': manifest }, 'a.ts')).toMatchObject({
      sdk: { [V2_CLIENT_PACKAGE]: '^2.4.0' },
      dependencyFields: { [V2_CLIENT_PACKAGE]: ['devDependencies', 'peerDependencies'] },
    });
  });

  it('comes from the package above a package.json that only sets the module type', () => {
    const files = {
      'package.json': { name: 'top', dependencies: { [V1_PACKAGE]: '^1.0.0' } },
      'src/package.json': { type: 'module' },
      'src/esm/package.json': { type: 'module' },
    };
    expect(owner(files, 'src/esm/a.ts')).toMatchObject({
      path: 'src/esm',
      name: 'esm',
      moduleType: 'esm',
      generation: 'v1',
      sdkManifest: expect.stringMatching(/[^c]\/package\.json$/),
    });
  });

  it('of a nameless package of its own does not come from above', () => {
    const files = {
      'package.json': { name: 'top', dependencies: { [V1_PACKAGE]: '^1.0.0' } },
      'app/package.json': { private: true, dependencies: { [V2_CLIENT_PACKAGE]: '^2.0.0' } },
    };
    expect(owner(files, 'app/a.ts').generation).toBe('v2');
  });

  it('of a package that is no member of a workspace does not come from above', () => {
    const files = {
      'package.json': { name: 'top', dependencies: { [V1_PACKAGE]: '^1.0.0' }, workspaces: ['packages/*'] },
      'examples/a/package.json': { name: 'example' },
    };
    expect(owner(files, 'examples/a/a.ts')).toMatchObject({ generation: 'none', sdkManifest: undefined });
  });
});

describe('versions', () => {
  const manifest = {
    name: 'top',
    dependencies: { [V2_CLIENT_PACKAGE]: '^2.0.0', [V2_SERVER_PACKAGE]: '^2.1.0' },
  };

  it('are those installed, else the declared range', () => {
    expect(
      owner({ 'package.json': manifest, ...installed(V2_CLIENT_PACKAGE, '2.4.0') }, 'a.ts'),
    ).toMatchObject({
      sdk: { [V2_CLIENT_PACKAGE]: '2.4.0', [V2_SERVER_PACKAGE]: '^2.1.0' },
      installed: { [V2_CLIENT_PACKAGE]: true, [V2_SERVER_PACKAGE]: false },
    });
  });

  it('are looked up as Node does: the nearest node_modules first, then those above', () => {
    const files = {
      'package.json': { name: 'top', workspaces: ['packages/*'] },
      'packages/a/package.json': { ...manifest, name: 'a' },
      ...installed(V2_CLIENT_PACKAGE, '2.1.0'),
      ...installed(V2_SERVER_PACKAGE, '2.2.0'),
      [`packages/a/node_modules/${V2_CLIENT_PACKAGE}/package.json`]: { version: '2.9.0' },
    };
    expect(owner(files, 'packages/a/a.ts').sdk).toEqual({
      [V2_CLIENT_PACKAGE]: '2.9.0',
      [V2_SERVER_PACKAGE]: '2.2.0',
    });
  });
});

describe('a workspace', () => {
  const member = { 'packages/a/package.json': { name: 'a' } };
  const dependencies = { [V2_CLIENT_PACKAGE]: '^2.0.0' };

  it.each([
    ['npm', { 'package.json': { name: 'top', dependencies, workspaces: ['packages/*'] } }],
    ['yarn', { 'package.json': { name: 'top', dependencies, workspaces: { packages: ['./packages/**/'] } } }],
    [
      'pnpm',
      {
        'package.json': { name: 'top', dependencies },
        'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n  - '!packages/b'\n",
      },
    ],
  ])('gives members that list no SDK the one of its root: %s', (_, files) => {
    const info = owner({ ...files, ...member }, 'packages/a/a.ts');
    expect(info).toMatchObject({ path: 'packages/a', generation: 'v2', sdk: dependencies });
    expect(info.sdkManifest).toBe(join(info.workspace ?? '', 'package.json'));
  });

  it('does not count what a pattern takes out again', () => {
    const files = {
      'package.json': { name: 'top', dependencies, workspaces: ['packages/*', '!packages/a'] },
      ...member,
    };
    expect(owner(files, 'packages/a/a.ts')).toMatchObject({ generation: 'none', workspace: undefined });
  });

  it('does not take packages in node_modules for members', () => {
    const files = {
      'package.json': { name: 'top', dependencies, workspaces: ['**'] },
      'node_modules/x/package.json': { name: 'x' },
    };
    expect(owner(files, 'node_modules/x/a.js')).toMatchObject({
      path: 'node_modules/x',
      workspace: undefined,
    });
  });

  it.each([
    ['pnpm', { 'pnpm-workspace.yaml': 'packages: ["packages/*"]\nCATALOGS' }, {}],
    ['yarn', { '.yarnrc.yml': 'CATALOGS' }, { workspaces: ['packages/*'] }],
  ])('says what catalog: stands for: %s', (_, files: Record<string, string>, fields) => {
    const catalogs = `catalog:\n  "${V2_CLIENT_PACKAGE}": ^2.4.0\ncatalogs:\n  old:\n    "${V1_PACKAGE}": ^1.30.0\n`;
    const ranges = {
      [V2_CLIENT_PACKAGE]: 'catalog:',
      [V1_PACKAGE]: 'catalog:old',
      [V2_SERVER_PACKAGE]: 'catalog:none',
    };
    const texts = Object.entries(files).map(([name, text]) => [name, text.replace('CATALOGS', catalogs)]);
    const info = owner(
      {
        'package.json': { name: 'top', ...fields },
        ...(Object.fromEntries(texts) as Record<string, string>),
        'packages/a/package.json': { name: 'a', dependencies: ranges },
      },
      'packages/a/a.ts',
    );
    expect(info.sdk).toEqual({
      [V2_CLIENT_PACKAGE]: '^2.4.0',
      [V1_PACKAGE]: '^1.30.0',
      [V2_SERVER_PACKAGE]: 'catalog:none',
    });
  });

  it('of bun has its catalogs in package.json', () => {
    const workspaces = { packages: ['packages/*'], catalog: { [V2_CLIENT_PACKAGE]: '^2.3.0' } };
    const files = {
      'package.json': { name: 'top', workspaces },
      'packages/a/package.json': { name: 'a', dependencies: { [V2_CLIENT_PACKAGE]: 'catalog:default' } },
    };
    expect(owner(files, 'packages/a/a.ts').sdk).toEqual({ [V2_CLIENT_PACKAGE]: '^2.3.0' });
  });

  it('with YAML that cannot be read is a problem and no crash', () => {
    const root = folderOf({
      'package.json': { name: 'top', dependencies: { [V2_CLIENT_PACKAGE]: 'catalog:' } },
      'pnpm-workspace.yaml': 'packages: [',
    });
    const { list, problems } = findPackages(root, [join(root, 'a.ts')]);
    expect(list[0]?.sdk).toEqual({ [V2_CLIENT_PACKAGE]: 'catalog:' });
    expect(problems).toEqual([
      {
        file: join(root, 'pnpm-workspace.yaml'),
        message: 'is not valid YAML, so its catalogs and members are unknown: repair it and run again',
      },
    ]);
  });
});

it("a file of workspace members that cannot be read is a problem with the system's reason", () => {
  const root = folderOf({ 'package.json': { name: 'top' }, 'pnpm-workspace.yaml/a.txt': '' });
  expect(findPackages(root, [join(root, 'a.ts')]).problems).toEqual([
    {
      file: join(root, 'pnpm-workspace.yaml'),
      message:
        'could not be read (EISDIR: illegal operation on a directory), so its catalogs and members are unknown: check its permissions and run again',
    },
  ]);
});

describe('the package manager', () => {
  it.each([
    ['pnpm', { 'pnpm-lock.yaml': '' }],
    ['yarn', { 'yarn.lock': '' }],
    ['bun', { 'bun.lock': '' }],
    ['bun', { 'bun.lockb': '' }],
    ['npm', { 'package-lock.json': '{}' }],
    ['pnpm', { 'pnpm-workspace.yaml': 'packages: []' }],
    ['yarn', { 'package.json': { packageManager: 'yarn@4.1.0+sha.1' }, 'package-lock.json': '{}' }],
    ['npm', {}],
  ])('is %s by %j', (manager, files: Record<string, string | Json>) => {
    expect(owner(files, 'packages/a/a.ts').packageManager).toBe(manager);
  });

  it('is the one of the nearest folder that shows one', () => {
    const files = {
      'package.json': { name: 'top' },
      'pnpm-lock.yaml': '',
      'packages/a/package.json': { name: 'a' },
      'packages/b/package.json': { name: 'b' },
      'packages/b/yarn.lock': '',
    };
    expect(owner(files, 'packages/a/a.ts').packageManager).toBe('pnpm');
    expect(owner(files, 'packages/b/a.ts').packageManager).toBe('yarn');
  });
});
