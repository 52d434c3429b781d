/** The filter of a listen request on a server: where it is read as it came, and what looks at it. */
import { FILTER_PARAM } from '../../../src/protocol/index.js';
import { memberCall, memberName, parentOf, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { find } from './nodes.js';
import type { ListenBranch } from './wire-branches.js';

/** The filter of a request, as it came: an expression that reads it, and the variable that holds it. */
export interface RequestedFilter {
  readonly read: Node;
  readonly names: readonly Node[];
}

/** `params.notifications`, behind names and `?? {}`; undefined for what is anything else. */
export function requestedFilter(
  sourceCode: SourceCode,
  expression: Node,
  names: readonly Node[] = [],
): RequestedFilter | undefined {
  const node = peel(expression);
  if (names.length > 4) return undefined;
  if (node.type === 'LogicalExpression' && node.operator !== '&&') {
    const other = peel(node.right);
    return other.type === 'ObjectExpression' && other.properties.length === 0
      ? requestedFilter(sourceCode, node.left, names)
      : undefined;
  }
  if (node.type === 'MemberExpression')
    return memberName(node) === FILTER_PARAM && isParams(node.object) ? { read: node, names } : undefined;
  if (node.type !== 'Identifier') return undefined;
  const definition = definitionOf(variableOf(sourceCode, node));
  if (definition?.type !== 'Variable' || definition.node.init === null) return undefined;
  const { id, init } = definition.node;
  if (id.type === 'Identifier') return requestedFilter(sourceCode, init, [...names, id]);
  // const { notifications } = params;
  const property = id.type === 'ObjectPattern' ? propertyBinding(id, definition.name) : undefined;
  return property === FILTER_PARAM && isParams(init)
    ? { read: definition.name, names: [...names, definition.name] }
    : undefined;
}

function propertyBinding(pattern: TSESTree.ObjectPattern, name: Node): string | undefined {
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
    const { value } = property;
    if (value === name || (value.type === 'AssignmentPattern' && value.left === name))
      return property.key.name;
  }
  return undefined;
}

function isParams(node: Node): boolean {
  const inner = peel(node);
  const name =
    inner.type === 'Identifier'
      ? inner.name
      : inner.type === 'MemberExpression'
        ? memberName(inner)
        : undefined;
  return name !== undefined && /params$/i.test(name);
}

/**
 * Whether anything may have judged a filter before it is acknowledged: a condition that reads it, a function that is
 * handed it. Containers that only keep it judge nothing.
 */
export function isNarrowed(
  sourceCode: SourceCode,
  { body, handler }: ListenBranch,
  { names }: RequestedFilter,
): boolean {
  const variables = names.map((name) =>
    name.type === 'Identifier' ? variableOf(sourceCode, name) : undefined,
  );
  const roots = handler === undefined ? body : [handler];
  return roots.some((root) =>
    find(sourceCode, root, isMention).some((mention) => {
      const isIt =
        mention.type === 'Identifier'
          ? variables.some(
              (variable) => variable !== undefined && variable === variableOf(sourceCode, mention),
            )
          : memberName(mention) === FILTER_PARAM && isParams(mention.object);
      return isIt && isJudging(mention);
    }),
  );
}

function isMention(node: Node): node is TSESTree.Identifier | TSESTree.MemberExpression {
  return node.type === 'Identifier' || node.type === 'MemberExpression';
}

const KEEPING = new Set(['set', 'add', 'push', 'stringify', 'log', 'info', 'debug']);

function isJudging(mention: Node): boolean {
  for (let at = mention, parent = parentOf(at); parent !== undefined; at = parent, parent = parentOf(at)) {
    switch (parent.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
        return parent.test === at;
      case 'ForOfStatement':
      case 'ForInStatement':
        return parent.right === at;
      case 'UnaryExpression':
      case 'BinaryExpression':
        return true;
      case 'CallExpression': {
        if (parent.callee === at) break;
        // What holds a message in it hands on the message.
        const isItself =
          peel(parent.arguments.find((argument) => argument === at) ?? parent) === peel(mention);
        return isItself && !KEEPING.has(memberCall(parent)?.name ?? '');
      }
      case 'NewExpression':
        return true;
      case 'ExpressionStatement':
      case 'ReturnStatement':
      case 'VariableDeclaration':
        return false;
      default:
        break;
    }
  }
  return false;
}
