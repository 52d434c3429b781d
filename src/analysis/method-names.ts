/** The methods that a raw request, or a computed key, can name: by what is written down, by what callers hand in, by literal types. */
import { ts } from 'ts-morph';
import { LEGACY_ONLY_CALLS, SERVER_MEMBER } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { possibleValues } from './possible-values.js';
import { namedHolder, referencesOf } from './references.js';
import { accessedMember, dressed, isAssigned, isExported, peel, propertyName } from './syntax.js';

/** Names handed from function to function; more in a row are not worth a guess. */
const DEPTH = 6;

/** The texts that an expression can be; undefined when one of them is out of sight. */
export function textsOf(expression: ts.Expression, world: ClosedWorld, depth = DEPTH): string[] | undefined {
  const inner = peel(expression);
  if (ts.isStringLiteralLike(inner)) return [inner.text];
  if (depth === 0) return undefined;
  const next = (value: ts.Expression): string[] | undefined => textsOf(value, world, depth - 1);
  if (ts.isTemplateExpression(inner)) return textsOfTemplate(inner, next);
  return allOf(valuesOf(inner, world), next) ?? textsOfType(typeOf(inner, world), world);
}

/** `notifications/${kind}/list_changed`, with every kind there is. */
function textsOfTemplate(
  template: ts.TemplateExpression,
  read: (value: ts.Expression) => string[] | undefined,
): string[] | undefined {
  return template.templateSpans.reduce<string[] | undefined>(
    (heads, { expression, literal }) => {
      const middles = heads === undefined ? undefined : read(expression);
      return middles?.flatMap((middle) => heads?.map((head) => head + middle + literal.text) ?? []);
    },
    [template.head.text],
  );
}

/** The methods of the requests that an expression can be; undefined when one of them is out of sight. */
export function methodsOf(request: ts.Expression, world: ClosedWorld, depth = DEPTH): string[] | undefined {
  const inner = peel(request);
  if (depth === 0) return undefined;
  if (ts.isObjectLiteralExpression(inner)) return methodsOfLiteral(inner, world, depth);
  const next = (value: ts.Expression): string[] | undefined => methodsOf(value, world, depth - 1);
  return allOf(valuesOf(inner, world), next) ?? methodsOfHandled(inner, world) ?? methodsOfType(inner, world);
}

/** `server.setRequestHandler('tools/list', (request) => client.request(request))`: what is handled is what is sent. */
function methodsOfHandled(request: ts.Expression, world: ClosedWorld): string[] | undefined {
  const declaration = ts.isIdentifier(request) ? valueSymbol(request, world)?.valueDeclaration : undefined;
  if (declaration === undefined || !ts.isParameter(declaration)) return undefined;
  const handler = declaration.parent;
  const registration = dressed(handler).parent;
  const [kind] = ts.isCallExpression(registration) ? registration.arguments : [];
  const isRegistration =
    kind !== undefined &&
    handler.parameters[0] === declaration &&
    ts.isCallExpression(registration) &&
    accessedMember(registration.expression)?.member === SERVER_MEMBER.setRequestHandler;
  return isRegistration ? textsOf(kind, world) : undefined;
}

/** The last `method` wins, also one that is spread in. */
function methodsOfLiteral(
  literal: ts.ObjectLiteralExpression,
  world: ClosedWorld,
  depth: number,
): string[] | undefined {
  for (const property of literal.properties.toReversed()) {
    if (ts.isSpreadAssignment(property)) {
      if (bringsNoMethod(property.expression, world)) continue;
      return methodsOf(property.expression, world, depth - 1);
    }
    if (propertyName(property.name) !== METHOD_KEY) continue;
    if (ts.isPropertyAssignment(property)) return textsOf(property.initializer, world, depth - 1);
    return ts.isShorthandPropertyAssignment(property) ? textsOf(property.name, world, depth - 1) : undefined;
  }
  return [];
}

const METHOD_KEY = 'method';

function bringsNoMethod(spread: ts.Expression, { checker }: ClosedWorld): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(spread));
  const isOpen = (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0;
  if (isOpen || checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined) return false;
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => checker.getPropertyOfType(part, METHOD_KEY) === undefined);
}

