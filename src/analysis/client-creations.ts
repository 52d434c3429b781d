/** Constructors of clients, and the options that reach the SDK through them. */
import { ts } from 'ts-morph';
import { CLIENT_OPTION } from '../protocol/index.js';
import type { Creation } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { literalBehind, valueOfProperty } from './constants.js';
import { eraOfOptions } from './era.js';
import { findOption } from './option-values.js';
import { propertyName } from './syntax.js';

/** Reads a `new Client(...)`. */
export function describeCreation(world: ClosedWorld, node: ts.NewExpression): Creation {
  const optionsCall = optionsCallOf(world, node);
  const options = optionsCall?.arguments?.[1];
  const listChangedNode = listChangedProperty(options, world.checker);
  return {
    node,
    optionsCall,
    era: optionsCall === undefined ? 'unknown' : eraOfOptions(options, world.checker),
    options,
    listChangedOption: listChangedKinds(listChangedNode, world.checker),
    listChangedNode,
  };
}

/**
 * The call whose arguments reach the SDK's constructor. A subclass without a constructor hands its arguments on; one with a
 * constructor decides in `super(…)`; undefined where that cannot be followed.
 */
function optionsCallOf(world: ClosedWorld, node: ts.NewExpression): Creation['optionsCall'] {
  let declaration = world.checker.getTypeAtLocation(node).getSymbol()?.declarations?.[0];
  while (declaration !== undefined && ts.isClassLike(declaration) && !world.isOurs(declaration)) {
    const constructor = declaration.members.find(
      (member) => ts.isConstructorDeclaration(member) && member.body !== undefined,
    );
    if (constructor !== undefined) {
      const call = superCallIn(constructor);
      const above = baseClassOf(world, declaration);
      return above === undefined || world.isOurs(above) ? call : undefined;
    }
    declaration = baseClassOf(world, declaration);
  }
  return node;
}

function baseClassOf(world: ClosedWorld, declaration: ts.ClassLikeDeclaration): ts.Declaration | undefined {
  const type = world.checker.getTypeAtLocation(declaration);
  const [base] = type.isClassOrInterface() ? world.checker.getBaseTypes(type) : [];
  return base?.getSymbol()?.declarations?.[0];
}

function superCallIn(constructor: ts.Node): ts.CallExpression | undefined {
  let found: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) found ??= node;
    if (!ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(constructor, visit);
  return found;
}

function listChangedProperty(
  options: ts.Expression | undefined,
  checker: ts.TypeChecker,
): ts.ObjectLiteralElementLike | undefined {
  const found = options === undefined ? 'absent' : findOption(options, CLIENT_OPTION.listChanged, checker);
  return found === 'absent' || found === 'unknown' ? undefined : found;
}

function listChangedKinds(
  property: ts.ObjectLiteralElementLike | undefined,
  checker: ts.TypeChecker,
): string[] {
  const value = property === undefined ? undefined : valueOfProperty(property, checker);
  const kinds = value === undefined ? undefined : literalBehind(value, checker);
  return (kinds?.properties ?? []).flatMap((kind) => {
    const name = kind.name === undefined ? undefined : propertyName(kind.name);
    return name === undefined ? [] : [name];
  });
}
