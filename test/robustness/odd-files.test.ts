// One file with something the matter: one line says so, the rest is done.
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATABLE, mcpListen } from '../cli/command.js';
import { addFiles, folderWith, git, repositoryWith } from '../workspace/folder.js';
import { CLIENT, errorsIn, migrate, MIGRATED, textOf } from './project.js';

const latin1 = Buffer.from(CLIENT.replace('watcher', 'w\u00E4chter'), 'latin1');
const utf16 = Buffer.from(`\uFEFF${CLIENT}`, 'utf16le');

/** Files that speak MCP and cannot be handled, and what is said about them. */
const ODD_FILES: readonly (readonly [path: string, content: string | Buffer, message: string])[] = [
  [
    'src/binary.ts',
    `${CLIENT}\0`,
    'holds NUL bytes, so it is binary or UTF-16: save it as UTF-8, or ignore it',
  ],
  [
    'src/broken.ts',
    `${CLIENT}function (\n`,
    'does not parse (line 17), so it was left alone: fix it and run again',
  ],
  [
    'src/large.ts',
    `${CLIENT}${'// nothing but a comment\n'.repeat(5e6 / 25)}`,
    'larger than 4 MiB, so it was not read: migrate it by hand, or ignore it if it is generated',
  ],
  ['src/latin1.ts', latin1, 'not valid UTF-8: save it as UTF-8 and run again'],
  ['src/utf16be.ts', Buffer.from(utf16).swap16(), 'encoded as UTF-16: save it as UTF-8 and run again'],
  ['src/utf16le.ts', utf16, 'encoded as UTF-16: save it as UTF-8 and run again'],
];

describe('beside files that cannot be parsed or read', () => {
  const files = Object.fromEntries(ODD_FILES.map(([path, content]) => [path, content]));
  const lines = ODD_FILES.map(([path, , message]) => `${path} — ${message}`);

  it('the others are migrated, each odd one has its line, and the run ends with 1', async () => {
    const project = repositoryWith({ ...MIGRATABLE, ...files });
    const { code, stdout, stderr } = await migrate(project);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(errorsIn(stdout).sort()).toEqual(lines);
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
    for (const [path, content] of ODD_FILES) {
      expect(readFileSync(join(project, path)).equals(Buffer.from(content)), path).toBe(true);
    }
  });

  it('a scan says the same and ends with 1', async () => {
    const { code, stdout } = await mcpListen(repositoryWith({ ...MIGRATABLE, ...files }), ['scan']);
    expect(code).toBe(1);
    expect(errorsIn(stdout).sort()).toEqual(lines);
  });
});

it('a large or oddly encoded file without our words is nobody’s business', async () => {
  const project = repositoryWith({
    ...MIGRATABLE,
    'src/large.ts': '// nothing but a comment\n'.repeat(5e6 / 25),
    'src/wide.ts': Buffer.from('\uFEFFexport const a = 1;\n', 'utf16le'),
    'src/broken.ts': 'function (\n',
  });
  const { code, stdout } = await migrate(project);
  expect({ code, errors: errorsIn(stdout) }).toEqual({ code: 0, errors: [] });
});

it('a file without a write bit keeps its bytes and its mode, and is named with the command that helps', async () => {
  const project = repositoryWith({ ...MIGRATABLE, 'src/odd.ts': CLIENT });
  chmodSync(join(project, 'src/odd.ts'), 0o444);
  const { code, stdout } = await migrate(project);
  expect({ code, errors: errorsIn(stdout) }).toEqual({
    code: 1,
    errors: ['src/odd.ts — is read-only, so it was left alone: make it writable (chmod u+w) and run again'],
  });
  expect(textOf(project, 'src/odd.ts')).toBe(CLIENT);
  expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  chmodSync(join(project, 'src/odd.ts'), 0o644);
  expect((await migrate(project, '--force')).code).toBe(0);
  expect(textOf(project, 'src/odd.ts')).toBe(MIGRATED);
});

it.each([
  ['in a repository', repositoryWith],
  ['without git', folderWith],
])('links that lead in a circle are not followed: %s', async (_, make) => {
  const project = make(MIGRATABLE);
  symlinkSync('..', join(project, 'src/up'), 'junction');
  symlinkSync('.', join(project, 'src/self'), 'junction');
  symlinkSync('two.ts', join(project, 'src/one.ts'));
  symlinkSync('one.ts', join(project, 'src/two.ts'));
  const { code, stdout } = await migrate(project, '--format', 'json');
  const report = JSON.parse(stdout) as { errors: unknown[] };
  expect({ code, errors: report.errors }).toEqual({ code: 0, errors: [] });
  expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
});

