// Runs the cases of a rule under every parser that can read them, and checks what every fix and suggestion owes.
import { join } from 'node:path';
import type { Linter, Rule as EslintRule } from 'eslint';
import { afterAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../../eslint-plugin/src/rule.js';
import {
  isJavaScript,
  JAVASCRIPT,
  type ParserSetup,
  TYPED,
  TYPED_FOLDER,
  TYPESCRIPT,
  TYPESCRIPT_ON_ESLINT_9,
} from './parsers.js';

export interface ReportedError {
  messageId: string;
  line?: number;
  column?: number;
  endLine?: number;
  data?: Record<string, string>;
  suggestions?: { messageId: string; output: string; data?: Record<string, string> }[];
}

export interface ValidCase {
  name: string;
  code: string;
  options?: [object];
  settings?: { target?: 'dual' | 'modern'; multiInstance?: boolean; wrappers?: string[] };
  /** JSX in it. */
  jsx?: boolean;
  /** A CommonJS script. */
  commonjs?: boolean;
  /** Runs with type information as well; `'only'` where the case needs it. */
  typed?: boolean | 'only';
}

export interface InvalidCase extends ValidCase {
  errors: ReportedError[];
  /** The text after the fixes; absent where none is made. */
  output?: string;
}

/** Declares the tests of a rule. */
export function testRule(
  rule: Rule,
  { valid, invalid }: { valid: ValidCase[]; invalid: InvalidCase[] },
): void {
  const cases = [...valid, ...invalid];
  it('has different names for different cases', () => {
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
  const setups: [ParserSetup, (one: ValidCase) => boolean][] = [
    [TYPESCRIPT, ({ typed }) => typed !== 'only'],
    [TYPESCRIPT_ON_ESLINT_9, ({ typed }) => typed !== 'only'],
    ...JAVASCRIPT.map((setup): [ParserSetup, (one: ValidCase) => boolean] => [
      setup,
      ({ typed, code }) => typed !== 'only' && isJavaScript(code),
    ]),
    [TYPED, ({ typed }) => typed !== undefined && typed !== false],
  ];
  for (const [setup, takes] of setups) {
    const chosen = { valid: valid.filter(takes), invalid: invalid.filter(takes) };
    if (chosen.valid.length + chosen.invalid.length === 0) continue;
    describe(setup.name, () => {
      const { RuleTester } = setup;
      Object.assign(RuleTester, { afterAll, describe, it, itOnly: it.only });
      new RuleTester({ languageOptions: setup.languageOptions }).run(
        rule.name,
        rule as unknown as EslintRule.RuleModule,
        {
          valid: chosen.valid.map((one) => forTester(one, setup)),
          invalid: chosen.invalid.map(({ errors, output, ...one }) => ({
            ...forTester(one, setup),
            errors: errors.map((error) => ({ ...error })),
            output: output ?? null,
          })),
        },
      );
    });
  }
  const outputs = invalid.filter(({ typed }) => typed !== 'only').flatMap(outputsOf);
  if (outputs.length === 0) return;
  describe('what fixes and suggestions leave behind', () => {
    it.each(outputs)('$name', ({ one, output, kind }) => {
      expect(messagesOf(rule, { ...one, code: output }).filter(({ fatal }) => fatal)).toEqual([]);
      expect(commentsOf(output)).toEqual(expect.arrayContaining(commentsOf(one.code)));
      // A fix answers all reports at once, a suggestion one of them.
      const left = messagesOf(rule, { ...one, code: output }).length;
      if (kind === 'fix') expect(left).toBe(0);
      else expect(left).toBeLessThan(one.errors.length);
    });
  });
}

interface Output {
  name: string;
  one: InvalidCase;
  output: string;
  kind: 'fix' | 'suggestion';
}

function outputsOf(one: InvalidCase): Output[] {
  const suggested = one.errors.flatMap((error) => error.suggestions ?? []);
  return [
    ...(one.output === undefined
      ? []
      : [{ name: `${one.name}: fix`, one, output: one.output, kind: 'fix' as const }]),
    ...suggested.map(({ output, messageId }) => ({
      name: `${one.name}: ${messageId}`,
      one,
      output,
      kind: 'suggestion' as const,
    })),
  ];
}

function forTester({ name, code, options, settings, jsx, commonjs }: ValidCase, setup: ParserSetup) {
  const file = jsx === true ? 'file.tsx' : 'file.ts';
  return {
    name,
    code,
    filename: setup === TYPED ? join(TYPED_FOLDER, file) : file,
    ...(options === undefined ? {} : { options }),
    settings: settingsOf(settings),
    ...(commonjs === true ? { languageOptions: { sourceType: 'commonjs' as const } } : {}),
  };
}

/** Facts of other files are left out: the package around these tests is ours. */
function settingsOf(settings: ValidCase['settings']) {
  return { 'mcp-listen': { packageIndex: false, ...settings } };
}

/** The reports of one rule on a text. */
export function messagesOf(
  rule: Rule,
  { code, options, settings, jsx }: Pick<ValidCase, 'code' | 'options' | 'settings' | 'jsx'>,
): Linter.LintMessage[] {
  return new TYPESCRIPT.Linter().verify(
    code,
    {
      files: ['**/*.ts', '**/*.tsx'],
      languageOptions: TYPESCRIPT.languageOptions,
      plugins: { 'mcp-listen': { rules: { [rule.name]: rule as unknown as EslintRule.RuleModule } } },
      settings: settingsOf(settings),
      rules: { [`mcp-listen/${rule.name}`]: ['error', ...(options ?? [])] },
    },
    { filename: jsx === true ? 'file.tsx' : 'file.ts' },
  );
}

function commentsOf(code: string): string[] {
  return [...code.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)]
    .map(([comment]) => comment)
    .filter((comment) => !comment.includes('://'));
}
