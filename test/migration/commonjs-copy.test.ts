import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { diffLines } from 'diff';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asCommonJs } from '../../src/migration/commonjs-copy.js';

const source = readFileSync('src/runtime/change-stream.ts', 'utf8');
const copy = asCommonJs(source);
// Below the repository's own node_modules, so that the real SDK resolves.
const folder = join(process.cwd(), 'node_modules/.cache/mcp-listen-commonjs');

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mcp-change-stream.cts'), copy);
  writeFileSync(
    join(folder, 'user.cts'),
    `import streams = require('./mcp-change-stream.cjs');
import sdk = require('@modelcontextprotocol/client');
export = streams.changeStream(new sdk.Client({ name: 'a', version: '1' }), { onReopened: () => undefined }).honored;
`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the CommonJS copy differs from the source by its imports and exports alone', () => {
  const changed = diffLines(source, copy).filter(({ added, removed }) => added || removed);
  const lines = (part: 'added' | 'removed'): string[] =>
    changed.filter((one) => one[part]).flatMap(({ value }) => value.trimEnd().split('\n'));
  expect(lines('added').filter((line) => !lines('removed').includes(`export ${line}`))).toEqual([
    "import sdk = require('@modelcontextprotocol/client');",
    'const { OAuthClientFlowError, OAuthError, ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } = sdk;',
    '',
    'export = { changeStream };',
  ]);
  expect(lines('removed').filter((line) => !lines('added').includes(line.replace('export ', '')))).toEqual([
    "import { OAuthClientFlowError, OAuthError, ProtocolError, SdkError } from '@modelcontextprotocol/client';",
    "import { SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';",
  ]);
});

test.each([true, false])('it type-checks with verbatimModuleSyntax: %s', (verbatimModuleSyntax) => {
  const program = ts.createProgram([join(folder, 'user.cts')], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    declaration: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: ['node'],
    verbatimModuleSyntax,
  });
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
  expect(messages).toEqual([]);
});

test('it exports the factory when it is loaded', () => {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  const file = join(folder, 'mcp-change-stream.cjs');
  writeFileSync(file, ts.transpileModule(copy, { compilerOptions }).outputText);
  const loaded = createRequire(import.meta.url)(file) as Record<string, unknown>;
  expect(Object.entries(loaded).map(([name, value]) => [name, typeof value])).toEqual([
    ['changeStream', 'function'],
  ]);
});
