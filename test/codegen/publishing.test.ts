import { expect, test } from 'vitest';
import { modernOr } from '../../src/codegen/era-guard.js';
import { readFileStyle } from '../../src/codegen/file-style.js';
import { notifyCall } from '../../src/codegen/publish.js';

test('a change is published by the notifier of its handler, an update with its URI', () => {
  expect(notifyCall('handler', { notify: 'toolsChanged' })).toBe('handler.notify.toolsChanged()');
  expect(notifyCall('this.mcp', { notify: 'resourceUpdated' }, 'row.uri')).toBe(
    'this.mcp.notify.resourceUpdated(row.uri)',
  );
});

test('the era is asked in front of a gate, in the quotes of the file', () => {
  expect(modernOr('ctx.era', 'watched.has(uri)', readFileStyle(`import a from "a";\n`))).toBe(
    'ctx.era === "modern" || watched.has(uri)',
  );
});
