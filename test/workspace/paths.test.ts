import { expect, it } from 'vitest';
import { isInside, relativePosix, toPosix } from '../../src/workspace/paths.js';

it('paths in reports are relative to the root, which itself is a dot', () => {
  expect(relativePosix('/r', '/r/src/a.ts')).toBe('src/a.ts');
  expect(relativePosix('/r', '/r')).toBe('.');
  expect(relativePosix('/r/packages', '/r/a.ts')).toBe('../a.ts');
});

it('a folder holds itself and what lies below, not what merely begins alike', () => {
  expect(isInside('/r', '/r')).toBe(true);
  expect(isInside('/r', '/r/a/b.ts')).toBe(true);
  expect(isInside('/r', '/r/..a.ts')).toBe(true);
  expect(isInside('/r', '/r-more/a.ts')).toBe(false);
  expect(isInside('/r/a', '/r')).toBe(false);
  expect(isInside('/', '/r')).toBe(true);
});

it('forward slashes stay as they are', () => {
  expect(toPosix('a/b.ts')).toBe('a/b.ts');
});
