/** The edit that declares a capability of a server. */
import { readFileStyle } from '../../../src/codegen/file-style.js';
import { CLIENT_OPTION } from '../../../src/protocol/index.js';
import type { SourceCode, TSESLint, TSESTree } from '../ast.js';
import type { Capability } from '../detection/capabilities.js';
import { propertyOf } from '../detection/values.js';
import { indentAt } from '../../../src/codegen/file-style.js';

/** A fixer's one step. */
export type Step = (fixer: TSESLint.RuleFixer) => TSESLint.RuleFix;

/**
 * The step that gives capabilities a value in the making of a server; undefined where its options are no literal, or say
 * something about one of them already.
 */
export function capabilityStep(
  sourceCode: SourceCode,
  creation: TSESTree.NewExpression,
  capabilities: readonly Capability[],
  value: boolean,
): Step | undefined {
  const [info, options] = creation.arguments;
  if (info === undefined) return undefined;
  const members = capabilities
    .map(({ group, member }) => `${group}: { ${member}: ${String(value)} }`)
    .join(', ');
  const whole = `${CLIENT_OPTION.capabilities}: { ${members} }`;
  if (options === undefined) return (fixer) => fixer.insertTextAfter(info, `, { ${whole} }`);
  if (options.type !== 'ObjectExpression') return undefined;
  const declared = propertyOf(options, CLIENT_OPTION.capabilities);
  if (declared === undefined) return prepend(sourceCode, options, whole);
  if (declared === 'unknown' || declared.value.type !== 'ObjectExpression') return undefined;
  const groups = declared.value;
  const [only, ...others] = capabilities;
  if (only === undefined) return undefined;
  if (capabilities.every(({ group }) => propertyOf(groups, group) === undefined))
    return prepend(sourceCode, groups, members);
  const group = propertyOf(groups, only.group);
  return others.length > 0 ||
    group === undefined ||
    group === 'unknown' ||
    group.value.type !== 'ObjectExpression' ||
    propertyOf(group.value, only.member) !== undefined
    ? undefined
    : prepend(sourceCode, group.value, `${only.member}: ${String(value)}`);
}

/** A new first property, on a line of its own where the others have one. */
function prepend(sourceCode: SourceCode, object: TSESTree.ObjectExpression, text: string): Step | undefined {
  const [first] = object.properties;
  if (first === undefined)
    return sourceCode.getCommentsInside(object).length > 0
      ? undefined
      : (fixer) => fixer.replaceText(object, `{ ${text} }`);
  const { eol } = readFileStyle(sourceCode.text);
  const isOnOwnLine = first.loc.start.line > object.loc.start.line;
  const gap = isOnOwnLine ? eol + indentAt(sourceCode.text, first.range[0]) : ' ';
  return (fixer) => fixer.insertTextBefore(first, `${text},${gap}`);
}