describe('a package.json that', () => {
  it('is no JSON object is named, and the code beside it is migrated', async () => {
    const manifests = { empty: '', list: '[]', torn: '{ "name": ' };
    const project = repositoryWith({
      'package.json': MIGRATABLE['package.json'],
      ...Object.fromEntries(
        Object.entries(manifests).flatMap(([name, manifest]) => [
          [`${name}/package.json`, manifest],
          [`${name}/watch.ts`, CLIENT],
        ]),
      ),
    });
    const { code, stdout, stderr } = await migrate(project);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(errorsIn(stdout).sort()).toEqual(
      Object.keys(manifests).map(
        (name) =>
          `${name}/package.json — is not a JSON object, so its dependencies are unknown: repair it and run again`,
      ),
    );
    for (const [name, manifest] of Object.entries(manifests)) {
      expect(textOf(project, `${name}/watch.ts`)).toBe(MIGRATED);
      expect(textOf(project, `${name}/package.json`)).toBe(manifest);
    }
  });

  it('is not there is no error: the files say what they use', async () => {
    const project = repositoryWith({ 'src/watch.ts': CLIENT });
    const { code, stdout } = await migrate(project);
    expect({ code, errors: errorsIn(stdout) }).toEqual({ code: 0, errors: [] });
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });

  it('has nonsense in its fields is read as far as it makes sense', async () => {
    const manifest = JSON.stringify({ name: 7, type: [], workspaces: { a: 1 }, dependencies: 'none' });
    const project = repositoryWith({ 'package.json': manifest, 'src/watch.ts': CLIENT });
    const { code, stdout } = await migrate(project);
    expect({ code, errors: errorsIn(stdout) }).toEqual({ code: 0, errors: [] });
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });
});

describe('file names', () => {
  const everywhere = [
    'src/with space.ts',
    'src/-dash.ts',
    'src/[id].$x.ts',
    "src/it's.ts",
    'src/日本語 é.ts',
  ];
  const onPosix = ['src/"quoted" *?.ts', 'src/new\nline.ts', 'src/tab\t.ts'];
  const names = [...everywhere, ...(process.platform === 'win32' ? [] : onPosix)];

  it.each([
    ['in a repository', repositoryWith],
    ['without git', folderWith],
  ])('of any kind are migrated and reported as they are: %s', async (_, make) => {
    const project = make({
      'package.json': MIGRATABLE['package.json'],
      ...Object.fromEntries(names.map((name) => [name, CLIENT])),
    });
    const { code, stdout } = await migrate(project, '--format', 'json');
    const report = JSON.parse(stdout) as { sites: { file: string }[]; errors: unknown[] };
    expect({ code, errors: report.errors }).toEqual({ code: 0, errors: [] });
    expect([...new Set(report.sites.map(({ file }) => file))].sort()).toEqual([...names].sort());
    for (const name of names) expect(textOf(project, name), name).toBe(MIGRATED);
  });

  it('with uncommitted changes are recognised, whatever git has to quote', async () => {
    const project = repositoryWith({
      'package.json': MIGRATABLE['package.json'],
      ...Object.fromEntries(names.map((name) => [name, CLIENT])),
    });
    for (const name of names) writeFileSync(join(project, name), `${CLIENT}\n`);
    const { code, stdout } = await migrate(project, '--format', 'json');
    const report = JSON.parse(stdout) as { errors: { file: string }[] };
    expect(code).toBe(2);
    expect(report.errors.map(({ file }) => file).sort()).toEqual([...names].sort());
    expect(git(project, 'status', '--porcelain').trim().split('\n')).toHaveLength(names.length);
  });

  it('that cannot be handled are said, and the rest is done', async () => {
    const project = folderWith(MIGRATABLE);
    const expected: string[] = [];
    if (process.platform !== 'win32') {
      addFiles(project, { 'src/back\\slash.ts': CLIENT });
      expected.push(
        'src/back\\slash.ts — cannot be parsed, since its path has a backslash: rename it and run again',
      );
    }
    // Elsewhere the file system takes no such name.
    if (process.platform === 'linux') {
      writeFileSync(
        Buffer.concat([Buffer.from(`${project}/src/`), Buffer.from([0xff]), Buffer.from('.ts')]),
        CLIENT,
      );
      expected.push(
        'src/\uFFFD.ts — cannot be read, since its path is not valid UTF-8: rename it and run again',
      );
    }
    const { code, stdout } = await migrate(project);
    expect(errorsIn(stdout).sort()).toEqual(expected);
    expect(code).toBe(expected.length > 0 ? 1 : 0);
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });
});