/** What an expression stands for; undefined when that is out of sight or it stands for itself. */
function valuesOf(inner: ts.Expression, world: ClosedWorld): ts.Expression[] | undefined {
  if (ts.isConditionalExpression(inner)) return [inner.whenTrue, inner.whenFalse];
  if (ts.isBinaryExpression(inner)) {
    const { kind } = inner.operatorToken;
    const isChoice = kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
    return isChoice ? [inner.left, inner.right] : undefined;
  }
  const found = possibleValues(inner, world.checker)?.filter((value) => peel(value) !== inner);
  if (found !== undefined && found.length > 0) return found;
  if (!ts.isIdentifier(inner)) return undefined;
  const declaration = valueSymbol(inner, world)?.valueDeclaration;
  return declaration !== undefined && ts.isParameter(declaration)
    ? argumentsFor(declaration, world)
    : undefined;
}

/** What every caller hands in for a parameter; undefined when a caller may be out of sight. */
function argumentsFor(parameter: ts.ParameterDeclaration, world: ClosedWorld): ts.Expression[] | undefined {
  const owner = parameter.parent;
  const holder = namedHolder(owner);
  if (holder === undefined || parameter.dotDotDotToken !== undefined || isVisibleOutside(holder))
    return undefined;
  const references = referencesOf(world);
  const calls = references.callsOf(owner);
  const uses = references.to(holder).filter((name) => (name.parent as ts.NamedDeclaration) !== holder);
  if (calls.length === 0 || calls.length !== uses.length) return undefined;
  if (references.to(parameter).some(isAssigned)) return undefined;
  const index = owner.parameters.indexOf(parameter);
  const handed = calls.map((call) => {
    const passed = call.arguments?.slice(0, index + 1) ?? [];
    return passed.some((argument) => ts.isSpreadElement(argument))
      ? undefined
      : (passed[index] ?? parameter.initializer);
  });
  return handed.every((one) => one !== undefined) ? handed : undefined;
}

/** Whether code out of sight can call it: an export, a member that is not private to a class of which instances get around. */
function isVisibleOutside(holder: ts.Node): boolean {
  if (ts.isFunctionDeclaration(holder)) return isExported(holder);
  if (ts.isVariableDeclaration(holder)) {
    const statement = holder.parent.parent;
    return !ts.isVariableStatement(statement) || isExported(holder);
  }
  if (!ts.isMethodDeclaration(holder) && !ts.isPropertyDeclaration(holder)) return true;
  const isPrivate =
    ts.isPrivateIdentifier(holder.name) ||
    (ts.getCombinedModifierFlags(holder) & ts.ModifierFlags.Private) !== 0;
  return !isPrivate;
}

/** The strings of a literal type, or of a union of them. One with a call of 2025 in it says what may be, not what is. */
function textsOfType(type: ts.Type, world: ClosedWorld): string[] | undefined {
  const known = world.checker.getNonNullableType(type);
  const parts = known.isUnion() ? known.types : [known];
  const texts = parts.map((part) => (part.isStringLiteral() ? part.value : undefined));
  return texts.every((text) => text !== undefined) && !texts.some(isBlocking) ? texts : undefined;
}

function isBlocking(text: string): boolean {
  return LEGACY_ONLY_CALLS.some(
    (row) => row.role === 'blocker' && (row.member === text || row.method === text),
  );
}

function methodsOfType(request: ts.Expression, world: ClosedWorld): string[] | undefined {
  const { checker } = world;
  const property = checker.getPropertyOfType(checker.getNonNullableType(typeOf(request, world)), METHOD_KEY);
  return property === undefined
    ? undefined
    : textsOfType(checker.getTypeOfSymbolAtLocation(property, request), world);
}

/** The name of a shorthand property is the property's, whose type is wider than the value's. */
function typeOf(expression: ts.Expression, world: ClosedWorld): ts.Type {
  const { checker } = world;
  const symbol =
    ts.isIdentifier(expression) && ts.isShorthandPropertyAssignment(expression.parent)
      ? valueSymbol(expression, world)
      : undefined;
  return symbol === undefined
    ? checker.getTypeAtLocation(expression)
    : checker.getTypeOfSymbolAtLocation(symbol, expression);
}

function valueSymbol(name: ts.Identifier, { checker }: ClosedWorld): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
}

function allOf<T>(
  values: readonly ts.Expression[] | undefined,
  read: (value: ts.Expression) => T[] | undefined,
): T[] | undefined {
  const found = values?.map(read);
  return found?.every((one) => one !== undefined) === true ? [...new Set(found.flat())] : undefined;
}
