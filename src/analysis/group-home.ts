/** Where a group is at home: the file and name that people know a client by. */
import { ts } from 'ts-morph';
import type { Cell } from './cells.js';
import type { ClientGroup } from './client-group.js';
import { accessedMember, dressed } from './syntax.js';

/** The variable or field a new client is put into. */
export function holderOf(creation: ts.NewExpression): ts.Node {
  const { parent } = dressed(creation);
  if (ts.isBinaryExpression(parent)) {
    const left = accessedMember(parent.left);
    return left !== undefined && ts.isPropertyAccessExpression(left.access) ? left.access : parent.left;
  }
  return ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) ? parent : creation;
}

/** The home of a group by the cells that hold its client. */
export function homeOfGroup(cells: readonly Cell[]): ClientGroup['home'] {
  const [first] = [...cells].sort((a, b) => preference(a) - preference(b) || comparePlaces(a, b));
  if (first === undefined) return { file: '', name: 'client' };
  const named = ts.isIdentifier(first) ? first : (first as ts.NamedDeclaration).name;
  const name =
    named !== undefined && (ts.isIdentifier(named) || ts.isPrivateIdentifier(named)) ? named.text : 'client';
  return { file: first.getSourceFile().fileName, name };
}

/** A group is called by the variable or field that holds the client rather than by a parameter. */
function preference(cell: Cell): number {
  if (ts.isVariableDeclaration(cell) || ts.isPropertyDeclaration(cell)) return 0;
  if (ts.isParameter(cell)) return 1;
  return 2;
}

/** By file, then by position. */
export function comparePlaces(one: ts.Node, other: ts.Node): number {
  const [a, b] = [one.getSourceFile().fileName, other.getSourceFile().fileName];
  return a === b ? one.pos - other.pos : a < b ? -1 : 1;
}
