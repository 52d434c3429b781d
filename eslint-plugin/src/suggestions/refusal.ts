/** A `try` of its own around a listen, so that its refusal is nobody else's. */
import { indentAt, quoted, readFileStyle } from '../../../src/codegen/file-style.js';
import { freeName } from '../../../src/codegen/names.js';
import { parentOf, type SourceCode, type TSESLint } from '../ast.js';
import type { Listen } from '../detection/listens.js';

/** At most one fix: none where the statement declares a name, which would not reach beyond the `try`. */
export function refusalFixes(sourceCode: SourceCode, { call }: Listen): TSESLint.ReportFixFunction[] {
  const awaited = parentOf(call);
  const inner = awaited?.type === 'AwaitExpression' ? parentOf(awaited) : undefined;
  const statement = inner?.type === 'AssignmentExpression' ? parentOf(inner) : inner;
  if (statement?.type !== 'ExpressionStatement' || parentOf(statement)?.type !== 'BlockStatement') return [];
  const { text } = sourceCode;
  const own = sourceCode.getText(statement);
  // Lines of a statement move in: not within a template, whose text would change.
  if (own.includes('`') && own.includes('\n')) return [];
  const style = readFileStyle(text);
  const { eol, indent: step, semicolon } = style;
  const indent = indentAt(text, statement.range[0]);
  const error = freeName(['refusal'], (name) => text.includes(name));
  const warning = `console.warn(${quoted('No change notifications:', style)}, ${error})${semicolon}`;
  const moved = own.replaceAll(/\n(?=[^\r\n])/g, `\n${step}`);
  return [
    (fixer) =>
      fixer.replaceText(
        statement,
        [
          'try {',
          `${indent}${step}${moved}`,
          `${indent}} catch (${error}) {`,
          `${indent}${step}${warning}`,
          `${indent}}`,
        ].join(eol),
      ),
  ];
}
