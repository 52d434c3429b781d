/** Imports that the edits of a run have made superfluous. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import type { Edit } from '../../src/codegen/edit.js';
import { importsOf, type ImportBinding } from './import-bindings.js';

/**
 * The names whose every use the edits have removed. One that nothing used before either stays: somebody may want it so.
 * A module of the project itself is only left out by TypeScript, which does not load what is not used.
 */
export function unusedImports(unit: SourceUnit, edits: readonly Edit[]): ImportBinding[] {
  const removing = edits.filter((edit) => edit.end > edit.start && edit.frame === undefined);
  if (removing.length === 0) return [];
  const uses = usesByName(unit.tree);
  const isTypeScript = /\.[cm]?tsx?$/.test(unit.file);
  const isGone = ({ local, module }: ImportBinding): boolean => {
    const own = uses.get(local) ?? [];
    const isRemoved = own.length > 0 && own.every((place) => removing.some((edit) => covers(edit, place)));
    const isWritten = (): boolean =>
      edits.some(({ text, frame }) =>
        [text, frame?.open, frame?.close].some((one) => mentions(one ?? '', local)),
      );
    return isRemoved && !isWritten() && (isTypeScript || !module.startsWith('.'));
  };
  return importsOf(unit.tree).flatMap(({ bindings }) => bindings.filter(isGone));
}

function covers({ start, end }: Edit, place: number): boolean {
  return start <= place && place < end;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

/** Where each name stands outside the imports; in JavaScript comments count, which may hold types. */
function usesByName(tree: ts.SourceFile): Map<string, number[]> {
  const statements = new Set<ts.Node>(importsOf(tree).map(({ statement }) => statement));
  const uses = new Map<string, number[]>();
  const add = (name: string, place: number): void => {
    uses.set(name, [...(uses.get(name) ?? []), place]);
  };
  const visit = (node: ts.Node): void => {
    if (statements.has(node)) return;
    if (ts.isIdentifier(node)) add(node.text, node.getStart(tree));
    for (const comment of ts.getJSDocCommentsAndTags(node)) {
      for (const match of comment.getText(tree).matchAll(/[\w$]+/g))
        add(match[0], comment.getStart(tree) + match.index);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return uses;
}
