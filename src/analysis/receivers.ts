/** Whether an expression is an instance of one of the SDK's classes: a client, a server, a transport. */
import { ts } from 'ts-morph';
import { CLIENT_CLASS, CLIENT_MODULES } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { CLIENT, type Subject } from './subject.js';
import { peel } from './syntax.js';
import { symbolNamed } from './named-symbol.js';

/**
 * - `instance`: its type is a class of the SDK that is asked for, or a subclass of one.
 * - `other`: its type is declared and is something else: a wrapper, a look-alike, another class of the SDK.
 * - `unknown`: nothing in the candidate files says what it is.
 */
export type Receiver = 'instance' | 'other' | 'unknown';

/** Classifies an expression by its type, through casts (`client as any` is still what `client` is). */
export function classifyReceiver(
  world: ClosedWorld,
  expression: ts.Expression,
  subject: Subject = CLIENT,
): Receiver {
  const inner = peel(expression);
  const found = classifyType(world, world.checker.getTypeAtLocation(inner), subject);
  if (found !== 'unknown' || inner === expression) return found;
  // `expression as Client` says it where the expression itself does not.
  return classifyType(world, world.checker.getTypeAtLocation(expression), subject);
}

/** Classifies a type. */
export function classifyType(world: ClosedWorld, type: ts.Type, subject: Subject = CLIENT): Receiver {
  if (type.isUnionOrIntersection()) {
    const parts = type.types.map((part) => classifyType(world, part, subject));
    if (parts.includes('instance')) return 'instance';
    return parts.includes('other') ? 'other' : 'unknown';
  }
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return 'unknown';
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) return 'unknown';
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = world.checker.getBaseConstraintOfType(type);
    return constraint === undefined || constraint === type
      ? 'unknown'
      : classifyType(world, constraint, subject);
  }
  return isOfClass(world, type, subject) ? 'instance' : 'other';
}

function isOfClass(world: ClosedWorld, type: ts.Type, subject: Subject): boolean {
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  const isNamed = symbol !== undefined && subject.classes.includes(symbol.name);
  if (declaration !== undefined && world.isSdk(declaration) && isNamed) return true;
  return (world.checker.isArrayType(type) ? [] : (type.getBaseTypes() ?? [])).some((base) =>
    isOfClass(world, base, subject),
  );
}

/** Whether `new X(...)` makes an SDK client: by type, or, where types are blind, by what `X` was imported from. */
export function isClientCreation(world: ClosedWorld, node: ts.NewExpression): boolean {
  if (makesSomethingElse(world, node.expression)) return false;
  const receiver = classifyReceiver(world, node);
  return receiver === 'instance' || (receiver === 'unknown' && isRequiredClient(world, node.expression));
}

/** Whether `new X(...)` makes an instance of a subject, by type. */
export function isCreation(world: ClosedWorld, node: ts.NewExpression, subject: Subject): boolean {
  return !makesSomethingElse(world, node.expression) && classifyReceiver(world, node, subject) === 'instance';
}

/**
 * Whether the name alone shows that `new` makes no client: it is bound to nothing in sight, to a global, or to a class
 * that extends nothing. The type of the whole expression, arguments included, costs the checker far more.
 */
function makesSomethingElse(world: ClosedWorld, callee: ts.Expression): boolean {
  if (!ts.isIdentifier(callee)) return false;
  const [declaration, ...others] = symbolNamed(callee, world.checker)?.declarations ?? [];
  if (declaration === undefined) return true;
  if (world.isOurs(declaration)) return !world.isSdk(declaration);
  return others.length === 0 && ts.isClassLike(declaration) && declaration.heritageClauses === undefined;
}

