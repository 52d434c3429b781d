import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryName } from '../../src/workspace/leftovers.js';
import { createAtomically, writeAtomically } from '../../src/workspace/write.js';
import { folderWith } from './folder.js';

const OLD = Buffer.from('old\n');
const NEW = Buffer.from('new\n');

function oneFile() {
  const folder = folderWith({ 'a.ts': OLD });
  return { folder, file: join(folder, 'a.ts') };
}

describe('replacing a file', () => {
  it('writes the new bytes and leaves nothing else behind', () => {
    const { folder, file } = oneFile();
    expect(writeAtomically(file, NEW, { expected: OLD })).toBeUndefined();
    expect(readFileSync(file)).toEqual(NEW);
    expect(readdirSync(folder)).toEqual(['a.ts']);
  });

  it.each([0o755, 0o600, 0o664, 0o222 | 0o400])('keeps the mode %o', (mode) => {
    const { file } = oneFile();
    chmodSync(file, mode);
    expect(writeAtomically(file, NEW, { expected: OLD })).toBeUndefined();
    expect(statSync(file).mode & 0o7777).toBe(mode);
  });

  it('puts another file in its place, so that who has it open reads the old one to its end', () => {
    const { file } = oneFile();
    const before = statSync(file).ino;
    writeAtomically(file, NEW, { expected: OLD });
    expect(statSync(file).ino).not.toBe(before);
  });

  it('takes long and odd names', () => {
    const name = `${'ü'.repeat(120)}.ts`;
    const file = join(folderWith({ [name]: OLD }), name);
    expect(writeAtomically(file, NEW, { expected: OLD })).toBeUndefined();
    expect(readFileSync(file)).toEqual(NEW);
  });
});

describe('what a killed run has left in the folder', () => {
  /** The number of a process that has ended. */
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const nameOf = (owner: number): string => temporaryName().replace(`-${String(process.pid)}-`, `-${owner}-`);

  it.each([
    ['replacing', (folder: string) => writeAtomically(join(folder, 'a.ts'), NEW, { expected: OLD })],
    ['creating', (folder: string) => createAtomically(join(folder, 'b.ts'), NEW)],
  ])('is removed when %s a file there', (_, write) => {
    const folder = folderWith({ 'a.ts': OLD, [nameOf(ended)]: NEW });
    expect(write(folder)).toBeUndefined();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('stays where its process is running, where another machine wrote it, and where the name is not ours', () => {
    const others = [
      nameOf(process.ppid),
      nameOf(ended).replace(/mcp-listen-[0-9a-f]{8}/, 'mcp-listen-00000000'),
      nameOf(ended).replace('.tmp', '.ts'),
      nameOf(ended).replace('.mcp', 'mcp'),
      '.mcp-listen-notes.tmp',
    ];
    const folder = folderWith(Object.fromEntries(['a.ts', ...others].map((name) => [name, OLD])));
    mkdirSync(join(folder, nameOf(ended)));
    expect(writeAtomically(join(folder, 'a.ts'), NEW, { expected: OLD })).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(others.length + 2);
  });
});

describe('a file is left alone, with a problem that says why, when it', () => {
  it('has changed since it was read', () => {
    const { folder, file } = oneFile();
    writeFileSync(file, 'edited\n');
    expect(writeAtomically(file, NEW, { expected: OLD })).toEqual({
      file,
      message: 'changed on disk since it was read, so it was left alone: run again',
    });
    expect(readFileSync(file, 'utf8')).toBe('edited\n');
    expect(readdirSync(folder)).toEqual(['a.ts']);
  });

  it('was deleted', () => {
    const { folder, file } = oneFile();
    rmSync(file);
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toBe(
      'was deleted since it was read: run again',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lies in a folder that was deleted', () => {
    const { folder, file } = oneFile();
    rmSync(folder, { recursive: true });
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toBe(
      'was deleted since it was read: run again',
    );
  });

  it('has become a link', () => {
    const { folder, file } = oneFile();
    rmSync(file);
    writeFileSync(join(folder, 'b.ts'), OLD);
    symlinkSync('b.ts', file);
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toMatch(/^is no longer a regular file/);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'b.ts'))).toEqual(OLD);
  });

  it('has become a folder', () => {
    const { file } = oneFile();
    rmSync(file);
    mkdirSync(file);
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toMatch(/^is no longer a regular file/);
  });

  // By its mode, so that this holds for root too, whom no permission stops.
  it('has no write bit', () => {
    const { folder, file } = oneFile();
    chmodSync(file, 0o444);
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toMatch(
      /^is read-only, .* \(chmod u\+w\)/,
    );
    expect(readFileSync(file)).toEqual(OLD);
    expect(readdirSync(folder)).toEqual(['a.ts']);
  });

  it('lies in a folder without a write bit', () => {
    const { folder, file } = oneFile();
    chmodSync(folder, 0o555);
    expect(writeAtomically(file, NEW, { expected: OLD })?.message).toMatch(
      /^lies in a folder that cannot be written/,
    );
    expect(readFileSync(file)).toEqual(OLD);
    expect(readdirSync(folder)).toEqual(['a.ts']);
    chmodSync(folder, 0o755);
  });
});

describe('creating a file', () => {
  it('writes it whole and leaves nothing else behind', () => {
    const folder = folderWith({});
    expect(createAtomically(join(folder, 'a.ts'), NEW)).toBeUndefined();
    expect(readFileSync(join(folder, 'a.ts'))).toEqual(NEW);
    expect(readdirSync(folder)).toEqual(['a.ts']);
  });

  it('gives it the mode that the user asks for by umask', () => {
    const file = join(folderWith({}), 'a.ts');
    createAtomically(file, NEW);
    expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('never overwrites a file', () => {
    const { folder, file } = oneFile();
    expect(createAtomically(file, NEW)?.message).toMatch(/^exists already and is not overwritten/);
    expect(readFileSync(file)).toEqual(OLD);
    expect(readdirSync(folder)).toEqual(['a.ts']);
  });

  it('never overwrites a link that leads nowhere', () => {
    const file = join(folderWith({}), 'a.ts');
    symlinkSync('none.ts', file);
    expect(createAtomically(file, NEW)?.message).toMatch(/^exists already/);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it('needs the folder', () => {
    const file = join(folderWith({}), 'none/a.ts');
    expect(createAtomically(file, NEW)?.message).toMatch(/folder does not exist/);
  });

  it('needs a folder that can be written', () => {
    const folder = folderWith({});
    chmodSync(folder, 0o555);
    expect(createAtomically(join(folder, 'a.ts'), NEW)?.message).toMatch(
      /^lies in a folder that cannot be written/,
    );
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, 0o755);
  });

  it("tells the system's reason when that refuses", () => {
    const folder = folderWith({});
    const file = join(folder, `${'a'.repeat(300)}.ts`);
    expect(createAtomically(file, NEW)?.message).toBe(
      'could not be written (ENAMETOOLONG: name too long): nothing was changed',
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
