/** The lines that insist on what a listen asked for: an acknowledgment that lacks something closes the stream and throws. */
import { endOfLineComment, indentAt, quoted, readFileStyle } from '../../../src/codegen/file-style.js';
import { freeName } from '../../../src/codegen/names.js';
import { LIST_KINDS, SUBSCRIPTION_MEMBER } from '../../../src/protocol/index.js';
import { keyName, parentOf, type Node, type SourceCode, type TSESLint, type TSESTree } from '../ast.js';
import type { Listen } from '../detection/listens.js';
import { booleanOf } from '../detection/values.js';

/** At most one fix: none where the call does not stand in a statement of its own, or asks for what cannot be written twice. */
export function acknowledgmentFixes(sourceCode: SourceCode, listen: Listen): TSESLint.ReportFixFunction[] {
  const place = placeOf(listen.call);
  if (place === undefined) return [];
  const name = place.name ?? freeName(['subscription'], (one) => sourceCode.text.includes(one));
  const missing = missingConditions(sourceCode, listen, `${name}.${SUBSCRIPTION_MEMBER.honoredFilter}`);
  if (missing === undefined) return [];
  const { text } = sourceCode;
  const style = readFileStyle(text);
  const [start, end] = place.statement.range;
  const indent = indentAt(text, start);
  const error = quoted('The server does not send everything that was asked for', style);
  const lines = [
    '',
    `${indent}if (${missing}) {`,
    `${indent}${style.indent}await ${name}.${SUBSCRIPTION_MEMBER.close}()${style.semicolon}`,
    `${indent}${style.indent}throw new Error(${error})${style.semicolon}`,
    `${indent}}`,
  ].join(style.eol);
  return [
    (fixer) => [
      ...(place.name === undefined ? [fixer.insertTextBefore(place.statement, `const ${name} = `)] : []),
      fixer.insertTextAfterRange([start, endOfLineComment(text, end)], lines),
    ],
  ];
}

interface Place {
  readonly statement: Node;
  /** The name that holds the subscription afterwards; undefined where nothing does. */
  readonly name: string | undefined;
}

/** `const sub = await client.listen(…);`, `sub = await client.listen(…);` or `await client.listen(…);`, in a block. */
function placeOf(call: TSESTree.CallExpression): Place | undefined {
  const awaited = parentOf(call);
  const around = awaited?.type === 'AwaitExpression' ? parentOf(awaited) : undefined;
  const holder =
    around?.type === 'AssignmentExpression' && around.operator === '=' && around.left.type === 'Identifier'
      ? around.left
      : around?.type === 'VariableDeclarator' && around.id.type === 'Identifier'
        ? around.id
        : undefined;
  const statement = holder === undefined || around === undefined ? around : parentOf(around);
  if (statement?.type !== 'ExpressionStatement' && statement?.type !== 'VariableDeclaration')
    return undefined;
  if (statement.type === 'VariableDeclaration' && statement.declarations.length > 1) return undefined;
  const block = parentOf(statement)?.type;
  return block === 'BlockStatement' || block === 'Program' ? { statement, name: holder?.name } : undefined;
}

/** When something that was asked for is missing; undefined where the filter cannot be read, or asks for nothing. */
function missingConditions(sourceCode: SourceCode, { filter }: Listen, honored: string): string | undefined {
  if (filter?.type !== 'ObjectExpression') return undefined;
  const conditions = filter.properties.map((property) =>
    property.type === 'Property' ? missingCondition(sourceCode, property, honored) : undefined,
  );
  const known = conditions.filter((one) => one !== undefined);
  return known.length === 0 || known.length < conditions.length ? undefined : known.join(' || ');
}

function missingCondition(
  sourceCode: SourceCode,
  property: TSESTree.Property,
  honored: string,
): string | undefined {
  const key = keyName(property);
  if (LIST_KINDS.some((kind) => kind === key))
    return booleanOf(sourceCode, property.value) === true ? `!${honored}.${key ?? ''}` : undefined;
  if (key !== 'resourceSubscriptions' || property.value.type !== 'ArrayExpression') return undefined;
  const uris = property.value.elements;
  // What is no name or literal may be another value when it is written a second time.
  if (!uris.every((uri) => uri?.type === 'Literal' || uri?.type === 'Identifier')) return undefined;
  return uris.map((uri) => `!${honored}.${key}?.includes(${sourceCode.getText(uri)})`).join(' || ');
}
