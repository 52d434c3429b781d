/** The schema that a handler of a notification outside the core protocol needs, and the parameter that comes with it. */
import { quoted, readFileStyle } from '../../../src/codegen/file-style.js';
import { isFunction, type SourceCode, type TSESLint, type TSESTree } from '../ast.js';
import { nodesOf } from '../detection/nodes.js';

/**
 * At most one fix: for a handler written in the call with one parameter or none. The parameters come first in the form
 * with schemas, the notification second.
 */
export function schemaFixes(
  sourceCode: SourceCode,
  call: TSESTree.CallExpression,
): TSESLint.ReportFixFunction[] {
  const handler = call.arguments.at(-1);
  if (!isFunction(handler) || handler.params.length > 1) return [];
  const [parameter] = handler.params;
  if (parameter !== undefined && (parameter.type !== 'Identifier' || parameter.typeAnnotation !== undefined))
    return [];
  const schemas = `{ params: ${anyObject(sourceCode)} }`;
  if (parameter === undefined) return [(fixer) => fixer.insertTextBefore(handler, `${schemas}, `)];
  const before = sourceCode.getTokenBefore(parameter);
  const isBare = before?.value !== '(' || before.range[0] < handler.range[0];
  const name = parameter.name === '_params' ? '_parameters' : '_params';
  return [
    (fixer) => [
      fixer.insertTextBefore(handler, `${schemas}, `),
      fixer.replaceText(parameter, isBare ? `(${name}, ${parameter.name})` : `${name}, ${parameter.name}`),
    ],
  ];
}

/** A schema that takes everything: zod's where the file has zod, else one of the Standard Schema's own form. */
function anyObject(sourceCode: SourceCode): string {
  const zod = nodesOf(sourceCode)
    .of('ImportDeclaration')
    .filter(({ source }) => /^zod(?:\/|$)/.test(source.value))
    .flatMap(({ specifiers }) => specifiers)
    .find(({ local }) => local.name === 'z');
  if (zod !== undefined) return 'z.object({}).passthrough()';
  const style = readFileStyle(sourceCode.text);
  const standard = quoted('~standard', style);
  const vendor = quoted('any', style);
  return `{ ${standard}: { version: 1, vendor: ${vendor}, validate: (value) => ({ value }) } }`;
}
