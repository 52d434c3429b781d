/** Takes a gate away so that what is behind it runs in any case; everything else in it stays. */
import { ts } from 'ts-morph';
import type { RegistryGate } from '../../src/analysis/registry-gates.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { contains, dressed, peel, statementListOf } from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import type { FileEdit } from '../codemod.js';
import { removedStatement } from './removed-statement.js';

/** The edits, or why a person has to do it. */
export type GateRemoval = { readonly edits: readonly FileEdit[] } | { readonly obstacle: string };

/**
 * @param emits the calls behind the gate: their text is other people's business
 */
export function withoutGate(
  gate: RegistryGate,
  unit: SourceUnit,
  emits: readonly ts.CallExpression[],
): GateRemoval {
  const { node } = gate;
  const operand = operandOf(gate);
  if (operand !== undefined) return { edits: [without(operand, unit)] };
  if (gate.kind === 'loop') return { obstacle: 'it walks through subscribers' };
  if (ts.isIfStatement(node)) {
    if (gate.kind === 'exit')
      return doesNothingElse(node.thenStatement) || returnsWhatFollows(node)
        ? { edits: [removedStatement(node, unit)] }
        : { obstacle: 'it does something where nobody has subscribed' };
    if (node.elseStatement !== undefined || !isThen(gate, emits))
      return { obstacle: 'it does something else where nobody has subscribed' };
    return unwrapped(node, unit, emits);
  }
  return withoutChoice(gate, unit);
}

/** The operand that the gate's condition is, of `changed && subscribed.has(uri)`; undefined where it is all there is. */
function operandOf({ condition, node }: RegistryGate): ts.Expression | undefined {
  let operand: ts.Node = dressed(condition);
  while (
    ts.isPrefixUnaryExpression(operand.parent) &&
    operand.parent.operator === ts.SyntaxKind.ExclamationToken
  )
    operand = dressed(operand.parent);
  const { parent } = operand;
  if (!ts.isBinaryExpression(parent) || parent === node || !isLogical(parent) || !contains(node, parent))
    return undefined;
  return operand as ts.Expression;
}

