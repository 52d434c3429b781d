/** The edits that put the publishing of a change beside an emit of 2025, or in its place. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { isAsync, statementListOf } from '../../src/analysis/syntax.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';
import type { FileEdit } from '../codemod.js';
import type { EmitPlace } from './publish-place.js';
import { braced, type Company } from '../braced-body.js';

const REASON = 'publishes the change to the modern listen streams';

/** What is published, as calls without semicolons, and the condition that it keeps. */
export interface Published {
  readonly calls: readonly string[];
  readonly guard: string | undefined;
}

/** Beside the emit: in front of it where that can end or wait, behind it elsewhere. */
export function editsBeside(place: EmitPlace, published: Published, unit: SourceUnit): FileEdit[] {
  const { node } = place;
  if (place.kind === 'arrow') return arrowBeside(node as ts.Expression, published, unit);
  if (place.kind === 'and') return andBeside(node as ts.Expression, published, unit);
  const statement = place.exit ?? statementOf(node);
  const isInFront =
    place.isGated || place.isAwaited || place.isReturned || place.kind === 'used' || place.exit !== undefined;
  return isInFront ? inFront(statement, published, unit) : behind(statement, published, unit);
}

/** In the place of the emit and of what is around it for its sake. */
export function editsInPlace(
  place: EmitPlace,
  published: Published,
  unit: SourceUnit,
  needsPromise: boolean,
): FileEdit[] {
  const { node } = place;
  if (place.kind === 'arrow' || place.kind === 'and')
    return expressionInPlace(place, published, unit, needsPromise);
  const start = node.getStart();
  if (place.isReturned && ts.isReturnStatement(node) && node.expression !== undefined) {
    const text = published.calls.join(', ');
    return [
      { file: unit.file, start: node.expression.getStart(), end: node.expression.end, text, reason: REASON },
    ];
  }
  const lines = linesOf(published, unit);
  const isBare = statementListOf(node as ts.Statement) === undefined && lines.length > 1;
  const indent = indentAt(unit.text, start);
  const text = isBare
    ? ['{', ...lines.map((line) => unit.style.indent + line), '}'].join(unit.style.eol + indent)
    : lines.join(unit.style.eol + indent);
  return [{ file: unit.file, start, end: node.end, text, reason: REASON }];
}

/** In front of or behind a statement in a list, whatever it holds. */
export function behind(statement: ts.Statement, published: Published, unit: SourceUnit): FileEdit[] {
  if (statementListOf(statement) === undefined)
    return withBraces(statement, { behind: linesOf(published, unit) }, unit);
  const { eol } = unit.style;
  const indent = indentAt(unit.text, statement.getStart());
  const end = endOfLineComment(unit.text, statement.end);
  const lines = linesOf(published, unit);
  const text = lines.map((line) => eol + indent + line).join('');
  return [{ file: unit.file, start: end, end, text, reason: REASON }];
}

export function inFront(statement: ts.Statement, published: Published, unit: SourceUnit): FileEdit[] {
  if (statementListOf(statement) === undefined)
    return withBraces(statement, { inFront: linesOf(published, unit) }, unit);
  const start = statement.getStart();
  const indent = indentAt(unit.text, start);
  const text = linesOf(published, unit)
    .map((line) => line + unit.style.eol + indent)
    .join('');
  return [{ file: unit.file, start, end: start, text, reason: REASON }];
}

/** The statements without the indentation of their first lines. */
function linesOf({ calls, guard }: Published, { style }: SourceUnit): string[] {
  const statements = calls.map((call) => call + style.semicolon);
  return guard === undefined
    ? statements
    : [`if (${guard}) {`, ...statements.map((one) => style.indent + one), '}'];
}

function withBraces(statement: ts.Statement, company: Company, unit: SourceUnit): FileEdit[] {
  return braced(statement, company, unit).map((edit) => ({ ...edit, file: unit.file, reason: REASON }));
}

/** `() => emit()` becomes `() => { publish(); return emit(); }`, in lines of their own. */
function arrowBeside(body: ts.Expression, published: Published, unit: SourceUnit): FileEdit[] {
  const { file, style, text } = unit;
  const outer = indentAt(text, arrowStart(body));
  const inner = outer + style.indent;
  const start = outermost(body).getStart();
  const { end } = outermost(body);
  const lines = linesOf(published, unit);
  const opening = ['{', ...lines, 'return '].join(style.eol + inner);
  return [
    { file, start, end: start, text: opening, reason: REASON },
    { file, start: end, end, text: `${style.semicolon}${style.eol}${outer}}`, reason: REASON },
  ];
}

/** `changed && emit();` becomes an `if` with both. */
function andBeside(emit: ts.Expression, published: Published, unit: SourceUnit): FileEdit[] {
  const { file, style, text } = unit;
  const and = outermost(emit).parent as ts.BinaryExpression;
  const statement = statementOf(and);
  const outer = indentAt(text, statement.getStart());
  const inner = outer + style.indent;
  const lines = linesOf(published, unit);
  const opening = [') {', ...lines, ''].join(style.eol + inner);
  const edit = (start: number, end: number, replacement: string): FileEdit => ({
    file,
    start,
    end,
    text: replacement,
    reason: REASON,
  });
  return [
    edit(statement.getStart(), statement.getStart(), 'if ('),
    edit(and.left.end, outermost(emit).getStart(), opening),
    edit(
      endOfLineComment(text, statement.end),
      endOfLineComment(text, statement.end),
      `${style.eol}${outer}}`,
    ),
  ];
}

function expressionInPlace(
  { node, guards }: EmitPlace,
  { calls }: Published,
  { file, text }: SourceUnit,
  needsPromise: boolean,
): FileEdit[] {
  const body = outermost(node);
  const kept = guards.map((guard) => `${text.slice(guard.getStart(), guard.end)} && `).join('');
  const published = kept + (calls.length === 1 ? (calls[0] ?? '') : `(${calls.join(', ')})`);
  const edits: FileEdit[] = [
    { file, start: body.getStart(), end: body.end, text: published, reason: REASON },
  ];
  const arrow = body.parent;
  if (needsPromise && ts.isArrowFunction(arrow) && !isAsync(arrow)) {
    const start = arrow.getStart();
    edits.unshift({ file, start, end: start, text: 'async ', reason: REASON });
  }
  return edits;
}

/** With the parentheses, casts, `await` and `void` around it. */
function outermost(node: ts.Node): ts.Node {
  let current = node;
  while (
    ts.isParenthesizedExpression(current.parent) ||
    ts.isAsExpression(current.parent) ||
    ts.isNonNullExpression(current.parent)
  ) {
    current = current.parent;
  }
  return current;
}

/** The line that the arrow's own statement, property or argument begins on. */
function arrowStart(body: ts.Expression): number {
  return outermost(body).parent.getStart();
}

/** The innermost statement around a node, or itself. */
export function statementOf(node: ts.Node): ts.Statement {
  let current = node;
  while (!ts.isStatement(current) || ts.isBlock(current)) current = current.parent;
  return current;
}
