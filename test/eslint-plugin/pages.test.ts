// Every rule has a source, a test, a page and a place in the configurations; every sample on its page is true.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Rule as EslintRule } from 'eslint';
import { describe, expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import { rules } from '../../eslint-plugin/src/rules/index.js';
import { RULE_NAMES } from '../../src/protocol/index.js';
import { JAVASCRIPT, type ParserSetup, REPOSITORY, TYPESCRIPT } from './support/parsers.js';
import { headingsOf, pageOf, type Sample, samplesOf } from './support/pages.js';

const SECTIONS = ['Why', 'Incorrect', 'Correct', 'Stays silent', 'When not to use it'];

it('the headers of the pages and the table of the README are up to date', async () => {
  const generator = join(REPOSITORY, 'node_modules/eslint-doc-generator/dist/bin/eslint-doc-generator.js');
  const folder = join(REPOSITORY, 'eslint-plugin');
  const { stdout } = await promisify(execFile)(process.execPath, [generator, '--check'], { cwd: folder });
  expect(stdout).toBe('');
});

describe('the rules', () => {
  it('are those of the protocol tables, in their order', () => {
    expect(rules.map(({ name }) => name)).toEqual(RULE_NAMES);
  });

  it('have a file each, and no file is left over', () => {
    const files = readdirSync(join(REPOSITORY, 'eslint-plugin/src/rules'));
    expect(files.sort()).toEqual([...RULE_NAMES.map((name) => `${name}.ts`), 'index.ts'].sort());
    const pages = readdirSync(join(REPOSITORY, 'eslint-plugin/docs/rules'));
    expect(pages.sort()).toEqual(RULE_NAMES.map((name) => `${name}.md`).sort());
  });

  describe.each(rules)('$name', ({ name, meta }) => {
    it('has a test', () => {
      expect(existsSync(join(REPOSITORY, 'test/eslint-plugin/rules', `${name}.test.ts`))).toBe(true);
    });

    it('is in strict as an error, and in recommended as its table says', () => {
      const key = `mcp-listen/${name}`;
      expect([plugin.configs.strict.rules?.[key]].flat()[0]).toBe('error');
      expect(plugin.configs.recommended.rules?.[key]).toBe(meta.docs?.recommended);
    });

    it('says on its page what it reports, why, what is right, and when it stays silent', () => {
      const text = readFileSync(pageOf(name), 'utf8');
      expect(headingsOf(text).filter((heading) => SECTIONS.includes(heading))).toEqual(SECTIONS);
      expect(headingsOf(text).includes('Suggestion') || headingsOf(text).includes('Fix')).toBe(
        meta.hasSuggestions === true || meta.fixable !== undefined,
      );
      expect(headingsOf(text).includes('Options')).toBe(JSON.stringify(meta.schema) !== '[]');
      expect(text).toMatch(/\*\*(?:MUST|SHOULD|advice)\*\*/);
    });

    const samples = samplesOf(name);
    it('shows both', () => {
      expect(new Set(samples.map(({ expected }) => expected))).toEqual(new Set(['incorrect', 'correct']));
    });

    describe.each(samples)('its sample on line $line is $expected', (sample) => {
      it.each(setupsFor(sample))('under $name', (setup) => {
        const messages = reportsOf(sample, setup);
        expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
        const own = messages.map(({ ruleId }) => ruleId);
        if (sample.expected === 'correct') expect(messages).toEqual([]);
        else expect(own).toContain(`mcp-listen/${name}`);
      });
    });
  });
});

function setupsFor({ language }: Sample): readonly ParserSetup[] {
  return language.startsWith('js') ? [TYPESCRIPT, ...JAVASCRIPT] : [TYPESCRIPT];
}

function reportsOf({ rule, code, language, setting }: Sample, { Linter, languageOptions }: ParserSetup) {
  const found = rules.find(({ name }) => name === rule) as unknown as EslintRule.RuleModule;
  return new Linter().verify(
    code,
    {
      files: ['**/*.{js,jsx,ts,tsx}'],
      languageOptions,
      plugins: { 'mcp-listen': { rules: { [rule]: found } } },
      settings: { 'mcp-listen': { packageIndex: false, ...setting.settings } },
      rules: { [`mcp-listen/${rule}`]: ['error', ...(setting.options ?? [])] },
    },
    { filename: `sample.${language}` },
  );
}
