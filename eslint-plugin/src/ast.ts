/** The tree as rules see it: ESTree with TypeScript's nodes, whichever parser made it. */
import type { TSESLint, TSESTree } from '@typescript-eslint/utils';

export type { TSESLint, TSESTree } from '@typescript-eslint/utils';

/** Any node. */
export type Node = TSESTree.Node;

export type Expression = TSESTree.Expression;

export type FunctionNode =
  TSESTree.ArrowFunctionExpression | TSESTree.FunctionExpression | TSESTree.FunctionDeclaration;

export type SourceCode = Readonly<TSESLint.SourceCode>;

/** The node around a node; undefined for the program. */
export function parentOf(node: Node): Node | undefined {
  // The types know no program without a parent; the tree does.
  return node.parent ?? undefined;
}

/** Whether a node is a function with a body. */
export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return (
    node?.type === 'ArrowFunctionExpression' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'FunctionDeclaration'
  );
}

/** Whether a node is a call. */
export function isCall(node: Node): node is TSESTree.CallExpression {
  return node.type === 'CallExpression';
}

/** Whether a statement ends with leaving its function. */
export function leavesFunction(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** The expression without what TypeScript, optional chaining and `await` put around it. */
export function peel(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return peel(node.expression);
    case 'AwaitExpression':
      return peel(node.argument);
    default:
      return node;
  }
}

/** The outermost expression that {@link peel} would take off to reach this one. */
export function dressed(node: Node): Node {
  const parent = parentOf(node);
  return parent !== undefined && peel(parent) !== parent && parent.type !== 'AwaitExpression'
    ? dressed(parent)
    : node;
}

/** The same with `await` around it. */
export function dressedWithAwait(node: Node): Node {
  const outer = dressed(node);
  const parent = parentOf(outer);
  return parent?.type === 'AwaitExpression' ? dressedWithAwait(parent) : outer;
}

/** The nearest function around a node, the node itself excluded. */
export function enclosingFunction(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at !== undefined; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

/** All functions around a node, from the inside out. */
export function enclosingFunctions(node: Node): FunctionNode[] {
  const inner = enclosingFunction(node);
  return inner === undefined ? [] : [inner, ...enclosingFunctions(inner)];
}

/** Whether `inner` lies in `outer`, or is it. */
export function contains(outer: Node, inner: Node): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

/** The statement that a node stands in. */
export function enclosingStatement(node: Node): TSESTree.Statement | undefined {
  for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
    if (
      parentOf(at)?.type === 'BlockStatement' ||
      parentOf(at)?.type === 'Program' ||
      parentOf(at)?.type === 'SwitchCase'
    )
      return at as TSESTree.Statement;
  }
  return undefined;
}

/** `a.b`, `a?.b`, `a['b']`, `a.#b`: the name of the member, where it can be read. */
export function memberName(node: TSESTree.MemberExpression): string | undefined {
  if (!node.computed)
    return node.property.type === 'PrivateIdentifier' ? `#${node.property.name}` : node.property.name;
  return node.property.type === 'Literal' && typeof node.property.value === 'string'
    ? node.property.value
    : undefined;
}

/** The last name of what is called: `b` of `a.b()`. */
export function calleeName(callee: Node): string | undefined {
  const inner = peel(callee);
  if (inner.type === 'Identifier') return inner.name;
  return inner.type === 'MemberExpression' ? memberName(inner) : undefined;
}

/** A call of a member, `receiver.name(…)`. */
export interface MemberCall {
  readonly call: TSESTree.CallExpression;
  readonly callee: TSESTree.MemberExpression;
  readonly receiver: Node;
  readonly name: string;
}

/** The call as one of a member; undefined for any other. */
export function memberCall(call: Node): MemberCall | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const callee = peel(call.callee);
  if (callee.type !== 'MemberExpression') return undefined;
  const name = memberName(callee);
  return name === undefined ? undefined : { call, callee, receiver: callee.object, name };
}

/** The name of a property or class member, where it can be read. */
export function keyName(
  node:
    | TSESTree.Property
    | TSESTree.PropertyDefinition
    | TSESTree.MethodDefinition
    | TSESTree.TSPropertySignature,
): string | undefined {
  const { key, computed } = node;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier' && !computed) return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}
