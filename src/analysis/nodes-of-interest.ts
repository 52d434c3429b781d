/** One walk over a file for everybody who looks at all its nodes of a kind. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';

/** A name in the source. */
export type Name = ts.Identifier | ts.PrivateIdentifier;

/** Where something is done with a value: `a.b`, `a['b']`, `const { b } = a`, `f()`, `new F()`. */
export type Operation =
  | ts.PropertyAccessExpression
  | ts.ElementAccessExpression
  | ts.VariableDeclaration
  | ts.BindingElement
  | ts.CallExpression
  | ts.NewExpression;

/** The nodes of one file, each list in the order of the source, the outer node before the inner one. */
export interface NodesOfInterest {
  readonly operations: readonly Operation[];
  readonly objects: readonly ts.ObjectLiteralExpression[];
  readonly names: readonly Name[];
}

/** By tree: one that is parsed already takes part in several programs. */
const byFile = new WeakMap<ts.SourceFile, NodesOfInterest>();

/** Collects them when they are asked for first. */
export function nodesOfInterest(file: ts.SourceFile): NodesOfInterest {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const operations: Operation[] = [];
  const objects: ts.ObjectLiteralExpression[] = [];
  const names: Name[] = [];
  const visit = (node: ts.Node): void => {
    switch (node.kind) {
      case ts.SyntaxKind.Identifier:
      case ts.SyntaxKind.PrivateIdentifier:
        names.push(node as Name);
        return; // has no children
      case ts.SyntaxKind.PropertyAccessExpression:
      case ts.SyntaxKind.ElementAccessExpression:
      case ts.SyntaxKind.VariableDeclaration:
      case ts.SyntaxKind.BindingElement:
      case ts.SyntaxKind.CallExpression:
      case ts.SyntaxKind.NewExpression:
        operations.push(node as Operation);
        break;
      case ts.SyntaxKind.ObjectLiteralExpression:
        objects.push(node as ts.ObjectLiteralExpression);
        break;
      default:
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const found = { operations, objects, names };
  byFile.set(file, found);
  return found;
}

const namesByWorld = new WeakMap<ClosedWorld, ReadonlyMap<string, readonly Name[]>>();

/** The names of the program by their text. */
export function namesOf(world: ClosedWorld): ReadonlyMap<string, readonly Name[]> {
  const known = namesByWorld.get(world);
  if (known !== undefined) return known;
  const names = new Map<string, Name[]>();
  for (const file of world.sourceFiles) {
    for (const name of nodesOfInterest(file).names) {
      const list = names.get(name.text);
      if (list === undefined) names.set(name.text, [name]);
      else list.push(name);
    }
  }
  namesByWorld.set(world, names);
  return names;
}
