// Files that change under the run. The stage that a run announces is the moment; what it then finds is a real disk.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions, Stage } from '../../src/migration/options.js';
import type { RunResult } from '../../src/migration/result.js';
import { run } from '../../src/migration/run.js';
import { exitCode } from '../../src/reporting/exit-code.js';
import { MIGRATABLE } from '../cli/command.js';
import { folderWith } from '../workspace/folder.js';
import { CLIENT, MIGRATED, textOf } from './project.js';

/** Migrates a project with two clients, and does something to `src/odd.ts` at a stage of the run. */
async function migrateWhile(stage: Stage, happens: (file: string, project: string) => void) {
  const project = folderWith({ ...MIGRATABLE, 'src/odd.ts': CLIENT });
  const reached: Stage[] = [];
  const options: RunOptions = {
    command: 'migrate',
    root: project,
    target: 'dual',
    verify: false,
    onStage(now) {
      reached.push(now);
      if (now === stage) happens(join(project, 'src/odd.ts'), project);
    },
  };
  const result = await run(options);
  expect(reached).toContain(stage);
  return { project, result };
}

/** What is said about the file, as one line each. */
function lines({ errors }: RunResult): string[] {
  return errors.map(({ file, message }) => `${file}: ${message}`);
}

function outcomesOf({ sites }: RunResult, file: string): Set<string> {
  return new Set(sites.filter((site) => site.file === file).map(({ outcome }) => outcome));
}

describe('a file that, just before it is written,', () => {
  it.each<[string, (file: string) => void, string]>([
    [
      'is edited',
      (file) => writeFileSync(file, `${CLIENT}// mine\n`),
      'src/odd.ts: changed on disk since it was read, so it was left alone: run again',
    ],
    [
      'is edited within its length',
      (file) => writeFileSync(file, CLIENT.replace('1.0.0', '1.0.1')),
      'src/odd.ts: changed on disk since it was read, so it was left alone: run again',
    ],
    ['is deleted', (file) => rmSync(file), 'src/odd.ts: was deleted since it was read: run again'],
    [
      'becomes a link',
      (file) => {
        rmSync(file);
        symlinkSync('watch.ts', file);
      },
      'src/odd.ts: is no longer a regular file, so it was left alone: run again',
    ],
    [
      'becomes a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      'src/odd.ts: is no longer a regular file, so it was left alone: run again',
    ],
    [
      'loses its write bit',
      (file) => chmodSync(file, 0o444),
      'src/odd.ts: is read-only, so it was left alone: make it writable (chmod u+w) and run again',
    ],
  ])('%s is left, and the other is written', async (_, happens, line) => {
    let afterwards: string | undefined;
    const { project, result } = await migrateWhile('writing', (file) => {
      happens(file);
      afterwards = stateOf(file);
    });
    expect(lines(result)).toEqual([line]);
    expect(exitCode(result)).toBe(1);
    expect(stateOf(join(project, 'src/odd.ts'))).toBe(afterwards);
    expect(outcomesOf(result, 'src/odd.ts')).toEqual(new Set(['reported']));
    expect(result.changes.map(({ path }) => path)).not.toContain('src/odd.ts');
    expect(outcomesOf(result, 'src/watch.ts')).toEqual(new Set(['rewritten']));
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
    expect(leftovers(project)).toEqual([]);
  });

  it('was created where the stream goes is not overwritten', async () => {
    const { project, result } = await migrateWhile('writing', (_, folder) =>
      writeFileSync(join(folder, 'src/mcp-change-stream.ts'), '// mine\n'),
    );
    expect(lines(result)).toEqual([
      'src/mcp-change-stream.ts: exists already and is not overwritten: move it away and run again',
    ]);
    expect(exitCode(result)).toBe(1);
    expect(textOf(project, 'src/mcp-change-stream.ts')).toBe('// mine\n');
    // What would import it stays on what it has.
    expect(textOf(project, 'src/watch.ts')).toBe(CLIENT);
    expect(textOf(project, 'src/odd.ts')).toBe(CLIENT);
    expect(leftovers(project)).toEqual([]);
  });
});

describe('a file that is deleted', () => {
  const deleted = (file: string) => rmSync(file);

  it('between the listing and the reading is said to be gone', async () => {
    const { project, result } = await migrateWhile('reading', deleted);
    expect(lines(result)).toEqual(['src/odd.ts: was deleted since it was listed: run again']);
    expect(exitCode(result)).toBe(1);
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });

  it('during the analysis does not come back', async () => {
    const { project, result } = await migrateWhile('analysing', deleted);
    expect(lines(result)).toEqual(['src/odd.ts: was deleted since it was read: run again']);
    expect(exitCode(result)).toBe(1);
    expect(readdirSync(join(project, 'src')).sort()).toEqual(['mcp-change-stream.ts', 'watch.ts']);
    expect(textOf(project, 'src/watch.ts')).toBe(MIGRATED);
  });
});

it('a whole project that disappears during the run is one line per file and no fault', async () => {
  const { result } = await migrateWhile('writing', (_, project) => rmSync(project, { recursive: true }));
  expect(lines(result).sort()).toEqual([
    'src/odd.ts: was deleted since it was read: run again',
    'src/watch.ts: was deleted since it was read: run again',
  ]);
  expect(exitCode(result)).toBe(1);
});

/** What is at a path: the text of a file, or what else there is. */
function stateOf(file: string): string {
  const state = lstatSync(file, { throwIfNoEntry: false });
  if (state === undefined) return 'nothing';
  if (state.isSymbolicLink()) return `link to ${readlinkSync(file)}`;
  return state.isFile() ? readFileSync(file, 'utf8') : 'folder';
}

function leftovers(project: string): string[] {
  return readdirSync(join(project, 'src')).filter((name) => name.endsWith('.tmp'));
}
