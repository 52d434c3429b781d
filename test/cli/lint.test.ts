/** `mcp-listen lint`, `explain` and `init` as a user runs them. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { RULE_NAMES } from '../../src/protocol/index.js';
import { folderWith } from '../workspace/folder.js';
import { mcpListen } from './command.js';

const require = createRequire(import.meta.url);

interface SarifLog {
  version: string;
  runs: {
    results: {
      ruleId: string;
      level: string;
      locations: { physicalLocation: { region: object; artifactLocation: object } }[];
    }[];
  }[];
}

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const BAD = `import { Client } from '@modelcontextprotocol/client';

export const client: Client = new Client({ name: 'tray', version: '1.0.0' });
export const open = () => client.listen({ toolsListChanged: true });
`;
const PACKAGE = { 'package.json': '{ "name": "tray", "type": "module" }' };

/** A project with ESLint and a parser installed, as links to ours. */
function project(files: Record<string, string>, installed = ['eslint', '@typescript-eslint/parser']): string {
  const root = folderWith({ ...PACKAGE, ...files });
  for (const name of installed) {
    const link = join(root, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(MODULES, name), link);
  }
  return root;
}

describe('mcp-listen lint', () => {
  it('needs no configuration, reports as ESLint does, and ends with 1', async () => {
    const { code, stdout, stderr } = await mcpListen(project({ 'src/tray.ts': BAD }), ['lint']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('src/tray.ts');
    expect(stdout).toMatch(/4:34 +error .*mcp-listen\/require-modern-era/);
  });

  it('ends with 0 where all is right', async () => {
    const { code, stdout } = await mcpListen(
      project({
        'src/tray.ts': BAD.replace(`'1.0.0' }`, `'1.0.0' }, { versionNegotiation: { mode: 'auto' } }`),
      }),
      ['lint', 'src'],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('says that there is no MCP code, and ends with 0', async () => {
    const { code, stdout } = await mcpListen(project({ 'src/a.ts': 'export const a = 1;\n' }), ['lint']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No MCP code in 1 source files.\n' });
  });

  it('gives the answer of ESLint with the plugin in its configuration', async () => {
    const root = project({ 'src/tray.ts': BAD });
    const { stdout } = await mcpListen(root, ['lint', '--format', 'json']);
    const ours = JSON.parse(stdout) as ESLint.LintResult[];
    const plugin = ((await import('eslint-plugin-mcp-listen')) as unknown as { default: ESLint.Plugin })
      .default;
    const parser = await import('@typescript-eslint/parser');
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [
        { files: ['**/*.ts'], languageOptions: { parser } },
        plugin.configs!['recommended'] as never,
      ],
    });
    const theirs = await eslint.lintFiles(['src']);
    expect(ours.map(({ messages }) => messages)).toEqual(
      JSON.parse(JSON.stringify(theirs.map(({ messages }) => messages))),
    );
    expect(ours[0]!.messages).toHaveLength(1);
  });

  it('prints workflow commands for GitHub', async () => {
    const { stdout } = await mcpListen(project({ 'src/tray.ts': BAD }), ['lint', '--format', 'github']);
    expect(stdout).toMatch(
      /^::error file=src\/tray\.ts,line=4,col=34,endLine=4,endColumn=40,title=mcp-listen\/require-modern-era::This client never opts in[^\n]*\n$/,
    );
  });

  it('prints SARIF that says the same as the formatter of others', async () => {
    const root = project({ 'src/tray.ts': BAD });
    const { stdout } = await mcpListen(root, ['lint', '--format', 'sarif']);
    const json = await mcpListen(root, ['lint', '--format', 'json']);
    const reference = require('@microsoft/eslint-formatter-sarif') as (
      results: unknown,
      meta: unknown,
    ) => string;
    const expected = JSON.parse(reference(JSON.parse(json.stdout), { cwd: root, rulesMeta: {} })) as SarifLog;
    const actual = JSON.parse(stdout) as SarifLog;
    expect(actual.version).toBe(expected.version);
    const places = (log: SarifLog) =>
      log.runs[0]!.results.map(({ ruleId, level, locations }) => ({
        ruleId,
        level,
        region: locations[0]!.physicalLocation.region,
      }));
    expect(places(actual)).toEqual(places(expected));
    expect(actual.runs[0]!.results[0]!.locations[0]!.physicalLocation.artifactLocation).toEqual({
      uri: 'src/tray.ts',
      uriBaseId: 'ROOT',
    });
  });

  it('leaves the rules of others in peace, also where comments name them', async () => {
    const text = `/* eslint no-magic-numbers: error, unknown/rule: error */\n// eslint-disable-next-line other/thing\n${BAD}`;
    const { stdout } = await mcpListen(project({ 'a.ts': text }), ['lint', '--format', 'json']);
    const [result] = JSON.parse(stdout) as ESLint.LintResult[];
    expect(result!.messages.map(({ ruleId }) => ruleId)).toEqual(['mcp-listen/require-modern-era']);
    expect(result!.errorCount).toBe(1);
  });

  it('heeds comments that switch our rules off', async () => {
    const text = BAD.replace(
      'export const open',
      '// eslint-disable-next-line mcp-listen/require-modern-era -- set by a wrapper\nexport const open',
    );
    expect((await mcpListen(project({ 'a.ts': text }), ['lint'])).code).toBe(0);
  });

  it('lints files in folders whose names are patterns', async () => {
    const names = ['app/(mcp)/[slug]/route.ts', 'app/[locale]/(sidebar)/list.ts', '{a,b}/@c/!d+(e).ts'];
    const root = project(Object.fromEntries(names.map((name) => [name, BAD])));
    const { code, stdout, stderr } = await mcpListen(root, ['lint', '--format', 'json']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const results = JSON.parse(stdout) as ESLint.LintResult[];
    expect(results.map(({ filePath }) => filePath)).toEqual(names.map((name) => join(root, name)).sort());
    expect(results.map(({ errorCount }) => errorCount)).toEqual([1, 1, 1]);
  });

  it('names a file that does not parse, and ends with 1', async () => {
    const { code, stdout } = await mcpListen(project({ 'a.ts': `${BAD}}` }), ['lint']);
    expect(code).toBe(1);
    expect(stdout).toContain('Parsing error');
  });

  it.each([
    [['lint', '--preset', 'loud'], 'Allowed choices are recommended, strict, migration'],
    [['lint', '--format', 'xml'], 'Allowed choices are stylish, json, sarif, github'],
    [['lint', '--max-warnings', 'few'], 'whole number'],
    [['lint', 'nowhere'], 'no such file or folder: nowhere'],
  ])('refuses %s', async (parameters, message) => {
    const { code, stderr } = await mcpListen(project({ 'a.ts': BAD }), parameters);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('mcp-listen explain', () => {
  it.each(RULE_NAMES)('prints the page of %s', async (rule) => {
    const { code, stdout } = await mcpListen(folderWith({}), ['explain', rule]);
    expect(code).toBe(0);
    expect(stdout.startsWith(`mcp-listen/${rule}\n\n`)).toBe(true);
    for (const heading of ['Why', 'Incorrect', 'Correct']) expect(stdout.split('\n')).toContain(heading);
    expect(stdout).not.toContain('```');
  });

  it('lists the rules without one', async () => {
    const { stdout } = await mcpListen(folderWith({}), ['explain']);
    expect(stdout.trim().split('\n')).toEqual(RULE_NAMES);
  });

  it('knows what was meant', async () => {
    const { code, stderr } = await mcpListen(folderWith({}), ['explain', 'mcp-listen/no-uncheked-ack']);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('did you mean no-unchecked-ack?');
  });
});

describe('mcp-listen init', () => {
  const CONFIG = `import js from '@eslint/js';\n\nexport default [js.configs.recommended];\n`;

  it('changes the configuration, shows the diff and says what is left', async () => {
    const root = folderWith({ ...PACKAGE, 'eslint.config.js': CONFIG, 'pnpm-lock.yaml': '' });
    const { code, stdout } = await mcpListen(root, ['init', '--preset', 'strict']);
    expect(code).toBe(0);
    expect(stdout).toContain('+export default [js.configs.recommended, mcpListen.configs.strict];');
    expect(stdout).toContain('pnpm add --save-dev');
    expect(stdout).toContain('npx eslint .');
    expect(readFileSync(join(root, 'eslint.config.js'), 'utf8')).toBe(
      `import js from '@eslint/js';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default [js.configs.recommended, mcpListen.configs.strict];\n`,
    );
    const again = await mcpListen(root, ['init']);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'eslint.config.js has eslint-plugin-mcp-listen already.\n',
    });
  });

  it('writes nothing in a dry run', async () => {
    const root = folderWith({ ...PACKAGE, 'eslint.config.mjs': CONFIG });
    expect((await mcpListen(root, ['init', '--dry-run'])).code).toBe(0);
    expect(readFileSync(join(root, 'eslint.config.mjs'), 'utf8')).toBe(CONFIG);
  });

  it.each([
    [{ 'eslint.config.js': `import own from 'own';\nexport default own();\n` }, 'left alone'],
    [{}, 'no eslint.config.js'],
  ])('prints what to paste where it cannot edit', async (files, said) => {
    const root = folderWith({ ...PACKAGE, ...files });
    const { code, stdout } = await mcpListen(root, ['init']);
    expect(code).toBe(1);
    expect(stdout).toContain(said);
    expect(stdout).toContain(`import mcpListen from 'eslint-plugin-mcp-listen';`);
    expect(stdout).toContain('mcpListen.configs.recommended');
  });
});
