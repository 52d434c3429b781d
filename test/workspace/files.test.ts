import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FileListing, listFiles, type ListOptions } from '../../src/workspace/files.js';
import { relativePosix } from '../../src/workspace/paths.js';
import { addFiles, commitAll, folderWith, git, repositoryWith } from './folder.js';

const SOURCE = 'export {};\n';

/** Paths of the listed source, relative to the root. */
async function listed(root: string, options?: ListOptions): Promise<string[]> {
  return namesIn(await listFiles(root, options));
}

function namesIn({ root, files }: FileListing): string[] {
  return files.map((file) => relativePosix(root, file));
}

/** `kind path: message` of each note. */
async function notes(root: string, options?: ListOptions): Promise<string[]> {
  const listing = await listFiles(root, options);
  return listing.notes.map(
    ({ kind, file, message }) => `${kind} ${relativePosix(listing.root, file)}: ${message}`,
  );
}

/** As if git were not installed. */
const path = process.env['PATH'];
function withoutGit(): void {
  process.env['PATH'] = folderWith({});
}
afterEach(() => {
  process.env['PATH'] = path;
});

describe('what counts as source', () => {
  const everyKind = {
    'a.ts': SOURCE,
    'b.tsx': SOURCE,
    'c.mts': SOURCE,
    'd.cts': SOURCE,
    'e.js': SOURCE,
    'f.jsx': SOURCE,
    'g.mjs': SOURCE,
    'h.cjs': SOURCE,
    'types.d.ts': SOURCE,
    'types.d.mts': SOURCE,
    'types.d.cts': SOURCE,
    'style.d.css.ts': SOURCE,
    'App.vue': '',
    'App.svelte': '',
    'page.astro': '',
    'README.md': '',
    'data.json': '{}',
    'video.mts.bak': '',
  };
  const source = ['a.ts', 'b.tsx', 'c.mts', 'd.cts', 'e.js', 'f.jsx', 'g.mjs', 'h.cjs'];
  const components = ['App.svelte', 'App.vue', 'page.astro'];

  it.each([
    ['with git', repositoryWith],
    ['without git', folderWith],
  ])('every TypeScript and JavaScript extension, components and declarations apart: %s', async (_, make) => {
    const listing = await listFiles(make(everyKind));
    expect(namesIn(listing)).toEqual(source);
    expect(listing.singleFileComponents.map((file) => relativePosix(listing.root, file))).toEqual(components);
    expect(listing.declarations.map((file) => relativePosix(listing.root, file))).toEqual([
      'style.d.css.ts',
      'types.d.cts',
      'types.d.mts',
      'types.d.ts',
    ]);
    expect(listing.notes).toEqual([]);
  });
});

