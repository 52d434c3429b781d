/** The edit that takes a property out of an object literal. */
import type { SourceCode, TSESLint, TSESTree } from '../ast.js';

/** At most one fix: none where a comment stands in what would go, and none for a property in a pattern. */
export function propertyRemovals(
  sourceCode: SourceCode,
  property: TSESTree.Property,
): TSESLint.ReportFixFunction[] {
  const { parent } = property;
  if (parent.type !== 'ObjectExpression') return [];
  const range = removedRange(parent, property);
  const hasComment = sourceCode
    .getAllComments()
    .some((comment) => comment.range[0] >= range[0] && comment.range[1] <= range[1]);
  return hasComment ? [] : [(fixer) => fixer.removeRange(range)];
}

function removedRange(
  { properties, range }: TSESTree.ObjectExpression,
  property: TSESTree.Property,
): [number, number] {
  const index = properties.indexOf(property);
  const next = properties[index + 1];
  if (next !== undefined) return [property.range[0], next.range[0]];
  const previous = properties[index - 1];
  // What is left of the only property are the braces.
  return previous === undefined ? [range[0] + 1, range[1] - 1] : [previous.range[1], property.range[1]];
}
