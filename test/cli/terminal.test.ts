import { describe, expect, it } from 'vitest';
import { faultMessage } from '../../src/cli/fault.js';
import { progressOn } from '../../src/cli/progress.js';
import { appearanceOf } from '../../src/cli/terminal.js';

const colours = (isTTY: boolean, environment: NodeJS.ProcessEnv) =>
  appearanceOf({ isTTY }, environment, '/').colors.red('x') !== 'x';

describe('a terminal', () => {
  it('has colours and a width, a pipe neither', () => {
    expect(colours(true, {})).toBe(true);
    expect(colours(false, {})).toBe(false);
    expect(appearanceOf({ isTTY: true, columns: 80 }, {}, '/').width).toBe(80);
    expect(appearanceOf({ columns: 80 }, {}, '/').width).toBe(Infinity);
  });

  it('has no colours where NO_COLOR is set or it is dumb', () => {
    expect(colours(true, { NO_COLOR: '1' })).toBe(false);
    expect(colours(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
    expect(colours(true, { NO_COLOR: '' })).toBe(true);
    expect(colours(true, { TERM: 'dumb' })).toBe(false);
    expect(colours(true, { FORCE_COLOR: '0' })).toBe(false);
  });

  it('shows one line of progress and takes it away', () => {
    const written: string[] = [];
    const progress = progressOn({ isTTY: true, write: (text: string) => written.push(text) });
    progress.show('listing');
    progress.show('analysing');
    progress.clear();
    expect(written).toEqual([
      '\r\x1B[2Kmcp-listen: listing files …',
      '\r\x1B[2Kmcp-listen: analysing …',
      '\r\x1B[2K',
    ]);
  });

  it('is not assumed: a pipe gets no progress', () => {
    const written: string[] = [];
    const progress = progressOn({ write: (text: string) => written.push(text) });
    progress.show('listing');
    progress.clear();
    expect(written).toEqual([]);
  });
});

describe('a fault of ours', () => {
  it('is one line with what to do, and a stack for whoever asks', () => {
    const error = new Error('it broke\nin two places');
    expect(faultMessage(error, false).split('\n').slice(0, 2)).toEqual([
      'mcp-listen: internal error: it broke',
      expect.stringContaining('Please report it'),
    ]);
    expect(faultMessage(error, false)).not.toContain('terminal.test.ts');
    expect(faultMessage(error, true)).toContain('terminal.test.ts');
    expect(faultMessage('a text', true)).toMatch(/^mcp-listen: internal error: a text\n/);
  });
});
