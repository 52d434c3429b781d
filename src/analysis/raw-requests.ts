/** Raw requests and notifications, and what the methods that send them are handed to. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS, METHOD, type Era } from '../protocol/index.js';
import type { LegacyUse, SubscriptionCall, SubscriptionNode, UnreadableUse } from './client-group.js';
import { guardAround } from './client-subscriptions.js';
import { isTestUse } from './client-mocks.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era-checks.js';
import type { MemberUse } from './flow.js';
import { isForeign } from './foreign-types.js';
import { methodsOf } from './method-names.js';
import { referencesOf } from './references.js';
import { accessedMember, dressed, enclosingFunction, peel, propertyName } from './syntax.js';
import { shortText } from './short-text.js';

/** What the uses of a client turn out to be. */
export interface Uses {
  readonly subscriptions: SubscriptionCall[];
  readonly legacyUses: LegacyUse[];
  readonly unreadable: UnreadableUse[];
}

const REQUEST_ACTIONS: Readonly<Record<string, SubscriptionCall['action']>> = {
  [METHOD.resourcesSubscribe]: 'subscribe',
  [METHOD.resourcesUnsubscribe]: 'unsubscribe',
};

/** One call that sends what it is given. */
interface Sending {
  readonly call: ts.CallExpression;
  readonly request: ts.Expression | undefined;
  /** The client where the call names it. */
  readonly client: ts.Expression | undefined;
  /** Whether the call is `client.request(…)` as it is. */
  readonly isDirect: boolean;
}

/** Reads a use of `client.request` or `client.notification`, called or not. */
export function readSender(world: ClosedWorld, use: MemberUse, uses: Uses): void {
  const { access } = use;
  const client = access.expression;
  const callee = dressed(access);
  if (ts.isCallExpression(callee.parent) && callee.parent.expression === callee) {
    readSending(
      world,
      { call: callee.parent, request: callee.parent.arguments[0], client, isDirect: true },
      uses,
    );
    return;
  }
  if (isForeign(world, client) || guardAround(use) !== undefined || isTestUse(use)) return;
  const sendings = sendingsThrough(world, access, client);
  if (sendings === undefined) {
    const era = eraAt(access, client, world);
    uses.unreadable.push({ node: access, label: shortText(access), kind: 'taken', era });
  } else {
    for (const sending of sendings) readSending(world, sending, uses);
  }
}

/** Reads a sender that a pattern takes out of the client: by the calls of its new name. */
export function readTakenSender(world: ClosedWorld, node: SubscriptionNode, uses: Uses): void {
  const calls = ts.isBindingElement(node) ? callsOfName(world, node) : undefined;
  if (calls === undefined) {
    uses.unreadable.push({ node, label: shortText(node), kind: 'taken', era: undefined });
    return;
  }
  for (const call of calls) {
    readSending(world, { call, request: call.arguments[0], client: undefined, isDirect: false }, uses);
  }
}

/** `client.request.bind(client)`, `client.request.call(client, request)`, `const send = client.request`. */
function sendingsThrough(
  world: ClosedWorld,
  access: ts.Expression,
  client: ts.Expression,
): Sending[] | undefined {
  const value = dressed(access);
  const { parent } = value;
  const asCall = (call: ts.CallExpression, index: number): Sending => ({
    call,
    request: call.arguments[index],
    client,
    isDirect: false,
  });
  if (ts.isVariableDeclaration(parent)) return callsOfName(world, parent)?.map((call) => asCall(call, 0));
  if (!ts.isPropertyAccessExpression(parent)) return undefined;
  const through = dressed(parent).parent;
  if (!ts.isCallExpression(through) || through.expression !== dressed(parent)) return undefined;
  if (parent.name.text === 'call') return [asCall(through, 1)];
  if (parent.name.text !== 'bind') return undefined;
  if (through.arguments.length > 1) return [asCall(through, 1)];
  const bound = dressed(through);
  if (ts.isCallExpression(bound.parent) && bound.parent.expression === bound)
    return [asCall(bound.parent, 0)];
  return ts.isVariableDeclaration(bound.parent)
    ? callsOfName(world, bound.parent)?.map((call) => asCall(call, 0))
    : undefined;
}

