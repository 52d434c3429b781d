/** Whether two expressions mean the same place: the same name, or the same members behind the same name. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { enclosingClass, enclosingFunction, peel, propertyName } from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/** What a path starts at (a variable, or the class whose `this` it is) and the members behind it. */
export type Path = readonly [root: ts.Symbol | ts.Node, ...members: string[]];

/** Constants that stand for other constants; more in a row are not worth a guess. */
const DEPTH = 6;

/** The path of a name, of `this`, or of plain members of them, through constants that stand for one; undefined for all else. */
export function pathOf(expression: ts.Expression, world: ClosedWorld, depth = DEPTH): Path | undefined {
  const inner = peel(expression);
  if (inner.kind === ts.SyntaxKind.ThisKeyword || inner.kind === ts.SyntaxKind.SuperKeyword) {
    const owner = enclosingClass(inner) ?? enclosingFunction(inner);
    return owner === undefined ? undefined : [owner];
  }
  if (ts.isPropertyAccessExpression(inner)) {
    const base = pathOf(inner.expression, world, depth);
    return base === undefined ? undefined : [...base, inner.name.text];
  }
  if (!ts.isIdentifier(inner)) return undefined;
  const symbol = symbolNamed(inner, world.checker);
  if (symbol === undefined) return undefined;
  return (depth === 0 ? undefined : pathBehind(symbol.valueDeclaration, world, depth - 1)) ?? [symbol];
}

/** `const client = this.client;`, `const { client } = this;` */
function pathBehind(
  declaration: ts.Declaration | undefined,
  world: ClosedWorld,
  depth: number,
): Path | undefined {
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration)) {
    return isConstant(declaration) && declaration.initializer !== undefined
      ? pathOf(declaration.initializer, world, depth)
      : undefined;
  }
  if (!ts.isBindingElement(declaration) || !ts.isObjectBindingPattern(declaration.parent)) return undefined;
  const holder = declaration.parent.parent;
  const member = propertyName(declaration.propertyName ?? declaration.name);
  if (!ts.isVariableDeclaration(holder) || !isConstant(holder) || holder.initializer === undefined)
    return undefined;
  const base = pathOf(holder.initializer, world, depth);
  return base === undefined || member === undefined ? undefined : [...base, member];
}

function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
}

/** Whether both are the same, part by part. */
export function isSamePath(one: Path | undefined, other: Path | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** The path as it is called where `from` is known as `to`; unchanged where it does not start with `from`. */
export function rebased(path: Path, from: Path | undefined, to: Path | undefined): Path {
  if (from === undefined || to === undefined) return path;
  const starts = from.every((part, index) => part === path[index]);
  return starts ? [...to, ...(path.slice(from.length) as string[])] : path;
}

/**
 * Whether an expression means the place of a path: by its own path, or because the function around it puts the one into
 * the other (`this.client = client`).
 */
export function isAtPath(expression: ts.Expression, wanted: Path, world: ClosedWorld): boolean {
  const path = pathOf(expression, world);
  if (path === undefined) return false;
  if (isSamePath(path, wanted)) return true;
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const [left, right] = [pathOf(node.left, world), pathOf(node.right, world)];
      found =
        (isSamePath(left, wanted) && isSamePath(right, path)) ||
        (isSamePath(left, path) && isSamePath(right, wanted));
    }
    ts.forEachChild(node, visit);
  };
  visit(enclosingFunction(expression) ?? expression.getSourceFile());
  return found;
}
