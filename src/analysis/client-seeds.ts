/** The expressions by which clients show themselves: receivers of telling members, and constructors. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS } from '../protocol/index.js';
import { isChangeStreamCall } from './change-stream-calls.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest, type Operation } from './nodes-of-interest.js';
import { classifyReceiver, isClientCreation } from './receivers.js';
import { SUBSCRIPTION_ACTIONS } from './client-subscriptions.js';
import { accessedMember, dressed, peel, propertyOf } from './syntax.js';

/** Members by which a client shows itself; a receiver of any other member is found by following values. */
const TELLING_MEMBERS = new Set<string>([
  ...LEGACY_ONLY_CALLS.map((call) => call.member),
  CLIENT_MEMBER.connect,
  CLIENT_MEMBER.listen,
  CLIENT_MEMBER.request,
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.removeNotificationHandler,
  CLIENT_MEMBER.fallbackNotificationHandler,
  CLIENT_MEMBER.setVersionNegotiation,
]);

/** An expression that holds a client. */
export interface Seed {
  readonly expression: ts.Expression;
  readonly certain: boolean;
}

/** Finds all of them. */
export function findSeeds(world: ClosedWorld): Seed[] {
  const seeds: Seed[] = [];
  const look = (node: Operation): void => {
    const accessed = accessedMember(node);
    if (accessed !== undefined && TELLING_MEMBERS.has(accessed.member)) {
      const { expression } = accessed.access;
      const receiver = classifyReceiver(world, expression);
      if (receiver === 'instance') seeds.push({ expression, certain: true });
      else if (
        receiver === 'unknown' &&
        accessed.member in SUBSCRIPTION_ACTIONS &&
        takesUri(accessed.access)
      ) {
        seeds.push({ expression, certain: false });
      }
    } else if (takesApart(world, node)) {
      seeds.push({ expression: node.initializer, certain: true });
    } else if (ts.isElementAccessExpression(node) && accessed === undefined) {
      if (classifyReceiver(world, node.expression) === 'instance')
        seeds.push({ expression: node.expression, certain: true });
    } else if (ts.isNewExpression(node) && isClientCreation(world, node)) {
      seeds.push({ expression: node, certain: true });
    } else if (ts.isCallExpression(node) && isChangeStreamCall(node)) {
      const client = node.arguments[0];
      if (client !== undefined)
        seeds.push({ expression: client, certain: classifyReceiver(world, client) === 'instance' });
    }
  };
  for (const file of world.sourceFiles) nodesOfInterest(file).operations.forEach(look);
  return seeds;
}

/** `const { ping } = client` */
function takesApart(
  world: ClosedWorld,
  node: ts.Node,
): node is ts.VariableDeclaration & { readonly initializer: ts.Expression } {
  return (
    ts.isVariableDeclaration(node) &&
    ts.isObjectBindingPattern(node.name) &&
    node.initializer !== undefined &&
    classifyReceiver(world, node.initializer) === 'instance'
  );
}

/** A receiver of unknown type is worth a word only where the call has the SDK's form: one object with a `uri`. */
function takesUri(access: ts.Expression): boolean {
  const callee = dressed(access);
  if (!ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return false;
  const argument = callee.parent.arguments[0];
  if (argument === undefined) return false;
  const inner = peel(argument);
  return ts.isObjectLiteralExpression(inner) && propertyOf(inner, 'uri') !== undefined;
}