/** The calls of a constant that holds a method; undefined when it goes anywhere else. */
export function callsOfName(
  world: ClosedWorld,
  declaration: ts.VariableDeclaration | ts.BindingElement,
): ts.CallExpression[] | undefined {
  if (!ts.isIdentifier(declaration.name)) return undefined;
  const list = ts.isVariableDeclaration(declaration) ? declaration.parent : undefined;
  const isExported =
    list !== undefined &&
    ts.isVariableStatement(list.parent) &&
    list.parent.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;
  if (isExported) return undefined;
  const calls: ts.CallExpression[] = [];
  for (const name of referencesOf(world).to(declaration)) {
    if (name === declaration.name || name.parent === declaration) continue;
    const callee = dressed(name);
    if (!ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return undefined;
    calls.push(callee.parent);
  }
  return calls;
}

function readSending(world: ClosedWorld, { call, request, client, isDirect }: Sending, uses: Uses): void {
  if (request === undefined) return;
  const era = eraAt(call, client, world);
  const methods = ts.isSpreadElement(request) ? undefined : methodsOf(request, world);
  if (methods === undefined) {
    if (handsOn(call, request)) return;
    if (client === undefined || !isForeign(world, client))
      uses.unreadable.push({ node: call, label: callText(call), kind: 'name', era });
    return;
  }
  const form = isDirect && methods.length === 1 ? 'request' : 'computed';
  const action = actionOf(methods, REQUEST_ACTIONS);
  if (action !== undefined) uses.subscriptions.push(subscription(action, form, call, client, era));
  for (const method of methods) {
    const legacy = LEGACY_ONLY_CALLS.find((row) => row.role === 'blocker' && row.method === method);
    if (legacy !== undefined)
      uses.legacyUses.push({ node: call, label: `request '${method}'`, row: legacy, era });
  }
}

/**
 * An override, or a function put in the place of the method, that hands its own request on: what it sends are the calls of
 * the method itself, which are seen where they stand.
 */
function handsOn(call: ts.CallExpression, request: ts.Expression): boolean {
  const owner = enclosingFunction(call);
  const handed = peel(request);
  const isOwn =
    ts.isIdentifier(handed) &&
    owner?.parameters.some(({ name }) => ts.isIdentifier(name) && name.text === handed.text) === true;
  if (!isOwn) return false;
  if (ts.isMethodDeclaration(owner)) {
    const callee = accessedMember(peel(call.expression));
    return (
      callee?.access.expression.kind === ts.SyntaxKind.SuperKeyword &&
      propertyName(owner.name) === callee.member
    );
  }
  const { parent } = dressed(owner);
  if (!ts.isBinaryExpression(parent) || parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  const member = accessedMember(parent.left)?.member;
  return member === CLIENT_MEMBER.request || member === CLIENT_MEMBER.notification;
}

/** Which of the two one of the names stands for; subscribing where both are among them. */
export function actionOf(
  names: readonly string[],
  actions: Readonly<Record<string, SubscriptionCall['action']>>,
): SubscriptionCall['action'] | undefined {
  const found = names.flatMap((name) => actions[name] ?? []);
  return found.includes('subscribe') ? 'subscribe' : found[0];
}

/** A subscription that is made in another way than by its own method. */
export function subscription(
  action: SubscriptionCall['action'],
  form: SubscriptionCall['form'],
  node: SubscriptionNode,
  receiver: ts.Expression | undefined,
  era: Era | undefined,
): SubscriptionCall {
  const isChain = ts.isCallExpression(node) && ts.isOptionalChain(node);
  return { action, form, node, receiver, optional: isChain, era, typedAsClient: true };
}

/** `client.request(request, …)` on one line, without what does not matter. */
function callText(call: ts.CallExpression): string {
  const [first, ...rest] = call.arguments;
  const request = first === undefined || ts.isObjectLiteralExpression(peel(first)) ? '…' : first.getText();
  return shortText(
    `${call.expression.getText()}(${request}${rest.length > 0 && request !== '…' ? ', …' : ''})`,
  );
}
