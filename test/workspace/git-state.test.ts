import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dirtyFiles } from '../../src/workspace/git-state.js';
import { addFiles, folderWith, git, repositoryWith } from './folder.js';

it('files with work that is not committed are those modified, staged and untracked', async () => {
  const repository = repositoryWith({
    '.gitignore': 'ignored.ts\n',
    'clean.ts': 'a',
    'src/modified.ts': 'a',
    'staged.ts': 'a',
    // Read as a status record, this name would be the clean file's.
    'my clean.ts': 'a long enough text to be found as a rename\n',
    'deleted.ts': 'a',
  });
  addFiles(repository, {
    'src/modified.ts': 'b',
    'staged.ts': 'b',
    'new folder/deep/untracked "quoted" ü.ts': 'a',
    'ignored.ts': 'a',
  });
  git(repository, 'add', 'staged.ts');
  git(repository, 'mv', 'my clean.ts', 'new name.ts');
  rmSync(join(repository, 'deleted.ts'));
  const names = [
    'clean.ts',
    'src/modified.ts',
    'staged.ts',
    'new name.ts',
    'new folder/deep/untracked "quoted" ü.ts',
    'ignored.ts',
    'deleted.ts',
  ];
  const files = names.map((name) => join(repository, name));
  expect(await dirtyFiles(repository, files)).toEqual(
    files.filter((file) => !file.endsWith('/clean.ts') && !file.endsWith('ignored.ts')),
  );
});

it('only the files that are asked about count', async () => {
  const repository = repositoryWith({ 'a.ts': 'a', 'b.ts': 'a' });
  addFiles(repository, { 'b.ts': 'b' });
  expect(await dirtyFiles(repository, [join(repository, 'a.ts')])).toEqual([]);
});

it('there is no answer where there is no repository', async () => {
  const folder = folderWith({ 'a.ts': 'a' });
  expect(await dirtyFiles(undefined, [join(folder, 'a.ts')])).toBeUndefined();
  expect(await dirtyFiles(folder, [join(folder, 'a.ts')])).toBeUndefined();
});

it('a repository without a commit has only dirty files', async () => {
  const folder = folderWith({ 'a.ts': 'a' });
  git(folder, 'init', '--quiet');
  expect(await dirtyFiles(folder, [join(folder, 'a.ts')])).toEqual([join(folder, 'a.ts')]);
});
