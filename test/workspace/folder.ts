/** Real folders and real repositories for the tests of this floor. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const created: string[] = [];

afterAll(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder with these files; removed after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-listen-')));
  created.push(folder);
  addFiles(folder, files);
  return folder;
}

/** The same, as a git repository in which everything that is not ignored is committed. */
export function repositoryWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = folderWith(files);
  git(folder, 'init', '--quiet');
  commitAll(folder);
  return folder;
}

export function addFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

export function git(folder: string, ...parameters: string[]): string {
  return execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8', stdio: 'pipe' });
}

export function commitAll(folder: string): void {
  git(folder, 'add', '--all');
  git(
    folder,
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.org',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'x',
  );
}
