/** The edit that opts a client in. */
import { readFileStyle } from '../../../src/codegen/file-style.js';
import { negotiationProperty } from '../../../src/codegen/negotiation.js';
import { CLIENT_OPTION } from '../../../src/protocol/index.js';
import type { SourceCode, TSESLint } from '../ast.js';
import type { SdkClient } from '../detection/clients.js';
import { propertyOf } from '../detection/values.js';

/** At most one fix: none where the options are out of sight, or choose an era already. */
export function negotiationFixes(
  sourceCode: SourceCode,
  { creation, options }: SdkClient,
  mode: 'auto' | 'pin',
): TSESLint.ReportFixFunction[] {
  if (creation === undefined) return [];
  const property = negotiationProperty(mode === 'auto' ? 'dual' : 'modern', readFileStyle(sourceCode.text));
  const [info, given] = creation.arguments;
  if (info === undefined) return [];
  if (given === undefined) return [(fixer) => fixer.insertTextAfter(info, `, { ${property} }`)];
  if (options === undefined || given !== options) return [];
  if (propertyOf(options, CLIENT_OPTION.versionNegotiation) !== undefined) return [];
  const [first] = options.properties;
  return [
    (fixer) =>
      first === undefined
        ? fixer.replaceText(options, `{ ${property} }`)
        : fixer.insertTextBefore(first, `${property}, `),
  ];
}
