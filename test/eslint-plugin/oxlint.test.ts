// The built plugin under the real Oxlint binary: every sample of every page, and the whole small programs, get the
// reports that ESLint gives.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import { RULE_NAMES } from '../../src/protocol/index.js';
import { folderWith } from '../workspace/folder.js';
import { samplesOf } from './support/pages.js';
import { REPOSITORY, TYPESCRIPT } from './support/parsers.js';

const require = createRequire(import.meta.url);
const OXLINT = join(dirname(require.resolve('oxlint/package.json')), 'bin/oxlint');
const BUILT = require.resolve('eslint-plugin-mcp-listen').replace(/\.cjs$/, '.js');

const SETTINGS = { 'mcp-listen': { packageIndex: false } };
const RULES = Object.fromEntries(RULE_NAMES.map((name) => [`mcp-listen/${name}`, 'error' as const]));

function texts(): Record<string, string> {
  const cases = join(REPOSITORY, 'fixtures/cases');
  const files: Record<string, string> = {};
  for (const folder of readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const file of readdirSync(join(cases, folder.name)))
      files[`${folder.name}-${file}`] = readFileSync(join(cases, folder.name, file), 'utf8');
  for (const rule of RULE_NAMES)
    for (const { line, language, code, setting } of samplesOf(rule))
      if (Object.keys(setting).length === 0) files[`${rule}-${String(line)}.${language}`] = code;
  return files;
}

it('Oxlint gives the reports of ESLint', async () => {
  const files = texts();
  const root = folderWith(files);
  writeFileSync(
    join(root, '.oxlintrc.json'),
    JSON.stringify({
      jsPlugins: [BUILT],
      plugins: [],
      categories: { correctness: 'off' },
      rules: RULES,
      settings: SETTINGS,
    }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [OXLINT, '--format', 'json', root], {
    maxBuffer: 1e8,
  }).catch((error: unknown) => error as { stdout: string });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code?: string; message: string; filename: string; labels: { span: { line: number } }[] }[];
  };
  const byOxlint = diagnostics.map(({ code, message, filename, labels }) => {
    const rule = /^mcp-listen\((.+)\)$/.exec(code ?? '')?.[1] ?? message;
    return `${basename(filename)}:${String(labels[0]?.span.line)} ${rule}`;
  });

  const linter = new TYPESCRIPT.Linter();
  const byEslint = Object.entries(files).flatMap(([filename, code]) =>
    linter
      .verify(
        code,
        {
          files: ['**/*.*'],
          languageOptions: TYPESCRIPT.languageOptions,
          plugins: { 'mcp-listen': plugin },
          rules: RULES,
          settings: SETTINGS,
        },
        { filename },
      )
      .map(
        ({ ruleId, line, message }) =>
          `${filename}:${String(line)} ${ruleId?.replace('mcp-listen/', '') ?? message}`,
      ),
  );
  expect(byOxlint.sort()).toEqual(byEslint.sort());
  // Rules whose samples all need a setting are left out above.
  const shown = RULE_NAMES.filter((rule) =>
    samplesOf(rule).some(
      ({ expected, setting }) => expected === 'incorrect' && Object.keys(setting).length === 0,
    ),
  );
  expect(shown.length).toBeGreaterThan(40);
  expect(byEslint.map((line) => line.split(' ')[1])).toEqual(expect.arrayContaining(shown));
});
