/** Code that runs only for what is in a registry of subscribers: behind a question for it, or in a loop over it. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { referencesOf } from './references.js';
import { functionsBehind } from './server-entries.js';
import type { ServerGroup } from './server-group.js';
import type { Gate } from './server-publisher.js';
import { registriesOf, type SubscriberRegistry } from './subscriber-registries.js';
import { accessedMember, enclosingFunction, iterationOf, peel, statementListOf } from './syntax.js';
import { declarationOf, resultsOf } from './written-values.js';

/** How far functions are followed: from a question to what answers it, from an emit to who calls it. */
const DEPTH = 3;

/** A gate, and which value of its condition lets the emit run. */
export interface RegistryGate extends Gate {
  readonly opensWhen: boolean;
}

/** The gates around a node, the innermost first; those around the calls of its function behind them. */
export function gatesAround(world: ClosedWorld, group: ServerGroup, node: ts.Node): RegistryGate[] {
  const registries = registriesOf(world, group).filter(({ filled }) => filled !== 'others');
  return registries.length === 0 ? [] : gatesUp({ world, registries }, node, DEPTH, new Set());
}

interface Question {
  readonly world: ClosedWorld;
  readonly registries: readonly SubscriberRegistry[];
}

function gatesUp(question: Question, node: ts.Node, depth: number, seen: Set<ts.Node>): RegistryGate[] {
  const found: RegistryGate[] = [];
  let child = node;
  for (let parent = node.parent as ts.Node | undefined; parent !== undefined; parent = parent.parent) {
    found.push(...gatesAt(question, child, parent));
    child = parent;
  }
  const owner = enclosingFunction(node);
  if (owner === undefined || depth === 0 || seen.has(owner)) return found;
  seen.add(owner);
  for (const call of referencesOf(question.world).callsOf(owner)) {
    for (const gate of gatesUp(question, call, depth - 1, seen)) {
      if (!found.some((one) => one.node === gate.node)) found.push(gate);
    }
  }
  return found;
}

function gatesAt(question: Question, child: ts.Node, parent: ts.Node): RegistryGate[] {
  const asks = (test: ts.Expression, holds: boolean, kind: Gate['kind'], node: ts.Node): RegistryGate[] => {
    const answer = askedBy(question, test, holds, DEPTH * 2);
    return answer === undefined ? [] : [{ ...answer, node, kind, registry: answer.registry.declaration }];
  };
  if (ts.isIfStatement(parent) && child !== parent.expression)
    return asks(parent.expression, child === parent.thenStatement, 'condition', parent);
  if (ts.isConditionalExpression(parent) && child !== parent.condition)
    return asks(parent.condition, child === parent.whenTrue, 'condition', parent);
  if (ts.isBinaryExpression(parent) && child === parent.right) {
    if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return asks(parent.left, true, 'condition', parent);
    return parent.operatorToken.kind === ts.SyntaxKind.BarBarToken
      ? asks(parent.left, false, 'condition', parent)
      : [];
  }
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && child === parent.statement)
    return loopOver(question, parent.expression, parent);
  const iteration = iterationOf(child);
  if (iteration !== undefined && iteration === parent && ts.isPropertyAccessExpression(iteration.expression))
    return loopOver(question, iteration.expression.expression, parent);
  return ts.isStatement(child) ? exitsBefore(asks, child) : [];
}

/** `if (!subscribed.has(uri)) return;` in front of a statement. */
function exitsBefore(
  asks: (test: ts.Expression, holds: boolean, kind: Gate['kind'], node: ts.Node) => RegistryGate[],
  child: ts.Statement,
): RegistryGate[] {
  const found: RegistryGate[] = [];
  for (const statement of statementListOf(child) ?? []) {
    if (statement === child) break;
    if (
      ts.isIfStatement(statement) &&
      statement.elseStatement === undefined &&
      leaves(statement.thenStatement)
    )
      found.unshift(...asks(statement.expression, false, 'exit', statement));
  }
  return found;
}

/** Whether a branch ends the function or the turn of a loop that it stands in. */
export function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isContinueStatement(last));
}

function loopOver(question: Question, iterated: ts.Expression, node: ts.Node): RegistryGate[] {
  const registry = registryIn(question, iterated, DEPTH * 2);
  return registry === undefined
    ? []
    : [{ condition: iterated, node, kind: 'loop', registry: registry.declaration, opensWhen: true }];
}

/** The registry that an expression walks over: itself, its keys, a copy, a filtered one. */
function registryIn(
  question: Question,
  expression: ts.Expression,
  depth: number,
): SubscriberRegistry | undefined {
  const inner = peel(expression);
  const own = registryNamed(question, inner);
  if (own !== undefined || depth === 0) return own;
  const next = (value: ts.Expression | undefined): SubscriberRegistry | undefined =>
    value === undefined ? undefined : registryIn(question, value, depth - 1);
  if (ts.isArrayLiteralExpression(inner)) {
    const [only, ...others] = inner.elements;
    return others.length === 0 && only !== undefined && ts.isSpreadElement(only)
      ? next(only.expression)
      : undefined;
  }
  if (ts.isBinaryExpression(inner)) {
    const { kind } = inner.operatorToken;
    const isChoice = kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
    return isChoice ? next(inner.left) : undefined;
  }
  if (ts.isIdentifier(inner)) return next(constantBehind(question, inner));
  if (!ts.isCallExpression(inner)) return undefined;
  const accessed = accessedMember(peel(inner.expression));
  if (accessed === undefined) return undefined;
  if (['keys', 'values', 'entries', 'get', 'filter', 'map', 'slice', 'toArray'].includes(accessed.member)) {
    const found = next(accessed.access.expression);
    if (found !== undefined) return found;
  }
  return /^(?:Array\.from|Object\.(?:keys|values|entries))$/.test(inner.expression.getText())
    ? next(inner.arguments[0])
    : undefined;
}

