import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { colouredDiff, unifiedDiff } from '../../src/reporting/diff.js';
import { git, repositoryWith } from '../workspace/folder.js';

interface Change {
  path: string;
  before: string | undefined;
  after: string;
}

const changesOf = (changes: Change[]) =>
  changes.map((change) => ({ ...change, file: `/project/${change.path}` }));

describe('the unified diff', () => {
  it('is that of git: three lines of context, a/ and b/, one hunk for each place', () => {
    const before = ['1', '2', '3', '4', 'old', '6', '7', '8', '9', ''].join('\n');
    const after = before.replace('old', 'new');
    expect(unifiedDiff(changesOf([{ path: 'src/a.ts', before, after }]))).toBe(
      [
        '--- a/src/a.ts',
        '+++ b/src/a.ts',
        '@@ -2,7 +2,7 @@',
        ' 2',
        ' 3',
        ' 4',
        '-old',
        '+new',
        ' 6',
        ' 7',
        ' 8',
        '',
      ].join('\n'),
    );
  });

  it('has /dev/null for a file that is created', () => {
    expect(unifiedDiff(changesOf([{ path: 'src/new.ts', before: undefined, after: 'one\n' }]))).toBe(
      ['--- /dev/null', '+++ b/src/new.ts', '@@ -0,0 +1,1 @@', '+one', ''].join('\n'),
    );
  });

  it.each<[string, Change[]]>([
    [
      'several files',
      [
        { path: 'a.ts', before: 'a\n', after: 'b\n' },
        { path: 'src/b.ts', before: 'one\ntwo\n', after: 'one\ntwo\nthree\n' },
      ],
    ],
    ['CRLF', [{ path: 'a.ts', before: 'one\r\ntwo\r\nthree\r\n', after: 'one\r\n2\r\n\r\nthree\r\n' }]],
    ['mixed line ends', [{ path: 'a.ts', before: 'one\r\ntwo\nthree\r\n', after: 'one\r\n2\nthree\r\n' }]],
    ['no final newline', [{ path: 'a.ts', before: 'one\ntwo', after: 'one\n2' }]],
    ['a final newline that is added', [{ path: 'a.ts', before: 'one\ntwo', after: 'one\ntwo\n' }]],
    ['a created file', [{ path: 'src/deep/new.ts', before: undefined, after: 'one\r\ntwo' }]],
    ['a byte order mark', [{ path: 'a.ts', before: '\uFEFFone\ntwo\n', after: '\uFEFFone\n2\n' }]],
    [
      'names with spaces and other letters',
      [
        { path: 'my src/a file.ts', before: 'a\n', after: 'b\n' },
        { path: 'src/größe "x".ts', before: 'a\n', after: 'b\n' },
      ],
    ],
    [
      'lines that look like a header',
      [{ path: 'a.ts', before: '-- x\n++ y\n', after: '++ y\n-- x\n@@ z\n' }],
    ],
  ])('can be applied by git: %s', (_, changes) => {
    const files = changes.flatMap(({ path, before }) => (before === undefined ? [] : [[path, before]]));
    const repository = repositoryWith({ '.gitattributes': '* -text\n', ...Object.fromEntries(files) });
    const patch = join(repository, 'the.patch');
    writeFileSync(patch, unifiedDiff(changesOf(changes)));
    git(repository, 'apply', '--check', '--whitespace=nowarn', patch);
    git(repository, 'apply', '--whitespace=nowarn', patch);
    rmSync(patch);
    for (const { path, after } of changes) expect(readFileSync(join(repository, path), 'utf8')).toBe(after);
  });

  it('is empty where nothing changes', () => {
    expect(unifiedDiff([])).toBe('');
  });

  it('has colours on a terminal, by the kind of each line', () => {
    const before = '-- x\nsame\n';
    const after = '++ y\nsame\n';
    expect(colouredDiff(changesOf([{ path: 'a.ts', before, after }]), pc.createColors(true))).toBe(
      [
        '\x1B[1m--- a/a.ts\x1B[22m',
        '\x1B[1m+++ b/a.ts\x1B[22m',
        '\x1B[36m@@ -1,2 +1,2 @@\x1B[39m',
        '\x1B[31m--- x\x1B[39m',
        '\x1B[32m+++ y\x1B[39m',
        ' same',
        '',
      ].join('\n'),
    );
  });
});
