/** Where a module uses a constant of its own: by its name, or by the path of members that ends in it. */
import { declaredName, keyOf } from './declared-names.js';
import { lineOf } from './server-finding.js';
import { child, isMember, memberName, nameOf, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** The lines of the uses, each once. */
export function usesOf(module: WireModule, node: Node): number[] {
  const path = pathTo(module, node);
  const [first, ...members] = path;
  if (first === undefined) return [];
  const lines = module.of('Identifier').flatMap((identifier): number[] => {
    if (nameOf(identifier) !== first || isDeclaredBy(module, identifier)) return [];
    let at: Node = identifier;
    for (const member of members) {
      const outer = module.parentOf(at);
      if (
        outer === undefined ||
        !isMember(outer) ||
        child(outer, 'object') !== at ||
        memberName(outer) !== member
      )
        return [];
      at = outer;
    }
    return [lineOf(module, identifier.start)];
  });
  return [...new Set(lines)];
}

/** `METHODS`, `RESOURCES`, `SUBSCRIBE`. */
function pathTo(module: WireModule, node: Node): string[] {
  const names: string[] = [];
  for (const at of [node, ...module.ancestorsOf(node)]) {
    const name =
      at.type === 'VariableDeclarator' || at.type === 'TSEnumDeclaration' || at.type === 'ClassDeclaration'
        ? nameOf(child(at, 'id'))
        : at.type === 'TSEnumMember'
          ? declaredName(at)
          : child(at, 'key') === undefined
            ? undefined
            : keyOf(at);
    if (name !== undefined) names.unshift(name);
    if (/^(?:VariableDeclarator|TSEnumDeclaration|ClassDeclaration)$/.test(at.type)) return names;
  }
  return [];
}

function isDeclaredBy(module: WireModule, identifier: Node): boolean {
  const parent = module.parentOf(identifier);
  if (parent === undefined) return true;
  if (isMember(parent)) return child(parent, 'property') === identifier && parent['computed'] !== true;
  return (
    child(parent, 'id') === identifier ||
    (child(parent, 'key') === identifier && parent['computed'] !== true && parent['shorthand'] !== true)
  );
}