function registryNamed(
  { world, registries }: Question,
  expression: ts.Expression,
): SubscriberRegistry | undefined {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  if (!ts.isIdentifier(name) && !ts.isPrivateIdentifier(name)) return undefined;
  const declaration = ts.isIdentifier(name)
    ? declarationOf(name, world)
    : world.checker.getSymbolAtLocation(name)?.valueDeclaration;
  return declaration === undefined
    ? undefined
    : registries.find(({ places }) => places.declarations.has(declaration));
}

function constantBehind({ world }: Question, name: ts.Identifier): ts.Expression | undefined {
  const declaration = declarationOf(name, world);
  const isConstant =
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  return isConstant ? declaration.initializer : undefined;
}

/** A question for a registry. */
interface Answer {
  /** The smallest expression that is the question: what the era is to be asked beside. */
  readonly condition: ts.Expression;
  readonly registry: SubscriberRegistry;
  readonly opensWhen: boolean;
}

/** The question for a registry that a condition being true (or false) answers with "somebody has subscribed". */
function askedBy(question: Question, test: ts.Expression, holds: boolean, depth: number): Answer | undefined {
  const inner = peel(test);
  if (depth === 0) return undefined;
  const next = (value: ts.Expression, whether = holds): Answer | undefined =>
    askedBy(question, value, whether, depth - 1);
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken)
    return next(inner.operand, !holds);
  if (ts.isBinaryExpression(inner)) {
    const { kind } = inner.operatorToken;
    const isAnd = kind === ts.SyntaxKind.AmpersandAmpersandToken;
    // Both sides of `a && b` hold where it does, neither of `a || b` holds where it does not.
    if (isAnd || kind === ts.SyntaxKind.BarBarToken)
      return isAnd === holds ? (next(inner.left) ?? next(inner.right)) : undefined;
    const compared = holds === isYes(inner) ? lookup(question, inner.left, depth) : undefined;
    return compared === undefined ? undefined : { condition: inner, registry: compared, opensWhen: holds };
  }
  const registry =
    (holds ? lookup(question, inner, depth) : undefined) ?? registryBehind(question, inner, next);
  return registry === undefined ? undefined : { condition: inner, registry, opensWhen: holds };
}

/** `const wanted = subscribed.has(uri)`, `isSubscribed(uri)` whose one result is the question. */
function registryBehind(
  question: Question,
  inner: ts.Expression,
  next: (value: ts.Expression) => Answer | undefined,
): SubscriberRegistry | undefined {
  if (ts.isIdentifier(inner)) {
    const value = constantBehind(question, inner);
    return value === undefined ? undefined : next(value)?.registry;
  }
  if (!ts.isCallExpression(inner)) return undefined;
  const [asked, ...others] = functionsBehind(question.world, inner.expression);
  const [result, ...more] = asked === undefined || others.length > 0 ? [] : resultsOf(asked);
  return result === undefined || more.length > 0 ? undefined : next(result)?.registry;
}

/** Whether a comparison being true says that something is there; undefined for one that says neither. */
function isYes({ operatorToken: { kind }, right }: ts.BinaryExpression): boolean | undefined {
  const value = peel(right).getText();
  const isNone = ['undefined', 'null', '0', 'false', '-1'].includes(value);
  switch (kind) {
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsToken:
      return isNone ? true : undefined;
    case ts.SyntaxKind.GreaterThanToken:
      return isNone ? true : undefined;
    case ts.SyntaxKind.GreaterThanEqualsToken:
      return value === '1' || value === '0' ? true : undefined;
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsToken:
      if (value === 'true') return true;
      return isNone ? false : undefined;
    case ts.SyntaxKind.LessThanToken:
      return value === '1' || value === '0' ? false : undefined;
    default:
      return undefined;
  }
}

const ASKING: ReadonlySet<string> = new Set(['has', 'get', 'includes', 'indexOf', 'some', 'find', 'at']);

/** `subscribed`, `subscribed.has(uri)`, `.get(uri)?.has(id)`, `.size`, `subscribed[uri]`, `(… ?? 0)` */
function lookup(
  question: Question,
  expression: ts.Expression,
  depth: number,
): SubscriberRegistry | undefined {
  const inner = peel(expression);
  const own = registryNamed(question, inner);
  if (own !== undefined || depth === 0) return own;
  const next = (value: ts.Expression): SubscriberRegistry | undefined => lookup(question, value, depth - 1);
  if (ts.isIdentifier(inner)) {
    const value = constantBehind(question, inner);
    return value === undefined ? undefined : next(value);
  }
  if (ts.isBinaryExpression(inner))
    return inner.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken ? next(inner.left) : undefined;
  if (ts.isElementAccessExpression(inner)) return next(inner.expression);
  if (ts.isCallExpression(inner)) {
    const accessed = accessedMember(peel(inner.expression));
    return accessed !== undefined && ASKING.has(accessed.member)
      ? next(accessed.access.expression)
      : undefined;
  }
  return ts.isPropertyAccessExpression(inner) && ['size', 'length'].includes(inner.name.text)
    ? next(inner.expression)
    : undefined;
}
