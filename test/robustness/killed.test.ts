// kill -9 while 500 files are written: every file is whole, the old one or the new one, and the next run does the rest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CLI, MIGRATABLE, mcpListen } from '../cli/command.js';
import { addFiles, folderWith } from '../workspace/folder.js';

const FILES = 500;
const KILLS = 20;
/** Files are written in order. The last ones are left out: until the signal comes, some more are written. */
const LATEST = 400;
/** Runs that go on at the same time, each on a project of its own. */
const PROJECTS = 2;

const OLD = `import { Client } from '@modelcontextprotocol/client';
const client = new Client({ name: 'watcher', version: '1.0.0' });
export const watch = (uri: string) => client.subscribeResource({ uri });
`;
const STREAM = 'mcp-change-stream.ts';
const MIGRATE = ['migrate', '.', '--no-verify', '--force'];

/** What a killed run may leave behind: hidden, no source, and named after us. */
const LEFTOVER = /^\.mcp-listen-[0-9a-f]{8}-\d+-[0-9a-f]{16}\.tmp$/;

const names = Array.from({ length: FILES }, (_, index) => `watch${String(index).padStart(3, '0')}.ts`);
const oldFiles = Object.fromEntries(names.map((name) => [`src/${name}`, OLD]));

/** The files as they are after a run that nobody disturbs. */
async function migratedFiles(): Promise<ReadonlyMap<string, string>> {
  const project = folderWith({ 'package.json': MIGRATABLE['package.json'], ...oldFiles });
  expect((await mcpListen(project, MIGRATE)).code).toBe(0);
  return textsIn(join(project, 'src'));
}

function textsIn(folder: string): Map<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Kills a run in the moment in which it has replaced one of the files. */
async function killAfter(project: string, name: string): Promise<void> {
  const file = join(project, 'src', name);
  const before = statSync(file).ino;
  const child = spawn(process.execPath, [CLI, ...MIGRATE], { cwd: project, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (statSync(file).ino === before && child.exitCode === null) await pause(1);
  child.kill('SIGKILL');
  await ended;
}

/** Says what is wrong with the files of a project; whether some are old and some new. */
function inspect(
  project: string,
  migrated: ReadonlyMap<string, string>,
): { isMixed: boolean; faults: string[] } {
  const texts = textsIn(join(project, 'src'));
  const known = new Set(names);
  const faults = names.filter((name) => texts.get(name) !== OLD && texts.get(name) !== migrated.get(name));
  for (const [name, text] of texts) {
    if (known.has(name) || LEFTOVER.test(name)) continue;
    if (name !== STREAM || text !== migrated.get(STREAM)) faults.push(name);
  }
  const written = names.filter((name) => texts.get(name) === migrated.get(name)).length;
  return { isMixed: written > 0 && written < FILES, faults };
}

it('kill -9 at random moments leaves every file whole, and the next run does the rest', async () => {
  const migrated = await migratedFiles();
  expect(migrated.get('watch007.ts')).toContain('changeStream(client).subscribe(uri)');

  await Promise.all(
    Array.from({ length: PROJECTS }, async () => {
      const project = folderWith({ 'package.json': MIGRATABLE['package.json'], ...oldFiles });
      for (let kills = 0; kills < KILLS / PROJECTS;) {
        if (kills > 0) restore(project);
        await killAfter(project, names[Math.floor(Math.random() * LATEST)]!);
        const { isMixed, faults } = inspect(project, migrated);
        expect(faults).toEqual([]);
        // It may have been done before the signal came: that tells nothing.
        if (isMixed) kills += 1;
      }
      const { code } = await mcpListen(project, MIGRATE);
      expect(code).toBe(0);
      const after = textsIn(join(project, 'src'));
      for (const [name, text] of migrated) expect(after.get(name), name).toBe(text);
    }),
  );
}, 300_000);

/** Everything as before the run, but for what a killed one may leave behind. */
function restore(project: string): void {
  rmSync(join(project, 'src', STREAM), { force: true });
  addFiles(project, oldFiles);
}
