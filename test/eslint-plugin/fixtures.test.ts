// The rules against the codemods: what `scan` finds, `migration` reports; what `migrate` writes, `recommended` accepts.
import { describe, expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import { type ExpectedSite, readFixtures, TARGETS } from '../support/client-fixtures.js';
import { TYPESCRIPT } from './support/parsers.js';

/** Shapes that a scan lists and a rule has no reason to report. */
const NOT_REPORTED: Readonly<Record<string, string>> = {
  ERA: 'the making of a client: right as it is until the client is moved',
  E3: 'a type: what is given by it is reported where a call is given it',
  LEGACY_CALL: 'a call that keeps its client on 2025, where it works',
};

const fixtures = readFixtures();

describe.each(fixtures)('$name', (fixture) => {
  const reported = [...fixture.input].flatMap(([path, text]) => reports(path, text, 'migration', 'dual'));
  const lines = unique(reported.map(({ at }) => at));

  it('is reported under `migration` wherever `scan` finds something to move', () => {
    const found = fixture.sites.filter(isToBeMoved).map(({ at }) => lineOf(at));
    expect(lines).toEqual(expect.arrayContaining(unique(found)));
  });

  it('is reported under `migration` nowhere else', () => {
    const sites = fixture.sites.map(({ at }) => lineOf(at));
    expect(lines.filter((line) => !sites.includes(line))).toEqual([]);
  });

  it.each(TARGETS)('is clean under `recommended` once it is migrated to %s', (target) => {
    const left = [...fixture.input].flatMap(([path, text]) =>
      reports(path, fixture.expected[target].get(path) ?? text, 'recommended', target),
    );
    expect(left.filter(({ rule }) => rule !== 'no-unfinished-migration')).toEqual([]);
  });
});

function isToBeMoved({ shape, dual }: ExpectedSite): boolean {
  return dual !== 'kept' && NOT_REPORTED[shape] === undefined;
}

function lineOf(at: string): string {
  return at.split(':').slice(0, 2).join(':');
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort();
}

function reports(
  path: string,
  text: string,
  preset: 'migration' | 'recommended',
  target: 'dual' | 'modern',
): { at: string; rule: string }[] {
  const { Linter, languageOptions } = TYPESCRIPT;
  const sourceType = path.endsWith('.cjs') || path.endsWith('.cts') ? 'commonjs' : 'module';
  return new Linter()
    .verify(
      text,
      [
        {
          files: ['**/*.*'],
          languageOptions: { ...languageOptions, sourceType },
          settings: { 'mcp-listen': { packageIndex: false, target } },
        },
        plugin.configs[preset],
      ],
      { filename: path },
    )
    .map(({ ruleId, line, message }) => ({
      at: `${path}:${String(line)}`,
      rule: ruleId?.replace('mcp-listen/', '') ?? message,
    }));
}
