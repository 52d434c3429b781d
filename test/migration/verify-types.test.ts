import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts as bundled } from 'ts-morph';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/migration/options.js';
import type { RunResult } from '../../src/migration/result.js';
import { run } from '../../src/migration/run.js';
import { createTypeVerifier } from '../../src/migration/verify-types.js';
import { findPackages } from '../../src/workspace/packages.js';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const INSTALLED = (createRequire(import.meta.url)('typescript/package.json') as { version: string }).version;

const created: string[] = [];
afterAll(() => {
  for (const folder of created.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const manifest = (name: string, type = 'module'): string =>
  JSON.stringify({
    name,
    type,
    dependencies: { '@modelcontextprotocol/client': '^2.4.0' },
    devDependencies: { typescript: '^6.0.0' },
  });

const tsconfig = (options: object = {}): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      types: ['node'],
      noEmit: true,
      ...options,
    },
    include: ['src'],
  });

const CLIENT = `import { Client } from '@modelcontextprotocol/client';

export class Watcher {
  client = new Client({ name: 'w', version: '1.0.0' });
  watch(uri: string) {
    return this.client.subscribeResource({ uri });
  }
}
`;

/** A copy of the stream that its owner has made stricter: not every rewriting type-checks with it. */
const STRICT_COPY = `import type { Client } from '@modelcontextprotocol/client';

interface Stream {
  subscribe(uri: \`note://\${string}\`): Promise<void>;
}
export declare function changeStream(client: Client): Stream;
`;

/** Fine with the strict copy but for its result. */
const FOLLOW = `import { Client } from '@modelcontextprotocol/client';

const client = new Client({ name: 'w', version: '1.0.0' });
export const follow = () => client.subscribeResource({ uri: 'note://a' });
`;

type Files = Readonly<Record<string, string>>;

/** One package for each way in which types can matter, so that TypeScript is started once for all. */
const PACKAGES: Readonly<Record<string, Files>> = {
  clean: { 'package.json': manifest('clean'), 'tsconfig.json': tsconfig(), 'src/a.ts': CLIENT },
  faulty: {
    'package.json': manifest('faulty'),
    'tsconfig.json': tsconfig(),
    'src/a.ts': `${CLIENT}const wrong: number = 'a';\nmissing(wrong);\n`,
  },
  gains: {
    'package.json': manifest('gains'),
    'tsconfig.json': tsconfig(),
    'src/a.ts': CLIENT,
    'src/mcp-change-stream.ts': STRICT_COPY,
  },
  pair: {
    'package.json': manifest('pair'),
    'tsconfig.json': tsconfig(),
    'src/a.ts': `import { Client } from '@modelcontextprotocol/client';

const one = new Client({ name: 'one', version: '1.0.0' });
const other = new Client({ name: 'other', version: '1.0.0' });

export async function watch(uri: string): Promise<void> {
  await one.subscribeResource({ uri });
}

export async function watchNote(): Promise<void> {
  await other.subscribeResource({ uri: 'note://a' });
}
`,
    'src/mcp-change-stream.ts': STRICT_COPY,
  },
  imported: {
    'package.json': manifest('imported'),
    'tsconfig.json': tsconfig(),
    'src/follow.ts': FOLLOW,
    'src/index.ts': `export * from './follow.js';\n`,
    'src/main.ts': `import * as app from './index.js';\n\nexport const meta = async () => (await app.follow())._meta;\n`,
    'src/aside.ts': `export const unrelated: number = 'not checked';\n`,
    'src/mcp-change-stream.ts': STRICT_COPY,
  },
  poor: {
    'package.json': manifest('poor'),
    'tsconfig.json': tsconfig({ lib: ['es2022'], types: [] }),
    'src/a.ts': CLIENT,
    'src/b.ts': FOLLOW,
  },
  solution: {
    'package.json': manifest('solution'),
    'tsconfig.json': JSON.stringify({ files: [], references: [{ path: './tsconfig.app.json' }] }),
    'tsconfig.app.json': tsconfig({ composite: true, paths: { '@/*': ['./src/*'] } }),
    'src/uri.ts': 'export type Uri = string;\n',
    'src/a.ts': CLIENT.replace('uri: string', 'uri: Uri').replace(
      '\n\n',
      `\nimport type { Uri } from '@/uri.js';\n\n`,
    ),
    'src/mcp-change-stream.ts': STRICT_COPY,
  },
  broken: {
    'package.json': manifest('broken'),
    'tsconfig.json': '{ "extends": "./nowhere.json" }',
    'src/a.ts': CLIENT,
  },
  commonjs: {
    'package.json': manifest('commonjs', 'commonjs'),
    'tsconfig.json': tsconfig({ verbatimModuleSyntax: true }),
    'src/a.ts': `import sdk = require('@modelcontextprotocol/client');

class Watcher {
  client = new sdk.Client({ name: 'w', version: '1.0.0' });
  watch(uri: string) {
    return this.client.subscribeResource({ uri });
  }
}
export = { Watcher };
`,
  },
  script: {
    'package.json': manifest('script'),
    'src/a.js': CLIENT.replace('uri: string', 'uri'),
  },
  checked: {
    'package.json': manifest('checked'),
    'src/a.js': `// @ts-check\n${CLIENT.replace('  watch(uri: string', '  /** @param {string} uri */\n  watch(uri')}`,
    'src/mcp-change-stream.js':
      '/** @type {(client: unknown) => { subscribe(uri: `note://${string}`): Promise<void> }} */\nexport const changeStream = () => ({ subscribe: async () => {} });\n',
  },
};

