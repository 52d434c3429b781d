/** Whether a file is a test: what it starts and leaves behind ends with its process. */
import type { SourceCode } from '../ast.js';
import { nodesOf } from './nodes.js';

const RUNNERS = new Set([
  'vitest',
  '@jest/globals',
  'node:test',
  'mocha',
  'ava',
  'tap',
  'bun:test',
  '@playwright/test',
]);

/** By its name, or by the test runner that it imports; a folder's name says too little. */
export function isTestFile(sourceCode: SourceCode, filename: string): boolean {
  if (/[.-](?:test|spec|e2e)\.[cm]?[jt]sx?$|[\\/]__tests__[\\/]/.test(filename)) return true;
  return nodesOf(sourceCode)
    .of('ImportDeclaration')
    .some(({ source }) => RUNNERS.has(source.value));
}
