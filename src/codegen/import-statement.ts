/** The text of an import, in a file's own way of importing. */
import { quoted, type FileStyle } from './file-style.js';

/**
 * How a file brings in other modules: `equals` is TypeScript's `import name = require(…)`, `dynamic` is `await import(…)` at
 * the top of a module.
 */
export type ImportForm = 'import' | 'require' | 'equals' | 'dynamic';

/**
 * `import { name as local } from 'specifier';`, `const { name: local } = require('specifier');`, or
 * `import local = require('specifier');`, which binds the whole module.
 */
export function importStatement(
  form: ImportForm,
  name: string,
  local: string,
  specifier: string,
  style: FileStyle,
): string {
  const from = quoted(specifier, style);
  if (form === 'equals') return `import ${local} = require(${from})${style.semicolon}`;
  if (form !== 'import') {
    const binding = name === local ? name : `${name}: ${local}`;
    const loader = form === 'require' ? 'require' : 'await import';
    return `const { ${binding} } = ${loader}(${from})${style.semicolon}`;
  }
  const binding = name === local ? name : `${name} as ${local}`;
  return `import { ${binding} } from ${from}${style.semicolon}`;
}
