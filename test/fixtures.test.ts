/** Every fixture through every invariant: sites, bytes, syntax, types, second run, and other ways to store the code. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

import { diffLines } from 'diff';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Target } from '../src/codegen/negotiation.js';
import type { RunResult, SiteResult } from '../src/migration/result.js';
import { asCommonJs } from '../src/migration/commonjs-copy.js';
import { run } from '../src/migration/run.js';
import {
  AMBIENT,
  expectedText,
  filesBelow,
  layOut,
  PLAIN,
  readFixtures,
  TARGETS,
  VARIANTS,
  WORKBENCH,
  type Fixture,
} from './support/fixtures.js';

/** What the copies of the managed stream are copies of. */
const STREAM_SOURCE = new URL('../src/runtime/change-stream.ts', import.meta.url);

const fixtures = readFixtures();
const bench = join(WORKBENCH, String(process.pid));
const original = join(bench, 'original');
let originals: ts.Program;

beforeAll(() => {
  mkdirSync(bench, { recursive: true });
  // A repository of its own: in ours, everything below node_modules is ignored and would be passed over.
  execFileSync('git', ['init', '--quiet', bench]);
  layOut(original, fixtures, PLAIN);
  originals = programOf(original);
});

afterAll(() => {
  rmSync(bench, { recursive: true, force: true });
});

