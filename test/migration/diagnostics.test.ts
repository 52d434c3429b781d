import { expect, test } from 'vitest';
import { briefly, gainedFaults, type TypeFault } from '../../src/migration/diagnostics.js';
import { movedPosition, rangesAfter } from '../../src/migration/edit-places.js';

const fault = (code: number, message: string, start: number): TypeFault => ({
  ...{ file: '/p/a.ts', code, message, start },
  enclosing: [],
});

test('an error that only moved is not gained', () => {
  const before = [fault(2322, 'a', 10), fault(2322, 'b', 20)];
  expect(gainedFaults(before, [fault(2322, 'b', 3), fault(2322, 'a', 99)], (place) => place)).toEqual([]);
});

test('of two errors with the same words the one in a new place is gained', () => {
  const after = [fault(2304, 'x', 5), fault(2304, 'x', 30)];
  expect(gainedFaults([fault(2304, 'x', 10)], after, (place) => place + 20)).toEqual([after[0]]);
  expect(gainedFaults([fault(2304, 'x', 10)], after, (place) => place - 5)).toEqual([after[1]]);
});

test('the same message under another code is gained', () => {
  expect(gainedFaults([fault(1, 'x', 0)], [fault(2, 'x', 0)], (place) => place)).toHaveLength(1);
});

test('an error is quoted by its first sentence, without paths of the machine and in one line', () => {
  const quoted = (message: string): string => briefly({ code: 2322, message }, '/home/me/app');
  expect(quoted(`Type 'import("/home/me/app/node_modules/x/index").Client' is not assignable.\n  Why`)).toBe(
    `TS2322: Type 'Client' is not assignable`,
  );
  expect(quoted(`Cannot find name 'a'. Did you mean 'b'?`)).toBe(`TS2322: Cannot find name 'a'`);
  expect(quoted(`Module '"/home/me/app/src/a"' has no exported member 'b'.`)).toBe(
    `TS2322: Module '"src/a"' has no exported member 'b'`,
  );
  expect(quoted('x'.repeat(200))).toBe(`TS2322: ${'x'.repeat(139)}…`);
});

test('places are found again in the edited text', () => {
  const edits = [
    { start: 0, end: 0, text: 'await ', reason: '' },
    { start: 4, end: 6, text: '', reason: '' },
  ];
  expect([0, 3, 6, 9].map((place) => movedPosition(edits, place))).toEqual([6, 9, 10, 13]);
  expect([...rangesAfter(edits).values()]).toEqual([
    { start: 0, end: 6 },
    { start: 10, end: 10 },
  ]);
});
