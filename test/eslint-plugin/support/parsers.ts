// The parsers that rules must work under, each with the ESLint that it works with.
import { fileURLToPath } from 'node:url';
import * as babelParser from '@babel/eslint-parser';
import * as typescriptParser from '@typescript-eslint/parser';
import { RuleTester as RuleTester10, Linter as Linter10, type Linter } from 'eslint';
import * as eslint9 from 'eslint9';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Where files with types are said to lie: its own project, so that none of ours is loaded. */
export const TYPED_FOLDER = fileURLToPath(new URL('typed', import.meta.url));

type LanguageOptions = NonNullable<Linter.Config['languageOptions']>;

export interface ParserSetup {
  readonly name: string;
  readonly languageOptions: LanguageOptions;
  readonly RuleTester: typeof RuleTester10;
  readonly Linter: typeof Linter10;
}

const ESLINT_10 = { RuleTester: RuleTester10, Linter: Linter10 };
// Its types are those of another major version; what we use of it is the same in both.
const ESLINT_9 = eslint9 as unknown as typeof ESLINT_10;

const jsx = { ecmaFeatures: { jsx: true } };

/** Reads TypeScript. */
export const TYPESCRIPT: ParserSetup = {
  name: '@typescript-eslint/parser',
  languageOptions: { parser: typescriptParser, parserOptions: jsx },
  ...ESLINT_10,
};

/** Reads TypeScript and knows types. */
export const TYPED: ParserSetup = {
  name: '@typescript-eslint/parser with types',
  languageOptions: {
    parser: typescriptParser,
    parserOptions: {
      ...jsx,
      projectService: { allowDefaultProject: ['*.ts', '*.tsx'], defaultProject: 'tsconfig.json' },
      tsconfigRootDir: TYPED_FOLDER,
    },
  },
  ...ESLINT_10,
};

export const TYPESCRIPT_ON_ESLINT_9: ParserSetup = {
  ...TYPESCRIPT,
  name: `${TYPESCRIPT.name} on ESLint 9`,
  ...ESLINT_9,
};

/** Read JavaScript alone. */
export const JAVASCRIPT: readonly ParserSetup[] = [
  { name: 'espree', languageOptions: { parserOptions: jsx }, ...ESLINT_10 },
  {
    name: '@babel/eslint-parser',
    languageOptions: {
      parser: babelParser,
      parserOptions: { requireConfigFile: false, babelOptions: { parserOpts: { plugins: ['jsx'] } } },
    },
    ...ESLINT_9,
  },
];

/** Whether a text is JavaScript as well. */
export function isJavaScript(code: string): boolean {
  const messages = new Linter10().verify(code, { languageOptions: JAVASCRIPT[0]!.languageOptions });
  return !messages.some(({ fatal }) => fatal === true);
}
