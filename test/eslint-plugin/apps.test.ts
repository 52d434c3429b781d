// The rules on whole applications: reported while they are on 2025, clean under `recommended` once they are migrated.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import { run } from '../../src/migration/run.js';
import { TARGETS } from '../support/fixtures.js';
import { REPOSITORY, TYPESCRIPT } from './support/parsers.js';

const created: string[] = [];
afterAll(() => {
  for (const folder of created) rmSync(folder, { recursive: true, force: true });
});

function copyOf(app: string): string {
  const root = mkdtempSync(join(tmpdir(), 'mcp-listen-app-'));
  created.push(root);
  const original = join(REPOSITORY, 'fixtures/apps', app);
  cpSync(original, root, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
}

/** `file:line rule`, with types and the package's other files known: the client of a class is made in another file. */
function reports(root: string, preset: 'recommended' | 'migration', target: 'dual' | 'modern'): string[] {
  const { Linter } = TYPESCRIPT;
  const languageOptions = {
    ...TYPESCRIPT.languageOptions,
    parserOptions: { projectService: true, tsconfigRootDir: root },
  };
  return ['app', 'src']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort()
    .flatMap((file) =>
      new Linter({ cwd: root })
        .verify(
          readFileSync(join(root, file), 'utf8'),
          [
            { files: ['**/*.{ts,tsx,mts,cts}'], languageOptions, settings: { 'mcp-listen': { target } } },
            plugin.configs[preset],
          ],
          { filename: join(root, file) },
        )
        .map(
          ({ ruleId, message, line }) =>
            `${file}:${String(line)} ${ruleId?.replace('mcp-listen/', '') ?? message}`,
        ),
    );
}

const CLIENTS = ['notes', 'notes-v1'];
const SERVERS = [
  'conformance-server',
  'emitter-elsewhere',
  'guarded-express',
  'sessions-express',
  'sessions-hono',
  'sessions-next',
  'sessions-stdio',
];

describe.each(CLIENTS)('%s', (app) => {
  it('is reported under `migration` at every call of 2025', async () => {
    const root = copyOf(app);
    const { sites } = await run({ command: 'scan', root, target: 'dual' });
    const calls = sites
      .filter(({ mechanism }) => mechanism === 'resource-subscribe')
      .map(({ file, line }) => `${file}:${String(line)}`);
    const reported = reports(root, 'migration', 'dual').map((report) => report.split(' ')[0]);
    expect(calls.length).toBeGreaterThan(0);
    expect(reported).toEqual(expect.arrayContaining(calls));
  });
});

describe.each([...CLIENTS, ...SERVERS])('%s', (app) => {
  it.each(TARGETS)('is clean under `recommended` once it is migrated to %s', async (target) => {
    const root = copyOf(app);
    const { changes } = await run({
      command: 'migrate',
      root,
      target,
      force: true,
      verify: false,
      sdkUpgrade: app.endsWith('-v1'),
    });
    expect(changes.map(({ file }) => relative(root, file)).length).toBeGreaterThan(0);
    expect(
      reports(root, 'recommended', target).filter((report) => !report.endsWith(' no-unfinished-migration')),
    ).toEqual([]);
  });
});
