/** Names under which something from another module may go that is called otherwise there. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest, type Name } from './nodes-of-interest.js';

const known = new WeakMap<ClosedWorld, ReadonlySet<string>>();

/**
 * All of them: a name that is not here and means a declaration of another module is spelled as over there. Asking for
 * the name is cheap where asking the checker what each name of a program means is not.
 */
export function renamings(world: ClosedWorld): ReadonlySet<string> {
  const found = known.get(world) ?? findRenamings(world);
  known.set(world, found);
  return found;
}

function findRenamings(world: ClosedWorld): Set<string> {
  // `export default createMcpHandler`
  const found = new Set(['default']);
  for (const file of world.sourceFiles) {
    const isScript = /\.[cm]?jsx?$/.test(file.fileName);
    for (const name of nodesOfInterest(file).names)
      if (isRenamed(name) || (isScript && isRenamedInScript(name))) found.add(name.text);
  }
  return found;
}

function isRenamed(name: Name): boolean {
  const { parent } = name;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent))
    return parent.name === name && parent.propertyName !== undefined;
  return ts.isImportClause(parent) || ts.isNamespaceImport(parent) || ts.isImportEqualsDeclaration(parent);
}

/** `require` and `exports` give names as well, in JavaScript. */
function isRenamedInScript(name: Name): boolean {
  const { parent } = name;
  if (ts.isBindingElement(parent)) return parent.name === name && parent.propertyName !== undefined;
  if (ts.isVariableDeclaration(parent)) return parent.name === name && parent.initializer !== undefined;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.name === name &&
    ts.isBinaryExpression(parent.parent) &&
    parent.parent.left === parent
  );
}
