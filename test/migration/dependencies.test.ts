// Dependencies of rewritten code: which package.json gets them, by which range, and what is written with it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../codemods/codemod.js';
import type { Site } from '../../src/analysis/site.js';
import { dependencyChanges, type DependencyChange } from '../../src/migration/dependencies.js';
import type { GroupPlan } from '../../src/migration/group-plan.js';
import type { PlanInput } from '../../src/migration/plan-input.js';
import { findPackages } from '../../src/workspace/packages.js';

const created: string[] = [];
afterAll(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function workspace(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-listen-dependencies-')));
  created.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function rewritten(file: string, parts: Partial<Extract<Outcome, { kind: 'rewritten' }>>): GroupPlan {
  const edit = { file, start: 0, end: 0, text: '', reason: 'test' };
  const outcome: Outcome = { kind: 'rewritten', edits: [edit], reason: 'test', ...parts };
  return {
    group: { kind: 'server', home: { file, name: 'server' }, nodes: [] },
    sites: [
      { site: { unit: { file } } as Site, codemod: {} as GroupPlan['sites'][number]['codemod'], outcome },
    ],
  };
}

const NODE = '@modelcontextprotocol/node';
const USES_NODE = { needs: [NODE] };

/** The changes for one rewritten file, `server.ts` at the root. */
function changesFor(
  files: Readonly<Record<string, string>>,
  parts: Parameters<typeof rewritten>[1] = USES_NODE,
  user = 'server.ts',
): DependencyChange[] {
  const root = workspace({ [user]: '', ...files });
  const packages = findPackages(root, [join(root, user)]);
  return dependencyChanges([rewritten(join(root, user), parts)], { root, packages } as unknown as PlanInput);
}

function manifest(dependencies: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ name: 'app', ...dependencies }, null, 2)}\n`;
}

const SERVER = { '@modelcontextprotocol/server': '^2.4.0' };
const LISTED = { 'package.json': manifest({ dependencies: SERVER }) };

describe('a package that the rewritten code needs', () => {
  it('is added to the package.json that lists the server, with what is written there', () => {
    const [found, ...others] = changesFor(LISTED);
    expect(others).toEqual([]);
    expect(found?.result).toEqual({
      package: '.',
      manifest: 'package.json',
      added: { [NODE]: '^2.1.2' },
      messages: [],
    });
    expect(found?.change?.after).toBe(manifest({ dependencies: { [NODE]: '^2.1.2', ...SERVER } }));
    expect(found?.users.map((file) => file.split('/').at(-1))).toEqual(['server.ts']);
  });

  it('is that of its imports, and of no module of the project or of Node', () => {
    const imports = [
      NODE,
      `${NODE}/x`,
      '@modelcontextprotocol/server/stdio',
      './changes.js',
      'node:crypto',
    ].map((module) => ({ file: '', module, name: 'x' }));
    expect(changesFor(LISTED, { imports }).map(({ result }) => result.added)).toEqual([{ [NODE]: '^2.1.2' }]);
  });

  it('is not added where it is listed, in whichever field', () => {
    const all = { dependencies: SERVER, devDependencies: { [NODE]: '^2.0.0' } };
    expect(changesFor({ 'package.json': manifest(all) })).toEqual([]);
    expect(changesFor(LISTED, { needs: ['@modelcontextprotocol/server'] })).toEqual([]);
  });

  it.each([
    ['2.4.0', '^2.1.2'],
    ['2.3.1', '2.1.1'],
    ['2.2.0', '2.1.0'],
    ['2.0.0', '2.0.0'],
  ])('fits the server that is installed: %s', (version, range) => {
    const [found] = changesFor({
      'package.json': manifest({ dependencies: { '@modelcontextprotocol/server': '^2.0.0' } }),
      'node_modules/@modelcontextprotocol/server/package.json': JSON.stringify({ version }),
    });
    expect(found?.result.added).toEqual({ [NODE]: range });
  });

  it('goes to every field that lists the server', () => {
    const [found] = changesFor({
      'package.json': manifest({ peerDependencies: SERVER, devDependencies: SERVER }),
    });
    const both = { [NODE]: '^2.1.2', ...SERVER };
    expect(found?.change?.after).toBe(manifest({ peerDependencies: both, devDependencies: both }));
  });

  it('comes into new dependencies where nothing lists the server', () => {
    const [found] = changesFor({ 'package.json': manifest({}) });
    expect(found?.change?.after).toBe(manifest({ dependencies: { [NODE]: '^2.1.2' } }));
  });

  it('follows the catalog, and says what that lacks', () => {
    const [found] = changesFor({
      'package.json': manifest({ dependencies: { '@modelcontextprotocol/server': 'catalog:' } }),
      'pnpm-workspace.yaml': "packages: ['.']\ncatalog:\n  '@modelcontextprotocol/server': ^2.4.0\n",
    });
    expect(found?.result).toMatchObject({
      added: { [NODE]: 'catalog:' },
      messages: [`the catalog that catalog: means has no ${NODE} yet: add it with ^2.1.2`],
    });
  });

  it('is added where the workspace lists the server for all', () => {
    const files = {
      'package.json': manifest({ dependencies: SERVER, workspaces: ['packages/*'] }),
      'packages/a/package.json': '{ "name": "a" }',
    };
    const [found] = changesFor(files, USES_NODE, 'packages/a/server.ts');
    expect(found?.result).toMatchObject({ package: 'packages/a', manifest: 'package.json' });
  });

  it('is left to a person where there is no package.json', () => {
    const [found] = changesFor({});
    expect(found?.result).toMatchObject({ manifest: null, added: { [NODE]: '^2.1.2' } });
    expect(found?.change).toBeUndefined();
  });
});

describe('a group that is not rewritten', () => {
  it('needs nothing', () => {
    const root = workspace({ ...LISTED, 'server.ts': '' });
    const file = join(root, 'server.ts');
    const plan = rewritten(file, USES_NODE);
    const sites = plan.sites.map((site) => ({ ...site, outcome: { kind: 'kept', reason: 'test' } as const }));
    const input = { root, packages: findPackages(root, [file]) } as unknown as PlanInput;
    expect(dependencyChanges([{ ...plan, sites }], input)).toEqual([]);
  });
});
