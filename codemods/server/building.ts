/** Whether statements do nothing but build a server, so that they may run again for each one. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import { accessedMember, contains, isFunction, iterationOf, peel } from '../../src/analysis/syntax.js';
import { SERVER_MEMBER } from '../../src/protocol/index.js';

/** The names that belong to the server that is built. */
export type BuiltNames = ReadonlySet<ts.Symbol>;

/** How far functions that take part in the building are followed. */
const DEPTH = 3;

/** The part of a statement that does more than build; undefined where there is none. */
export function otherEffect(
  statement: ts.Statement,
  built: BuiltNames,
  world: ClosedWorld,
): ts.Node | undefined {
  return effectOf(statement, { built, world });
}

interface Question {
  readonly built: BuiltNames;
  readonly world: ClosedWorld;
}

function effectOf(statement: ts.Statement, question: Question): ts.Node | undefined {
  if (isDeclaration(statement)) return undefined;
  if (ts.isVariableStatement(statement)) {
    return first(statement.declarationList.declarations, ({ initializer }) =>
      initializer === undefined ? undefined : valueEffect(withoutAwait(initializer), question),
    );
  }
  if (ts.isExpressionStatement(statement)) return valueEffect(statement.expression, question);
  if (ts.isBlock(statement)) return first(statement.statements, (one) => effectOf(one, question));
  if (ts.isIfStatement(statement)) {
    const { thenStatement, elseStatement } = statement;
    return (
      effectOf(thenStatement, question) ??
      (elseStatement === undefined ? undefined : effectOf(elseStatement, question))
    );
  }
  if (ts.isForOfStatement(statement) || ts.isForInStatement(statement) || ts.isForStatement(statement))
    return effectOf(statement.statement, question);
  return ts.isEmptyStatement(statement) ? undefined : statement;
}

/** What makes the server may be waited for. */
function withoutAwait(initializer: ts.Expression): ts.Expression {
  const inner = peel(initializer);
  return ts.isAwaitExpression(inner) ? inner.expression : inner;
}

function mentionsBuilt(node: ts.Node, question: Question): boolean {
  if (ts.isIdentifier(node) && isBuilt(node, question)) return true;
  return ts.forEachChild(node, (child) => mentionsBuilt(child, question) || undefined) ?? false;
}

function isDeclaration(statement: ts.Statement): boolean {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    (ts.isClassDeclaration(statement) && statement.heritageClauses === undefined)
  );
}

function first<T>(items: readonly T[], look: (item: T) => ts.Node | undefined): ts.Node | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueEffect(expression: ts.Expression, question: Question): ts.Node | undefined {
  const inner = peel(expression);
  if (ts.isVoidExpression(inner)) return valueEffect(inner.expression, question);
  if (ts.isAwaitExpression(inner))
    // What is waited for is work; it belongs to the building if the server takes part in it.
    return mentionsBuilt(inner, question) ? valueEffect(inner.expression, question) : inner;
  if (ts.isCallExpression(inner)) return callEffect(inner, question);
  if (ts.isNewExpression(inner))
    return first(inner.arguments ?? [], (argument) => valueEffect(argument, question));
  if (ts.isBinaryExpression(inner)) return binaryEffect(inner, question);
  if (ts.isObjectLiteralExpression(inner))
    return first(inner.properties, (property) =>
      ts.isPropertyAssignment(property) ? argumentEffect(property.initializer, question) : undefined,
    );
  if (ts.isArrayLiteralExpression(inner))
    return first(inner.elements, (element) => argumentEffect(element, question));
  const isPrefix = ts.isPrefixUnaryExpression(inner) || ts.isPostfixUnaryExpression(inner);
  return isPrefix && inner.operator !== ts.SyntaxKind.ExclamationToken ? inner : undefined;
}

function binaryEffect(inner: ts.BinaryExpression, question: Question): ts.Node | undefined {
  const isAssignment =
    inner.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    inner.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (!isAssignment) return valueEffect(inner.left, question) ?? valueEffect(inner.right, question);
  const target = accessedMember(peel(inner.left));
  if (target === undefined || !isBuilt(inner.left, question)) return inner;
  if (endsProcess(inner, question.world)) return inner;
  return valueEffect(inner.right, question);
}

/** What happens when an instance is closed happens for one that was only probed, too: the client would lose its server. */
function endsProcess({ left, right }: ts.BinaryExpression, world: ClosedWorld): boolean {
  return (
    accessedMember(peel(left))?.member === 'onclose' &&
    (/\bprocess\b/.test(right.getText()) ||
      functionsBehind(world, right).some((owner) => exits(owner, world, DEPTH)))
  );
}

/** Whether a function, or one that it calls, ends the process. */
function exits(owner: ts.Node, world: ClosedWorld, depth: number): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isCallExpression(node))
      found =
        node.expression.getText() === 'process.exit' ||
        (depth > 0 &&
          functionsBehind(world, node.expression).some((called) => exits(called, world, depth - 1)));
    ts.forEachChild(node, visit);
  };
  visit(owner);
  return found;
}

