/**
 * Emits that stand in a function of the code's own and are decided by its calls: `notify('notifications/…')` (H4), or a
 * method of a session that a loop calls for each (G4). What is published is published at those calls.
 */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { methodIn, readMessage, readMethod } from './publisher-messages.js';
import { fanOutAround } from './publisher-loops.js';
import { isFactory } from './publisher-reach.js';
import { classifyReceiver } from './receivers.js';
import { namedHolder, referencesOf } from './references.js';
import { requestHandlersOf } from './request-handlers.js';
import { isTestFile, type Emit } from './server-emits.js';
import type { ServerGroup } from './server-group.js';
import { SERVER } from './subject.js';
import { dressed, enclosingFunction, iterationOf, literalText, peel } from './syntax.js';

/** The calls that decide about an emit; undefined where it is decided where it stands. */
export function forwardedEmits(world: ClosedWorld, group: ServerGroup, emit: Emit): Emit[] | undefined {
  const owner = functionAround(emit.call);
  if (owner === undefined || requestHandlersOf(world, group).has(owner) || isFactory(group, owner))
    return undefined;
  if (namedHolder(owner) === undefined) return undefined;
  const references = referencesOf(world);
  const calls = references
    .callsOf(owner)
    .filter((call) => ts.isCallExpression(call) && !isTestFile(call)) as ts.CallExpression[];
  if (calls.length === 0) return undefined;
  const decided = decidingParameter(world, emit, owner);
  if (decided === undefined && !calls.some((call) => isPerSession(world, emit, call))) return undefined;
  if (decided !== undefined && isHandedOn(world, owner)) return undefined;
  return calls.flatMap((call) => {
    const made = emitAt(world, emit, owner, call, decided);
    return made.notifications?.length === 0 ? [] : [made];
  });
}

/** The function that a node runs in; the callback of a `forEach` is none of its own. */
function functionAround(node: ts.Node): ts.SignatureDeclaration | undefined {
  const owner = enclosingFunction(node);
  return owner !== undefined && iterationOf(owner) !== undefined ? functionAround(owner) : owner;
}

interface Deciding {
  readonly index: number;
  /** Whether the parameter is the whole message, or its method alone. */
  readonly is: 'message' | 'method';
}

/** The parameter that says what is sent. */
function decidingParameter(
  world: ClosedWorld,
  { message }: Emit,
  owner: ts.SignatureDeclaration,
): Deciding | undefined {
  if (message === undefined) return undefined;
  const whole = parameterIndex(world, message, owner);
  if (whole !== undefined) return { index: whole, is: 'message' };
  const method = methodIn(peel(message));
  const index = method === undefined ? undefined : parameterIndex(world, method, owner);
  return index === undefined ? undefined : { index, is: 'method' };
}

function parameterIndex(
  { checker }: ClosedWorld,
  expression: ts.Expression,
  owner: ts.SignatureDeclaration,
): number | undefined {
  const inner = peel(expression);
  if (!ts.isIdentifier(inner)) return undefined;
  const symbol = ts.isShorthandPropertyAssignment(inner.parent)
    ? checker.getShorthandAssignmentValueSymbol(inner.parent)
    : checker.getSymbolAtLocation(inner);
  const index = owner.parameters.findIndex((parameter) => parameter === symbol?.valueDeclaration);
  return index < 0 ? undefined : index;
}

/** `for (const session of sessions) session.announce(uri)` */
function isPerSession(world: ClosedWorld, emit: Emit, call: ts.CallExpression): boolean {
  return (
    fanOutAround(world, emit.call, [emit.receiver]) === undefined &&
    fanOutAround(world, call, receiversOf(call)) !== undefined
  );
}

/** Where a server can come into a call: by what the function is taken from. */
function receiversOf(call: ts.CallExpression): ts.Expression[] {
  const callee = peel(call.expression);
  return ts.isPropertyAccessExpression(callee) ? [callee.expression] : [...call.arguments];
}

/** What is called, or the server that is handed over. */
function receiverOf(world: ClosedWorld, call: ts.CallExpression): ts.Expression {
  const callee = peel(call.expression);
  if (ts.isPropertyAccessExpression(callee)) return callee.expression;
  return call.arguments.find((one) => classifyReceiver(world, one, SERVER) === 'instance') ?? callee;
}

function isHandedOn(world: ClosedWorld, owner: ts.SignatureDeclaration): boolean {
  const holder = namedHolder(owner);
  if (holder === undefined) return true;
  return referencesOf(world)
    .to(holder)
    .some((name) => {
      const access =
        ts.isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name;
      const value = dressed(access);
      return ts.isCallExpression(value.parent) && value.parent.expression !== value;
    });
}

function emitAt(
  world: ClosedWorld,
  emit: Emit,
  owner: ts.SignatureDeclaration,
  call: ts.CallExpression,
  decided: Deciding | undefined,
): Emit {
  const receiver = receiverOf(world, call);
  const argument = decided === undefined ? undefined : call.arguments[decided.index];
  const handed = (expression: ts.Expression | undefined): ts.Expression | undefined => {
    if (expression === undefined || literalText(expression) !== undefined) return expression;
    const index = parameterIndex(world, expression, owner);
    return index === undefined ? undefined : call.arguments[index];
  };
  const at = { ...emit, call, receiver, form: 'forwarded', message: argument } as const;
  if (argument !== undefined && decided?.is === 'message') return { ...at, ...readMessage(world, argument) };
  const named = argument === undefined ? {} : readMethod(world, argument);
  return { ...at, ...named, uri: handed(emit.uri), uriHolder: handed(emit.uriHolder) };
}