function workspace(files: Files, modules?: (root: string) => void): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-listen-types-')));
  created.push(root);
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  modules?.(root);
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Everything that this repository has installed. */
function everything(root: string): void {
  symlinkSync(MODULES, join(root, 'node_modules'), 'junction');
}

/** The SDK and the types of Node, and as TypeScript whatever is given. */
function sdkAnd(typescript: Files) {
  return (root: string): void => {
    for (const name of ['@modelcontextprotocol/client', '@types/node']) {
      mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
      symlinkSync(join(MODULES, name), join(root, 'node_modules', name), 'junction');
    }
    for (const [path, text] of Object.entries(typescript))
      write(root, `node_modules/typescript/${path}`, text);
  };
}

const migrate = (root: string, options: Partial<RunOptions> = {}): Promise<RunResult> =>
  run({ command: 'migrate', root, target: 'dual', ...options });

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

/** What became of the calls below a folder. */
const calls = ({ sites }: RunResult, folder: string): string[] =>
  sites
    .filter(({ file, mechanism }) => file.startsWith(`${folder}/`) && mechanism === 'resource-subscribe')
    .map(({ outcome }) => outcome);

const check = ({ verification }: RunResult, path: string) =>
  verification.packages.find((one) => one.path === path);

const reasons = ({ sites }: RunResult, folder: string): string[] => [
  ...new Set(sites.filter(({ file }) => file.startsWith(`${folder}/`)).map(({ reason }) => reason)),
];

