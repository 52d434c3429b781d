/** The expressions that a name can stand for: a constant's value, what a loop runs over, the rows of a table. */
import { ts } from 'ts-morph';
import { literalText, peel, propertyName, propertyOf } from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/** Enough for a table of tables; deeper nesting is not worth a guess. */
const DEPTH = 6;

/**
 * The expressions that a value can come from, as far as they are written down.
 *
 * @returns undefined when any of them is out of sight
 */
export function possibleValues(
  expression: ts.Expression,
  checker: ts.TypeChecker,
  depth = DEPTH,
): ts.Expression[] | undefined {
  const inner = peel(expression);
  if (depth === 0) return undefined;
  if (ts.isConditionalExpression(inner)) {
    return both(
      possibleValues(inner.whenTrue, checker, depth - 1),
      possibleValues(inner.whenFalse, checker, depth - 1),
    );
  }
  if (ts.isElementAccessExpression(inner)) return valuesOfObject(inner.expression, checker, depth - 1);
  if (ts.isPropertyAccessExpression(inner)) {
    const rows = possibleValues(inner.expression, checker, depth - 1);
    return rows === undefined ? undefined : membersOf(rows, inner.name.text);
  }
  return ts.isIdentifier(inner) ? valuesOfName(inner, checker, depth) : [inner];
}

function valuesOfName(
  name: ts.Identifier,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const declaration = symbolNamed(name, checker)?.valueDeclaration;
  if (declaration === undefined) return [name];
  if (ts.isVariableDeclaration(declaration)) {
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop)) return elementsOf(loop.expression, checker, depth - 1);
    const isConstant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
    return isConstant && declaration.initializer !== undefined
      ? possibleValues(declaration.initializer, checker, depth - 1)
      : undefined;
  }
  if (ts.isParameter(declaration)) return valuesOfParameter(declaration, checker, depth);
  return ts.isBindingElement(declaration) ? valuesOfPart(declaration, checker, depth) : undefined;
}

/** `schemas.forEach((schema) => …)` */
function valuesOfParameter(
  parameter: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const owner = parameter.parent;
  const call = owner.parent;
  if (owner.parameters[0] !== parameter || !ts.isCallExpression(call)) return undefined;
  const callee = call.expression;
  const isIteration = ts.isPropertyAccessExpression(callee) && ['forEach', 'map'].includes(callee.name.text);
  return isIteration ? elementsOf(callee.expression, checker, depth - 1) : undefined;
}

/** `for (const [schema, handler] of table)`, `rows.forEach(({ schema }) => …)` */
function valuesOfPart(
  part: ts.BindingElement,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const pattern = part.parent;
  const holder = pattern.parent;
  let rows: ts.Expression[] | undefined;
  if (ts.isVariableDeclaration(holder) && ts.isForOfStatement(holder.parent.parent)) {
    rows = elementsOf(holder.parent.parent.expression, checker, depth - 1);
  } else if (ts.isParameter(holder)) {
    rows = valuesOfParameter(holder, checker, depth);
  }
  if (rows === undefined) return undefined;
  if (ts.isObjectBindingPattern(pattern)) {
    const name = propertyName(part.propertyName ?? part.name);
    return name === undefined ? undefined : membersOf(rows, name);
  }
  const index = pattern.elements.indexOf(part);
  const parts = rows.map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[index] : undefined));
  return parts.every((one) => one !== undefined) ? parts : undefined;
}

/** What iterating gives: the elements of an array, the values of `Object.values(table)`. */
function elementsOf(
  expression: ts.Expression,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const inner = peel(expression);
  if (depth <= 0) return undefined;
  if (ts.isArrayLiteralExpression(inner)) {
    return inner.elements.reduce<ts.Expression[] | undefined>((found, element) => {
      const more = ts.isSpreadElement(element)
        ? elementsOf(element.expression, checker, depth - 1)
        : [peel(element)];
      return both(found, more);
    }, []);
  }
  if (ts.isCallExpression(inner)) return elementsOfCall(inner, checker, depth);
  if (!ts.isIdentifier(inner) && !ts.isPropertyAccessExpression(inner)) return undefined;
  const arrays = possibleValues(inner, checker, depth - 1);
  return arrays?.reduce<ts.Expression[] | undefined>(
    (found, array) => both(found, array === inner ? undefined : elementsOf(array, checker, depth - 1)),
    [],
  );
}

function elementsOfCall(
  call: ts.CallExpression,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const callee = call.expression;
  const [table] = call.arguments;
  const isObject = ts.isPropertyAccessExpression(callee) && callee.expression.getText() === 'Object';
  if (!isObject || table === undefined) return undefined;
  if (callee.name.text === 'values') return valuesOfObject(table, checker, depth - 1);
  if (callee.name.text !== 'entries') return undefined;
  const values = valuesOfObject(table, checker, depth - 1);
  // An entry is a pair; its first part is a key and of no interest here.
  return values?.map((value) => ts.factory.createArrayLiteralExpression([value, value]));
}

function valuesOfObject(
  expression: ts.Expression,
  checker: ts.TypeChecker,
  depth: number,
): ts.Expression[] | undefined {
  const tables = possibleValues(expression, checker, depth);
  if (tables === undefined) return undefined;
  const values: ts.Expression[] = [];
  for (const table of tables) {
    if (ts.isArrayLiteralExpression(table)) {
      values.push(...table.elements);
      continue;
    }
    if (!ts.isObjectLiteralExpression(table)) return undefined;
    for (const property of table.properties) {
      if (ts.isShorthandPropertyAssignment(property)) values.push(property.name);
      else if (ts.isPropertyAssignment(property)) values.push(peel(property.initializer));
      else return undefined;
    }
  }
  return values;
}

/** One property of every row of a table. */
function membersOf(rows: readonly ts.Expression[], name: string): ts.Expression[] | undefined {
  const values = rows.map((row) => {
    const property = ts.isObjectLiteralExpression(row) ? propertyOf(row, name) : undefined;
    if (property === undefined) return undefined;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
    return ts.isPropertyAssignment(property) ? peel(property.initializer) : undefined;
  });
  return values.every((value) => value !== undefined) ? values : undefined;
}

function both<T>(one: T[] | undefined, other: T[] | undefined): T[] | undefined {
  return one === undefined || other === undefined ? undefined : [...one, ...other];
}

/** The texts of a value that is one of several string literals; undefined when one of them is not. */
export function possibleTexts(expression: ts.Expression, checker: ts.TypeChecker): string[] | undefined {
  const texts = possibleValues(expression, checker)?.map(literalText);
  return texts?.every((text) => text !== undefined) === true ? texts : undefined;
}
