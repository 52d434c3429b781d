// Packages on disk, for rules that look at the other files of one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Rule as EslintRule } from 'eslint';
import { afterAll } from 'vitest';
import type { Rule } from '../../../eslint-plugin/src/rule.js';
import { TYPESCRIPT } from './parsers.js';

/** Writes packages, one a call, and says what a rule reports on the first file of each. */
export function packageReports(rule: Rule): (files: Record<string, string>) => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-listen-package-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (files) => {
    const root = mkdtempSync(join(folder, 'package-'));
    writeFileSync(join(root, 'package.json'), '{}');
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const [[file, text] = ['', '']] = Object.entries(files);
    const { Linter, languageOptions } = TYPESCRIPT;
    return new Linter({ cwd: root })
      .verify(
        text,
        {
          files: ['**/*.ts'],
          languageOptions,
          plugins: { 'mcp-listen': { rules: { rule: rule as unknown as EslintRule.RuleModule } } },
          rules: { 'mcp-listen/rule': 'error' },
        },
        { filename: join(root, file) },
      )
      .map(({ messageId, line, fix }) => `${messageId ?? 'fatal'} ${line}${fix === undefined ? '' : ' fix'}`);
  };
}
