import { join } from 'node:path';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/migration/result.js';
import type { Appearance } from '../../src/reporting/appearance.js';
import { toText } from '../../src/reporting/text.js';
import { folderWith } from '../workspace/folder.js';
import { lines, ownerWith, runWith, siteWith } from './run-result.js';

const pipe: Appearance = { colors: pc.createColors(false), width: Infinity, cwd: '/project' };

const change = { file: '/project/src/watch.ts', path: 'src/watch.ts', before: 'a\n', after: 'b\n' };

const marked = {
  sites: [
    siteWith(),
    siteWith({
      file: 'src/health.ts',
      line: 7,
      group: 'src/health.ts#probe',
      outcome: 'marked',
      reason: 'uses ping()',
    }),
  ],
  markers: [{ file: 'src/health.ts', line: 7, text: 'TODO(mcp-listen): uses ping() (A2)', site: 'abc123' }],
  changes: [
    change,
    {
      file: '/project/src/mcp-change-stream.ts',
      path: 'src/mcp-change-stream.ts',
      before: undefined,
      after: 'c\n',
    },
  ],
  owners: [ownerWith()],
};

function migration(parts: Partial<RunResult>): RunResult {
  return runWith({ command: 'migrate', ...parts });
}

describe('the text of a migration', () => {
  it('lists sites by outcome, changed files, markers and next steps, and is not finished with a marker left', () => {
    expect(toText(migration(marked), pipe)).toBe(lines`
      1 site rewritten:
        src/watch.ts:12:3  A2  resource-subscribe  rewritten — through the managed change stream

      1 site left for a person, with a marker:
        src/health.ts:7:3  A2  resource-subscribe  marked — uses ping()

      Files changed:
        src/watch.ts
        src/mcp-change-stream.ts (new)

      1 marker left to decide:
        src/health.ts:7 — uses ping() (A2)

      Next:
        1. decide what the marker asks:
           git grep -n "TODO(mcp-listen)"
        2. review:
           git add --intent-to-add . && git diff
        3. test:
           npm test

      Not finished. 2 sites: 1 rewritten, 1 marked, 0 kept, 0 reported; 2 files changed, 1 marker, 0 errors.
    `);
  });

  it('speaks of a dry run as of something that has not happened', () => {
    expect(toText(migration({ ...marked, dryRun: true }), pipe)).toBe(lines`
      1 site would be rewritten:
        src/watch.ts:12:3  A2  resource-subscribe  rewritten — through the managed change stream

      1 site would be left for a person, with a marker:
        src/health.ts:7:3  A2  resource-subscribe  marked — uses ping()

      Files that would change:
        src/watch.ts
        src/mcp-change-stream.ts (new)

      1 marker that would be left to decide:
        src/health.ts:7 — uses ping() (A2)

      Next:
        1. write it: the same command without --dry-run

      Dry run, nothing was written. 2 sites: 1 rewritten, 1 marked, 0 kept, 0 reported; 2 files to change, 1 marker, 0 errors.
    `);
  });

  it('is done only when nothing is left to decide', () => {
    const done = { sites: [siteWith()], changes: [change], owners: [ownerWith()] };
    const ending = (parts: Partial<RunResult>) =>
      toText(migration({ ...done, ...parts }), pipe)
        .trimEnd()
        .split('\n')
        .at(-1)!
        .split('. ')[0];
    expect(ending({})).toBe('Done, nothing left to decide');
    expect(ending({ errors: [{ file: 'a.ts', message: 'broken' }] })).toBe('Not finished');
    expect(ending({ markers: marked.markers })).toBe('Not finished');
    expect(ending({ sites: [siteWith({ outcome: 'marked' })] })).toBe('Not finished');
  });

  it('names the command that upgrades a package on version 1', () => {
    const text = toText(
      migration({
        sites: [siteWith({ outcome: 'reported', reason: 'version 1' })],
        refusals: [{ kind: 'version-one', message: 'on version 1 of the SDK', about: ['packages/old'] }],
      }),
      pipe,
    );
    expect(text).toBe(lines`
      1 site reported only:
        src/watch.ts:12:3  A2  resource-subscribe  reported — version 1

      Refused: on version 1 of the SDK
        npx mcp-listen migrate packages/old --sdk-upgrade
        npx @modelcontextprotocol/codemod v1-to-v2 packages/old

      Refused. 1 site: 0 rewritten, 0 marked, 0 kept, 1 reported; 0 files changed, 0 markers, 0 errors.
    `);
  });

  it('tells what the official codemod did before apart from the rest, and what comes next', () => {
    const upgrades = [
      {
        package: '.',
        files: ['src/watch.ts', 'src/serve.ts'],
        manifest: 'package.json',
        added: { '@modelcontextprotocol/client': '^2.4.0', '@modelcontextprotocol/server': '^2.4.0' },
        removed: true,
        left: [{ file: 'src/serve.ts', line: 4, text: 'Refactor by hand.' }],
        messages: [
          { file: 'src/watch.ts', line: 2, level: 'warning' as const, message: 'Removed in v2.' },
          { file: 'package.json', line: null, level: 'info' as const, message: 'mind zod' },
          ...[3, 5, 8].map((line) => ({
            file: 'src/a.ts',
            line,
            level: 'info' as const,
            message: 'wrapped',
          })),
        ],
      },
    ];
    const upgraded = { sites: [siteWith()], changes: [change], owners: [ownerWith()], upgrades };
    expect(toText(migration(upgraded), pipe)).toBe(lines`
      . upgraded to version 2 of the SDK, by the official codemod:
        package.json — @modelcontextprotocol/client ^2.4.0 and @modelcontextprotocol/server ^2.4.0 added, @modelcontextprotocol/sdk removed
        src/watch.ts
        src/serve.ts

      1 comment of the official codemod (@mcp-codemod-error) left to decide:
        src/serve.ts:4 — Refactor by hand.

      1 warning about the upgrade of .:
        src/watch.ts:2 — Removed in v2.

      4 notes about the upgrade of .:
        package.json          — mind zod
        src/a.ts:3 and 2 more — wrapped

      1 site rewritten:
        src/watch.ts:12:3  A2  resource-subscribe  rewritten — through the managed change stream

      Files changed:
        src/watch.ts

      Next:
        1. install the dependencies:
           npm install
        2. check the types:
           npx -p typescript tsc --noEmit
        3. decide what the official codemod has left:
           git grep -n "@mcp-codemod-error"
        4. review:
           git diff
        5. test:
           npm test

      Not finished. 1 site: 1 rewritten, 0 marked, 0 kept, 0 reported; 1 file changed, 0 markers, 1 comment of the official codemod, 0 errors.
    `);
    expect(toText(migration({ ...upgraded, dryRun: true }), pipe)).toMatch(
      /^\. would be upgraded to version 2/,
    );
  });

  it('names the files with uncommitted changes and does not claim that anything was rewritten', () => {
    const text = toText(
      migration({
        sites: [siteWith()],
        refusals: [
          {
            kind: 'uncommitted-changes',
            message: 'uncommitted changes: use --force',
            about: ['src/watch.ts'],
          },
        ],
      }),
      pipe,
    );
    expect(text).toBe(lines`
      1 site would be rewritten:
        src/watch.ts:12:3  A2  resource-subscribe  rewritten — through the managed change stream

      Refused: uncommitted changes: use --force
        src/watch.ts

      Refused. 1 site: 1 rewritten, 0 marked, 0 kept, 0 reported; 0 files changed, 0 markers, 0 errors.
    `);
  });

  it("names the project's own formatter for the changed files", () => {
    const root = folderWith({ '.prettierrc': '', 'package.json': '{}' });
    const text = toText(
      migration({
        root,
        sites: [siteWith()],
        changes: [{ ...change, file: join(root, 'src/watch.ts') }],
        owners: [ownerWith({ directory: root })],
      }),
      { ...pipe, cwd: root },
    );
    expect(text).toContain('1. format:\n     npx prettier --write src/watch.ts\n');
  });

  it('names the dependency to add, with the folder to add it in, once for each package', () => {
    const owner = {
      packageManager: 'pnpm',
      workspace: '/project',
      sdk: {},
      installed: {},
      scripts: {},
    } as const;
    const text = toText(
      migration({
        sites: [siteWith()],
        changes: [
          { ...change, file: '/project/packages/a/x.ts', path: 'packages/a/x.ts' },
          { ...change, file: '/project/packages/b/x.ts', path: 'packages/b/x.ts' },
        ],
        owners: [
          ownerWith({ ...owner, path: '.', directory: '/project' }),
          ownerWith({ ...owner, path: 'packages/a', directory: '/project/packages/a' }),
          ownerWith({ ...owner, path: 'packages/b', directory: '/project/packages/b' }),
        ],
      }),
      { ...pipe, cwd: '/project/packages' },
    );
    expect(text).toContain(lines`
      Next:
        1. add the dependency of packages/a (in ..):
           pnpm --filter ./packages/a add "@modelcontextprotocol/client@^2.4.0"
        2. add the dependency of packages/b (in ..):
           pnpm --filter ./packages/b add "@modelcontextprotocol/client@^2.4.0"
        3. review (in ..):
           git diff
        4. run your tests, against a server of each era
    `);
  });

  it('says to install a dependency that is listed and not there, once for a workspace', () => {
    const owner = { workspace: '/project', installed: {} };
    const text = toText(
      migration({
        sites: [siteWith()],
        changes: [
          { ...change, file: '/project/packages/a/x.ts', path: 'packages/a/x.ts' },
          { ...change, file: '/project/packages/b/x.ts', path: 'packages/b/x.ts' },
        ],
        owners: [
          ownerWith({ ...owner, path: 'packages/a', directory: '/project/packages/a' }),
          ownerWith({ ...owner, path: 'packages/b', directory: '/project/packages/b' }),
        ],
      }),
      pipe,
    );
    expect(text).toContain('1. install the dependencies:\n     npm install\n  2. review:');
    expect(text.match(/npm install/g)).toHaveLength(1);
  });

  it('says how types were checked, and what checks those that were not', () => {
    const checked = {
      path: 'packages/a',
      typescript: '5.9.3 (of the project)',
      files: 1,
      checked: true,
      note: undefined,
      command: undefined,
    };
    const unchecked = {
      ...{ path: 'packages/b', typescript: undefined, files: 0, checked: false },
      note: '@modelcontextprotocol/client is not installed',
      command: 'npx tsc --noEmit',
    };
    const text = toText(
      migration({
        sites: [siteWith()],
        changes: [{ ...change, file: '/project/packages/b/x.ts', path: 'packages/b/x.ts' }],
        verification: { packages: [checked, unchecked] },
        owners: [
          ownerWith({
            path: 'packages/b',
            directory: '/project/packages/b',
            workspace: '/project',
            installed: { '@modelcontextprotocol/client': false },
          }),
        ],
      }),
      pipe,
    );
    expect(text).toContain(lines`
      Types, before and after:
        packages/a — 1 file compared, with TypeScript 5.9.3 (of the project)
        packages/b — not checked: @modelcontextprotocol/client is not installed; to check them: npx tsc --noEmit
    `);
    expect(text).toContain(lines`
      Next:
        1. install the dependencies:
           npm install
        2. check the types (in packages/b):
           npx tsc --noEmit
        3. review:
    `);
  });

  it('says which dependencies were added, what is left to do about them, and what they keep unchecked', () => {
    const node = { '@modelcontextprotocol/node': '^2.1.2' };
    const checked = {
      path: '.',
      typescript: '5.9.3 (of the project)',
      files: 1,
      checked: true,
      note: 'what comes from @modelcontextprotocol/node is not checked until that is installed',
      command: 'npx tsc --noEmit',
    };
    const server = siteWith({ side: 'server', shape: 'I1' });
    const manifest = { ...change, file: '/project/package.json', path: 'package.json' };
    const text = toText(
      migration({
        sites: [server],
        changes: [manifest],
        owners: [ownerWith({ sdk: { '@modelcontextprotocol/server': '2.4.0' }, installed: {} })],
        dependencies: [
          { package: '.', manifest: 'package.json', added: node, messages: ['the catalog lacks it'] },
          { package: 'packages/b', manifest: null, added: node, messages: [] },
        ],
        verification: { packages: [checked] },
      }),
      pipe,
    );
    expect(text).toContain(lines`
      Dependencies of the rewritten code:
        package.json — @modelcontextprotocol/node ^2.1.2 added
                     — the catalog lacks it
        packages/b   — no package.json of it could be changed: add @modelcontextprotocol/node ^2.1.2
    `);
    expect(text).toContain(
      '. — 1 file compared, with TypeScript 5.9.3 (of the project); what comes from @modelcontextprotocol/node is not checked until that is installed',
    );
    expect(text).toContain(lines`
      Next:
        1. install the dependencies:
           npm install
        2. check the types:
           npx tsc --noEmit
    `);
  });

  it('says that there is nothing, and still names markers left from an earlier run', () => {
    expect(toText(migration({ files: { listed: 2, candidates: 0 } }), pipe)).toBe(
      'No MCP code here: 2 source files looked at, and nothing of MCP in them.\n',
    );
    expect(toText(migration({ markers: marked.markers }), pipe)).toBe(lines`
      1 marker left to decide:
        src/health.ts:7 — uses ping() (A2)

      MCP code, but no site: 1 of 3 source files speaks MCP, with nothing in it that this tool migrates.
    `);
  });
});

it('escapes what a path could do to a line or to a terminal', () => {
  const file = 'src/a\nb\u001b[2Jc\u009b.ts';
  const text = toText(
    migration({ sites: [siteWith({ file })], errors: [{ file, message: 'is odd' }] }),
    pipe,
  );
  expect(text).toContain('  src/a\\nb\\u001b[2Jc\\u009b.ts:12:3  A2  ');
  expect(text).toContain('  src/a\\nb\\u001b[2Jc\\u009b.ts — is odd\n');
});