describe('a migration with types', () => {
  let root: string;
  let result: RunResult;

  beforeAll(async () => {
    const files = Object.entries(PACKAGES).flatMap(([name, own]) =>
      Object.entries(own).map(([path, text]) => [`${name}/${path}`, text] as const),
    );
    root = workspace(Object.fromEntries(files), everything);
    result = await migrate(root);
  });

  test('checks with the TypeScript of the project, and says so', () => {
    expect(check(result, 'clean')).toEqual({
      path: 'clean',
      typescript: `${INSTALLED} (of the project)`,
      files: 2,
      checked: true,
      note: undefined,
      command: undefined,
    });
    expect(calls(result, 'clean')).toEqual(['rewritten']);
  });

  test('does not blame a rewriting for errors that were there before', () => {
    expect([calls(result, 'faulty'), check(result, 'faulty')?.checked]).toEqual([['rewritten'], true]);
  });

  test('leaves a client whose rewriting would gain an error, with a marker that quotes it', () => {
    expect(calls(result, 'gains')).toEqual(['marked']);
    expect(read(root, 'gains/src/a.ts')).toBe(
      CLIENT.replace(
        '    return',
        "    // TODO(mcp-listen): left on the 2025 era: rewritten, gains/src/a.ts would not type-check (TS2345: Argument of type 'string' is not assignable to parameter of type '`note://${string}`') (no-resource-subscribe)\n    return",
      ),
    );
  });

  test('rolls back the one of two clients in a file that has the error', () => {
    expect(calls(result, 'pair')).toEqual(['marked', 'rewritten']);
  });

  test('finds an error in a file that imports the edited one by way of a barrel', () => {
    expect(calls(result, 'imported')).toEqual(['marked']);
    expect(reasons(result, 'imported')[0]).toMatch(
      /rewritten, imported\/src\/main\.ts would not type-check \(TS2339/,
    );
    expect(read(root, 'imported/src/follow.ts').replace(/.*TODO.*\n/, '')).toBe(FOLLOW);
    expect(check(result, 'imported')?.files).toBe(3);
  });

  test('puts an error in the new copy of the stream down to all who would use it', () => {
    expect(calls(result, 'poor')).toEqual(['marked', 'marked']);
    expect(reasons(result, 'poor')[0]).toMatch(
      /poor\/src\/mcp-change-stream\.ts would not type-check \(TS\d+: /,
    );
    expect(result.changes.map(({ path }) => path)).not.toContain('poor/src/mcp-change-stream.ts');
  });

  test('follows the references of a solution to the configuration that includes the file', () => {
    expect([calls(result, 'solution'), check(result, 'solution')?.checked]).toEqual([['marked'], true]);
  });

  test('accepts what is written for CommonJS under verbatimModuleSyntax', () => {
    expect([calls(result, 'commonjs'), check(result, 'commonjs')]).toMatchObject([
      ['rewritten'],
      { files: 2, checked: true },
    ]);
    expect(read(root, 'commonjs/src/a.ts')).toBe(
      `import sdk = require('@modelcontextprotocol/client');
import mcpChangeStream = require('./mcp-change-stream.js');

class Watcher {
  client = new sdk.Client({ name: 'w', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  watch(uri: string) {
    return mcpChangeStream.changeStream(this.client).subscribe(uri);
  }
}
export = { Watcher };
`,
    );
  });

  test('names a configuration that cannot be followed, and migrates without a check', () => {
    expect(calls(result, 'broken')).toEqual(['rewritten']);
    expect(check(result, 'broken')).toMatchObject({
      checked: false,
      note: 'see the errors',
      command: 'npx tsc --noEmit',
    });
    expect(result.errors.map(({ file }) => file)).toEqual(['broken/tsconfig.json']);
    expect(result.errors[0]?.message).toMatch(
      /^cannot be followed \(TS\d+: .*\), so types were not checked: repair it, or use --no-verify$/,
    );
  });

  test('checks JavaScript only where something asks for it', () => {
    expect([calls(result, 'script'), calls(result, 'checked')]).toEqual([['rewritten'], ['marked']]);
    expect(check(result, 'script')).toMatchObject({ checked: false, files: 0, command: undefined });
    expect(check(result, 'script')?.note).toMatch(/^JavaScript that nothing asks TypeScript to check/);
    expect(check(result, 'checked')?.checked).toBe(true);
  });

  test('changes nothing when it is run again', async () => {
    const again = await migrate(root);
    expect(again.changes).toEqual([]);
    expect(again.markers).toEqual(result.markers);
  });
});

const STRICT = PACKAGES['gains'] ?? {};

describe('the TypeScript of a check', () => {
  test('is the bundled one where the project has none', async () => {
    const root = workspace(STRICT, sdkAnd({}));
    const result = await migrate(root, { dryRun: true });
    expect(check(result, '.')?.typescript).toBe(`${bundled.version} (bundled)`);
    expect(calls(result, 'src')).toEqual(['marked']);
  });

  test('is the bundled one where that of the project is native', async () => {
    const root = workspace(STRICT, sdkAnd({ 'package.json': '{ "version": "7.0.1" }' }));
    const result = await migrate(root, { dryRun: true });
    expect(check(result, '.')?.typescript).toBe(
      `${bundled.version} (bundled: version 7.0.1 of the project has no programming interface)`,
    );
    expect(calls(result, 'src')).toEqual(['marked']);
  });

  const THROWING = {
    'package.json': '{ "version": "5.9.3" }',
    'index.js': `throw new Error('half\\nof it');\n`,
  };

  test('that cannot be loaded is one error, and the migration goes on', async () => {
    const root = workspace(STRICT, sdkAnd(THROWING));
    const result = await migrate(root);
    expect(result.errors).toEqual([
      {
        file: '.',
        message:
          'its TypeScript cannot be loaded (half), so types were not checked: install it again, or use --no-verify',
      },
    ]);
    expect(calls(result, 'src')).toEqual(['rewritten']);
    expect(check(result, '.')).toMatchObject({ checked: false, command: 'npx tsc --noEmit' });
  });

  test('that fails at its work is one error, and the migration goes on', async () => {
    const real = JSON.stringify(join(MODULES, 'typescript'));
    const failing = `module.exports = { ...require(${real}), createProgram() { throw new Error('out of breath'); } };\n`;
    const root = workspace(STRICT, sdkAnd({ 'package.json': '{ "version": "5.9.3" }', 'index.js': failing }));
    const result = await migrate(root);
    expect(result.errors).toEqual([
      {
        file: '.',
        message: `TypeScript ${INSTALLED} (of the project) failed (out of breath), so types were not checked: check them yourself, or use --no-verify`,
      },
    ]);
    expect(calls(result, 'src')).toEqual(['rewritten']);
  });

  test('is not loaded where nothing is rewritten or everything is refused', async () => {
    const done = { ...STRICT, 'src/a.ts': 'export const client = 1; // of @modelcontextprotocol/client\n' };
    expect((await migrate(workspace(done, sdkAnd(THROWING)))).errors).toEqual([]);
    const root = workspace({ ...STRICT, '.gitignore': 'node_modules\n' }, sdkAnd(THROWING));
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['add', '-A'], { cwd: root });
    const refused = await migrate(root);
    expect([refused.refusals.length, refused.errors, refused.verification.packages]).toEqual([1, [], []]);
  });
});

describe('a package that the run adds and that is not installed yet', () => {
  const ADDED = '@modelcontextprotocol/node';
  const AFTER = `import { toNodeHandler } from '${ADDED}';\n\nexport const size: number = 'a';\ntoNodeHandler();\n`;

  function checkOf(names: readonly string[]) {
    const before = 'export const size: number = 1;\n';
    const root = workspace(
      { 'package.json': manifest('adding'), 'tsconfig.json': tsconfig(), 'src/a.ts': before },
      sdkAnd({}),
    );
    const file = join(root, 'src/a.ts');
    const packages = findPackages(root, [file]);
    return createTypeVerifier({ root, repository: undefined, files: [file], packages }).check({
      edited: [file],
      before: new Map([[file, before]]),
      after: new Map([[file, AFTER]]),
      awaited: new Set(names),
      moved: (_, position) => position,
    });
  }

  test('is no error, and everything else is checked', () => {
    const { gained, packages } = checkOf([ADDED]);
    expect(gained.map(({ code }) => code)).toEqual([2322]);
    expect(packages).toMatchObject([{ files: 1, unchecked: undefined, awaited: [ADDED] }]);
  });

  test('that nobody adds is the reason why nothing is checked', () => {
    const { gained, packages } = checkOf([]);
    expect(gained).toEqual([]);
    expect(packages).toMatchObject([{ unchecked: `Cannot find module '${ADDED}'`, awaited: [] }]);
  });
});

describe('a migration without a check', () => {
  test('names the command that makes up for it when the SDK is not installed', async () => {
    const result = await migrate(workspace(STRICT));
    expect(result.errors).toEqual([]);
    expect(calls(result, 'src')).toEqual(['rewritten']);
    expect(check(result, '.')).toEqual({
      path: '.',
      typescript: undefined,
      files: 0,
      checked: false,
      note: '@modelcontextprotocol/client is not installed',
      command: 'npx tsc --noEmit',
    });
  });

  test('says which types the configuration asks for in vain', async () => {
    const files = { ...STRICT, 'tsconfig.json': tsconfig({ types: ['node', 'nowhere'] }) };
    const result = await migrate(workspace(files, everything), { dryRun: true });
    expect(check(result, '.')).toMatchObject({
      checked: false,
      note: "Cannot find type definition file for 'nowhere'",
    });
    expect(calls(result, 'src')).toEqual(['rewritten']);
  });

  test('is what --no-verify asks for', async () => {
    const result = await migrate(workspace(STRICT, everything), { verify: false });
    expect(calls(result, 'src')).toEqual(['rewritten']);
    expect(check(result, '.')).toMatchObject({
      checked: false,
      note: '--no-verify',
      command: 'npx tsc --noEmit',
    });
  });

  test('is what a scan does', async () => {
    const result = await run({ command: 'scan', root: workspace(STRICT, everything), target: 'dual' });
    expect([calls(result, 'src'), result.verification.packages]).toEqual([['rewritten'], []]);
  });
});