/** Where a function makes the end of its server the end of the process. */
export function processEndIn(owner: ts.Node, world: ClosedWorld): ts.Node | undefined {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isBinaryExpression(node) && endsProcess(node, world)) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(owner);
  return found;
}

/** Methods that end what they are called on for good. */
const ENDING = /^(?:close|end|destroy|disconnect|dispose|terminate|stop|quit|kill|shutdown)$/;

/** Where the end of a server ends something that was there before it, and that later instances need. */
export function sharedEndIn(owner: ts.Node, built: BuiltNames, world: ClosedWorld): ts.Node | undefined {
  let found: ts.Node | undefined;
  const isShared = (expression: ts.Expression): boolean => {
    const inner = peel(expression);
    const accessed = accessedMember(inner);
    if (accessed !== undefined) return isShared(accessed.access.expression);
    const symbol = ts.isIdentifier(inner) ? world.checker.getSymbolAtLocation(inner) : undefined;
    const declaration = symbol?.valueDeclaration;
    return (
      symbol !== undefined &&
      declaration !== undefined &&
      !built.has(symbol) &&
      !world.isOurs(declaration) &&
      !contains(owner, declaration)
    );
  };
  const look = (node: ts.Node): void => {
    const accessed = ts.isCallExpression(node) ? accessedMember(peel(node.expression)) : undefined;
    if (accessed !== undefined && ENDING.test(accessed.member) && isShared(accessed.access.expression))
      found ??= node;
    ts.forEachChild(node, look);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && accessedMember(peel(node.left))?.member === 'onclose')
      functionsBehind(world, node.right).forEach(look);
    ts.forEachChild(node, visit);
  };
  visit(owner);
  return found;
}

/** Whether a path starts at something that belongs to the server. */
function isBuilt(expression: ts.Expression, { built, world }: Question): boolean {
  const inner = peel(expression);
  const accessed = accessedMember(inner);
  if (accessed !== undefined) return isBuilt(accessed.access.expression, { built, world });
  if (ts.isCallExpression(inner)) return isBuilt(inner.expression, { built, world });
  const symbol = ts.isIdentifier(inner) ? world.checker.getSymbolAtLocation(inner) : undefined;
  return symbol !== undefined && built.has(symbol);
}

const RUNNING: readonly string[] = [SERVER_MEMBER.connect, SERVER_MEMBER.close];

/** A call that the server takes no part in makes a value, such as a schema, unless its name says that it starts something. */
function argumentEffect(argument: ts.Expression, question: Question): ts.Node | undefined {
  const inner = peel(argument);
  if (!ts.isCallExpression(inner) || mentionsBuilt(inner, question)) return valueEffect(argument, question);
  return STARTING.test(inner.expression.getText()) ? inner : undefined;
}

function callEffect(call: ts.CallExpression, question: Question): ts.Node | undefined {
  const { world } = question;
  const callee = peel(call.expression);
  const accessed = accessedMember(callee);
  if (accessed !== undefined && RUNNING.includes(accessed.member)) return call;
  const [callback] = call.arguments;
  if (callback !== undefined && iterationOf(callback) === call) {
    const inner = peel(callback);
    if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner))
      return ts.isBlock(inner.body)
        ? first(inner.body.statements, (one) => effectOf(one, question))
        : valueEffect(inner.body, question);
  }
  const given = first(call.arguments, (argument) =>
    ts.isSpreadElement(argument) ? undefined : argumentEffect(argument, question),
  );
  if (given !== undefined) return given;
  const owners = functionsBehind(world, callee);
  const started = first(owners, (owner) => startedBy(owner, world, DEPTH, new Set()));
  if (started !== undefined) return call;
  // A method of the server, a function in sight, a value that is only made: everything else may do anything.
  const isOfServer = accessed !== undefined && isBuilt(accessed.access.expression, question);
  return isOfServer || owners.length > 0 || isPure(callee) ? undefined : call;
}

/** Calls that only make a value. */
function isPure(callee: ts.Expression): boolean {
  return /^(?:z\.|JSON\.|Object\.|String$|Number$|Math\.|path\.|Symbol$)/.test(callee.getText());
}

/** Names of what starts something that goes on, or waits. */
export const STARTING =
  /(?:^|\.)(?:set(?:Interval|Timeout|Immediate)|on|once|addListener|addEventListener|watch|watchFile|listen|exec|spawn|fork)$/;

/** What a function starts while it runs, and the functions that it calls. */
export function startedBy(
  owner: ts.Node,
  world: ClosedWorld,
  depth: number,
  seen: Set<ts.Node>,
  harmless?: RegExp,
): ts.Node | undefined {
  if (seen.has(owner)) return undefined;
  seen.add(owner);
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined || (isFunction(node) && node !== owner && iterationOf(node) === undefined))
      return;
    if (ts.isCallExpression(node)) {
      if (harmless?.test(node.getText()) === true) return;
      if (STARTING.test(node.expression.getText())) found = node;
      else if (depth > 0)
        found = first(functionsBehind(world, node.expression), (called) =>
          startedBy(called, world, depth - 1, seen, harmless),
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(owner);
  return found;
}
