/** The text of an import, in a file's own way of importing. */
import { quoted, type FileStyle } from './file-style.js';

/** How a file brings in other modules. */
export type ImportForm = 'import' | 'require';

/** `import { name as local } from 'specifier';` or `const { name: local } = require('specifier');` */
export function importStatement(
  form: ImportForm,
  name: string,
  local: string,
  specifier: string,
  style: FileStyle,
): string {
  const from = quoted(specifier, style);
  if (form === 'require') {
    const binding = name === local ? name : `${name}: ${local}`;
    return `const { ${binding} } = require(${from})${style.semicolon}`;
  }
  const binding = name === local ? name : `${name} as ${local}`;
  return `import { ${binding} } from ${from}${style.semicolon}`;
}
