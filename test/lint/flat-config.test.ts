import { describe, expect, it } from 'vitest';
import { addPlugin } from '../../src/lint/flat-config.js';

function added(text: string, file = 'eslint.config.js'): string {
  const edit = addPlugin(`/w/${file}`, text, 'recommended');
  return edit.kind === 'edited' ? edit.text : edit.kind;
}

describe('the plugin is added to', () => {
  it.each([
    [
      'a list in one line',
      `import js from '@eslint/js';\n\nexport default [js.configs.recommended];\n`,
      `import js from '@eslint/js';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default [js.configs.recommended, mcpListen.configs.recommended];\n`,
    ],
    [
      'a list over lines, with a comma at its end, in double quotes and without semicolons',
      `import js from "@eslint/js"\n\nexport default [\n\tjs.configs.recommended,\n\t{ rules: {} }, // ours\n]\n`,
      `import js from "@eslint/js"\nimport mcpListen from "eslint-plugin-mcp-listen"\n\nexport default [\n\tjs.configs.recommended,\n\t{ rules: {} }, // ours\n\tmcpListen.configs.recommended,\n]\n`,
    ],
    [
      'a list over lines without a comma at its end',
      `export default [\n  { rules: {} }\n];\n`,
      `import mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default [\n  { rules: {} },\n  mcpListen.configs.recommended\n];\n`,
    ],
    [
      'defineConfig with a list',
      `import { defineConfig } from 'eslint/config';\n\nexport default defineConfig([\n  { rules: {} },\n]);\n`,
      `import { defineConfig } from 'eslint/config';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default defineConfig([\n  { rules: {} },\n  mcpListen.configs.recommended,\n]);\n`,
    ],
    [
      'defineConfig with arguments',
      `import { defineConfig } from 'eslint/config';\n\nexport default defineConfig({ rules: {} }, { ignores: ['dist'] });\n`,
      `import { defineConfig } from 'eslint/config';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default defineConfig({ rules: {} }, { ignores: ['dist'] }, mcpListen.configs.recommended);\n`,
    ],
    [
      "typescript-eslint's config()",
      `// @ts-check\nimport tseslint from 'typescript-eslint';\n\nexport default tseslint.config(\n  tseslint.configs.strict,\n);\n`,
      `// @ts-check\nimport tseslint from 'typescript-eslint';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default tseslint.config(\n  tseslint.configs.strict,\n  mcpListen.configs.recommended,\n);\n`,
    ],
    [
      'a constant that is exported',
      `import js from '@eslint/js';\n\n/** @type {import('eslint').Linter.Config[]} */\nconst config = [js.configs.recommended];\n\nexport default config;\n`,
      `import js from '@eslint/js';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\n/** @type {import('eslint').Linter.Config[]} */\nconst config = [js.configs.recommended, mcpListen.configs.recommended];\n\nexport default config;\n`,
    ],
    [
      'an empty list',
      `export default [];\n`,
      `import mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default [mcpListen.configs.recommended];\n`,
    ],
    [
      'a name that is taken',
      `import mcpListen from './rules.js';\n\nexport default [mcpListen];\n`,
      `import mcpListen from './rules.js';\nimport mcpListenPlugin from 'eslint-plugin-mcp-listen';\n\nexport default [mcpListen, mcpListenPlugin.configs.recommended];\n`,
    ],
    [
      'Windows line ends',
      `import js from '@eslint/js';\r\n\r\nexport default [\r\n  js.configs.recommended,\r\n];\r\n`,
      `import js from '@eslint/js';\r\nimport mcpListen from 'eslint-plugin-mcp-listen';\r\n\r\nexport default [\r\n  js.configs.recommended,\r\n  mcpListen.configs.recommended,\r\n];\r\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(added(text)).toBe(expected);
  });

  it('CommonJS', () => {
    expect(
      added(
        `const js = require('@eslint/js');\n\nmodule.exports = [js.configs.recommended];\n`,
        'eslint.config.cjs',
      ),
    ).toBe(
      `const js = require('@eslint/js');\nconst mcpListen = require('eslint-plugin-mcp-listen');\n\nmodule.exports = [js.configs.recommended, mcpListen.configs.recommended];\n`,
    );
  });

  it('TypeScript', () => {
    expect(
      added(
        `import type { Linter } from 'eslint';\n\nexport default [{ rules: {} }] satisfies Linter.Config[];\n`,
        'eslint.config.ts',
      ),
    ).toBe(
      `import type { Linter } from 'eslint';\nimport mcpListen from 'eslint-plugin-mcp-listen';\n\nexport default [{ rules: {} }, mcpListen.configs.recommended] satisfies Linter.Config[];\n`,
    );
  });

  it('says that it is there already', () => {
    expect(added(`import mcp from 'eslint-plugin-mcp-listen';\nexport default [mcp.configs.strict];\n`)).toBe(
      'present',
    );
  });

  it.each([
    [
      'a function of somebody else',
      `import antfu from '@antfu/eslint-config';\n\nexport default antfu({ vue: true });\n`,
    ],
    ['a promise', `export default (async () => [{ rules: {} }])();\n`],
    ['a single object', `export default { rules: {} };\n`],
    ['nothing exported', `const config = [];\n`],
    ['a file that does not parse', `export default [\n`],
  ])('leaves %s alone', (_, text) => {
    expect(added(text)).toBe('unknown');
  });
});
