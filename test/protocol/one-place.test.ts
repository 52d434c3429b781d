// A protocol string is written once, in src/protocol. Everyone else imports it.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { HEADER, META, METHOD, NOTIFICATION } from '../../src/protocol/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const files = globSync(['src/**/*.ts', 'codemods/**/*.ts', 'eslint-plugin/src/**/*.ts'], {
  cwd: root,
  absolute: true,
  ignore: [
    'src/protocol/**',
    // Copied into the user's tree, where nothing of ours can be imported.
    'src/runtime/change-stream.ts',
  ],
});

/** `ping`, `initialize`, `Accept` are words of their own: without a slash or hyphen a literal proves nothing. */
const literals = [METHOD, NOTIFICATION, META, HEADER]
  .flatMap((table) => Object.values(table) as string[])
  .filter((literal) => /[/-]/.test(literal));

/** Header names have no case. */
const protocolStrings = new Set(literals.map((literal) => literal.toLowerCase()));

function protocolLiteralsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && protocolStrings.has(node.text.toLowerCase())) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${relative(root, file)}:${line + 1} spells '${node.text}'`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no file outside src/protocol spells a method, notification, _meta key or header', () => {
  expect(files.flatMap(protocolLiteralsIn)).toEqual([]);
});
