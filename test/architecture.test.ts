// The floors of the house: which folder may import which (floors.json). An import that runs upwards is a fault.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, test } from 'vitest';
import floors from '../floors.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = Object.keys(floors) as (keyof typeof floors)[];

const toPosix = (path: string): string => path.split(sep).join('/');

/** Every module that a file names: import, export from, import(), import types, require(). */
function specifiersOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && callsImport(node)
            ? node.arguments[0]
            : undefined;
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest));
  return found;
}

function callsImport({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  );
}

function folderOf(path: string): (typeof folders)[number] | undefined {
  return folders.find((folder) => path.startsWith(`${folder}/`));
}

function faultsIn(path: string, text: string): string[] {
  const from = folderOf(path);
  if (from === undefined) return [];
  return specifiersOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => toPosix(relative(root, resolve(root, dirname(path), specifier))))
    .filter((target) => {
      const to = folderOf(target);
      const allowed: readonly string[] = floors[from];
      return to === undefined ? isOurs(target) : to !== from && !allowed.includes(to);
    })
    .map((target) => `${path} imports ${target}, which ${from} does not stand on`);
}

/** The entry of the package stands on top of everything; so do tests, scripts and benchmarks. */
function isOurs(target: string): boolean {
  return /^(src|test|scripts|bench|eslint-plugin\/src)\//.test(target);
}

const files = globSync(
  folders.map((folder) => `${folder}/**/*.ts`),
  { cwd: root },
).map((path) => ({ path: toPosix(path), text: readFileSync(resolve(root, path), 'utf8') }));

test('no import runs upwards', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(({ path, text }) => faultsIn(path, text))).toEqual([]);
});

test('protocol imports no package', () => {
  expect(packagesNamedIn('src/protocol')).toEqual([]);
});

test('runtime imports the SDK client and nothing else, because users own a copy of it', () => {
  const others = packagesNamedIn('src/runtime').filter((each) => each !== '@modelcontextprotocol/client');
  expect(others).toEqual([]);
});

function packagesNamedIn(folder: string): string[] {
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .flatMap(({ text }) => specifiersOf(text))
    .filter((specifier) => !specifier.startsWith('.'));
}

test('every folder of src has its floor, and every floor its place in the order', () => {
  const inSource = readdirSync(resolve(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(resolve(root, 'src', entry.name)).length > 0)
    .map(({ name }) => `src/${name}`);
  for (const folder of inSource) expect(folders).toContain(folder);
  // Whatever a folder may import stands above it in the file, so that the floors cannot form a circle.
  for (const [index, folder] of folders.entries()) {
    const below: readonly string[] = folders.slice(0, index);
    for (const allowed of floors[folder]) expect(below, folder).toContain(allowed);
  }
});

test('the walk sees every way to import', () => {
  const text = `
    import { a } from '../cli/main.js';
    import type { B } from '../reporting/text.js';
    export * from '../migration/plan.js';
    type C = import('../../codemods/client/x.js').C;
    const d = () => import('../analysis/x.js');
    const e = require('../codegen/x.js');
    import { fine } from '../protocol/index.js';
    import { own } from './files.js';
    import { top } from '../index.js';
    import { readFileSync } from 'node:fs';
  `;
  expect(faultsIn('src/workspace/files.ts', text)).toEqual(
    [
      'src/cli/main.js',
      'src/reporting/text.js',
      'src/migration/plan.js',
      'codemods/client/x.js',
      'src/analysis/x.js',
      'src/codegen/x.js',
      'src/index.js',
    ].map((target) => `src/workspace/files.ts imports ${target}, which src/workspace does not stand on`),
  );
});

test('lint refuses the same imports as this test', async () => {
  const { ESLint } = await import('eslint');
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: await restrictedImportsOnly(),
  });
  const lint = async (filePath: string, code: string) => {
    const [result] = await eslint.lintText(code, { filePath: resolve(root, filePath) });
    return result!.messages.map(({ message }) => message);
  };
  expect(await lint('src/workspace/files.ts', `import '../cli/main.js';`)).toEqual([
    expect.stringContaining('src/workspace does not stand on src/cli'),
  ]);
  expect(await lint('codemods/client/x.ts', `import '../../src/migration/plan.js';`)).toEqual([
    expect.stringContaining('codemods does not stand on src/migration'),
  ]);
  expect(await lint('src/analysis/x.ts', `import '../../codemods/client/x.js';`)).toEqual([
    expect.stringContaining('src/analysis does not stand on codemods'),
  ]);
  expect(await lint('eslint-plugin/src/rules/x.ts', `import '../../../src/analysis/x.js';`)).toEqual([
    expect.stringContaining('eslint-plugin/src does not stand on src/analysis'),
  ]);
  expect(await lint('src/cli/main.ts', `import '../protocol/index.js'; import './args.js';`)).toEqual([]);
});

/** Our configuration without the parts that need the whole program. */
async function restrictedImportsOnly() {
  const rule = '@typescript-eslint/no-restricted-imports';
  const { default: configs } = (await import(new URL('../eslint.config.js', import.meta.url).href)) as {
    default: { files?: string[]; rules?: Record<string, never>; plugins?: object }[];
  };
  const { default: tseslint } = await import('typescript-eslint');
  return configs
    .filter(({ rules }) => rules !== undefined && rule in rules)
    .map(({ files: each, rules }) => ({
      ...(each === undefined ? {} : { files: each }),
      languageOptions: { parser: tseslint.parser },
      plugins: { '@typescript-eslint': tseslint.plugin },
      rules: { [rule]: rules![rule]! },
    }));
}
