// Frames: stretches that are wrapped, indented or moved as a whole while other edits are made in them.
import { describe, expect, it } from 'vitest';
import type { Edit } from '../../src/codegen/edit.js';
import { applyEdits, findOverlap } from '../../src/migration/edits.js';
import { withoutFrames } from '../../src/migration/frames.js';

const TEXT = 'a();\nb(`x\ny`);\n\nc();\nd();\n';
const at = (part: string): number => TEXT.indexOf(part);

function edit(start: number, end: number, text: string, frame?: Edit['frame']): Edit {
  return frame === undefined
    ? { start, end, text, reason: 'test' }
    : { start, end, text, reason: 'test', frame };
}

function applied(...edits: Edit[]): string {
  expect(findOverlap(edits)).toBeUndefined();
  return applyEdits(TEXT, withoutFrames(TEXT, edits));
}

const wrapped = edit(at('b('), at('d('), '', {
  open: 'f(() => {\n',
  close: '});\n',
  indent: { by: '  ', lines: [at('b('), at('c(')] },
});

describe('a frame', () => {
  it('wraps and indents the lines it names: not those inside a template, nor empty ones', () => {
    expect(applied(wrapped)).toBe('a();\nf(() => {\n  b(`x\ny`);\n\n  c();\n});\nd();\n');
  });

  it('has the edits inside it, which are indented with it', () => {
    const marker = edit(at('c('), at('c('), '// why\n');
    const behind = edit(at('c();') + 4, at('c();') + 4, '\ne();');
    expect(applied(marker, wrapped, behind)).toBe(
      'a();\nf(() => {\n  b(`x\ny`);\n\n  // why\n  c();\n  e();\n});\nd();\n',
    );
  });

  it('leaves no indentation of a line that is removed', () => {
    expect(applied(wrapped, edit(at('c('), at('d('), ''))).toBe(
      'a();\nf(() => {\n  b(`x\ny`);\n\n});\nd();\n',
    );
    expect(applied(wrapped, edit(at('\nc('), at('\nd('), ''))).toBe(
      'a();\nf(() => {\n  b(`x\ny`);\n\n});\nd();\n',
    );
  });

  it('moves with the edits inside it, in front of another frame', () => {
    const moved = edit(at('c('), at('d('), '', { to: at('b(') });
    const inner = { ...wrapped, frame: { ...wrapped.frame, indent: { by: '  ', lines: [at('b(')] } } };
    expect(applied(moved, inner, edit(at('c('), at('c(') + 1, 'see'))).toBe(
      'a();\nsee();\nf(() => {\n  b(`x\ny`);\n\n});\nd();\n',
    );
  });

  it('overlaps with what crosses its border', () => {
    expect(findOverlap([wrapped, edit(at('c('), at('d(') + 1, '')])).toBeDefined();
    expect(findOverlap([edit(0, 3, ''), wrapped, edit(1, 2, '')])).toBeDefined();
    expect(
      findOverlap([wrapped, edit(at('c('), at('c(') + 2, ''), edit(at('c('), at('c(') + 1, '')]),
    ).toBeDefined();
  });
});
