/** Tables and lists whose rows are methods of the protocol. */
import { METHOD } from '../../../src/protocol/index.js';
import { keyName, memberCall, parentOf, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { nodesOf } from './nodes.js';
import { stringOf } from './values.js';

/** One row: the method, and the node that is or names it. */
export interface MethodRow {
  readonly method: string;
  /** The property, pair, element or case. */
  readonly node: Node;
  /** What the table says of the method; undefined in a list. */
  readonly value?: Node | undefined;
}

/** A table. */
export interface MethodTable {
  readonly kind: 'object' | 'pairs' | 'list' | 'switch';
  readonly node: Node;
  readonly rows: readonly MethodRow[];
  /** Whether a spread or a computed key may bring more rows. */
  readonly isOpen: boolean;
}

const KNOWN = new Set<string>(Object.values(METHOD));

/** The tables of a file that know at least two methods. */
export function methodTables(sourceCode: SourceCode): MethodTable[] {
  const nodes = nodesOf(sourceCode);
  return [
    ...nodes.of('ObjectExpression').map((node) => objectTable(sourceCode, node)),
    ...nodes.of('ArrayExpression').map((node) => arrayTable(sourceCode, node)),
    ...nodes.of('SwitchStatement').map((node) => switchTable(sourceCode, node)),
  ].filter(({ rows }) => rows.filter(({ method }) => KNOWN.has(method)).length > 1);
}

function objectTable(sourceCode: SourceCode, node: TSESTree.ObjectExpression): MethodTable {
  let isOpen = false;
  const rows = node.properties.flatMap((property): MethodRow[] => {
    if (property.type === 'SpreadElement') {
      isOpen = true;
      return [];
    }
    const method = property.computed ? stringOf(sourceCode, property.key) : keyName(property);
    if (method === undefined) isOpen = true;
    return method === undefined ? [] : [{ method, node: property, value: property.value }];
  });
  return { kind: 'object', node, rows, isOpen };
}

/** `['tools/list', …]` and `new Map([['tools/list', …], …])` */
function arrayTable(sourceCode: SourceCode, node: TSESTree.ArrayExpression): MethodTable {
  let isOpen = false;
  let kind: MethodTable['kind'] = 'list';
  const rows = node.elements.flatMap((element): MethodRow[] => {
    if (element === null) return [];
    const [first, second] = element.type === 'ArrayExpression' ? element.elements : [];
    const key = element.type === 'ArrayExpression' ? (first ?? undefined) : element;
    const method = stringOf(sourceCode, key);
    if (element.type === 'SpreadElement' || method === undefined) {
      isOpen = true;
      return [];
    }
    if (element.type === 'ArrayExpression') kind = 'pairs';
    return [{ method, node: element, value: second ?? undefined }];
  });
  return { kind, node, rows, isOpen };
}

function switchTable(sourceCode: SourceCode, node: TSESTree.SwitchStatement): MethodTable {
  const rows = node.cases.flatMap((one): MethodRow[] => {
    const method = one.test === null ? undefined : stringOf(sourceCode, one.test);
    return method === undefined ? [] : [{ method, node: one }];
  });
  return { kind: 'switch', node, rows, isOpen: false };
}

/** The names that a table stands under: its variable, property, class member and function, from the inside out. */
export function namesAround(table: MethodTable): string[] {
  const names: string[] = [];
  for (let at: Node | undefined = table.node; at !== undefined && names.length < 3; at = parentOf(at)) {
    if (at.type === 'VariableDeclarator' && at.id.type === 'Identifier') names.push(at.id.name);
    if (at.type === 'Property' || at.type === 'PropertyDefinition' || at.type === 'MethodDefinition')
      names.push(keyName(at) ?? '');
    if (at.type === 'FunctionDeclaration' && at.id !== null) names.push(at.id.name);
    if (at.type === 'AssignmentExpression' && at.left.type === 'Identifier') names.push(at.left.name);
    if (at.type === 'CallExpression') names.push(memberCall(at)?.name ?? '');
  }
  return names;
}
