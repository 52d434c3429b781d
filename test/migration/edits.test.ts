import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../../src/codegen/edit.js';
import { applyEdits, findOverlap } from '../../src/migration/edits.js';

const edit = (start: number, end: number, text: string): Edit => ({ start, end, text, reason: 'test' });

describe('edits', () => {
  test('are applied in the order of their places, whatever order they come in', () => {
    expect(applyEdits('abcdef', [edit(4, 5, 'E'), edit(0, 1, 'A'), edit(2, 2, '-')])).toBe('Ab-cdEf');
  });

  test('at one place keep the order they were given in', () => {
    expect(applyEdits('ab', [edit(1, 1, '1'), edit(1, 1, '2')])).toBe('a12b');
  });

  test('an insertion at the border of another edit is no overlap', () => {
    const edits = [edit(0, 2, 'x'), edit(2, 2, 'y'), edit(2, 4, 'z')];
    expect(findOverlap(edits)).toBeUndefined();
    expect(applyEdits('abcd', edits)).toBe('xyz');
  });

  test('that overlap are found, and refused', () => {
    const edits = [edit(0, 3, 'x'), edit(2, 4, 'y')];
    expect(findOverlap(edits)).toEqual({ first: edits[0], second: edits[1] });
    expect(() => applyEdits('abcd', edits)).toThrow(/overlaps or is out of range/);
  });

  test('out of range are refused', () => {
    expect(() => applyEdits('ab', [edit(1, 3, '')])).toThrow(RangeError);
  });

  test('leave every character outside them as it was', () => {
    const cuts = fc.uniqueArray(fc.nat(40), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.string({ minLength: 41, maxLength: 60 }),
        cuts,
        fc.string(),
        (text, points, replacement) => {
          const sorted = points.sort((a, b) => a - b);
          const edits: Edit[] = [];
          for (let index = 0; index + 1 < sorted.length; index += 2) {
            edits.push(edit(sorted[index] ?? 0, sorted[index + 1] ?? 0, replacement));
          }
          let expected = '';
          let position = 0;
          for (const { start, end } of edits) {
            expected += text.slice(position, start) + replacement;
            position = end;
          }
          expect(applyEdits(text, [...edits].reverse())).toBe(expected + text.slice(position));
        },
      ),
    );
  });
});
