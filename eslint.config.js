// Type-aware linting of our own code, and the floors of the house (floors.json).
import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import eslintPlugin from 'eslint-plugin-eslint-plugin';
// Our own rules, as built: npm run build comes first.
import mcpListen from 'eslint-plugin-mcp-listen';
import tseslint from 'typescript-eslint';

/** @type {Record<string, string[]>} Folder to the folders it may import. */
const floors = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8'));

/** A relative specifier that climbs out of its own folder and into `folder`, from wherever it starts. */
const into = (folder) => `^(\\.\\./)+(${folder}|${folder.replace(/^src\//, '')})/`;

const floorConfigs = Object.entries(floors).map(([folder, allowed]) => ({
  files: [`${folder}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: Object.keys(floors)
          .filter((other) => other !== folder && !allowed.includes(other))
          .map((other) => ({
            regex: into(other),
            message: `${folder} does not stand on ${other} (floors.json).`,
          })),
      },
    ],
  },
}));

export default defineConfig(
  globalIgnores(['**/dist', 'coverage', 'fixtures']),
  js.configs.recommended,
  mcpListen.configs.recommended,
  { ...eslintPlugin.configs.recommended, files: ['eslint-plugin/src/**/*.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: 'error',
    },
  },
  floorConfigs,
  {
    // Node types are compared by their ESTree names: the enum of those would have to be loaded for nothing else.
    files: ['eslint-plugin/src/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-comparison': 'off' },
  },
  {
    // A test may say "this is there" and look into what the code under test returns.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
  { files: ['**/*.js'], languageOptions: { globals: { URL: 'readonly' } } },
);
