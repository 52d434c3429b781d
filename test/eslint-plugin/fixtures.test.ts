// The rules against the codemods: what `scan` finds, `migration` reports; what `migrate` writes, `recommended` accepts.
import { describe, expect, it } from 'vitest';
import plugin from '../../eslint-plugin/src/index.js';
import { type ExpectedSite, readFixtures, TARGETS } from '../support/fixtures.js';
import { TYPESCRIPT } from './support/parsers.js';

/** Shapes that a scan lists and a rule has no reason to report. */
const NOT_REPORTED: Readonly<Record<string, string>> = {
  R12: 'code inside a string is found by a search of the text alone',
  ERA: 'the making of a client: right as it is until the client is moved',
  LEGACY_CALL: 'a call that keeps its client on 2025, where it works',
  C2: 'methods out of a table: a rule does not work out which ones',
  C3: 'the fallback is told of everything: what opens its stream is not to be said here',
  C5: 'a receiver or a method that cannot be read: scan marks it, a rule stays silent',
  C6: 'taking a handler away is right in both eras',
  C7: 'the option opens its own stream; what watches it is the business of watch-subscription-end',
  E3: 'a type does nothing by itself',
  M: 'tests and mocks follow the code that they are about',
};

/** Single fixtures in which one file does not tell what the whole program does. */
const OUT_OF_SIGHT: Readonly<Record<string, string>> = {
  'blocked-by-unreadable-calls': 'the name of the method is chosen at run time',
  'c7-list-changed-option': 'what the option does not cover is not worked out',
  'forked-by-another-client': 'any question for the era counts as one for the client',
  'partly-migrated': 'the client is imported from another file of the package',
};

/** Reports on migrated code that are right: what they are about was there before. */
const RIGHTLY_REPORTED: Readonly<Record<string, string>> = {
  'c7-list-changed-option': 'nothing reads autoOpenedSubscription, which scan reports, too',
  'e1-client-stays-legacy': 'a client that stays on 2025 in a code base that is said to be modern',
  'e3-copied-option-types': 'the same',
  'forked-in-part': "the user's own listen, which nobody checks or watches",
};

/** Clients alone: a rule sees one file, and of a server, what is to be moved depends on the entry that serves it, often in another. */
const fixtures = readFixtures(['client']);

describe.each(fixtures)('$name', (fixture) => {
  const reported = [...fixture.input].flatMap(([path, text]) => reports(path, text, 'migration', 'dual'));
  const lines = unique(reported.map(({ at }) => at));

  it('is reported under `migration` wherever `scan` finds something to move', () => {
    const missing = fixture.sites
      .filter(isToBeMoved)
      .filter((site) => !lines.some((line) => isAt(site, line)));
    expect(missing.map(({ at }) => at).filter(() => OUT_OF_SIGHT[fixture.name] === undefined)).toEqual([]);
  });

  it('is reported under `migration` nowhere else', () => {
    const elsewhere = lines.filter((line) => !fixture.sites.some((site) => isAt(site, line)));
    expect(elsewhere.filter(() => RIGHTLY_REPORTED[fixture.name] === undefined)).toEqual([]);
  });

  it.each(TARGETS)('is clean under `recommended` once it is migrated to %s', (target) => {
    const left = [...fixture.input].flatMap(([path, text]) =>
      reports(path, fixture.expected[target].get(path) ?? text, 'recommended', target),
    );
    const unexpected = left.filter(({ rule }) => rule !== 'no-unfinished-migration');
    expect(unexpected.length > 0 && RIGHTLY_REPORTED[fixture.name] === undefined ? unexpected : []).toEqual(
      [],
    );
  });
});

function isToBeMoved({ shape, dual }: ExpectedSite): boolean {
  return dual !== 'kept' && NOT_REPORTED[shape] === undefined;
}

/** Whether a report is about a site. A site of E1 is the object of options, a report one of the tokens in it. */
function isAt({ at, shape }: ExpectedSite, line: string): boolean {
  const [path, start = ''] = at.split(':');
  const [reportedPath, reportedLine = ''] = line.split(':');
  const below = Number(reportedLine) - Number(start);
  return path === reportedPath && below >= 0 && below <= (shape === 'E1' ? 3 : 0);
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
