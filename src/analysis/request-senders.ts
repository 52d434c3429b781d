/**
 * Subscribe messages that go through a sender of the application's own: a hook, a wrapper, an RPC function. What is
 * behind it cannot be seen, so they are found and never rewritten.
 */
import { ts } from 'ts-morph';
import { METHOD } from '../protocol/index.js';
import type { ClientGroup } from './client-group.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { literalText, propertyOf } from './syntax.js';

/** One message handed to a sender. */
export interface SenderCall {
  readonly node: ts.CallExpression;
  /** `object`: `send({ method: 'resources/subscribe', … })`. `name`: `call('resources/subscribe', …)`. */
  readonly form: 'object' | 'name';
}

const METHODS = new Set<string>([METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe]);

/** How senders are called; telemetry, routes, translations and assertions take the same texts and send nothing. */
const SENDERS = /(?:request|send|call|rpc|invoke)/i;
const NOT_SENDERS = /^(?:set|add|remove|on[A-Z]|register|handle|to[A-Z])|handler$/i;

/** Finds them, but for those that a client's own group accounts for. */
export function findSenderCalls(world: ClosedWorld, groups: readonly ClientGroup[]): SenderCall[] {
  const accounted = new Set<ts.Node>(groups.flatMap((group) => group.subscriptions.map((call) => call.node)));
  const found: SenderCall[] = [];
  for (const file of world.sourceFiles) {
    if (![...METHODS].some((method) => file.text.includes(method))) continue;
    for (const node of nodesOfInterest(file).operations) {
      const form = ts.isCallExpression(node) && !accounted.has(node) ? formOf(node) : undefined;
      if (form !== undefined && !writesMessages(node as ts.CallExpression, world))
        found.push({ node: node as ts.CallExpression, form });
    }
  }
  return found;
}

/** A function of a file that writes JSON-RPC by itself: what it is handed is read off the wire. */
function writesMessages({ expression }: ts.CallExpression, { checker }: ClosedWorld): boolean {
  const file = expression.getSourceFile();
  if (!/\bjsonrpc['"]?\s*:/.test(file.text)) return false;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
  return declarations.some(
    (declaration) =>
      declaration.getSourceFile() === file &&
      (ts.isFunctionLike(declaration) ||
        ((ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration)) &&
          declaration.initializer !== undefined &&
          ts.isFunctionLike(declaration.initializer))),
  );
}

function formOf(call: ts.CallExpression): SenderCall['form'] | undefined {
  const callee = call.expression;
  const name = ts.isPropertyAccessExpression(callee)
    ? callee.name.text
    : ts.isIdentifier(callee)
      ? callee.text
      : '';
  if (!SENDERS.test(name) || NOT_SENDERS.test(name)) return undefined;
  const [first, second] = call.arguments;
  if (first === undefined) return undefined;
  if (ts.isStringLiteralLike(first))
    return METHODS.has(first.text) && second !== undefined ? 'name' : undefined;
  if (!ts.isObjectLiteralExpression(first) || propertyOf(first, 'jsonrpc') !== undefined) return undefined;
  const method = propertyOf(first, 'method');
  if (method === undefined || !ts.isPropertyAssignment(method)) return undefined;
  const text = literalText(method.initializer);
  return text !== undefined && METHODS.has(text) ? 'object' : undefined;
}
