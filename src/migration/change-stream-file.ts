/** The managed change stream's file in the user's package: where it is, or where and as what it is created. */
import path from 'node:path';
import { importFormOf } from '../../codemods/import-places.js';
import type { SourceUnit } from '../analysis/source-unit.js';
import { CHANGE_STREAM_FILE, isChangeStreamFile } from '../codegen/change-stream.js';
import { isTypeScriptFile } from '../workspace/paths.js';

/** The copied file of one package. */
export interface ChangeStreamFile {
  /** Absolute path with forward slashes. */
  readonly file: string;
  /** Whether an earlier run has put it there. */
  readonly exists: boolean;
  readonly language: 'typescript' | 'javascript';
  /** How it imports and exports: TypeScript that compiles to CommonJS mostly does so by ES syntax. */
  readonly module: 'esm' | 'commonjs';
}

/**
 * Where a package's copy is, or goes: beside the first file that uses it.
 *
 * @param users the files of the package that use it, at least one
 * @param packageFiles all source files of the package
 * @param moduleType how Node reads the package's `.js` files
 */
export function locateChangeStream(
  users: readonly [SourceUnit, ...SourceUnit[]],
  packageFiles: readonly string[],
  moduleType: 'esm' | 'commonjs',
): ChangeStreamFile {
  const existing = packageFiles.find((file) => isChangeStreamFile(file));
  if (existing !== undefined) {
    return {
      file: existing,
      exists: true,
      language: isTypeScriptFile(existing) ? 'typescript' : 'javascript',
      module: 'esm',
    };
  }
  const first = users.reduce((one, other) => (other.file < one.file ? other : one));
  const language = users.some((unit) => isTypeScriptFile(unit.file)) ? 'typescript' : 'javascript';
  const kinds = new Set(users.map((unit) => moduleKind(unit, moduleType)));
  const isByRequire =
    language === 'typescript'
      ? users.every((unit) => ['equals', 'require'].includes(importFormOf(unit)))
      : kinds.has('commonjs');
  const file = path.posix.join(
    path.posix.dirname(first.file),
    CHANGE_STREAM_FILE + extensionFor(users, language, kinds),
  );
  return { file, exists: false, language, module: isByRequire ? 'commonjs' : 'esm' };
}

/** What a file is loaded as: by its extension, else by its syntax (JavaScript) or its package (TypeScript). */
function moduleKind(unit: SourceUnit, moduleType: 'esm' | 'commonjs'): 'esm' | 'commonjs' {
  if (/\.c[jt]s$/.test(unit.file)) return 'commonjs';
  if (/\.m[jt]s$/.test(unit.file)) return 'esm';
  if (isTypeScriptFile(unit.file)) return moduleType;
  return importFormOf(unit) === 'require' ? 'commonjs' : 'esm';
}

function extensionFor(
  users: readonly SourceUnit[],
  language: 'typescript' | 'javascript',
  kinds: ReadonlySet<'esm' | 'commonjs'>,
): string {
  const letter = language === 'typescript' ? 't' : 'j';
  const marked = new Set(users.map((unit) => /\.([cm])[jt]s$/.exec(unit.file)?.[1]));
  // An extension without a letter is right wherever the package's own kind is: only if all users agree on another.
  if (marked.size === 1) return `.${[...marked][0] ?? ''}${letter}s`;
  // Both kinds: what a CommonJS file can require, an ES module can import too.
  return kinds.size > 1 ? `.c${letter}s` : `.${letter}s`;
}
