import { describe, expect, test } from 'vitest';
import { readFileStyle } from '../../src/codegen/file-style.js';
import { importStatement } from '../../src/codegen/import-statement.js';
import { inlineListen, streamListenStatement } from '../../src/codegen/listen.js';
import { findMarkers, isMarked, markerLine } from '../../src/codegen/marker.js';
import { freeName } from '../../src/codegen/names.js';
import { negotiationProperty } from '../../src/codegen/negotiation.js';

const plain = readFileStyle(`import a from 'a';\nf();\n`);
const bare = readFileStyle(`import a from "a"\r\nif (x) {\r\n\tf()\r\n}\r\n`);

describe('imports', () => {
  test('are written in the style of the file', () => {
    expect(importStatement('import', 'changeStream', 'changeStream', './s.js', plain)).toBe(
      `import { changeStream } from './s.js';`,
    );
    expect(importStatement('import', 'changeStream', 'other', './s', bare)).toBe(
      `import { changeStream as other } from "./s"`,
    );
    expect(importStatement('require', 'changeStream', 'other', './s.cjs', plain)).toBe(
      `const { changeStream: other } = require('./s.cjs');`,
    );
  });
});

describe('listen calls', () => {
  test('through the stream name the kinds and nothing else', () => {
    expect(
      streamListenStatement(
        'changeStream',
        'this.client',
        [
          { kind: 'toolsListChanged', when: 'true' },
          { kind: 'promptsListChanged', when: 'Boolean(a)' },
        ],
        plain,
      ),
    ).toBe(
      'await changeStream(this.client).listen({ toolsListChanged: true, promptsListChanged: Boolean(a) });',
    );
  });

  test('inline insist on their URI, in the indentation and line ends of the file', () => {
    expect(inlineListen('client', 'uri', undefined, 'subscription', '\t', bare).join('')).toBe(
      [
        'const subscription = await client.listen({ resourceSubscriptions: [uri] })',
        '\tif (!subscription.honoredFilter.resourceSubscriptions?.includes(uri)) {',
        '\t\tawait subscription.close()',
        '\t\tthrow new Error(`The server does not send updates of ${uri}`)',
        '\t}',
      ].join('\r\n'),
    );
  });
});

test('the opt-in is auto for both eras and a pin for the modern one', () => {
  expect(negotiationProperty('dual', plain)).toBe(`versionNegotiation: { mode: 'auto' }`);
  expect(negotiationProperty('modern', bare)).toBe(`versionNegotiation: { mode: { pin: "2026-07-28" } }`);
});

test('a free name is the first preferred one, else the last with a number', () => {
  expect(freeName(['a', 'b'], () => false)).toBe('a');
  expect(freeName(['a', 'b'], (name) => name === 'a')).toBe('b');
  expect(freeName(['a', 'b'], (name) => ['a', 'b', 'b2'].includes(name))).toBe('b3');
});

describe('markers', () => {
  test('are one comment line with the sentence and its rule', () => {
    expect(markerLine('see a\nb.ts', 'A1', '', plain)).toBe('// TODO(mcp-listen): see a\\nb.ts (A1)\n');
    expect(markerLine('decide this', 'no-resource-subscribe', '  ', plain)).toBe(
      '// TODO(mcp-listen): decide this (no-resource-subscribe)\n  ',
    );
  });

  test('are seen in the comments before a statement, also among others', () => {
    const text = 'a();\n// TODO(mcp-listen): x (A1)\n// more\nb();\nc();';
    const b = text.indexOf('b();');
    const c = text.indexOf('c();');
    expect(isMarked(text, text.indexOf(';') + 1, b)).toBe(true);
    expect(isMarked(text, b + 4, c)).toBe(false);
  });

  test('are found in line comments, block comments and JSX comments, never in strings', () => {
    const text = [
      '  // TODO(mcp-listen): one (A1)',
      '{/* TODO(mcp-listen): two (A2) */}',
      `const s = 'TODO(mcp-listen): no';`,
      'f(); // TODO(mcp-listen): three (A3)',
      '/*',
      ' * TODO(mcp-listen): four (A4)',
      ' */',
    ].join('\r\n');
    expect(findMarkers(text).map((marker) => marker.text)).toEqual([
      'TODO(mcp-listen): one (A1)',
      'TODO(mcp-listen): two (A2)',
      'TODO(mcp-listen): three (A3)',
      'TODO(mcp-listen): four (A4)',
    ]);
  });
});
