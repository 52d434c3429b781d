/** What an expression can be, as far as it is written down: through constants, loops, tables, parameters and functions in sight. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { referencesOf } from './references.js';
import { functionsBehind } from './server-entries.js';
import { accessedMember, iterationOf, peel, propertyName, propertyOf } from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/** Enough for a table that a function makes of functions; deeper nesting is not worth a guess. */
const DEPTH = 10;

/**
 * The expressions, and methods of object literals, that a value can come from.
 *
 * @returns undefined when any of them is out of sight; a call of something out of sight stands for itself
 */
export function writtenValues(
  expression: ts.Expression,
  world: ClosedWorld,
  depth = DEPTH,
): WrittenValue[] | undefined {
  const inner = peel(expression);
  if (depth === 0) return undefined;
  const next = (value: ts.Expression): WrittenValue[] | undefined => writtenValues(value, world, depth - 1);
  if (ts.isConditionalExpression(inner)) return all([inner.whenTrue, inner.whenFalse], next);
  if (ts.isAwaitExpression(inner)) return next(inner.expression);
  if (ts.isCallExpression(inner)) {
    const returned = returnedBy(inner, world);
    return returned === undefined ? [inner] : all(returned, next);
  }
  if (ts.isPropertyAccessExpression(inner)) return membersOf(inner, world, depth);
  return ts.isIdentifier(inner) ? valuesOfName(inner, world, depth) : [inner];
}

/** A value that is written down: an expression, or the method of an object literal. */
export type WrittenValue = ts.Expression | ts.MethodDeclaration;

function all<T>(
  values: readonly T[] | undefined,
  read: (value: T) => WrittenValue[] | undefined,
): WrittenValue[] | undefined {
  const found = values?.map(read);
  return found?.every((one) => one !== undefined) === true ? [...new Set(found.flat())] : undefined;
}

/** What a function in sight returns; undefined for one that is out of sight. */
function returnedBy(call: ts.CallExpression, world: ClosedWorld): ts.Expression[] | undefined {
  const found = functionsBehind(world, call.expression).flatMap((owner) => resultsOf(owner));
  return found.length === 0 ? undefined : found;
}

/** The expressions that a function returns. */
export function resultsOf(owner: ts.SignatureDeclaration): ts.Expression[] {
  const { body } = owner as ts.FunctionLikeDeclaration;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function valuesOfName(name: ts.Identifier, world: ClosedWorld, depth: number): WrittenValue[] | undefined {
  const declaration = declarationOf(name, world);
  if (declaration === undefined || world.isOurs(declaration)) return [name];
  const next = (value: ts.Expression): WrittenValue[] | undefined => writtenValues(value, world, depth - 1);
  if (ts.isVariableDeclaration(declaration)) {
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop)) return elementsOf(loop.expression, world, depth - 1);
    const isConstant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
    return isConstant && declaration.initializer !== undefined ? next(declaration.initializer) : undefined;
  }
  if (ts.isParameter(declaration)) return valuesOfParameter(declaration, world, depth);
  if (ts.isBindingElement(declaration)) return valuesOfPart(declaration, world, depth);
  return [name];
}

/** The declaration that a name means, also as a shorthand property and under the name of an import. */
export function declarationOf(name: ts.Identifier, { checker }: ClosedWorld): ts.Declaration | undefined {
  const target = symbolNamed(name, checker);
  return target?.valueDeclaration ?? target?.declarations?.[0];
}

/** `rows.forEach((row) => …)`, or what the callers in sight hand in. */
function valuesOfParameter(
  parameter: ts.ParameterDeclaration,
  world: ClosedWorld,
  depth: number,
): WrittenValue[] | undefined {
  const owner = parameter.parent;
  const iteration = iterationOf(owner);
  const index = owner.parameters.indexOf(parameter);
  if (iteration !== undefined && ts.isPropertyAccessExpression(iteration.expression))
    return index === 0 ? elementsOf(iteration.expression.expression, world, depth - 1) : undefined;
  const calls = referencesOf(world).callsOf(owner);
  if (calls.length === 0) return undefined;
  const handed = calls.map((call) => call.arguments?.[index] ?? parameter.initializer);
  if (!handed.every((one) => one !== undefined)) return undefined;
  return all(handed, (value) => writtenValues(value, world, depth - 1));
}

