// Where the import of the managed stream goes in a file that imports nothing: behind what belongs to the file as a whole.
import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import { importEdit, streamName } from '../../codemods/client/stream-import.js';
import { createSourceUnit, type SourceUnit } from '../../src/analysis/source-unit.js';
import { applyEdits } from '../../src/migration/edits.js';

const IMPORT = "import { changeStream } from './mcp-change-stream.js';\n";
const CODE = 'run();\n';

function unitOf(text: string): SourceUnit {
  const file = '/project/watch.ts';
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  return createSourceUnit({ file, path: 'watch.ts', package: '.', text }, tree);
}

function withImport(text: string): string {
  const unit = unitOf(text);
  const edit = importEdit(unit, './mcp-change-stream.js');
  return edit === undefined ? text : applyEdits(text, [edit]);
}

describe('the import comes behind', () => {
  it.each([
    ['a hashbang', '#!/usr/bin/env node\n', ''],
    ['a directive', "'use client';\n", ''],
    ['a comment and a directive', "// Copyright\n'use strict';\n", ''],
    ['a comment with an empty line behind it', '// Watches resources.\n', '\n'],
  ])('%s', (_, head, gap) => {
    expect(withImport(head + gap + CODE)).toBe(head + IMPORT + gap + CODE);
  });

  it.each([
    ['a hashbang and @ts-check', '#!/usr/bin/env node\n// @ts-check\n'],
    ['a hashbang and a sentence', '#!/usr/bin/env node\n// Watches resources.\n'],
    ['a hashbang and a licence in a block', '#!/usr/bin/env node\n/*\n * Copyright Somebody\n */\n'],
    ['@ts-check without a hashbang', '// @ts-check\n'],
    ['@ts-nocheck under an empty line', '// Copyright Somebody\n\n// @ts-nocheck\n'],
    ['eslint-disable', '/* eslint-disable no-console */\n'],
    ['a reference', "/// <reference types='node' />\n"],
    ['a licence', '/*! MIT */\n'],
  ])('%s, with an empty line before the code', (_, head) => {
    expect(withImport(head + CODE)).toBe(`${head}${IMPORT}\n${CODE}`);
  });
});

describe('the import comes before a comment that belongs to the code below it', () => {
  it.each([
    ['a sentence', '', '// Runs.\n', '\n'],
    ['a documentation comment', '', '/** Runs. */\n', '\n'],
    ['a documentation comment below a hashbang', '#!/usr/bin/env node\n', '/** Runs. */\n', ''],
    ['eslint-disable-next-line', '', '// eslint-disable-next-line no-undef\n', '\n'],
    [
      'eslint-disable-next-line below a hashbang',
      '#!/usr/bin/env node\n',
      '// eslint-disable-next-line\n',
      '',
    ],
    ['@ts-expect-error below a hashbang', '#!/usr/bin/env node\n', '// @ts-expect-error none\n', ''],
    ['a marker below a hashbang', '#!/usr/bin/env node\n', '// TODO(mcp-listen): decide (A1)\n', ''],
  ])('%s', (_, head, comment, gap) => {
    expect(withImport(head + comment + CODE)).toBe(head + IMPORT + gap + comment + CODE);
  });
});

describe('TypeScript imports it as it imports by itself:', () => {
  it.each([
    ["import sdk = require('sdk');\n", "import mcpChangeStream = require('./mcp-change-stream.js');\n", true],
    [
      "import type { Client } from 'sdk';\n",
      "import mcpChangeStream = require('./mcp-change-stream.js');\n",
      true,
      'export = { run };\n',
    ],
    [
      "const { Client } = require('sdk');\n",
      "const { changeStream } = require('./mcp-change-stream.js');\n",
      false,
    ],
    ["import sdk = require('sdk');\nimport 'other';\n", IMPORT, false],
    ["import sdk = require('sdk');\n", IMPORT, false, 'export const one = 1;\n'],
    ["import type { Client } from 'sdk';\n", IMPORT, false, 'export type Own = Client;\n'],
  ])('%s', (head, added, isMember, end = CODE) => {
    expect(withImport(head + end)).toBe(head + added + end);
    expect(streamName(unitOf(head + end))).toBe(isMember ? 'mcpChangeStream.changeStream' : 'changeStream');
    expect(withImport(head + added + end)).toBe(head + added + end);
  });

  it.each([
    "import * as streams from './mcp-change-stream.js';",
    "const streams = require('./mcp-change-stream.js');",
  ])('and the whole module, once it is imported: %s', (text) => {
    expect(streamName(unitOf(text))).toBe('streams.changeStream');
    expect(withImport(text)).toBe(text);
  });
});
