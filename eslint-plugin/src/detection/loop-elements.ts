/** Which part of its element a loop over a container takes: the element itself, or a property of it. */
import {
  isFunction,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import type { Loop } from './wire-registries.js';

/** The name of the property that an expression takes of the value at hand; `''` for the value itself. */
export function elementPart(sourceCode: SourceCode, loop: Loop, expression: Node): string | undefined {
  const node = peel(expression);
  if (node.type === 'Identifier') return partOf(sourceCode, loop, node);
  if (node.type !== 'MemberExpression') return undefined;
  const object = peel(node.object);
  const isElement = object.type === 'Identifier' && partOf(sourceCode, loop, object) === '';
  return isElement ? memberName(node) : undefined;
}

function partOf(
  sourceCode: SourceCode,
  loop: Loop,
  identifier: Extract<Node, { type: 'Identifier' }>,
): string | undefined {
  const pattern = valuePattern(loop);
  const name = definitionOf(variableOf(sourceCode, identifier))?.name;
  if (pattern === undefined || name === undefined) return undefined;
  if (pattern === name) return '';
  if (pattern.type !== 'ObjectPattern') return undefined;
  for (const property of pattern.properties)
    if (property.type === 'Property' && property.value === name) return keyName(property);
  return undefined;
}

/** What names the value: not the key, where the loop gives pairs. */
function valuePattern({ body }: Loop): Node | undefined {
  const around = parentOf(body);
  if (isFunction(around)) return around.params[0];
  if (around?.type !== 'ForOfStatement' || around.left.type !== 'VariableDeclaration') return undefined;
  if (memberCall(peel(around.right))?.name === 'keys') return undefined;
  const pattern = around.left.declarations[0].id;
  return pattern.type === 'ArrayPattern' ? (pattern.elements[1] ?? undefined) : pattern;
}
