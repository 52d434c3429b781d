// Whole small programs with exactly the reports that they deserve under `strict`: fixtures/cases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import reports from '../../fixtures/cases/reports.json' with { type: 'json' };
import { REPOSITORY, TYPESCRIPT } from './support/parsers.js';

const FOLDER = join(REPOSITORY, 'fixtures/cases');

describe.each(Object.entries(reports))('%s', (folder, files) => {
  it.each(Object.entries(files as Record<string, Record<string, number>>))(
    '%s is reported as it deserves',
    (file, expected) => {
      const code = readFileSync(join(FOLDER, folder, file), 'utf8');
      const { Linter, languageOptions } = TYPESCRIPT;
      const messages = new Linter().verify(
        code,
        [
          { files: ['**/*.ts'], languageOptions, settings: { 'mcp-listen': { packageIndex: false } } },
          plugin.configs.strict,
        ],
        { filename: 'file.ts' },
      );
      const counts: Record<string, number> = {};
      for (const { ruleId, message } of messages) {
        const rule = (ruleId ?? message).replace('mcp-listen/', '');
        counts[rule] = (counts[rule] ?? 0) + 1;
      }
      expect(counts).toEqual(expected);
    },
  );
});

it('names no rule that there is not', () => {
  const named = Object.values(reports).flatMap((files) =>
    Object.values(files).flatMap((counts) => Object.keys(counts)),
  );
  for (const rule of named) expect(plugin.configs.strict.rules).toHaveProperty([`mcp-listen/${rule}`]);
});