/** `for (const [schema, handler] of table)`, `({ schema }) => …`, `const { schema } = row` */
function valuesOfPart(
  part: ts.BindingElement,
  world: ClosedWorld,
  depth: number,
): WrittenValue[] | undefined {
  const pattern = part.parent;
  const holder = pattern.parent;
  let rows: WrittenValue[] | undefined;
  if (ts.isVariableDeclaration(holder)) {
    const loop = holder.parent.parent;
    if (ts.isForOfStatement(loop)) rows = elementsOf(loop.expression, world, depth - 1);
    else if (holder.initializer !== undefined) rows = writtenValues(holder.initializer, world, depth - 1);
  } else if (ts.isParameter(holder)) {
    rows = valuesOfParameter(holder, world, depth);
  }
  if (ts.isArrayBindingPattern(pattern)) {
    const index = pattern.elements.indexOf(part);
    return all(rows, (row) => {
      const element = ts.isArrayLiteralExpression(row) ? row.elements[index] : undefined;
      return element === undefined ? undefined : writtenValues(element, world, depth - 1);
    });
  }
  const name = propertyName(part.propertyName ?? part.name);
  return name === undefined ? undefined : all(rows, (row) => memberOf(row, name, world, depth));
}

function membersOf(
  access: ts.PropertyAccessExpression,
  world: ClosedWorld,
  depth: number,
): WrittenValue[] | undefined {
  const rows = writtenValues(access.expression, world, depth - 1);
  // A member of something that stands for itself: of a module, of `this`.
  if (rows?.every((row) => !ts.isObjectLiteralExpression(row)) === true) return [access];
  return all(rows, (row) => memberOf(row, access.name.text, world, depth));
}

function memberOf(
  row: WrittenValue,
  name: string,
  world: ClosedWorld,
  depth: number,
): WrittenValue[] | undefined {
  const property = ts.isObjectLiteralExpression(row) ? propertyOf(row, name) : undefined;
  if (property === undefined) return undefined;
  if (ts.isShorthandPropertyAssignment(property)) return writtenValues(property.name, world, depth - 1);
  if (ts.isMethodDeclaration(property)) return [property];
  return ts.isPropertyAssignment(property)
    ? writtenValues(property.initializer, world, depth - 1)
    : undefined;
}

/** What iterating gives: elements of an array, values of `Object.values(table)`. */
function elementsOf(
  expression: ts.Expression,
  world: ClosedWorld,
  depth: number,
): WrittenValue[] | undefined {
  const inner = peel(expression);
  if (depth <= 0) return undefined;
  if (ts.isCallExpression(inner)) {
    const accessed = accessedMember(peel(inner.expression));
    const [table] = inner.arguments;
    if (accessed?.access.expression.getText() === 'Object' && table !== undefined)
      return accessed.member === 'values' ? propertiesOf(table, world, depth) : undefined;
  }
  return all(writtenValues(inner, world, depth), (array) => {
    if (!ts.isArrayLiteralExpression(array)) return undefined;
    return all([...array.elements], (element) =>
      ts.isSpreadElement(element)
        ? elementsOf(element.expression, world, depth - 1)
        : writtenValues(element, world, depth - 1),
    );
  });
}

function propertiesOf(table: ts.Expression, world: ClosedWorld, depth: number): WrittenValue[] | undefined {
  return all(writtenValues(table, world, depth - 1), (object) => {
    if (!ts.isObjectLiteralExpression(object)) return undefined;
    return all([...object.properties], (property) => {
      const name = property.name === undefined ? undefined : propertyName(property.name);
      return name === undefined ? undefined : memberOf(object, name, world, depth);
    });
  });
}
