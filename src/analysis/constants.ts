/** What a constant was initialised with, as long as nothing writes to it later. */
import { ts } from 'ts-morph';
import { peel, propertyOf } from './syntax.js';
import { withoutAlias } from './named-symbol.js';

/** The object literal that an expression is, or that the constant it names was initialised with. */
export function literalBehind(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): ts.ObjectLiteralExpression | undefined {
  const inner = valueBehind(expression, checker);
  return inner !== undefined && ts.isObjectLiteralExpression(inner) ? inner : undefined;
}

/** What an expression is, also through constants, frozen ones included, and their properties; undefined when it is out of sight. */
export function valueBehind(expression: ts.Expression, checker: ts.TypeChecker): ts.Expression | undefined {
  const inner = peel(expression);
  if (ts.isIdentifier(inner)) {
    const initializer = constantInitializer(inner, checker);
    return initializer === undefined ? undefined : valueBehind(initializer, checker);
  }
  if (ts.isCallExpression(inner) && inner.expression.getText() === 'Object.freeze') {
    return inner.arguments[0] === undefined ? undefined : valueBehind(inner.arguments[0], checker);
  }
  if (!ts.isPropertyAccessExpression(inner)) return inner;
  const holder = literalBehind(inner.expression, checker);
  const property = holder === undefined ? undefined : propertyOf(holder, inner.name.text);
  const wins = property !== undefined && !isSpreadBehind(property);
  const value = wins ? valueOfProperty(property, checker) : undefined;
  return value === undefined ? undefined : valueBehind(value, checker);
}

/** The expression that a property is given, also by shorthand; undefined for a method or an accessor. */
export function valueOfProperty(
  property: ts.ObjectLiteralElementLike,
  checker: ts.TypeChecker,
): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  return ts.isShorthandPropertyAssignment(property)
    ? initializerOf(checker.getShorthandAssignmentValueSymbol(property), checker)
    : undefined;
}

/** What a name was initialised with when it is a constant that nothing writes into. */
export function constantInitializer(name: ts.Identifier, checker: ts.TypeChecker): ts.Expression | undefined {
  const initializer = initializerOf(checker.getSymbolAtLocation(name), checker);
  return initializer === undefined || isWrittenTo(name.text, name.getSourceFile()) ? undefined : initializer;
}

function initializerOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Expression | undefined {
  const declaration = withoutAlias(symbol, checker)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const isConstant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  return isConstant && !isWrittenTo(declaration.name.getText(), declaration.getSourceFile())
    ? declaration.initializer
    : undefined;
}

const written = new WeakMap<ts.SourceFile, Map<string, boolean>>();

function isWrittenTo(name: string, file: ts.SourceFile): boolean {
  const ofFile = written.get(file) ?? new Map<string, boolean>();
  written.set(file, ofFile);
  const known = ofFile.get(name);
  if (known !== undefined) return known;
  const pattern = `\\b${name}(?:\\.[\\w.]+|\\[[^\\]]+\\])\\s*=[^=>]|assign\\(\\s*${name}\\b`;
  const found = new RegExp(pattern).test(file.text);
  ofFile.set(name, found);
  return found;
}

function isSpreadBehind(property: ts.ObjectLiteralElementLike): boolean {
  const { properties } = property.parent as ts.ObjectLiteralExpression;
  return properties.slice(properties.indexOf(property) + 1).some((later) => ts.isSpreadAssignment(later));
}
