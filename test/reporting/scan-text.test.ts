import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { Appearance } from '../../src/reporting/appearance.js';
import { toText } from '../../src/reporting/text.js';
import { lines, runWith, siteWith } from './run-result.js';

const pipe: Appearance = { colors: pc.createColors(false), width: Infinity, cwd: '/project' };
const packages = [
  {
    path: '.',
    name: 'watcher',
    generation: 'v2' as const,
    sdk: { '@modelcontextprotocol/client': '2.4.0' },
  },
];

describe('the text of a scan', () => {
  it('names every site under its client and package, and explains the shapes', () => {
    const result = runWith({
      packages,
      sites: [
        siteWith({
          shape: 'ERA',
          mechanism: 'era',
          line: 4,
          column: 16,
          reason: 'opts in to the modern era',
          era: 'none',
        }),
        siteWith(),
        siteWith({
          file: 'src/health.ts',
          line: 7,
          group: 'src/health.ts#probe',
          shape: 'A1',
          outcome: 'marked',
          reason: 'not migrated: the same client uses ping()',
        }),
        siteWith({
          file: 'src/health.ts',
          line: 120,
          group: 'src/health.ts#probe',
          outcome: 'reported',
          confidence: 'review',
          reason: 'may be no client',
        }),
      ],
    });
    expect(toText(result, pipe)).toBe(lines`
      What mcp-listen migrate --target dual would do with each site if the types allow it, and why:

      .  watcher  v2  @modelcontextprotocol/client 2.4.0
        client src/watch.ts#client  era: none asked for, so legacy
          src/watch.ts:4:16  ERA  era                 rewritten — opts in to the modern era
          src/watch.ts:12:3  A2   resource-subscribe  rewritten — through the managed change stream

        client src/health.ts#probe  era: constructor out of sight
          src/health.ts:7:3    A1  resource-subscribe  marked            — not migrated: the same client uses ping()
          src/health.ts:120:3  A2  resource-subscribe  reported (review) — may be no client

      Shapes
        A1  — subscribe and unsubscribe in one function
        A2  — unsubscribe in another function
        ERA — client that never opts in to the modern era

      4 sites: 2 rewritten, 1 marked, 0 kept, 1 reported; 2 groups, 1 package, 0 markers, 0 errors.
    `);
  });

  it('says what was left by an earlier run, not looked into, passed over, and not read', () => {
    const result = runWith({
      packages,
      sites: [siteWith({ outcome: 'kept', reason: 'listens already' })],
      markers: [{ file: 'src/a.ts', line: 3, text: 'TODO(mcp-listen): decide this (A9)', site: null }],
      notLookedInto: ['src/App.vue', 'src/Page.svelte'],
      notes: [
        { kind: 'build-output', level: 'warning', file: '/project/dist', message: 'build output' },
        { kind: 'unreadable', level: 'error', file: '/project/secret', message: 'said among the errors' },
      ],
      errors: [{ file: 'src/old.ts', message: 'is not UTF-8: convert it' }],
    });
    expect(toText(result, pipe)).toBe(lines`
      What mcp-listen migrate --target dual would do with each site if the types allow it, and why:

      .  watcher  v2  @modelcontextprotocol/client 2.4.0
        client src/watch.ts#client  era: constructor out of sight
          src/watch.ts:12:3  A2  resource-subscribe  kept — listens already

      Shapes
        A2 — unsubscribe in another function

      1 marker left to decide:
        src/a.ts:3 — decide this (A9)

      2 component files with MCP code not looked into (Vue, Svelte, Astro):
        src/App.vue
        src/Page.svelte

      1 note:
        dist — build output

      1 error:
        src/old.ts — is not UTF-8: convert it

      1 site: 0 rewritten, 0 marked, 1 kept, 0 reported; 1 group, 1 package, 1 marker, 1 error.
    `);
  });

  it('tells no source, no MCP code, MCP code in component files alone, and MCP code without a site apart', () => {
    expect(toText(runWith({ files: { listed: 0, candidates: 0 } }), pipe)).toBe(
      'Nothing to scan: no TypeScript or JavaScript source files here.\n',
    );
    expect(toText(runWith({ files: { listed: 7, candidates: 0 } }), pipe)).toBe(
      'No MCP code here: 7 source files looked at, and nothing of MCP in them.\n',
    );
    expect(toText(runWith({ files: { listed: 1, candidates: 0 }, notLookedInto: ['src/App.vue'] }), pipe))
      .toBe(lines`
      1 component file with MCP code not looked into (Vue, Svelte, Astro):
        src/App.vue

      Nothing that can be looked into: 1 source file looked at, and nothing of MCP in it.
    `);
    expect(toText(runWith({ packages, files: { listed: 7, candidates: 2 } }), pipe)).toBe(lines`
      .  watcher  v2  @modelcontextprotocol/client 2.4.0
        no site

      MCP code, but no site: 2 of 7 source files speak MCP, with nothing in it that this tool migrates.
    `);
  });

  it('shows a package that only a site names', () => {
    const result = runWith({ sites: [siteWith({ package: 'tools/x' })] });
    expect(toText(result, pipe)).toContain(
      'tools/x  tools/x  no SDK dependency\n  client src/watch.ts#client',
    );
  });

  it('wraps sentences to the width of a terminal and never cuts a path', () => {
    const file = 'packages/a-package-with-a-long-name/src/a-file-with-a-long-name.ts';
    const result = runWith({
      sites: [
        siteWith({ reason: 'one two three four five six seven eight nine ten eleven twelve thirteen' }),
        siteWith({ file, package: 'packages/a-package-with-a-long-name', group: `${file}#client` }),
      ],
    });
    const text = toText(result, { ...pipe, width: 90 });
    expect(text).toContain(
      lines`
          src/watch.ts:12:3  A2  resource-subscribe  rewritten
              one two three four five six seven eight nine ten eleven twelve thirteen
    `
        .replace(/^/gm, '    ')
        .trim(),
    );
    expect(text).toContain(`${file}:12:3`);
  });

  it('keeps a short reason beside its site and hangs a long one under itself', () => {
    const reason = 'a reason that is long enough to need a second line in this terminal, and then some';
    const text = toText(runWith({ sites: [siteWith({ reason })] }), { ...pipe, width: 110 });
    const site = '    src/watch.ts:12:3  A2  resource-subscribe  rewritten — ';
    expect(text).toContain(
      `${site}a reason that is long enough to need a second line\n${' '.repeat(site.length)}in this terminal, and then some\n`,
    );
  });

  it('colours outcomes where colours are wanted', () => {
    const text = toText(runWith({ sites: [siteWith()] }), { ...pipe, colors: pc.createColors(true) });
    expect(text).toContain('\x1B[32mrewritten\x1B[39m');
  });

  it('says where it took place when that is elsewhere', () => {
    const text = toText(runWith({ sites: [siteWith()] }), { ...pipe, cwd: '/' });
    expect(text.split('\n')[0]).toBe('In project:');
  });
});