function isLogical({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

/** `changed && subscribed.has(uri)` → `changed` */
function without(operand: ts.Expression, { file }: SourceUnit): FileEdit {
  const parent = operand.parent as ts.BinaryExpression;
  const reason = 'a gate that no modern client opens';
  return operand === parent.left
    ? { file, start: operand.getStart(), end: parent.right.getStart(), text: '', reason }
    : { file, start: parent.left.end, end: operand.end, text: '', reason };
}

/** `return;`, `continue;`, in braces or not. */
function doesNothingElse(statement: ts.Statement): boolean {
  const only = ts.isBlock(statement) ? statement.statements[0] : statement;
  const count = ts.isBlock(statement) ? statement.statements.length : 1;
  if (only === undefined || count > 1) return false;
  return (ts.isReturnStatement(only) && only.expression === undefined) || ts.isContinueStatement(only);
}

/** `if (…) return { content: [] };` in a list that ends with the same `return`. */
function returnsWhatFollows(node: ts.IfStatement): boolean {
  const { thenStatement } = node;
  const only = ts.isBlock(thenStatement) ? thenStatement.statements[0] : thenStatement;
  const isAlone = !ts.isBlock(thenStatement) || thenStatement.statements.length === 1;
  const last = statementListOf(node)?.at(-1);
  return isAlone && only !== undefined && ts.isReturnStatement(only) && last?.getText() === only.getText();
}

function isThen({ node }: RegistryGate, emits: readonly ts.CallExpression[]): boolean {
  return (
    ts.isIfStatement(node) &&
    emits.every((emit) => !contains(node, emit) || contains(node.thenStatement, emit))
  );
}

/** `if (subscribed.has(uri)) { a(); b(); }` → `a(); b();`, each a level further out. */
function unwrapped(node: ts.IfStatement, unit: SourceUnit, emits: readonly ts.CallExpression[]): GateRemoval {
  const { file, text, tree } = unit;
  const body = node.thenStatement;
  const reason = 'a gate that no modern client opens';
  const start = node.getStart(tree);
  if (!ts.isBlock(body)) {
    const from = body.getStart(tree);
    return isBlank(text.slice(node.expression.end, from), /^\)\s*$/)
      ? { edits: [{ file, start, end: from, text: '', reason }] }
      : { obstacle: 'a comment stands between it and what it decides about' };
  }
  const [first] = body.statements;
  const last = body.statements.at(-1);
  if (first === undefined || last === undefined) return { obstacle: 'it is empty' };
  if (declares(body)) return { obstacle: 'it declares names that would be outside of it' };
  const open = body.getStart(tree) + 1;
  const inner = contentStart(text, open);
  const end = contentEnd(text, body.end - 1);
  const outer = indentAt(text, start);
  const edits: FileEdit[] = [
    { file, start, end: inner, text: '', reason },
    { file, start: end, end: body.end, text: '', reason },
  ];
  const step = indentAt(text, inner).slice(outer.length);
  for (const lineStart of linesBetween(text, inner, end)) {
    // A line of an emit may be replaced by others, a line of a template is text.
    if (emits.some((emit) => emit.getStart(tree) < lineStart && lineStart < emit.end)) continue;
    if (isInTemplate(tree, lineStart) || step === '') continue;
    if (!text.startsWith(outer + step, lineStart)) continue;
    const at = lineStart + outer.length;
    edits.push({ file, start: at, end: at + step.length, text: '', reason });
  }
  return { edits };
}

function isBlank(text: string, pattern: RegExp): boolean {
  return pattern.test(text);
}

/** `const` and `let` in a block are its own. */
function declares({ statements }: ts.Block): boolean {
  return statements.some(
    (one) =>
      ts.isFunctionDeclaration(one) ||
      ts.isClassDeclaration(one) ||
      (ts.isVariableStatement(one) && (one.declarationList.flags & ts.NodeFlags.BlockScoped) !== 0),
  );
}

/** Where what a block holds begins: its first statement, or a comment in front of that. */
function contentStart(text: string, open: number): number {
  return open + (/^\s*/.exec(text.slice(open))?.[0].length ?? 0);
}

function contentEnd(text: string, close: number): number {
  return text.slice(0, close).trimEnd().length;
}

function linesBetween(text: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

function isInTemplate(tree: ts.SourceFile, position: number): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found || node.pos > position || node.end <= position) return;
    const isTemplate =
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    found = isTemplate && node.getStart(tree) < position;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `subscribed.has(uri) && send()` and `subscribed.has(uri) ? send() : undefined`, where nobody looks at the value. */
function withoutChoice({ node }: RegistryGate, unit: SourceUnit): GateRemoval {
  const place = dressed(node);
  const isStatement =
    ts.isExpressionStatement(place.parent) ||
    (ts.isVoidExpression(place.parent) && ts.isExpressionStatement(place.parent.parent));
  if (!isStatement) return { obstacle: 'what it comes out as is used' };
  if (ts.isBinaryExpression(node)) return { edits: around(place, withoutParentheses(node.right), unit) };
  if (
    !ts.isConditionalExpression(node) ||
    !/^(?:undefined|null|void 0|false|Promise\.resolve\(\))$/.test(peel(node.whenFalse).getText())
  )
    return { obstacle: 'it does something else where nobody has subscribed' };
  return { edits: around(place, withoutParentheses(node.whenTrue), unit) };
}

/** What goes around a part that stays. */
function around(whole: ts.Node, part: ts.Node, { file, tree }: SourceUnit): FileEdit[] {
  const reason = 'a gate that no modern client opens';
  const edits = [
    { file, start: whole.getStart(tree), end: part.getStart(tree), text: '', reason },
    { file, start: part.end, end: whole.end, text: '', reason },
  ];
  return edits.filter(({ start, end }) => start < end);
}

/** In parentheses it would begin a line with one, which a file without semicolons reads as a call. */
function withoutParentheses(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? withoutParentheses(expression.expression) : expression;
}