describe('the fixtures', () => {
  it('have names of their own', () => {
    const names = fixtures.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(fixtures)(
    '$name: every file is used, and only a decoy has no site',
    ({ stale, sites, isDecoy, input }) => {
      expect(stale).toEqual([]);
      expect(input.size).toBeGreaterThan(0);
      expect(sites.length > 0).toBe(!isDecoy);
    },
  );
});

describe.each(TARGETS)('--target %s', (target) => {
  describe.each([PLAIN, ...VARIANTS])('$name', (variant) => {
    const root = join(bench, `${target} ${variant.name}`);
    let first: RunResult;
    let second: RunResult;
    let settled: Map<string, string>;
    let streamSource: string;

    beforeAll(async () => {
      layOut(root, fixtures, variant);
      // One run for all: each fixture is a package of its own, and packages do not know of each other.
      first = await run({ command: 'migrate', root, target, force: true, verify: false });
      settled = contentsOf(root);
      streamSource = readFileSync(STREAM_SOURCE, 'utf8');
      second = await run({ command: 'migrate', root, target, force: true, verify: false });
    });

    it('reports no error', () => {
      expect([...first.errors, ...first.refusals, ...second.errors]).toEqual([]);
    });

    it('changes nothing and writes nothing the second time', () => {
      expect(second.changes.map(({ path }) => path)).toEqual([]);
      expect(contentsOf(root)).toEqual(settled);
    });

    it.each(fixtures)('$name', (fixture) => {
      const sites = sitesOf(first, fixture);
      const expectedSites = fixture.sites.map((site) => `${site.at} ${site.shape} ${site[target]}`);
      expect(
        sites.map((site) => `${pathOf(site, fixture)}:${String(site.line)} ${site.shape} ${site.outcome}`),
      ).toEqual(expectedSites);
      for (const path of fixture.input.keys()) {
        expect(settled.get(`${fixture.name}/${path}`), path).toBe(
          expectedText(fixture, target, path, variant),
        );
      }
      const created = [...settled.keys()].filter(
        (path) => path.startsWith(`${fixture.name}/`) && !isInput(path, fixture),
      );
      const others = createdIn(fixture, target);
      expect(created).toEqual([...streamOf(fixture, target), ...others].sort());
      for (const path of others) {
        const text = fixture.expected[target].get(path.slice(fixture.name.length + 1)) ?? '';
        expect(settled.get(path)).toBe(text.replaceAll('\n', variant.eol));
      }
      for (const copy of streamOf(fixture, target).filter((path) => /\.[cm]?ts$/.test(path))) {
        const expected = fixture.byRequire ? asCommonJs(streamSource) : streamSource;
        expect(settled.get(copy)).toBe(expected.replaceAll('\n', variant.eol));
      }
    });

    if (variant === PLAIN) {
      it.each(fixtures)(
        '$name: every line outside the sites is kept, at most with something put into it',
        (fixture) => {
          const sites = sitesOf(first, fixture);
          for (const [path, text] of fixture.input) {
            const lines = new Set(
              sites.filter((site) => pathOf(site, fixture) === path).flatMap((site) => linesOf(site, text)),
            );
            for (const drop of fixture.drops) {
              const [file, line] = drop.split(':');
              if (file === path) lines.add(Number(line));
            }
            expect(linesLost(text, settled.get(`${fixture.name}/${path}`) ?? '', lines), path).toEqual([]);
          }
        },
      );

      it('leaves no file with more syntax or type errors than it had', () => {
        const program = programOf(root);
        const faults = fixtures.flatMap((fixture) =>
          [...fixture.input.keys()].flatMap((path) => {
            const before = diagnosticsOf(originals, join(original, fixture.name, path));
            const after = diagnosticsOf(program, join(root, fixture.name, path));
            const isTyped = /\.[cm]?tsx?$/.test(path) && fixture.invalid === undefined;
            const found = [...(isTyped ? before : []), ...gained(before, after)];
            return found.map((message) => `${fixture.name}/${path}: ${message}`);
          }),
        );
        expect(faults).toEqual([]);
        for (const copy of oneOfEachExtension(fixtures.flatMap((fixture) => streamOf(fixture, target)))) {
          expect(diagnosticsOf(program, join(root, copy)), copy).toEqual([]);
        }
      });
    }
  });
});

function sitesOf({ sites }: RunResult, fixture: Fixture): SiteResult[] {
  return sites.filter(({ file }) => file.startsWith(`${fixture.name}/`));
}

function pathOf(site: SiteResult, fixture: Fixture): string {
  return site.file.slice(fixture.name.length + 1);
}

function streamOf(fixture: Fixture, target: Target): string[] {
  const stream = fixture.stream[target];
  return stream === undefined ? [] : [`${fixture.name}/${stream}`];
}

/** What else a run creates: the files of an expected folder that its input does not have. */
function createdIn({ name, expected, input }: Fixture, target: Target): string[] {
  return [...expected[target].keys()].filter((path) => !input.has(path)).map((path) => `${name}/${path}`);
}

/** The copies of the managed stream are the same for all packages of a kind. */
function oneOfEachExtension(paths: readonly string[]): string[] {
  return [...new Map(paths.map((path) => [extname(path), path])).values()];
}

function isInput(path: string, fixture: Fixture): boolean {
  return path === `${fixture.name}/package.json` || fixture.input.has(path.slice(fixture.name.length + 1));
}

/** Relative path to text. */
function contentsOf(root: string): Map<string, string> {
  return new Map(
    filesBelow(root).map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

/** The lines of a site; a comment right above it is about it and goes where it goes. */
function linesOf({ line, endLine }: SiteResult, text: string): number[] {
  const above = text.split('\n').slice(0, line - 1);
  let first = line;
  while (/^\s*(?:\/\/|\/?\*)/.test(above[first - 2] ?? '')) first -= 1;
  return Array.from({ length: endLine - first + 1 }, (_, index) => first + index);
}

/** The lines of `before`, but for `exempt` ones, whose characters are not all there, in order, where `after` differs. */
function linesLost(before: string, after: string, exempt: ReadonlySet<number>): string[] {
  const lost: string[] = [];
  let line = 1;
  let removed: { text: string; line: number }[] = [];
  const settle = (added: string): void => {
    let position = 0;
    for (const { text } of removed.filter((one) => !exempt.has(one.line))) {
      const start = position;
      for (const character of text.trim()) {
        const found = added.indexOf(character, position);
        if (found === -1) {
          lost.push(text);
          position = start;
          break;
        }
        position = found + 1;
      }
    }
    removed = [];
  };
  for (const part of diffLines(before, after)) {
    if (part.added) {
      settle(part.value);
      continue;
    }
    settle('');
    const texts = part.value.replace(/\n$/, '').split('\n');
    if (part.removed) removed = texts.map((text, index) => ({ text, line: line + index }));
    line += texts.length;
  }
  settle('');
  return lost;
}

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.Preserve,
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
};

/** All fixtures below a root in one program. */
function programOf(root: string): ts.Program {
  const files = filesBelow(root).filter((path) => !path.endsWith('.json'));
  return ts.createProgram([AMBIENT, ...files], COMPILER_OPTIONS, hostOfAll());
}

const declarations = new Map<string, ts.SourceFile | undefined>();

/** Declarations of packages and of the language are the same for all programs, and are parsed once. */
function hostOfAll(): ts.CompilerHost {
  const host = ts.createCompilerHost(COMPILER_OPTIONS, true);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (path.startsWith(bench)) return read(path, ...rest);
    if (!declarations.has(path)) declarations.set(path, read(path, ...rest));
    return declarations.get(path);
  };
  return host;
}

function diagnosticsOf(program: ts.Program, path: string): string[] {
  const file = program.getSourceFile(path);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ code, messageText }) => `${String(code)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

/** The messages of `after` that `before` does not have, counted. */
function gained(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  return after.filter((message) => {
    const index = left.indexOf(message);
    if (index === -1) return true;
    left.splice(index, 1);
    return false;
  });
}
