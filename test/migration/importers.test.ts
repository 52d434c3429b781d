import { expect, test } from 'vitest';
import { createImporterFinder } from '../../src/migration/importers.js';
import { findPackages } from '../../src/workspace/packages.js';
import { toPosix } from '../../src/workspace/paths.js';
import { folderWith } from '../workspace/folder.js';

const TEXTS = {
  'package.json': '{ "name": "app" }',
  'core/package.json': '{ "name": "@acme/core" }',
  'core/index.ts': '',
  'core/connection.ts': '',
  'a.ts': `import { client } from './core/connection.js';`,
  'b.ts': `import type { Client } from "./core/connection";`,
  'c.ts': `const { client } = require('./core/connection.ts');`,
  'd.ts': `const later = await import('@/core/connection');`,
  'e.ts': `export * from '#connection.js';`,
  'f.ts': `import { client } from '@acme/core/connection';`,
  'g.ts': `import { client } from '@acme/core';`,
  'h.ts': `import * as core from './core';`,
  'core/i.ts': `import * as core from '.';`,
  'core/deep/j.ts': `import * as core from '..';`,
  'other/connection.ts': '',
  'other/k.ts': `import { connection } from './connection.js'; // not that of core/connection`,
  'l.ts': `import { connect } from 'node:net';`,
};

function importersOf(path: string): string[] {
  const root = toPosix(folderWith(TEXTS));
  const files = Object.keys(TEXTS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${root}/${file}`);
  const { importersOf: find } = createImporterFinder(files, findPackages(root, files));
  return [...find([`${root}/${path}`]).keys()].map((file) => file.slice(root.length + 1));
}

test('a file is imported by its path, an alias, and the name of its package', () => {
  expect(importersOf('core/connection.ts')).toEqual([
    ...['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'],
    'g.ts', // the package may hand it on
  ]);
});

test('an index is imported by its folder', () => {
  expect(importersOf('core/index.ts')).toEqual(['f.ts', 'g.ts', 'h.ts', 'core/i.ts', 'core/deep/j.ts']);
});
