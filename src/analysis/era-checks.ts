/** On which era a place of the code can run, by what it has asked the client for before. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, type Era } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { constantInitializer } from './constants.js';
import { isAtPath, pathOf, rebased, type Path } from './place-paths.js';
import { referencesOf } from './references.js';
import { dressed, enclosingClass, peel, statementListOf } from './syntax.js';

/** What is asked: the client (by the path that leads to it from where the question stands), and the world it lives in. */
interface Question {
  readonly client: Path;
  readonly world: ClosedWorld;
  /** Ends questions that lead back to themselves. */
  readonly depth: number;
}

/** Constants, properties and functions between a check and the question to the client. */
const DEPTH = 8;

/**
 * The era that code has checked this very client for before it reaches a node: `legacy` in the branch that only runs on a
 * 2025 connection, `modern` in the other, undefined where nothing was checked.
 *
 * @param client the client as it is written at the node
 */
export function eraAt(node: ts.Node, client: ts.Expression | undefined, world: ClosedWorld): Era | undefined {
  const path = client === undefined ? undefined : pathOf(client, world);
  if (path === undefined) return undefined;
  const question: Question = { client: path, world, depth: DEPTH };
  let child = node;
  for (let current = node.parent as ts.Node | undefined; current !== undefined; current = current.parent) {
    const era = eraFromParent(current, child, question) ?? eraFromEarlierExit(child, question);
    if (era !== undefined) return era;
    child = current;
  }
  return undefined;
}

function eraFromParent(parent: ts.Node, child: ts.Node, question: Question): Era | undefined {
  if (ts.isIfStatement(parent)) {
    if (child === parent.thenStatement) return eraWhen(parent.expression, true, question);
    if (child === parent.elseStatement) return eraWhen(parent.expression, false, question);
  } else if (ts.isConditionalExpression(parent)) {
    if (child === parent.whenTrue) return eraWhen(parent.condition, true, question);
    if (child === parent.whenFalse) return eraWhen(parent.condition, false, question);
  } else if (ts.isBinaryExpression(parent) && child === parent.right) {
    if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return eraWhen(parent.left, true, question);
    if (parent.operatorToken.kind === ts.SyntaxKind.BarBarToken) return eraWhen(parent.left, false, question);
  } else if (ts.isCaseClause(parent) && child !== parent.expression && !isFallenInto(parent)) {
    const asked = parent.parent.parent.expression;
    if (ts.isStringLiteralLike(parent.expression) && readsEra(asked, question))
      return asEra(parent.expression.text);
  }
  return undefined;
}

/** Whether the clause before ends without leaving. */
function isFallenInto(clause: ts.CaseClause): boolean {
  const before = clause.parent.clauses[clause.parent.clauses.indexOf(clause) - 1];
  const last = before?.statements.at(-1);
  return before !== undefined && (last === undefined || !leaves(last));
}

/** `if (era === 'modern') return …;` before the node: what follows runs on the other era. */
function eraFromEarlierExit(child: ts.Node, question: Question): Era | undefined {
  if (!ts.isStatement(child)) return undefined;
  const list = statementListOf(child);
  if (list === undefined) return undefined;
  for (const statement of list) {
    if (statement === child) return undefined;
    if (
      !ts.isIfStatement(statement) ||
      statement.elseStatement !== undefined ||
      !leaves(statement.thenStatement)
    )
      continue;
    const era = eraWhen(statement.expression, false, question);
    if (era !== undefined) return era;
  }
  return undefined;
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) ||
      ts.isThrowStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** What the era must be when a condition has come out so. */
function eraWhen(condition: ts.Expression, outcome: boolean, question: Question): Era | undefined {
  const inner = peel(condition);
  if (question.depth === 0) return undefined;
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken) {
    return eraWhen(inner.operand, !outcome, question);
  }
  if (ts.isIdentifier(inner)) {
    const initializer = constantInitializer(inner, question.world.checker);
    return initializer === undefined ? undefined : eraWhen(initializer, outcome, deeper(question));
  }
  if (ts.isCallExpression(inner)) {
    const result = soleResult(inner, question);
    return result === undefined ? undefined : eraWhen(result.expression, outcome, result.question);
  }
  return ts.isBinaryExpression(inner) ? eraOfBinary(inner, outcome, question) : undefined;
}

function eraOfBinary(inner: ts.BinaryExpression, outcome: boolean, question: Question): Era | undefined {
  const operator = inner.operatorToken.kind;
  if (operator === ts.SyntaxKind.AmpersandAmpersandToken && outcome) {
    return eraWhen(inner.left, true, question) ?? eraWhen(inner.right, true, question);
  }
  if (operator === ts.SyntaxKind.BarBarToken && !outcome) {
    return eraWhen(inner.left, false, question) ?? eraWhen(inner.right, false, question);
  }
  const equal =
    operator === ts.SyntaxKind.EqualsEqualsEqualsToken || operator === ts.SyntaxKind.EqualsEqualsToken;
  const different =
    operator === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
    operator === ts.SyntaxKind.ExclamationEqualsToken;
  if (!equal && !different) return undefined;
  const [asked, text] = ts.isStringLiteralLike(inner.right)
    ? [inner.left, inner.right.text]
    : [inner.right, undefined];
  const named = text ?? (ts.isStringLiteralLike(inner.left) ? inner.left.text : undefined);
  const era = named === undefined ? undefined : asEra(named);
  if (era === undefined || !readsEra(asked, question)) return undefined;
  return equal === outcome ? era : otherEra(era);
}

