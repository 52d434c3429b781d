// Folders that may not be entered. To root everything is allowed, so that root's tests run the command as somebody else.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLI, MIGRATABLE } from '../cli/command.js';
import { addFiles, folderWith, repositoryWith } from '../workspace/folder.js';
import { CLIENT, errorsIn, MIGRATED, textOf } from './project.js';

/** `nobody` on every system that has one; any number that is not root's would do. */
const NOBODY = 65534;

const isRoot = process.getuid?.() === 0;
const somebodyElse = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function mcpListen(cwd: string, ...parameters: string[]) {
  return spawnSync(process.execPath, [CLI, ...parameters], { cwd, ...somebodyElse, encoding: 'utf8' });
}

/** False where permissions stop nobody (Windows), or where another user cannot run what lies in our folder. */
const isStopped = process.platform !== 'win32' && (!isRoot || mcpListen('/', '--version').status === 0);

const closed: string[] = [];
afterEach(() => {
  for (const folder of closed.splice(0)) chmodSync(folder, 0o755);
});

/** Takes a folder's permissions from whoever runs the command; everything else is made theirs. */
function close(project: string, path: string, mode: number): void {
  if (isRoot) giveAway(project);
  const folder = join(project, path);
  if (isRoot) chownSync(folder, 0, 0);
  chmodSync(folder, mode);
  closed.push(folder);
}

function giveAway(path: string): void {
  chownSync(path, NOBODY, NOBODY);
  if (!lstatSync(path).isDirectory()) return;
  for (const entry of readdirSync(path)) giveAway(join(path, entry));
}

const LOCKED = 'zone — the folder cannot be read: check its permissions';
const UNWRITABLE =
  'zone/watch.ts — lies in a folder that cannot be written: make the folder writable (chmod u+w) and run again';

const WITH_LOCKED = { ...MIGRATABLE, 'zone/watch.ts': CLIENT };

/** By the mode alone, which is what is looked at first: that holds for every user on every system but Windows. */
function expectModeToBeRespected(project: string): void {
  chmodSync(join(project, 'zone/watch.ts'), 0o444);
  const { status, stdout } = mcpListen(project, 'migrate', '.', '--no-verify');
  expect(errorsIn(stdout)).toEqual([
    'zone/watch.ts — is read-only, so it was left alone: make it writable (chmod u+w) and run again',
  ]);
  expect(status).toBe(1);
  expect(textOf(project, 'zone/watch.ts')).toBe(CLIENT);
}

describe('a folder that may not be entered', () => {
  it.each([
    ['of tracked files', () => repositoryWith(WITH_LOCKED)],
    ['of untracked files', () => repositoryWithUntracked()],
    ['without git', () => folderWith(WITH_LOCKED)],
  ])('is named once, and the rest is migrated: %s', (_, make) => {
    const project = make();
    if (!isStopped) {
      expectModeToBeRespected(project);
      return;
    }
    close(project, 'zone', isRoot ? 0o700 : 0);
    const { status, stdout, stderr } = mcpListen(project, 'migrate', '.', '--no-verify');
    expect({ status, stderr, errors: errorsIn(stdout) }).toEqual({
      status: 1,
      stderr: '',
      errors: [LOCKED],
    });
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });

  it('ends a scan with 1 as well', () => {
    const project = repositoryWith(WITH_LOCKED);
    if (!isStopped) {
      expectModeToBeRespected(project);
      return;
    }
    close(project, 'zone', isRoot ? 0o700 : 0);
    const { status, stdout } = mcpListen(project, 'scan');
    expect({ status, errors: errorsIn(stdout) }).toEqual({ status: 1, errors: [LOCKED] });
  });
});

describe('a folder that may be read and not written', () => {
  it('keeps its files, and the rest is migrated', () => {
    const project = repositoryWith(WITH_LOCKED);
    if (!isStopped) {
      expectModeToBeRespected(project);
      return;
    }
    close(project, 'zone', 0o555);
    const { status, stdout, stderr } = mcpListen(project, 'migrate', '.', '--no-verify');
    expect({ status, stderr, errors: errorsIn(stdout) }).toEqual({
      status: 1,
      stderr: '',
      errors: [UNWRITABLE],
    });
    expect(textOf(project, 'zone/watch.ts')).toBe(CLIENT);
    expect(readdirSync(join(project, 'zone'))).toEqual(['watch.ts']);
    expect(textOf(project, 'src/watch.ts')).toContain('changeStream(client).subscribe(uri)');
  });
});

function repositoryWithUntracked(): string {
  const project = repositoryWith(MIGRATABLE);
  addFiles(project, { 'zone/watch.ts': CLIENT });
  return project;
}
