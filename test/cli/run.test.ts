/** Whole runs of the command over small projects. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/reporting/report.js';
import schema from '../../src/reporting/report.schema.json' with { type: 'json' };
import { addFiles, folderWith, git, repositoryWith } from '../workspace/folder.js';
import { BLOCKED, CLI, mcpListen, MIGRATABLE } from './command.js';

const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

/** Parses standard output, which must be one valid report and nothing else. */
function reportIn(stdout: string): Report {
  const report = JSON.parse(stdout) as Report;
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  return report;
}

describe('mcp-listen scan', () => {
  it('lists sites, writes nothing and ends with 0', async () => {
    const project = repositoryWith(MIGRATABLE);
    const { code, stdout, stderr } = await mcpListen(project, ['scan']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('src/watch.ts:11:9');
    expect(stdout).toContain('era: none asked for, so legacy');
    expect(stdout).toMatch(/^\d+ sites: /m);
    expect(git(project, 'status', '--porcelain')).toBe('');
  });

  it('ends with 3 where there is no source, and where there is no MCP code', async () => {
    const empty = await mcpListen(folderWith({ 'README.md': '' }), ['scan']);
    expect(empty.code).toBe(3);
    expect(empty.stdout).toContain('Nothing to scan');
    const other = await mcpListen(folderWith({ 'a.ts': 'export const a = 1;\n' }), ['scan']);
    expect(other.code).toBe(3);
    expect(other.stdout).toContain('No MCP code here');
  });

  it('ends with 1 when a file could not be read', async () => {
    const text = MIGRATABLE['src/watch.ts'].replace("'watcher'", "'w\u00E4chter'");
    const latin1 = Buffer.from(text, 'latin1');
    const { code, stdout } = await mcpListen(folderWith({ ...MIGRATABLE, 'src/old.ts': latin1 }), ['scan']);
    expect(stdout).toMatch(/^1 error:\n {2}src\/old\.ts — /m);
    expect(code).toBe(1);
  });

  it('has a report in JSON that is valid by the schema, with paths as in the text', async () => {
    const { code, stdout, stderr } = await mcpListen(folderWith(MIGRATABLE), ['scan', '--format', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { packages, sites, summary } = reportIn(stdout);
    expect(packages).toMatchObject([{ path: '.', name: 'watcher', generation: 'v2' }]);
    expect(sites.map(({ file }) => file)).toContain('src/watch.ts');
    expect(summary.sites).toBe(sites.length);
  });

  it('leaves out what --ignore matches, separated by commas or given again', async () => {
    const text = MIGRATABLE['src/watch.ts'];
    const project = folderWith({ ...MIGRATABLE, 'a/x.ts': text, 'b/x.ts': text, 'c/x.ts': text });
    const options = ['--ignore', 'a,b', '--ignore', '/c/', 'src', 'a', 'b', 'c'];
    const { stdout } = await mcpListen(project, ['scan', '--format', 'json', ...options]);
    expect(new Set(reportIn(stdout).sites.map(({ file }) => file))).toEqual(new Set(['src/watch.ts']));
  });

  it('works in the project that a single path belongs to', async () => {
    const outer = folderWith({
      'packages/app/package.json': MIGRATABLE['package.json'],
      'packages/app/src/watch.ts': MIGRATABLE['src/watch.ts'],
    });
    const filesOf = async (cwd: string, ...paths: string[]) => {
      const { stdout } = await mcpListen(cwd, ['scan', '--format', 'json', ...paths]);
      return [...new Set(reportIn(stdout).sites.map(({ file }) => file))];
    };
    const app = join(outer, 'packages/app');
    const elsewhere = folderWith({});
    expect(await filesOf(outer, 'packages/app')).toEqual(['src/watch.ts']);
    expect(await filesOf(outer, 'packages/app/src/watch.ts')).toEqual(['src/watch.ts']);
    expect(await filesOf(elsewhere, app)).toEqual(['src/watch.ts']);
    expect(await filesOf(elsewhere, join(app, 'src'))).toEqual(['src/watch.ts']);
    expect(await filesOf(app, 'src')).toEqual(['src/watch.ts']);
    expect(await filesOf(outer, 'packages')).toEqual(['packages/app/src/watch.ts']);
    expect(await filesOf(outer, 'packages/app', 'packages')).toEqual(['packages/app/src/watch.ts']);
    symlinkSync(app, join(elsewhere, 'link'), 'junction');
    expect(await filesOf(elsewhere, 'link')).toEqual(['src/watch.ts']);
  });

  it('refuses several paths of which one lies elsewhere', async () => {
    const elsewhere = folderWith(MIGRATABLE);
    const { code, stderr } = await mcpListen(folderWith(MIGRATABLE), ['scan', '.', elsewhere]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${elsewhere} lies outside`);
  });
});

describe('mcp-listen migrate', () => {
  it('rewrites, says what comes next and ends with 0', async () => {
    const project = repositoryWith({ ...MIGRATABLE, '.prettierrc': '' });
    const { code, stdout, stderr } = await mcpListen(project, ['migrate', '.']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('npx prettier --write src/mcp-change-stream.ts src/watch.ts');
    expect(stdout).toMatch(/^Done, nothing left to decide\. /m);
    expect(
      git(project, 'status', '--porcelain', '--untracked-files=all').trimEnd().split('\n').sort(),
    ).toEqual([' M src/watch.ts', '?? src/mcp-change-stream.ts']);
  });

  it('leaves a marker, ends with 1, and does the same once more without a change', async () => {
    const project = repositoryWith(BLOCKED);
    const first = await mcpListen(project, ['migrate', '.']);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/markers? left to decide:\n {2}src\/watch\.ts:\d+ — /);
    expect(first.stdout).toMatch(/^Not finished\. /m);
    const marked = readFileSync(join(project, 'src/watch.ts'), 'utf8');
    expect(marked).toContain('TODO(mcp-listen)');
    const second = await mcpListen(project, ['migrate', '.']);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain('0 files changed');
    expect(readFileSync(join(project, 'src/watch.ts'), 'utf8')).toBe(marked);
  });

  it('prints a diff that git can apply in a dry run, writes nothing, and ends as the real run does', async () => {
    const project = repositoryWith(MIGRATABLE);
    const dry = await mcpListen(project, ['migrate', '.', '--dry-run']);
    expect(git(project, 'status', '--porcelain')).toBe('');
    expect(dry.stdout).toMatch(/^--- /);
    expect(dry.stdout).toContain('Dry run, nothing was written.');

    const patch = join(folderWith({}), 'the.patch');
    writeFileSync(patch, dry.stdout);
    const twin = repositoryWith(MIGRATABLE);
    git(twin, 'apply', patch);
    const real = await mcpListen(project, ['migrate', '.']);
    expect(dry.code).toBe(real.code);
    for (const file of ['src/watch.ts', 'src/mcp-change-stream.ts']) {
      expect(readFileSync(join(twin, file), 'utf8')).toBe(readFileSync(join(project, file), 'utf8'));
    }
  });

  it('refuses uncommitted changes with 2 and names the flag, which then helps', async () => {
    const project = repositoryWith(MIGRATABLE);
    const edited = `${MIGRATABLE['src/watch.ts']}// edited\n`;
    addFiles(project, { 'src/watch.ts': edited });
    const refused = await mcpListen(project, ['migrate', '.']);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toMatch(/^Refused: .*--force\n {2}src\/watch\.ts$/m);
    expect(readFileSync(join(project, 'src/watch.ts'), 'utf8')).toBe(edited);
    expect((await mcpListen(project, ['migrate', '.', '--dry-run'])).code).toBe(2);
    expect((await mcpListen(project, ['migrate', '.', '--force'])).code).toBe(0);
  });

  it('refuses a package on version 1 with 2 and names the command that upgrades it', async () => {
    const project = repositoryWith({
      'package.json': JSON.stringify({
        name: 'old',
        dependencies: { '@modelcontextprotocol/sdk': '^1.20.0' },
      }),
      'src/watch.ts': MIGRATABLE['src/watch.ts'].replaceAll(
        '@modelcontextprotocol/client',
        '@modelcontextprotocol/sdk/client/index.js',
      ),
    });
    const { code, stdout } = await mcpListen(project, ['migrate', '.']);
    expect(code).toBe(2);
    expect(stdout).toContain('npx mcp-listen migrate . --sdk-upgrade\n');
    expect(stdout).toContain('npx @modelcontextprotocol/codemod v1-to-v2 .\n');
    expect(git(project, 'status', '--porcelain')).toBe('');
    expect((await mcpListen(project, ['migrate', '.', '--sdk-upgrade', '--dry-run'])).code).toBe(0);
    expect(git(project, 'status', '--porcelain')).toBe('');
    const upgraded = await mcpListen(project, ['migrate', '.', '--sdk-upgrade']);
    expect(upgraded.stdout).toMatch(/^\. upgraded to version 2 of the SDK, by the official codemod:\n/);
    expect(upgraded.code).toBe(0);
  });

  it.each([
    ['a dry run', ['--dry-run'], 0],
    ['a run', [], 0],
  ])('prints a valid report and nothing else with --format json: %s', async (_, options, expected) => {
    const { code, stdout, stderr } = await mcpListen(repositoryWith(MIGRATABLE), [
      'migrate',
      '--format',
      'json',
      ...options,
    ]);
    expect(code).toBe(expected);
    // The report has no place for it: the SDK is not installed here, so the types could not be compared.
    expect(stderr).toMatch(/^mcp-listen: \.: types not checked: [^\n]*\n$/);
    expect(reportIn(stdout)).toMatchObject({ target: 'dual', summary: { files: { changed: 2 } } });
  });

  it('says a refusal on standard error when the report is JSON', async () => {
    const project = repositoryWith(MIGRATABLE);
    addFiles(project, { 'src/watch.ts': `${MIGRATABLE['src/watch.ts']}// edited\n` });
    const { code, stdout, stderr } = await mcpListen(project, [
      'migrate',
      '--target',
      'modern',
      '--format',
      'json',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^mcp-listen: refused: .*--force \(src\/watch\.ts\)\n$/);
    expect(reportIn(stdout)).toMatchObject({ target: 'modern', errors: [{ file: 'src/watch.ts' }] });
  });

  it('says on standard error why a named file was passed over when the report is JSON', async () => {
    const project = repositoryWith({
      ...MIGRATABLE,
      '.gitignore': 'generated\n',
      'generated/a.ts': 'export {};\n',
    });
    const { code, stderr } = await mcpListen(project, ['migrate', 'generated/a.ts', '--format', 'json']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mcp-listen: generated\/a\.ts: is ignored by git \(.*\n$/);
  });

  it('takes the names of codemods', async () => {
    const project = repositoryWith(MIGRATABLE);
    const both = ['--only', 'client/subscribe-calls', '--only', 'client/era-opt-in'];
    expect((await mcpListen(project, ['migrate', ...both, '--dry-run'])).code).toBe(0);
    expect(
      (await mcpListen(project, ['migrate', '--only', 'client/era-opt-in', '--dry-run'])).stdout,
    ).toContain('--only');
  });

  it('ends with 3 where there is nothing to migrate', async () => {
    expect((await mcpListen(folderWith({ 'a.ts': 'export {};\n' }), ['migrate'])).code).toBe(3);
  });
});

describe('the output', () => {
  it('has neither colours nor progress in a pipe, unless colours are asked for', async () => {
    const project = repositoryWith(MIGRATABLE);
    const line = ['migrate', '.', '--dry-run'];
    // CI makes some libraries colour their output, pipe or not.
    const plain = await mcpListen(project, line, { CI: 'true' });
    expect(plain.stdout + plain.stderr).not.toContain('\x1B');
    const forced = await mcpListen(project, line, { FORCE_COLOR: '1' });
    expect(forced.stdout).toContain('\x1B[32m+');
    const refused = await mcpListen(project, line, { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(refused.stdout).toBe(plain.stdout);
  });

  it('may be cut off by whoever reads it', async () => {
    const child = spawn(process.execPath, [CLI, 'scan', '.'], {
      cwd: folderWith(MIGRATABLE),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(complaints).toBe('');
  });
});
