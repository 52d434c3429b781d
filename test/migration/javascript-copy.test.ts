import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asJavaScript } from '../../src/migration/javascript-copy.js';
import type { changeStream as ChangeStreamFunction } from '../../src/runtime/change-stream.js';
import { connectTo, modernServer } from '../runtime/support/modern.js';
import { until } from '../runtime/support/until.js';

const source = readFileSync('src/runtime/change-stream.ts', 'utf8');
// Below the repository's own node_modules, so that the real SDK resolves.
const folder = join(process.cwd(), 'node_modules/.cache/mcp-listen-javascript');
const files = { esm: join(folder, 'mcp-change-stream.mjs'), commonjs: join(folder, 'mcp-change-stream.cjs') };

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const module of ['esm', 'commonjs'] as const)
    writeFileSync(files[module], asJavaScript(source, module));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The code alone: no types, no comments, one way of spacing. */
function codeOf(text: string, file: string): string {
  return ts.transpileModule(text, {
    fileName: file,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, removeComments: true },
  }).outputText;
}

describe('the JavaScript copy of the change stream', () => {
  test('is the TypeScript source without its types', () => {
    const withoutParentheses = (text: string): string => text.replace(/[()]/g, '').replace(/\s+/g, ' ');
    expect(withoutParentheses(codeOf(asJavaScript(source, 'esm'), 'a.js'))).toBe(
      withoutParentheses(codeOf(source, 'a.ts')),
    );
  });

  test('keeps every comment of the source', () => {
    const words = (text: string): string[] => text.match(/[A-Za-z]{3,}/g) ?? [];
    const copy = asJavaScript(source, 'esm');
    const copied = (copy.match(/\/\*\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? []).map((comment) =>
      words(comment).join(' '),
    );
    const comments = source.match(/\/\*\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? [];
    const lost = comments.filter(
      (comment) => !copied.some((text) => text.includes(words(comment).join(' '))),
    );
    expect(lost).toEqual([]);
  });

  test('has types that check under the strictest options, as an ES module and as CommonJS', () => {
    const program = ts.createProgram(Object.values(files), {
      allowJs: true,
      checkJs: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
    });
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
    expect(messages).toEqual([]);
  });

  test.each([
    ['as an ES module', () => import(pathToFileURL(files.esm).href) as Promise<unknown>],
    ['as CommonJS', () => Promise.resolve(createRequire(import.meta.url)(files.commonjs) as unknown)],
  ])('delivers changes %s', async (_name, load) => {
    const { changeStream } = (await load()) as { changeStream: typeof ChangeStreamFunction };
    const server = modernServer();
    const client = await connectTo(server);
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    const changes = changeStream(client, { lingerMs: 20 });
    await changes.subscribe('x:a');
    server.handler.notify.resourceUpdated('x:a');
    await until('it arrived', () => heard.length > 0);
    expect(heard).toEqual(['x:a']);
    await changes.close();
    await client.close();
  });
});
