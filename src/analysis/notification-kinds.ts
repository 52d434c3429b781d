/** Which notifications a handler is registered for: method strings, v1 schemas, constants, lists and tables of them. */
import { ts } from 'ts-morph';
import { methodOfSchema } from '../protocol/index.js';
import { possibleValues } from './possible-values.js';
import { literalText, peel } from './syntax.js';

/**
 * The methods that the first argument of `setNotificationHandler` can stand for.
 *
 * @returns undefined when one of them cannot be read from the source
 */
export function notificationsOf(argument: ts.Expression, checker: ts.TypeChecker): string[] | undefined {
  const direct = notificationOf(peel(argument), checker);
  if (direct !== undefined) return [direct];
  const found = possibleValues(argument, checker)?.map((value) => notificationOf(value, checker));
  return found !== undefined && found.length > 0 && found.every((one) => one !== undefined)
    ? [...new Set(found)]
    : undefined;
}

function notificationOf(value: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const literal = literalText(value);
  if (literal !== undefined) return literal;
  if (ts.isPropertyAccessExpression(value)) return methodOfSchema(value.name.text);
  if (ts.isIdentifier(value)) return methodOfSchema(importedName(value, checker));
  return methodInSchema(value);
}

/** The name a binding was imported by, before `as`. */
function importedName(name: ts.Identifier, checker: ts.TypeChecker): string {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  const declaration = symbol?.declarations?.[0];
  if (declaration === undefined) return name.text;
  if (ts.isImportSpecifier(declaration)) return (declaration.propertyName ?? declaration.name).text;
  if (ts.isBindingElement(declaration) && declaration.propertyName !== undefined) {
    return ts.isIdentifier(declaration.propertyName) ? declaration.propertyName.text : name.text;
  }
  return name.text;
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
