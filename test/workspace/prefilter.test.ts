import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsToken, scanForTokens } from '../../src/workspace/prefilter.js';
import { MAXIMUM_BYTES } from '../../src/workspace/source-text.js';
import { tokenSearch } from '../../src/workspace/token-search.js';
import { folderWith } from './folder.js';

const TOKENS = ['subscribeResource', 'list_changed', 'eventStore'];

function scan(files: Readonly<Record<string, string | Buffer>>, tokens: readonly string[] = TOKENS) {
  const folder = folderWith(files);
  const { candidates, problems } = scanForTokens(
    Object.keys(files).map((name) => join(folder, name)),
    tokens,
  );
  return {
    candidates: candidates.map(({ file, bytes }) => [file.slice(folder.length + 1), bytes.toString()]),
    problems: problems.map(({ file, message }) => `${file.slice(folder.length + 1)}: ${message}`),
  };
}

describe('the scan', () => {
  it('gives files with a token and their bytes, and nothing of the others', () => {
    expect(
      scan({
        'a.ts': 'client.subscribeResource({ uri });',
        'b.ts': 'client.subscribe();',
        'c.ts': "'notifications/tools/list_changed'",
        'empty.ts': '',
        'd.ts': 'x',
      }),
    ).toEqual({
      candidates: [
        ['a.ts', 'client.subscribeResource({ uri });'],
        ['c.ts', "'notifications/tools/list_changed'"],
      ],
      problems: [],
    });
  });

  it('is not fooled by what a longer file has left in the buffer', () => {
    const files = { 'a.ts': `${' '.repeat(100)}eventStore`, 'b.ts': ' '.repeat(50) };
    expect(scan(files).candidates.map(([name]) => name)).toEqual(['a.ts']);
  });

  it('gives each candidate bytes of its own', () => {
    const files = { 'a.ts': 'eventStore 1', 'b.ts': 'eventStore 2' };
    expect(scan(files).candidates.map(([, text]) => text)).toEqual(['eventStore 1', 'eventStore 2']);
  });

  it.each([
    ['little', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['big', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('reports UTF-16 (%s endian) that has a token instead of missing it', (_, encode) => {
    const files = { 'a.ts': encode('// eventStore'), 'b.ts': encode('// nothing') };
    expect(scan(files)).toEqual({
      candidates: [],
      problems: ['a.ts: encoded as UTF-16: save it as UTF-8 and run again'],
    });
  });

  it('reports a file that is too large only when it has a token, wherever that lies', () => {
    const filling = Buffer.alloc(2 * MAXIMUM_BYTES + 1000, ' ');
    const at = (offset: number) =>
      Buffer.concat([filling.subarray(0, offset), Buffer.from('eventStore'), filling]);
    const { candidates, problems } = scan({
      'start.js': at(0),
      'across the buffer.js': at(MAXIMUM_BYTES - 4),
      'later.js': at(2 * MAXIMUM_BYTES - 10),
      'none.js': filling,
    });
    expect(candidates).toEqual([]);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'start.js',
      'across the buffer.js',
      'later.js',
    ]);
    expect(problems[0]).toMatch(/larger than 4 MiB/);
  });

  it('reports files that cannot be read and goes on', () => {
    const folder = folderWith({ 'b.ts': 'eventStore' });
    mkdirSync(join(folder, 'folder.ts'));
    const files = ['none.ts', 'folder.ts', 'b.ts'].map((name) => join(folder, name));
    const { candidates, problems } = scanForTokens(files, TOKENS);
    expect(candidates.map(({ file }) => file)).toEqual([join(folder, 'b.ts')]);
    expect(problems).toEqual([
      {
        file: files[0],
        message: 'was deleted since it was listed: run again',
      },
      {
        file: files[1],
        message: 'could not be read (EISDIR: illegal operation on a directory): check its permissions',
      },
    ]);
  });

  it('finds nothing when nobody looks for anything', () => {
    expect(scan({ 'a.ts': 'eventStore' }, [])).toEqual({ candidates: [], problems: [] });
  });
});

describe('the search for tokens', () => {
  it('agrees with a plain search on any bytes', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 40 });
    const tokens = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 2, maxLength: 6 }),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(letters, tokens, (text, wanted) => {
        const expected = wanted.some((token) => text.includes(token));
        expect(tokenSearch(wanted)(Buffer.from(text))).toBe(expected);
        expect(containsToken(Buffer.from(text), wanted)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds tokens longer than its table counts', () => {
    const token = 'x'.repeat(400) + 'y';
    expect(tokenSearch([token])(Buffer.from(`${'x'.repeat(1000)}y`))).toBe(true);
    expect(tokenSearch([token])(Buffer.from(`${'x'.repeat(399)}y`))).toBe(false);
  });

  it('refuses a token of one character, which would make every file a candidate', () => {
    expect(() => tokenSearch(['ab', 'c'])).toThrow('a token needs at least two characters');
  });
});
