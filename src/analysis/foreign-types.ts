/** Whether an expression is declared to be something of a package that is out of sight, such as another library's client. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { classifyReceiver } from './receivers.js';
import { peel, propertyName } from './syntax.js';

/** Constants that stand for other constants. */
const DEPTH = 6;

/**
 * Places of one name are taken for one another where an interface is in between, so that `client: AxiosInstance` may look
 * like the client that is asked about: its declaration says that it is none.
 */
export function isForeign(world: ClosedWorld, expression: ts.Expression): boolean {
  if (classifyReceiver(world, expression) !== 'unknown') return false;
  const inner = peel(expression);
  const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  return isForeignDeclaration(world, world.checker.getSymbolAtLocation(name)?.valueDeclaration, DEPTH);
}

function isForeignDeclaration(
  world: ClosedWorld,
  declaration: ts.Declaration | undefined,
  depth: number,
): boolean {
  if (declaration === undefined || depth === 0) return false;
  const { type, initializer } = declaration as {
    readonly type?: ts.TypeNode;
    readonly initializer?: ts.Expression;
  };
  if (type !== undefined) return namesAType(type);
  if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
    const member = propertyName(declaration.propertyName ?? declaration.name);
    const holder = world.checker.getTypeAtLocation(declaration.parent);
    const property = member === undefined ? undefined : world.checker.getPropertyOfType(holder, member);
    return isForeignDeclaration(world, property?.valueDeclaration, depth - 1);
  }
  if (initializer === undefined) return false;
  const inner = peel(initializer);
  const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  if (ts.isNewExpression(inner) || ts.isCallExpression(inner)) return false;
  return isForeignDeclaration(world, world.checker.getSymbolAtLocation(name)?.valueDeclaration, depth - 1);
}

/** A type by its name, also as one of several; `any` and `unknown` name none. */
function namesAType(type: ts.TypeNode): boolean {
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.some(namesAType);
  if (ts.isParenthesizedTypeNode(type)) return namesAType(type.type);
  return ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type) || ts.isTypeQueryNode(type);
}
