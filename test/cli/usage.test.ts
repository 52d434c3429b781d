/** The command line by itself: help, version, mistakes. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codemods } from '../../codemods/index.js';
import manifest from '../../package.json' with { type: 'json' };
import { folderWith } from '../workspace/folder.js';
import { CLI, mcpListen, MIGRATABLE } from './command.js';

describe('mcp-listen', () => {
  it.each([
    ['--help', ['scan', 'migrate', '--version']],
    ['scan --help', ['[paths...]', '--format', '"text", "json"', '--ignore', '--version']],
    [
      'migrate --help',
      [
        '[paths...]',
        '--target',
        '"dual", "modern"',
        '--dry-run',
        '--only',
        '--ignore',
        '--force',
        '--no-verify',
        '--format',
        'both eras',
      ],
    ],
  ])('explains itself: %s', async (line, words) => {
    const { code, stdout, stderr } = await mcpListen(folderWith({}), line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of [...words, 'Examples:', 'Exit codes:', 'Documentation:'])
      expect(stdout).toContain(word);
    for (const number of [0, 1, 2, 3]) expect(stdout).toMatch(new RegExp(`^  ${String(number)}  \\w`, 'm'));
  });

  it.each(['--version', '-v', 'scan --version', 'migrate --version'])(
    'says its version: %s',
    async (line) => {
      expect(await mcpListen(folderWith({}), line.split(' '))).toEqual({
        code: 0,
        stdout: `${manifest.version}\n`,
        stderr: '',
      });
    },
  );

  it('shows its help on standard error and ends with 2 when it is told nothing', async () => {
    const { code, stdout, stderr } = await mcpListen(folderWith({}), []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: mcp-listen');
  });

  it.each([
    ['scna', "unknown command 'scna'\n(Did you mean scan?)"],
    ['migrate --taget dual', "unknown option '--taget'\n(Did you mean --target?)"],
    ['scan --forma json', "unknown option '--forma'\n(Did you mean --format?)"],
    ['migrate --target both', "argument 'both' is invalid. Allowed choices are dual, modern."],
    ['scan --format xml', "argument 'xml' is invalid. Allowed choices are text, json."],
    ['migrate --only', "option '--only <codemods>' argument missing"],
    ['migrate --only client/subscribe-call', '(Did you mean client/subscribe-calls?)'],
    ['migrate --only era-opt-in', '(Did you mean client/era-opt-in?)'],
    [
      'migrate --only client/era-opt-in,nonsense',
      `there are ${codemods.map(({ name }) => name).join(', ')}\n`,
    ],
    ['migrate --only ,', "option '--only <codemods>' names no codemod"],
    ['scan nowhere', 'no such file or folder: nowhere'],
  ])('ends with 2 and says what was probably meant: %s', async (line, message) => {
    const { code, stdout, stderr } = await mcpListen(folderWith(MIGRATABLE), line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(message);
  });

  it('suggests no codemod for what resembles none', async () => {
    const { stderr } = await mcpListen(folderWith(MIGRATABLE), ['migrate', '--only', 'nonsense']);
    expect(stderr).not.toContain('Did you mean');
  });

  it('loads no parser, no diff and no codemod before a command runs', () => {
    const packages = staticImportsOf(CLI);
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['commander']);
  });

  it('loads no parser, no diff and no YAML before it knows that they are needed', () => {
    const perform = fileURLToPath(new URL('../../dist/src/cli/perform.js', import.meta.url));
    const packages = [...staticImportsOf(perform)].filter((name) => !name.startsWith('node:'));
    expect(packages.sort()).toEqual(['ignore', 'picocolors', 'tinyglobby']);
  });

  it('has a walk over imports that would see a parser', () => {
    const packages = staticImportsOf(fileURLToPath(new URL('../../dist/src/index.js', import.meta.url)));
    expect(packages).toContain('ts-morph');
    expect(packages).toContain('diff');
  });
});

/** The packages that are loaded together with a built module: what it imports, and what that imports, statically. */
function staticImportsOf(entry: string): ReadonlySet<string> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    // The built program has TypeScript by this module, which loads it with require().
    if (file.endsWith('/typescript.js')) packages.add('ts-morph');
    const text = readFileSync(file, 'utf8');
    for (const [, from, bare] of text.matchAll(
      /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'/gm,
    )) {
      const specifier = from ?? bare!;
      if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier));
      else packages.add(specifier);
    }
  };
  visit(entry);
  return packages;
}