describe('a git repository', () => {
  it('names its top folder, also when the root lies below it', async () => {
    const repository = repositoryWith({ 'packages/a/src/a.ts': SOURCE, 'b.ts': SOURCE });
    const listing = await listFiles(join(repository, 'packages/a'));
    expect(listing.repository).toBe(repository);
    expect(namesIn(listing)).toEqual(['src/a.ts']);
  });

  it('lists untracked files and leaves out ignored ones, by the .gitignore above, beside and below', async () => {
    const repository = repositoryWith({
      '.gitignore': '*.generated.ts\n',
      'packages/a/.gitignore': '/private/\n!keep.generated.ts\n',
      'packages/a/src/.gitignore': 'local.ts\n',
      'packages/a/src/committed.ts': SOURCE,
    });
    addFiles(repository, {
      'packages/a/src/untracked.ts': SOURCE,
      'packages/a/src/api.generated.ts': SOURCE,
      'packages/a/src/keep.generated.ts': SOURCE,
      'packages/a/src/local.ts': SOURCE,
      'packages/a/private/secret.ts': SOURCE,
    });
    const expected = ['src/committed.ts', 'src/keep.generated.ts', 'src/untracked.ts'];
    expect(await listed(join(repository, 'packages/a'))).toEqual(expected);
  });

  it('honours .git/info/exclude', async () => {
    const repository = repositoryWith({ 'a.ts': SOURCE });
    addFiles(repository, { '.git/info/exclude': 'b.ts\n', 'b.ts': SOURCE });
    expect(await listed(repository)).toEqual(['a.ts']);
  });

  it('lists a tracked file although a pattern ignores it', async () => {
    const repository = repositoryWith({ 'a.ts': SOURCE });
    addFiles(repository, { '.gitignore': '*.ts\n' });
    expect(await listed(repository)).toEqual(['a.ts']);
  });

  it('drops tracked files that were deleted, without a note', async () => {
    const repository = repositoryWith({ 'a.ts': SOURCE, 'gone.ts': SOURCE, 'gone/b.ts': SOURCE });
    rmSync(join(repository, 'gone.ts'));
    rmSync(join(repository, 'gone'), { recursive: true });
    expect(await listed(repository)).toEqual(['a.ts']);
    expect(await notes(repository)).toEqual([]);
  });

  it('lists an unmerged file once', async () => {
    const repository = repositoryWith({ 'a.ts': 'base\n' });
    git(repository, 'checkout', '--quiet', '-b', 'other');
    addFiles(repository, { 'a.ts': 'theirs\n' });
    commitAll(repository);
    git(repository, 'checkout', '--quiet', '-');
    addFiles(repository, { 'a.ts': 'ours\n' });
    commitAll(repository);
    expect(() => git(repository, 'merge', 'other')).toThrow();
    expect(git(repository, 'ls-files', '--unmerged').trim().split('\n')).toHaveLength(3);
    expect(await listed(repository)).toEqual(['a.ts']);
  });

  it('does not enter submodules', async () => {
    const library = repositoryWith({ 'inner.ts': SOURCE });
    const repository = repositoryWith({ 'a.ts': SOURCE });
    git(repository, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library.ts');
    commitAll(repository);
    expect(await listed(repository)).toEqual(['a.ts']);
    expect(await notes(repository, { paths: ['library.ts/inner.ts'] })).toEqual([
      'other-repository library.ts/inner.ts: belongs to a submodule or another repository, so it is not processed: run in that repository',
    ]);
  });

  it('does not enter a repository that lies within it', async () => {
    const repository = repositoryWith({ 'a.ts': SOURCE });
    addFiles(repository, { 'clone/inner.ts': SOURCE });
    git(join(repository, 'clone'), 'init', '--quiet');
    commitAll(join(repository, 'clone'));
    expect(await listed(repository)).toEqual(['a.ts']);
    expect((await notes(repository, { paths: ['clone'] }))[0]).toMatch(/^other-repository clone: /);
  });

  it('does not follow links: tracked, untracked, to folders, in a loop', async () => {
    const repository = repositoryWith({ 'src/a.ts': SOURCE });
    symlinkSync('a.ts', join(repository, 'src/tracked-link.ts'));
    symlinkSync('..', join(repository, 'src/loop'));
    commitAll(repository);
    symlinkSync('a.ts', join(repository, 'src/untracked-link.ts'));
    symlinkSync('src', join(repository, 'folder-link'));
    expect(await listed(repository)).toEqual(['src/a.ts']);
  });

  it('does not reach through a link that has taken the place of a tracked folder', async () => {
    const repository = repositoryWith({ 'src/a.ts': SOURCE, 'b.ts': SOURCE });
    const elsewhere = join(folderWith({}), 'src');
    renameSync(join(repository, 'src'), elsewhere);
    symlinkSync(elsewhere, join(repository, 'src'));
    expect(await listed(repository)).toEqual(['b.ts']);
  });

  it('does not take a link for source where git has checked it out as a text file', async () => {
    const repository = repositoryWith({ 'src/a.ts': SOURCE });
    symlinkSync('a.ts', join(repository, 'src/link.ts'));
    commitAll(repository);
    rmSync(join(repository, 'src/link.ts'));
    git(repository, '-c', 'core.symlinks=false', 'checkout', '--', 'src/link.ts');
    expect(lstatSync(join(repository, 'src/link.ts')).isFile()).toBe(true);
    expect(await listed(repository)).toEqual(['src/a.ts']);
  });

  it('skips node_modules even where it is committed', async () => {
    const repository = repositoryWith({
      'a.ts': SOURCE,
      'node_modules/x/index.js': SOURCE,
      'packages/a/node_modules/y/index.js': SOURCE,
    });
    expect(git(repository, 'ls-files')).toContain('node_modules/x/index.js');
    expect(await listed(repository)).toEqual(['a.ts']);
  });

  it('leaves a committed dist beside a package.json alone and says so, until it is named', async () => {
    const repository = repositoryWith({
      'action/package.json': '{}',
      'action/dist/index.js': SOURCE,
      'action/dist/chunks/a.js': SOURCE,
      'action/src/dist/a.ts': SOURCE,
    });
    expect(await listed(repository)).toEqual(['action/src/dist/a.ts']);
    expect(await notes(repository)).toEqual([
      'build-output action/dist: build output that git tracks, left alone: build it again, or name the folder to have it processed',
    ]);
    expect(await listed(repository, { paths: ['action/dist'] })).toEqual([
      'action/dist/chunks/a.js',
      'action/dist/index.js',
    ]);
  });

  it('reads names with spaces, quotes, other scripts, tabs and line breaks', async () => {
    const names = [
      ' lead.ts',
      '"double".ts',
      "it's.ts",
      '[id].ts',
      'a\tb.ts',
      'line\nbreak.ts',
      'über.ts',
      '日本.ts',
      '? b.ts',
    ];
    const repository = repositoryWith(Object.fromEntries(names.map((name) => [name, SOURCE])));
    addFiles(repository, { 'H 100644 x 0\tuntracked.ts': SOURCE });
    expect(await listed(repository)).toEqual([...names, 'H 100644 x 0\tuntracked.ts'].sort());
  });

  it('is found although git has set its variables, as it does around hooks', async () => {
    const repository = repositoryWith({ 'packages/a/a.ts': SOURCE });
    process.env['GIT_DIR'] = '.git';
    try {
      const listing = await listFiles(join(repository, 'packages/a'));
      expect(listing.repository).toBe(repository);
      expect(listing.notes).toEqual([]);
    } finally {
      delete process.env['GIT_DIR'];
    }
  });

  it('says why nothing is listed when the root itself is ignored', async () => {
    const repository = repositoryWith({ '.gitignore': 'tmp/\n', 'a.ts': SOURCE });
    addFiles(repository, { 'tmp/app/b.ts': SOURCE });
    expect(await listed(join(repository, 'tmp/app'))).toEqual([]);
    expect(await notes(join(repository, 'tmp/app'))).toEqual([
      'ignored-explicitly .: is ignored by git (.gitignore:1: tmp/), so it is not processed: take that line out, or track it (git add -f)',
    ]);
  });
});

describe('a folder without git', () => {
  const files = {
    'package.json': '{}',
    '.gitignore': '*.generated.ts\n/private/\n',
    'src/.gitignore': '!keep.generated.ts\nlocal.ts\n',
    'src/a.ts': SOURCE,
    'src/local.ts': SOURCE,
    'src/api.generated.ts': SOURCE,
    'src/keep.generated.ts': SOURCE,
    'src/commands/build/run.ts': SOURCE,
    'private/secret.ts': SOURCE,
    'node_modules/x/index.js': SOURCE,
    'dist/a.js': SOURCE,
    'build/a.js': SOURCE,
    'out/a.js': SOURCE,
    'coverage/a.js': SOURCE,
    '.next/a.js': SOURCE,
    'packages/b/package.json': '{}',
    'packages/b/build/b.js': SOURCE,
    'packages/b/dist/b.js': SOURCE,
    'packages/b/b.ts': SOURCE,
  };
  const expected = ['packages/b/b.ts', 'src/a.ts', 'src/commands/build/run.ts', 'src/keep.generated.ts'];

  it('is walked by its .gitignore files, without dependencies, build output and dot folders', async () => {
    const folder = folderWith(files);
    const listing = await listFiles(folder);
    expect(namesIn(listing)).toEqual(expected);
    expect(listing.repository).toBeUndefined();
    expect(listing.notes).toEqual([]);
  });

  it('does not follow links, also not in a loop', async () => {
    const folder = folderWith({ 'src/a.ts': SOURCE });
    symlinkSync('a.ts', join(folder, 'src/link.ts'));
    symlinkSync('..', join(folder, 'src/loop'));
    expect(await listed(folder)).toEqual(['src/a.ts']);
  });

  it('lets a named folder in that is skipped otherwise, but never node_modules', async () => {
    const folder = folderWith(files);
    expect(await listed(folder, { paths: ['dist', 'node_modules/x'] })).toEqual(['dist/a.js']);
    expect(await notes(folder, { paths: ['node_modules/x'] })).toEqual([
      'ignored-explicitly node_modules/x: lies in node_modules, which is never processed: change the source of that package instead',
    ]);
  });

  it('says that a named file is ignored', async () => {
    expect(await notes(folderWith(files), { paths: ['src/local.ts'] })).toEqual([
      'ignored-explicitly src/local.ts: is ignored by a .gitignore, so it is not processed: take the pattern out of it',
    ]);
  });

  it('is listed the same way in a repository when git is not installed, and a note says so', async () => {
    const repository = repositoryWith(files);
    withoutGit();
    const listing = await listFiles(repository);
    expect(namesIn(listing)).toEqual(expected);
    expect(listing.repository).toBeUndefined();
    expect(await notes(join(repository, 'src'))).toEqual([
      'no-git ..: git could not be run, so files were listed without it: install git to have its ignore rules followed exactly',
    ]);
  });

  it('follows the .gitignore of the folders above, up to the top of a repository that git cannot read', async () => {
    const repository = repositoryWith(files);
    withoutGit();
    expect(await listed(join(repository, 'src'))).toEqual([
      'a.ts',
      'commands/build/run.ts',
      'keep.generated.ts',
    ]);
  });

  it('tells what git said when git refuses to list', async () => {
    const repository = repositoryWith({ 'a.ts': SOURCE });
    addFiles(repository, { '.git/index': 'no index' });
    expect(await listed(repository)).toEqual(['a.ts']);
    expect((await notes(repository))[0]).toMatch(/^no-git \.: git gave no list of files \(.*index.*\), so/);
  });
});

describe('paths that are named', () => {
  const repository = () =>
    repositoryWith({
      '.gitignore': 'generated/\n*.local.ts\n!good.local.ts\n!empty/\n',
      'src/a.ts': SOURCE,
      'src/deep/b.ts': SOURCE,
      'src-more/c.ts': SOURCE,
      'types.d.ts': SOURCE,
      'README.md': '',
      'docs/page.md': '',
      'App.vue': '',
    });

  it('may be files and folders, relative to the root or absolute', async () => {
    const root = repository();
    expect(await listed(root, { paths: ['src'] })).toEqual(['src/a.ts', 'src/deep/b.ts']);
    expect(await listed(root, { paths: [join(root, 'src/deep/b.ts'), 'src-more/'] })).toEqual([
      'src-more/c.ts',
      'src/deep/b.ts',
    ]);
    expect(await listed(root, { paths: ['.'] })).toHaveLength(3);
  });

  it('are not processed when git ignores them: the note names the line and what to do', async () => {
    const root = repository();
    addFiles(root, { 'generated/x.ts': SOURCE, 'my.local.ts': SOURCE, 'good.local.ts': SOURCE });
    const options = { paths: ['generated', 'generated/x.ts', 'my.local.ts', 'good.local.ts'] };
    expect(await listed(root, options)).toEqual(['good.local.ts']);
    expect(await notes(root, options)).toEqual([
      'ignored-explicitly generated: is ignored by git (.gitignore:1: generated/), so it is not processed: take that line out, or track it (git add -f)',
      'ignored-explicitly generated/x.ts: is ignored by git (.gitignore:1: generated/), so it is not processed: take that line out, or track it (git add -f)',
      'ignored-explicitly my.local.ts: is ignored by git (.gitignore:2: *.local.ts), so it is not processed: take that line out, or track it (git add -f)',
    ]);
  });

  it('are an error when they do not exist, and nothing else is listed in their place', async () => {
    const listing = await listFiles(repository(), { paths: ['src/none.ts', 'none/none.ts'] });
    expect(listing.files).toEqual([]);
    expect(listing.notes.map(({ kind, level }) => `${level} ${kind}`)).toEqual([
      'error missing',
      'error missing',
    ]);
    expect(listing.notes[0]).toMatchObject({
      file: join(listing.root, 'src/none.ts'),
      message: 'no such file or folder: check the path',
    });
  });

  it('are an error outside the root', async () => {
    const root = repository();
    expect((await notes(join(root, 'src'), { paths: ['../src-more'] }))[0]).toMatch(
      /^outside \.\.\/src-more: /,
    );
  });

  it('are explained when they hold no source', async () => {
    const root = repository();
    mkdirSync(join(root, 'empty'));
    const paths = ['types.d.ts', 'README.md', 'docs', 'empty'];
    const kinds = (await notes(root, { paths })).map((note) => note.split(':')[0]);
    expect(kinds).toEqual(['not-source types.d.ts', 'not-source README.md', 'empty docs', 'empty empty']);
  });

  it('may be a component, which is listed as one', async () => {
    const listing = await listFiles(repository(), { paths: ['App.vue'] });
    expect(listing.singleFileComponents).toEqual([join(listing.root, 'App.vue')]);
    expect(listing.notes).toEqual([]);
  });

  it('are not processed when they are links; the way to them may lead through one', async () => {
    const root = repository();
    symlinkSync('src', join(root, 'folder-link'));
    symlinkSync('src/a.ts', join(root, 'link.ts'));
    expect(await listed(root, { paths: ['link.ts', 'folder-link'] })).toEqual([]);
    expect(
      (await notes(root, { paths: ['link.ts', 'folder-link'] })).map((note) => note.split(':')[0]),
    ).toEqual(['link link.ts', 'link folder-link']);
    expect(await listed(root, { paths: ['folder-link/a.ts'] })).toEqual(['src/a.ts']);
  });
});

describe('ignore patterns', () => {
  it('work as in .gitignore, relative to the root', async () => {
    const root = repositoryWith({
      'a.ts': SOURCE,
      'a.test.ts': SOURCE,
      'fixtures/a.ts': SOURCE,
      'src/fixtures/b.ts': SOURCE,
      'src/keep.test.ts': SOURCE,
    });
    expect(await listed(root, { ignore: ['*.test.ts', '!keep.test.ts', '/fixtures'] })).toEqual([
      'a.ts',
      'src/fixtures/b.ts',
      'src/keep.test.ts',
    ]);
    expect(await listed(root, { ignore: ['./fixtures/', '**/*.test.ts'] })).toEqual([
      'a.ts',
      'src/fixtures/b.ts',
    ]);
  });

  it('win over a named file, and a note says so', async () => {
    const root = repositoryWith({ 'a.ts': SOURCE });
    const options = { paths: ['a.ts'], ignore: ['*.ts'] };
    expect(await listed(root, options)).toEqual([]);
    expect(await notes(root, options)).toEqual([
      'ignored-explicitly a.ts: is named and ignored at once, so it is not processed: take the pattern out of --ignore',
    ]);
  });
});

describe('the root', () => {
  it('is an error when it is no folder', async () => {
    const folder = folderWith({ 'a.ts': SOURCE });
    for (const root of [join(folder, 'none'), join(folder, 'a.ts')]) {
      const listing = await listFiles(root);
      expect(listing.files).toEqual([]);
      expect(listing.notes).toEqual([
        { kind: 'missing', level: 'error', file: root, message: 'no such folder: check the path' },
      ]);
    }
  });

  it('may be a link: paths start with the folder that it leads to', async () => {
    const folder = repositoryWith({ 'packages/a/a.ts': SOURCE });
    const link = join(folderWith({}), 'link');
    symlinkSync(join(folder, 'packages'), link);
    const listing = await listFiles(link, { paths: [join(link, 'a')] });
    expect(listing.root).toBe(join(folder, 'packages'));
    expect(listing.repository).toBe(folder);
    expect(listing.files).toEqual([join(folder, 'packages/a/a.ts')]);
  });

  it('without any source is said to be empty', async () => {
    const folder = folderWith({ 'README.md': '' });
    mkdirSync(join(folder, 'src'));
    expect((await notes(folder))[0]).toMatch(/^empty \.: holds no TypeScript or JavaScript source/);
  });
});
