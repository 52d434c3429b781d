/** The URIs that a filter names, as far as they can be read. */
import type { Node, SourceCode } from '../ast.js';
import { resolve, stringOf } from './values.js';

/** A URI of a filter. */
export interface FilterUri {
  readonly node: Node;
  readonly uri: string;
}

/** The URIs of `resourceSubscriptions` that are strings of the file. */
export function urisOf(sourceCode: SourceCode, list: Node): FilterUri[] {
  const value = resolve(sourceCode, list);
  if (value.type !== 'ArrayExpression') return [];
  return value.elements.flatMap((node): FilterUri[] => {
    const uri = node === null ? undefined : stringOf(sourceCode, node);
    return node === null || uri === undefined ? [] : [{ node, uri }];
  });
}
