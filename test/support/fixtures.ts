/** The fixtures of codemods (`fixtures/README.md` says what a folder holds), read, varied and laid out for a run. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Target } from '../../src/codegen/negotiation.js';
import type { SiteOutcome } from '../../src/migration/result.js';

export const TARGETS: readonly Target[] = ['dual', 'modern'];

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of `fixtures/` that hold fixtures of codemods, by what they are about. */
export const KINDS = ['client', 'server', 'wire'] as const;

export type FixtureKind = (typeof KINDS)[number];

/** What stands in for packages that are not installed here, such as react. */
export const AMBIENT = join(REPOSITORY, 'fixtures/ambient.d.ts');

/** Below `node_modules`, so that imports of the SDK resolve to the installed one. */
export const WORKBENCH = join(REPOSITORY, 'node_modules/.cache/mcp-listen-fixtures');

/** One site, with what becomes of it under each target. */
export type ExpectedSite = { at: string; shape: string } & Record<Target, SiteOutcome>;

interface SitesFile {
  sites: ExpectedSite[];
  /** Where the managed stream's copy is created, per target; absent where none is. */
  stream?: Partial<Record<Target, string>>;
  /** Whether that copy imports by `import … = require(…)`, as the input does. */
  byRequire?: boolean;
  /** Lines apart from the sites that go with them, as `file:line`. */
  drops?: string[];
  /** Why the input does not type-check, where it does not. */
  invalid?: string;
}

export interface Fixture {
  readonly kind: FixtureKind;
  /** Unique among all kinds: it is the folder of its package when all are laid out side by side. */
  readonly name: string;
  readonly isDecoy: boolean;
  readonly manifest: string;
  /** By path relative to the fixture's package. */
  readonly input: ReadonlyMap<string, string>;
  /** The files that change, per target. */
  readonly expected: Readonly<Record<Target, ReadonlyMap<string, string>>>;
  readonly sites: readonly ExpectedSite[];
  readonly stream: Partial<Record<Target, string>>;
  readonly byRequire: boolean;
  readonly drops: readonly string[];
  readonly invalid: string | undefined;
  /** Files of the folder that mean nothing. */
  readonly stale: readonly string[];
}

/** What the package of a fixture depends on, unless it says so itself. */
const DEPENDENCIES: Readonly<Record<FixtureKind, readonly string[]>> = {
  client: ['@modelcontextprotocol/client'],
  server: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
  wire: [],
};

function manifestOf(kind: FixtureKind): string {
  const dependencies = DEPENDENCIES[kind].map((name) => `"${name}": "^2.4.0"`);
  const field = dependencies.length === 0 ? '' : `, "dependencies": { ${dependencies.join(', ')} }`;
  return `{ "name": "fixture", "private": true, "type": "module"${field} }\n`;
}

/** All fixtures of some kinds, by kind and name. */
export function readFixtures(kinds: readonly FixtureKind[] = KINDS): Fixture[] {
  return kinds.flatMap((kind) => {
    const folder = join(REPOSITORY, 'fixtures', kind);
    const names = existsSync(folder) ? readdirSync(folder).sort() : [];
    return names.map((name) => readFixture(kind, name));
  });
}

function readFixture(kind: FixtureKind, name: string): Fixture {
  const folder = join(REPOSITORY, 'fixtures', kind, name);
  const isDecoy = name.startsWith('decoy-');
  const used = new Set<string>();
  const part = (prefix: string): Map<string, string> => {
    const files = new Map<string, string>();
    for (const entry of readdirSync(folder)) {
      if (
        entry !== prefix &&
        !(entry.startsWith(`${prefix}.`) && !entry.slice(prefix.length + 1).includes('.'))
      )
        continue;
      for (const path of filesBelow(join(folder, entry))) {
        used.add(path);
        const isFolder = entry === prefix;
        files.set(
          isFolder ? slashed(relative(join(folder, entry), path)) : `input${entry.slice(prefix.length)}`,
          readFileSync(path, 'utf8'),
        );
      }
    }
    return files;
  };
  const input = part('input');
  const expected = { dual: part('expected.dual'), modern: part('expected.modern') };
  const own = (file: string): string | undefined => {
    const path = join(folder, file);
    if (!existsSync(path)) return undefined;
    used.add(path);
    return readFileSync(path, 'utf8');
  };
  const manifest = own('package.json') ?? manifestOf(kind);
  const sitesText = isDecoy ? undefined : own('sites.json');
  const { sites, stream, byRequire, drops, invalid } = JSON.parse(
    sitesText ?? '{ "sites": [] }',
  ) as SitesFile;
  const strays = TARGETS.flatMap((target) =>
    [...expected[target]].flatMap(([path, text]) =>
      isDecoy || input.get(path) === text || (!input.has(path) && input.has(`input${extname(path)}`))
        ? [`expected.${target}: ${path}`]
        : [],
    ),
  );
  return {
    kind,
    name,
    isDecoy,
    manifest,
    input,
    expected,
    sites,
    stream: stream ?? {},
    byRequire: byRequire ?? false,
    drops: drops ?? [],
    invalid,
    stale: [
      ...filesBelow(folder)
        .filter((path) => !used.has(path))
        .map((path) => slashed(relative(folder, path))),
      ...strays,
    ],
  };
}

/** All files below a folder, or the file itself. */
export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((entry) => filesBelow(join(path, entry)));
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** A way in which the same code may be stored; what is expected is stored the same way. */
export interface Variant {
  readonly name: string;
  /** `unit` is one level of the file's indentation. */
  readonly apply: (text: string, unit: string) => string;
  readonly eol: '\n' | '\r\n';
}

export const PLAIN: Variant = { name: 'as written', apply: (text) => text, eol: '\n' };

/** Two at a time, since they do not touch each other: every variant costs two runs per target. */
export const VARIANTS: readonly Variant[] = [
  {
    name: 'with CRLF and a byte order mark',
    apply: (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`,
    eol: '\r\n',
  },
  {
    name: 'with tabs and no final newline',
    apply: (text, unit) => withTabs(text, unit).replace(/\n+$/, ''),
    eol: '\n',
  },
];

function withTabs(text: string, unit: string): string {
  return text.replace(
    /^ +/gm,
    (lead) =>
      '\t'.repeat(Math.floor(lead.length / unit.length)) +
      lead.slice(lead.length - (lead.length % unit.length)),
  );
}

/** One level of indentation of a file whose levels are all the same. */
export function indentUnit(text: string): string {
  return /^ {2}[^\s*]/m.test(text) ? '  ' : '    ';
}

/** Writes the inputs of all fixtures below `root`, each a package of its own. */
export function layOut(root: string, fixtures: readonly Fixture[], variant: Variant): void {
  for (const fixture of fixtures) {
    write(join(root, fixture.name, 'package.json'), fixture.manifest);
    for (const [path, text] of fixture.input) {
      write(join(root, fixture.name, path), variant.apply(text, indentUnit(text)));
    }
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The text that a file of a fixture has after a run. */
export function expectedText(fixture: Fixture, target: Target, path: string, variant: Variant): string {
  const input = fixture.input.get(path) ?? '';
  return variant.apply(fixture.expected[target].get(path) ?? input, indentUnit(input));
}
