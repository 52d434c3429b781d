/** What a handler of `resources/subscribe` does: bookkeeping alone, or something that nobody does once it is not called. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, METHOD, SERVER_MEMBER } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { isContainer } from './containers.js';
import { classifyReceiver } from './receivers.js';
import { functionsBehind } from './server-entries.js';
import { CLIENT } from './subject.js';
import { accessedMember, contains, literalText, peel, propertyName, propertyOf } from './syntax.js';
import { declarationOf, writtenValues } from './written-values.js';

/** What handlers do, and by which code. */
export interface Duty {
  /**
   * - `bookkeeping`: notes who has subscribed, and logs it.
   * - `check`: refuses some: throws, asks who it is, validates.
   * - `forward`: subscribes at an upstream client (K1).
   * - `bridge`: hands the subscription to a backend of another kind (K4).
   * - `work`: starts or tells something.
   * - `unreadable`: its code is out of sight.
   */
  readonly does: 'bookkeeping' | 'check' | 'forward' | 'bridge' | 'work' | 'unreadable';
  readonly deed: ts.Node | undefined;
}

type Deed = Duty['does'];

/** What a person must know of first: a lost check is worse than lost work. */
const ORDER: readonly Deed[] = ['check', 'forward', 'bridge', 'work', 'unreadable'];

/** How far functions in sight that a handler calls are read. */
const DEPTH = 3;

/**
 * The duty of some functions together.
 *
 * @param wrapper a call out of sight that the handler is what it returns
 */
export function dutyOf(
  world: ClosedWorld,
  functions: readonly ts.SignatureDeclaration[],
  wrapper: ts.CallExpression | undefined,
): Duty {
  const duties = functions.flatMap((one) => dutiesIn(world, one, new Set()));
  if (wrapper !== undefined) duties.push(dutyOfWrapper(wrapper, functions.length > 0));
  if (functions.length === 0) duties.push({ does: 'unreadable', deed: undefined });
  for (const does of ORDER) {
    const found = duties.find((one) => one.does === does);
    if (found !== undefined) return found;
  }
  return { does: 'bookkeeping', deed: undefined };
}

/** `withAuth(handler)`; one that is handed the method's name does the whole work elsewhere. */
function dutyOfWrapper(call: ts.CallExpression, hasHandler: boolean): Duty {
  if (isBound(call)) return { does: 'bookkeeping', deed: undefined };
  const name = nameOfCallee(call) ?? '';
  if (CHECKING.test(name) || /auth|guard|access|permission/i.test(name)) return { does: 'check', deed: call };
  return { does: !hasHandler && handsMethodOn(call) ? 'bridge' : 'unreadable', deed: call };
}

function isBound({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'bind';
}

function dutiesIn(world: ClosedWorld, owner: ts.SignatureDeclaration, seen: Set<ts.Node>): Duty[] {
  const { body } = owner as ts.FunctionLikeDeclaration;
  if (seen.has(owner) || seen.size > DEPTH) return [];
  seen.add(owner);
  if (body === undefined) return [{ does: 'unreadable', deed: undefined }];
  const found: Duty[] = [];
  const add = (does: Deed, deed: ts.Node): void => {
    found.push({ does, deed });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node)) {
      // A caught error that is thrown on was not found here.
      if (!isInCatch(node, owner)) add('check', conditionOf(node, owner) ?? node);
      return;
    }
    if (accessedMember(node)?.member === IDENTITY) add('check', node);
    else if (ts.isNewExpression(node)) addNew(node, add);
    else if (ts.isCallExpression(node) && addCall(world, node, owner, seen, add)) return;
    else if (ts.isIfStatement(node) && refuses(node)) add('check', node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Who asks, as both generations of the SDK hand it to a handler. */
const IDENTITY = 'authInfo';

const CHECKING =
  /^(?:assert|authori[sz]e|validate|verify|enforce|check|can[A-Z]|is(?:Allowed|Authori[sz]ed|Permitted|Valid)|ensure(?:Access|Allowed|Auth|Can[A-Z]|Permi|Valid)|require[A-Z]|guard)/;

/** Built-in classes of bookkeeping and errors. */
const PLAIN = /^(?:Set|Map|WeakMap|WeakSet|Array|Date|URL|RegExp|Promise|\w*Error)$/;

/** Methods that change a container: bookkeeping on a built-in one; on anything else (`watcher.add(path)`) nobody knows. */
const CHANGING = /^(?:add|set|delete|clear|push|pop|shift|unshift|splice)$/;

/** Methods that only look at containers and values. */
const LOOKING =
  /^(?:get|has|includes|indexOf|find|findIndex|filter|map|some|every|forEach|keys|values|entries|join|slice|split|trim|toString|toISOString|toLowerCase|concat|from|of|isArray|now|stringify|assign|freeze|create|padStart|replace|startsWith|endsWith)$/;

/** Logging: it is nobody's loss when a subscription that does not happen is not logged. */
const LOGGING = /^(?:log|debug|info|notice|warn|warning|error|trace|verbose)$/;

function addNew(node: ts.NewExpression, add: (does: Deed, deed: ts.Node) => void): void {
  if (!PLAIN.test(node.expression.getText())) add('work', node);
}

/** Reads a call; true where what is in it has been read, too. */
function addCall(
  world: ClosedWorld,
  call: ts.CallExpression,
  owner: ts.SignatureDeclaration,
  seen: Set<ts.Node>,
  add: (does: Deed, deed: ts.Node) => void,
): boolean {
  const name = nameOfCallee(call);
  if (isForwarded(world, call)) add('forward', call);
  else if (name !== undefined && CHECKING.test(name)) add('check', call);
  else if (isRejection(call)) add('check', call);
  else if (isLog(call, name)) return true;
  else if (handsMethodOn(call) || name === 'fetch') add('bridge', call);
  else if (name !== undefined && isBookkeeping(world, call, name)) return false;
  else {
    const called = calledBy(world, call).filter((one) => !contains(one, owner));
    const isRead = called.length > 0 && called.every((one) => hasBody(one));
    if (!isRead) add('work', call);
    else for (const one of called) for (const { does } of dutiesIn(world, one, seen)) add(does, call);
  }
  return false;
}

/** The functions that a call runs; for one that is handed in, what the callers in sight hand in. */
function calledBy(world: ClosedWorld, call: ts.CallExpression): ts.SignatureDeclaration[] {
  const callee = peel(call.expression);
  const declaration = ts.isIdentifier(callee) ? declarationOf(callee, world) : undefined;
  if (declaration === undefined || !ts.isParameter(declaration))
    return functionsBehind(world, call.expression);
  return (writtenValues(callee, world) ?? []).flatMap((value) =>
    ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isMethodDeclaration(value)
      ? [value]
      : [],
  );
}

function hasBody(owner: ts.SignatureDeclaration): boolean {
  return (owner as ts.FunctionLikeDeclaration).body !== undefined;
}

/** `subscribed.add(uri)`, `byUri.get(uri)?.has(id)` */
function isBookkeeping(world: ClosedWorld, call: ts.CallExpression, name: string): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined) return false;
  if (LOOKING.test(name)) return true;
  return CHANGING.test(name) && isContainer(world, accessed.access.expression);
}

