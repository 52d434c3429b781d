/** What stands in a registry: URIs alone, or also whose they are. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { referencesOf } from './references.js';
import type { RegistryPlaces } from './registry-places.js';
import { accessedMember, dressed, peel, propertyName } from './syntax.js';

/** How far a name is followed to the URI that it stands for. */
const DEPTH = 6;

/**
 * Whether nothing but the URI of a request is ever put in, or a flag: then an entry cannot tell whose it is. A count, a
 * session, a server, and whatever cannot be read say more.
 */
export function holdsBareUris(world: ClosedWorld, { uses }: RegistryPlaces): boolean {
  const fills = uses.filter(({ kind }) => kind === 'fill');
  return (
    fills.length > 0 &&
    fills.every(({ node }) => putBy(node)?.every((one) => isBare(one, world, DEPTH)) === true)
  );
}

/** The values that a use of a registry puts in; undefined where they cannot be told. */
function putBy(registry: ts.Node): readonly ts.Expression[] | undefined {
  const place = dressed(registry);
  const { parent } = place;
  const accessed = accessedMember(parent);
  if (accessed?.access.expression === place) {
    const callee = dressed(accessed.access);
    const call = callee.parent;
    if (ts.isCallExpression(call) && call.expression === callee) return call.arguments;
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === place) {
    const value = assignedTo(parent);
    return value === undefined ? undefined : [parent.argumentExpression, value];
  }
  const value = assignedTo(registry);
  if (value === undefined) return undefined;
  const inner = peel(value);
  if (!ts.isArrayLiteralExpression(inner)) return [inner];
  // uris = [...uris, uri]
  return inner.elements.filter(
    (element) => !ts.isSpreadElement(element) || element.expression.getText() !== registry.getText(),
  );
}

function assignedTo(expression: ts.Node): ts.Expression | undefined {
  const place = dressed(expression);
  const { parent } = place;
  const isAssigned =
    ts.isBinaryExpression(parent) &&
    parent.left === place &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssigned ? parent.right : undefined;
}

function isBare(expression: ts.Expression, world: ClosedWorld, depth: number): boolean {
  const inner = peel(expression);
  if (depth === 0) return false;
  if (ts.isLiteralExpression(inner) || inner.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (ts.isPropertyAccessExpression(inner) && inner.name.text === 'uri') return true;
  if (ts.isIdentifier(inner)) return standsForUri(inner, world, depth - 1);
  return madeOf(inner).some((one) => isBare(one, world, depth - 1));
}

/** What a call that tidies a URI up is given: `uri.toString()`, `normalize(uri)`, `new URL(uri).href`. */
function madeOf(made: ts.Expression): readonly ts.Expression[] {
  if (ts.isPropertyAccessExpression(made) && made.name.text === 'href') return [made.expression];
  if (ts.isNewExpression(made)) return made.arguments?.length === 1 ? made.arguments : [];
  if (!ts.isCallExpression(made)) return [];
  const callee = peel(made.expression);
  if (made.arguments.length === 1) return made.arguments;
  return ts.isPropertyAccessExpression(callee) && made.arguments.length === 0 ? [callee.expression] : [];
}

function standsForUri(name: ts.Identifier, world: ClosedWorld, depth: number): boolean {
  const declaration = world.checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (declaration === undefined) return false;
  if (ts.isBindingElement(declaration)) {
    const key = declaration.propertyName ?? declaration.name;
    return ts.isIdentifier(key) && propertyName(key) === 'uri';
  }
  if (ts.isVariableDeclaration(declaration))
    return declaration.initializer !== undefined && isBare(declaration.initializer, world, depth);
  if (!ts.isParameter(declaration)) return false;
  const index = declaration.parent.parameters.indexOf(declaration);
  const calls = referencesOf(world).callsOf(declaration.parent);
  return (
    calls.length > 0 &&
    calls.every((call) => {
      const argument = call.arguments?.[index];
      return argument !== undefined && isBare(argument, world, depth);
    })
  );
}
