/** All nodes of a file by their type, collected in one walk that all rules share. */
import type { AST_NODE_TYPES } from '@typescript-eslint/utils';
import type { Node, SourceCode } from '../ast.js';

type NodeType = keyof typeof AST_NODE_TYPES;

type NodeOf<Type extends NodeType> = Extract<Node, { type: (typeof AST_NODE_TYPES)[Type] }>;

/** The nodes of a file. */
export interface FileNodes {
  /** The nodes of a type, in the order of the text. */
  of<Type extends NodeType>(type: Type): readonly NodeOf<Type>[];
}

const known = new WeakMap<SourceCode, FileNodes>();

/** The nodes of a file; walked once. */
export function nodesOf(sourceCode: SourceCode): FileNodes {
  const nodes = known.get(sourceCode) ?? collect(sourceCode);
  known.set(sourceCode, nodes);
  return nodes;
}

/** Calls `visit` for a node and all below it. */
export function walk(sourceCode: SourceCode, root: Node, visit: (node: Node) => void): void {
  const keys = sourceCode.visitorKeys;
  const queue: Node[] = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    visit(node);
    const below: Node[] = [];
    for (const key of keys[node.type] ?? []) {
      const child = (node as unknown as Record<string, unknown>)[key];
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) below.push(one);
    }
    queue.push(...below.reverse());
  }
}

/** The nodes below a root that satisfy a test, in the order of the text. */
export function find<Found extends Node>(
  sourceCode: SourceCode,
  root: Node,
  test: (node: Node) => node is Found,
): Found[] {
  const found: Found[] = [];
  walk(sourceCode, root, (node) => {
    if (test(node)) found.push(node);
  });
  return found;
}

function collect(sourceCode: SourceCode): FileNodes {
  const byType = new Map<string, Node[]>();
  walk(sourceCode, sourceCode.ast, (node) => {
    const list = byType.get(node.type);
    if (list === undefined) byType.set(node.type, [node]);
    else list.push(node);
  });
  return { of: (type) => (byType.get(type) ?? []) as never };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
