/** The edit that gives a table of methods a row for another one, beside one that it has. */
import { indentAt, quoted, readFileStyle } from '../../../src/codegen/file-style.js';
import { parentOf, type Node, type SourceCode, type TSESLint } from '../ast.js';
import type { MethodRow, MethodTable } from '../detection/method-tables.js';

/** At most one fix: none where the row cannot be copied, or the table's type says which rows there may be. */
export function rowFixes(
  sourceCode: SourceCode,
  table: MethodTable,
  row: MethodRow,
  method: string,
): TSESLint.ReportFixFunction[] {
  if (table.kind === 'switch' || hasClosedType(sourceCode, table.node)) return [];
  const name = quoted(method, readFileStyle(sourceCode.text));
  const text = rowText(sourceCode, table, row, name);
  if (text === undefined || sourceCode.getCommentsInside(row.node).length > 0) return [];
  return [(fixer) => fixer.insertTextAfter(row.node, `,${gapBefore(sourceCode, row.node)}${text}`)];
}

function rowText(sourceCode: SourceCode, { kind }: MethodTable, { value, node }: MethodRow, name: string) {
  if (kind === 'list') return name;
  if (value === undefined || (node.type === 'Property' && (node.method || node.shorthand))) return undefined;
  const said = sourceCode.getText(value);
  return kind === 'pairs' ? `[${name}, ${said}]` : `${name}: ${said}`;
}

/** A line of its own where the row has one. */
function gapBefore({ text }: SourceCode, node: Node): string {
  const start = text.lastIndexOf('\n', node.range[0] - 1) + 1;
  return text.slice(start, node.range[0]).trim() === ''
    ? `${readFileStyle(text).eol}${indentAt(text, node.range[0])}`
    : ' ';
}

/** `Record<Method, …>`, `Method[]`: another row may be none of the type. */
function hasClosedType(sourceCode: SourceCode, table: Node): boolean {
  for (let at = table, parent = parentOf(at); parent !== undefined; at = parent, parent = parentOf(at)) {
    if (parent.type === 'TSAsExpression' || parent.type === 'TSSatisfiesExpression')
      return !isOpenType(sourceCode.getText(parent.typeAnnotation));
    if (parent.type === 'NewExpression' && parent.typeArguments !== undefined)
      return !isOpenType(sourceCode.getText(parent.typeArguments));
    if (parent.type === 'VariableDeclarator')
      return (
        parent.id.typeAnnotation !== undefined && !isOpenType(sourceCode.getText(parent.id.typeAnnotation))
      );
    if (parent.type === 'PropertyDefinition')
      return parent.typeAnnotation !== undefined && !isOpenType(sourceCode.getText(parent.typeAnnotation));
    if (parent.type.endsWith('Statement')) return false;
  }
  return false;
}

function isOpenType(text: string): boolean {
  return /\bstring\b|\bconst\b/.test(text);
}
