/** The nodes of a module by their types: what jscodeshift's collections would find, in one walk instead of one per type. */
import type { JSCodeshift } from 'jscodeshift';
import type { Node } from './tree.js';

/** Node types that are looked for; those of either kind of tree that a parser does not make are simply never found. */
export type NodeType = (typeof NODE_TYPES)[number];

const NODE_TYPES = [
  'CallExpression',
  'OptionalCallExpression',
  'NewExpression',
  'ObjectExpression',
  'Identifier',
  'MemberExpression',
  'OptionalMemberExpression',
  'Literal',
  'StringLiteral',
  'TemplateLiteral',
  'VariableDeclarator',
  'AssignmentExpression',
  'IfStatement',
  'ConditionalExpression',
  'ImportDeclaration',
] as const;

/**
 * Walks a tree once.
 *
 * What a node is made of, and which types its own inherits from, is said by jscodeshift's definitions, as for a
 * collection. A collection makes a path for every field of every node, though, at more than ten times the cost.
 */
export function nodesByType(program: Node, { types }: JSCodeshift): ReadonlyMap<NodeType, readonly Node[]> {
  const found = new Map(NODE_TYPES.map((type): [NodeType, Node[]] => [type, []]));
  const rows = new Map<string, TypeRow>();
  const rowOf = (node: Node): TypeRow => {
    const known = rows.get(node.type);
    if (known !== undefined) return known;
    // `find` takes what inherits from a type as well: ESTree's `Literal` brings Babel's strings and numbers.
    const names = [node.type, ...types.getSupertypeNames(node.type)];
    const row = {
      fields: types.getFieldNames(node),
      lists: [...found].flatMap(([type, nodes]) => (names.includes(type) ? [nodes] : [])),
    };
    rows.set(node.type, row);
    return row;
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
    } else if ('type' in value) {
      const { fields, lists } = rowOf(value as Node);
      for (const nodes of lists) nodes.push(value as Node);
      for (const field of fields) visit((value as Node)[field]);
    }
  };
  visit(program);
  return found;
}

interface TypeRow {
  readonly fields: readonly string[];
  /** The lists that nodes of the type go into. */
  readonly lists: readonly Node[][];
}