function isLog(call: ts.CallExpression, name: string | undefined): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (name === undefined || accessed === undefined) return false;
  return (
    (LOGGING.test(name) &&
      /(?:^|\.|#)(?:console|log|logger|\w*[lL]ogger)$/.test(accessed.access.expression.getText())) ||
    name === SERVER_MEMBER.sendLoggingMessage
  );
}

/** `upstream.subscribeResource(…)`, and the same as a raw request on a client. */
function isForwarded(world: ClosedWorld, call: ts.CallExpression): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined) return false;
  const { member, access } = accessed;
  const isSubscribing =
    member === CLIENT_MEMBER.subscribeResource || member === CLIENT_MEMBER.unsubscribeResource;
  const receiver = classifyReceiver(world, access.expression, CLIENT);
  if (isSubscribing) return receiver !== 'other';
  return member === CLIENT_MEMBER.request && receiver === 'instance' && handsMethodOn(call);
}

/** A call that is given the method's name, or a request of it. */
function handsMethodOn(call: ts.CallExpression): boolean {
  return call.arguments.some((argument) => {
    const inner = peel(argument);
    if (ts.isObjectLiteralExpression(inner)) {
      const property = propertyOf(inner, 'method');
      return (
        property !== undefined &&
        ts.isPropertyAssignment(property) &&
        isSubscribeMethod(literalText(property.initializer))
      );
    }
    return isSubscribeMethod(literalText(inner));
  });
}

function isSubscribeMethod(text: string | undefined): boolean {
  return text === METHOD.resourcesSubscribe || text === METHOD.resourcesUnsubscribe;
}

/** `Promise.reject(…)` */
function isRejection(call: ts.CallExpression): boolean {
  return call.expression.getText() === 'Promise.reject';
}

/** What a refusal depends on says more than its words. */
function conditionOf(node: ts.Node, owner: ts.Node): ts.Node | undefined {
  for (let current = node.parent; current !== owner; current = current.parent)
    if (ts.isIfStatement(current)) return current.expression;
  return undefined;
}

function isInCatch(node: ts.Node, owner: ts.Node): boolean {
  for (let current = node.parent; current !== owner; current = current.parent)
    if (ts.isCatchClause(current)) return true;
  return false;
}

/** `watchers.has(uri)`, `started`, `this.timer !== undefined` */
const DONE_ALREADY =
  /\.(?:has|get|includes|size|length)\b|^!?[\w.#]+$|^[\w.#]+\s*[!=]==?\s*(?:undefined|null)$/;

/** `if (!known(uri)) return {};`: leaves before the bookkeeping, for another reason than that it is done already. */
function refuses({ expression, thenStatement, elseStatement }: ts.IfStatement): boolean {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  if (elseStatement !== undefined || last === undefined || !ts.isReturnStatement(last)) return false;
  return !DONE_ALREADY.test(expression.getText());
}

/** The name by which a function is called. */
function nameOfCallee({ expression }: ts.CallExpression): string | undefined {
  const callee = peel(expression);
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? propertyName(callee.name) : undefined;
}