/** Whether an expression is what `getProtocolEra()` of this client has said. */
function readsEra(expression: ts.Expression, question: Question): boolean {
  const inner = peel(expression);
  const { world, depth } = question;
  if (depth === 0) return false;
  if (ts.isIdentifier(inner)) {
    const initializer = constantInitializer(inner, world.checker);
    return initializer !== undefined && readsEra(initializer, deeper(question));
  }
  if (ts.isPropertyAccessExpression(inner)) return keepsEra(inner, question);
  if (!ts.isCallExpression(inner)) return false;
  const callee = peel(inner.expression);
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === CLIENT_MEMBER.getProtocolEra) {
    return isAtPath(callee.expression, question.client, world);
  }
  const result = soleResult(inner, question);
  return result !== undefined && readsEra(result.expression, result.question);
}

/** A property that nothing but `getProtocolEra()` of the same client is ever put into: `this.era = this.client.getProtocolEra()`. */
function keepsEra(access: ts.PropertyAccessExpression, question: Question): boolean {
  const { world } = question;
  const declarations = world.checker.getSymbolAtLocation(access.name)?.declarations ?? [];
  const references = referencesOf(world);
  const from = pathOf(access.expression, world);
  let writes = 0;
  for (const declaration of declarations) {
    if (world.isOurs(declaration)) return false;
    if (ts.isGetAccessorDeclaration(declaration)) {
      const result = resultOf(declaration);
      const to = ownerPath(declaration);
      if (
        result === undefined ||
        !readsEra(result, { ...deeper(question), client: rebased(question.client, from, to) })
      )
        return false;
      writes += 1;
      continue;
    }
    if (ts.isPropertyDeclaration(declaration)) {
      const { initializer } = declaration;
      if (initializer !== undefined && !isNothing(initializer)) return false;
    } else if (!ts.isBinaryExpression(declaration) && !ts.isPropertyAccessExpression(declaration)) {
      return false; // an interface, a parameter: who fills it is out of sight
    }
    for (const name of references.to(declaration)) {
      const write = writeOf(name);
      if (write === undefined) continue;
      if (write === 'unreadable') return false;
      if (isNothing(write.value)) continue;
      const to = pathOf(write.holder, world);
      if (!readsEra(write.value, { ...deeper(question), client: rebased(question.client, from, to) }))
        return false;
      writes += 1;
    }
  }
  return writes > 0;
}

/** What a name is written by: the value, nothing where it is only read, `unreadable` for any other kind of write. */
function writeOf(
  name: ts.Identifier | ts.PrivateIdentifier,
): { readonly value: ts.Expression; readonly holder: ts.Expression } | 'unreadable' | undefined {
  const access = name.parent;
  if (!ts.isPropertyAccessExpression(access) || access.name !== name) return undefined;
  const place = dressed(access);
  const { parent } = place;
  if (ts.isBinaryExpression(parent) && parent.left === place) {
    const { kind } = parent.operatorToken;
    if (kind === ts.SyntaxKind.EqualsToken) return { value: parent.right, holder: access.expression };
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
      ? 'unreadable'
      : undefined;
  }
  // `({ era: this.era } = …)`, `[this.era] = …`
  const isTarget = ts.isPropertyAssignment(parent) || ts.isArrayLiteralExpression(parent);
  const holder = isTarget ? dressed(ts.isPropertyAssignment(parent) ? parent.parent : parent) : undefined;
  return holder !== undefined && ts.isBinaryExpression(holder.parent) && holder.parent.left === holder
    ? 'unreadable'
    : undefined;
}

function isNothing(expression: ts.Expression): boolean {
  const inner = peel(expression);
  return inner.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(inner) && inner.text === 'undefined');
}

/**
 * What a function without statements of its own returns, and the question as it is asked there:
 * `isModern() { return this.era === 'modern'; }`, `isModern(client)`.
 */
function soleResult(
  call: ts.CallExpression,
  question: Question,
): { readonly expression: ts.Expression; readonly question: Question } | undefined {
  const { world } = question;
  const declaration = world.checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || world.isOurs(declaration) || ts.isJSDocSignature(declaration))
    return undefined;
  const expression = resultOf(declaration);
  if (expression === undefined) return undefined;
  const callee = peel(call.expression);
  let client = question.client;
  if (ts.isPropertyAccessExpression(callee)) {
    client = rebased(client, pathOf(callee.expression, world), ownerPath(declaration));
  }
  declaration.parameters.forEach((parameter, index) => {
    const argument = call.arguments[index];
    if (argument === undefined || !ts.isIdentifier(parameter.name)) return;
    const symbol = world.checker.getSymbolAtLocation(parameter.name);
    if (symbol !== undefined) client = rebased(client, pathOf(argument, world), [symbol]);
  });
  return { expression, question: { ...deeper(question), client } };
}

function resultOf(declaration: ts.SignatureDeclaration): ts.Expression | undefined {
  const body = (declaration as ts.FunctionLikeDeclaration).body;
  if (body === undefined || !ts.isBlock(body)) return body;
  const [only] = body.statements;
  return body.statements.length === 1 && only !== undefined && ts.isReturnStatement(only)
    ? only.expression
    : undefined;
}

/** The path of `this` inside a member. */
function ownerPath(declaration: ts.Node): Path | undefined {
  const owner = enclosingClass(declaration);
  return owner === undefined ? undefined : [owner];
}

function deeper(question: Question): Question {
  return { ...question, depth: question.depth - 1 };
}

function asEra(text: string): Era | undefined {
  return text === 'legacy' || text === 'modern' ? text : undefined;
}

function otherEra(era: Era): Era {
  return era === 'legacy' ? 'modern' : 'legacy';
}
