/** Which notification a handler is registered for: a method string, a v1 schema, or a constant that holds either. */
import { ts } from 'ts-morph';
import { methodOfSchema } from '../protocol/index.js';
import { literalText, peel } from './syntax.js';

/**
 * The method that the first argument of `setNotificationHandler` stands for.
 *
 * @returns undefined when it cannot be read from the source
 */
export function notificationOf(argument: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const literal = literalText(argument);
  if (literal !== undefined) return literal;
  const inner = peel(argument);
  if (ts.isPropertyAccessExpression(inner)) {
    return methodOfSchema(inner.name.text) ?? constantText(inner.name, checker);
  }
  if (!ts.isIdentifier(inner)) return methodInSchema(inner);
  return methodOfSchema(importedName(inner, checker)) ?? constantText(inner, checker);
}

/** The name a binding was imported by, before `as`. */
function importedName(name: ts.Identifier, checker: ts.TypeChecker): string {
  const declaration = checker.getSymbolAtLocation(name)?.declarations?.[0];
  if (declaration === undefined) return name.text;
  if (ts.isImportSpecifier(declaration)) return (declaration.propertyName ?? declaration.name).text;
  if (ts.isBindingElement(declaration) && declaration.propertyName !== undefined) {
    return ts.isIdentifier(declaration.propertyName) ? declaration.propertyName.text : name.text;
  }
  return name.text;
}

function constantText(
  name: ts.Identifier | ts.PrivateIdentifier | ts.MemberName,
  checker: ts.TypeChecker,
): string | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const target =
    symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target?.valueDeclaration;
  if (declaration === undefined) return undefined;
  const initializer =
    ts.isVariableDeclaration(declaration) ||
    ts.isPropertyAssignment(declaration) ||
    ts.isPropertyDeclaration(declaration)
      ? declaration.initializer
      : undefined;
  if (initializer === undefined) return undefined;
  return literalText(initializer) ?? methodInSchema(peel(initializer));
}

/** `z.object({ method: z.literal('x') })` and what extends it: the method of a schema written by hand. */
function methodInSchema(schema: ts.Expression): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined) return;
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      node.name.text === 'method' &&
      ts.isCallExpression(node.initializer)
    ) {
      found = literalText(node.initializer.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  if (ts.isCallExpression(schema)) visit(schema);
  return found;
}