/** `const { Client } = require('…')` and `await import('…')` in TypeScript, where they have no type. */
function isRequiredClient(world: ClosedWorld, callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee)) {
    return callee.name.text === CLIENT_CLASS && comesFromSdk(world, callee.expression);
  }
  if (!ts.isIdentifier(callee)) return false;
  const declaration = world.checker.getSymbolAtLocation(callee)?.declarations?.[0];
  if (declaration === undefined) return false;
  if (ts.isBindingElement(declaration)) {
    const imported = declaration.propertyName ?? declaration.name;
    const variable = declaration.parent.parent;
    return (
      ts.isIdentifier(imported) &&
      imported.text === CLIENT_CLASS &&
      ts.isVariableDeclaration(variable) &&
      variable.initializer !== undefined &&
      loadsSdk(variable.initializer)
    );
  }
  return (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    ts.isPropertyAccessExpression(declaration.initializer) &&
    declaration.initializer.name.text === CLIENT_CLASS &&
    loadsSdk(declaration.initializer.expression)
  );
}

function comesFromSdk(world: ClosedWorld, expression: ts.Expression): boolean {
  const inner = peel(expression);
  if (loadsSdk(inner)) return true;
  if (!ts.isIdentifier(inner)) return false;
  const declaration = world.checker.getSymbolAtLocation(inner)?.declarations?.[0];
  return (
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    loadsSdk(declaration.initializer)
  );
}

function loadsSdk(expression: ts.Expression): boolean {
  let inner = peel(expression);
  if (ts.isAwaitExpression(inner)) inner = peel(inner.expression);
  if (!ts.isCallExpression(inner)) return false;
  const isLoader =
    inner.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(inner.expression) && inner.expression.text === 'require');
  const argument = inner.arguments[0];
  return (
    isLoader &&
    argument !== undefined &&
    ts.isStringLiteralLike(argument) &&
    CLIENT_MODULES.some((specifier) => specifier === argument.text)
  );
}

const holdable = new WeakMap<ClosedWorld, Map<Subject, Map<ts.Type, boolean>>>();

/**
 * Whether a value of this type can be an instance, a container of instances or a promise of one. An object that has an
 * instance in one of its properties is not: the property is a place of its own.
 */
export function mayHoldInstance(world: ClosedWorld, type: ts.Type, subject: Subject): boolean {
  const ofWorld = holdable.get(world) ?? new Map<Subject, Map<ts.Type, boolean>>();
  holdable.set(world, ofWorld);
  const known = ofWorld.get(subject) ?? new Map<ts.Type, boolean>();
  ofWorld.set(subject, known);
  const answer = known.get(type);
  if (answer !== undefined) return answer;
  known.set(type, true); // a type that contains itself holds what its other parts hold
  const found = mayHold(world, type, subject);
  known.set(type, found);
  return found;
}

function mayHold(world: ClosedWorld, type: ts.Type, subject: Subject): boolean {
  const holds = (part: ts.Type): boolean => mayHoldInstance(world, part, subject);
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) return true;
  if (type.isUnionOrIntersection()) {
    return type.types.some((part) => !(part.flags & EMPTY) && holds(part));
  }
  if (!(type.flags & ts.TypeFlags.Object)) return (type.flags & EMPTY) !== 0;
  const symbol = type.getSymbol();
  const declaration = symbol?.declarations?.[0];
  if (declaration !== undefined && world.isOurs(declaration)) {
    if (world.isSdk(declaration)) return symbol !== undefined && subject.classes.includes(symbol.name);
    const parameters = world.checker.getTypeArguments(type as ts.TypeReference);
    return parameters.length === 0 || parameters.some(holds);
  }
  if (world.checker.isTupleType(type)) {
    return world.checker.getTypeArguments(type as ts.TypeReference).some(holds);
  }
  const calls = type.getCallSignatures();
  if (calls.length > 0) return calls.some((call) => holds(call.getReturnType()));
  const values = world.checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (values !== undefined) return holds(values);
  return (
    isOfClass(world, type, subject) ||
    subject.classes.some((name) => {
      const instance = world.sdkType(name);
      return instance !== undefined && world.checker.isTypeAssignableTo(instance, type);
    })
  );
}

/** `let client = null` says nothing yet about what will be put there. */
const EMPTY = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
