/** Where a client written by hand tells notifications apart by their method. */
import { enclosingFunction, parentOf, type Node, type SourceCode } from '../ast.js';
import { find, nodesOf } from './nodes.js';
import { stringOf } from './values.js';
import { CHANGE_METHODS, isChange } from './wire.js';

/** The comparisons and cases of a file that ask for a change notification. */
export function changeTests(sourceCode: SourceCode): Node[] {
  const compared = nodesOf(sourceCode)
    .of('BinaryExpression')
    .filter(({ operator }) => operator === '===' || operator === '==')
    .filter(
      ({ left, right }) => isChange(stringOf(sourceCode, left)) || isChange(stringOf(sourceCode, right)),
    );
  const cases = nodesOf(sourceCode)
    .of('SwitchCase')
    .filter(({ test }) => isChange(stringOf(sourceCode, test)));
  return [...compared, ...cases].sort((one, other) => one.range[0] - other.range[0]);
}

/** Whether the function around a node looks for change notifications by itself: by their names, or a part of them. */
export function namesChange(sourceCode: SourceCode, node: Node): boolean {
  const around = enclosingFunction(node);
  if (around === undefined) return false;
  return find(sourceCode, around, isString).some((text) => {
    const parent = parentOf(text);
    if (parent?.type !== 'BinaryExpression' && parent?.type !== 'SwitchCase' && !isArgument(parent))
      return false;
    return (
      text.value.length > 'updated'.length &&
      [...CHANGE_METHODS].some((method) => method.includes(text.value))
    );
  });
}

function isArgument(parent: Node | undefined): boolean {
  return (
    parent?.type === 'CallExpression' &&
    parent.callee.type === 'MemberExpression' &&
    parent.callee.property.type === 'Identifier' &&
    ['includes', 'endsWith', 'startsWith'].includes(parent.callee.property.name)
  );
}

function isString(node: Node): node is Extract<Node, { type: 'Literal' }> & { value: string } {
  return node.type === 'Literal' && typeof node.value === 'string';
}
