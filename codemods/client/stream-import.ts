/** The name by which a file calls the managed stream's factory, and the import that brings it in. */
import { ts } from 'ts-morph';
import { changeStreamName } from '../../src/analysis/change-stream-calls.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { CHANGE_STREAM_FUNCTION } from '../../src/codegen/change-stream.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';
import { importStatement, type ImportForm } from '../../src/codegen/import-statement.js';
import { MARKER_TAG } from '../../src/codegen/marker.js';
import { freeName } from '../../src/codegen/names.js';
import { SDK_SCOPE } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';

/** What this file calls the factory: by the import that it has already, else by a name that is free in it. */
export function streamName(unit: SourceUnit): string {
  const known = changeStreamName(unit.tree);
  if (known !== undefined) return known;
  const binding = bindingIn(unit);
  return importFormOf(unit) === 'equals' ? `${binding}.${CHANGE_STREAM_FUNCTION}` : binding;
}

/** What a new import binds: the factory, or by `import … = require(…)` the whole module. */
function bindingIn(unit: SourceUnit): string {
  const isTaken = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(unit.text);
  return importFormOf(unit) === 'equals'
    ? freeName([MODULE_NAME], isTaken)
    : freeName([CHANGE_STREAM_FUNCTION, MODULE_NAME], isTaken);
}

const MODULE_NAME = 'mcpChangeStream';

/**
 * Whether a file brings in other modules by `import`, by `require`, or the SDK by `await import` alone. TypeScript without
 * any ES import or export of a value may be CommonJS that must not have one (`verbatimModuleSyntax`).
 */
export function importFormOf(unit: SourceUnit): ImportForm {
  if (loadsSdkLate(unit.tree)) return 'dynamic';
  if (/\.(?:m[jt]s|jsx)$/.test(unit.file) || unit.tree.statements.some(isEsSyntax)) return 'import';
  if (/\.c?tsx?$/.test(unit.file)) {
    if (unit.tree.statements.some(isTypeScriptRequire)) return 'equals';
    return unit.tree.statements.some(isRequire) ? 'require' : 'import';
  }
  const isCommonJs = /\brequire\s*\(|\bmodule\.exports\b|^\s*exports\.\w+\s*=/m.test(unit.text);
  return isCommonJs || unit.file.endsWith('.cjs') ? 'require' : 'import';
}

/** An import or export that is there when the code runs. */
function isEsSyntax(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement))
    return statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
  if (ts.isExportDeclaration(statement)) return !statement.isTypeOnly;
  if (ts.isExportAssignment(statement)) return statement.isExportEquals !== true;
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return false;
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** `import sdk = require('…')` or `export = …` */
function isTypeScriptRequire(statement: ts.Statement): boolean {
  if (ts.isImportEqualsDeclaration(statement)) return ts.isExternalModuleReference(statement.moduleReference);
  return ts.isExportAssignment(statement) && statement.isExportEquals === true;
}

/**
 * The edit that imports the factory.
 *
 * @param specifier the module specifier of the copied file as this file has to spell it
 * @returns undefined when the file imports it already
 */
export function importEdit(unit: SourceUnit, specifier: string): FileEdit | undefined {
  if (changeStreamName(unit.tree) !== undefined) return undefined;
  const form = importFormOf(unit);
  const statement = importStatement(form, CHANGE_STREAM_FUNCTION, bindingIn(unit), specifier, unit.style);
  const { eol } = unit.style;
  const reason = 'the managed change stream';
  const last = lastImport(unit.tree, form);
  if (last !== undefined) {
    const end = endOfLineComment(unit.text, last.end);
    return { file: unit.file, start: end, end, text: eol + statement, reason };
  }
  const start = afterPrologue(unit.tree);
  const before = unit.text.slice(lineStart(unit.text, start - 1), start);
  const isBelowComment = /^[ \t]*\/[/*]|\*\/\s*$/.test(before) && !EMPTY_LINE.test(unit.text.slice(start));
  const gap = start === 0 || isBelowComment ? eol : '';
  return { file: unit.file, start, end: start, text: statement + eol + gap, reason };
}

/** A module that loads the SDK at the top, but only when it gets there: ours must not load it earlier. */
function loadsSdkLate(tree: ts.SourceFile): boolean {
  const isStatic = tree.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword &&
      statement.moduleSpecifier.getText(tree).includes(SDK_SCOPE),
  );
  return !isStatic && tree.statements.some(isLateSdkImport);
}

function isLateSdkImport(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  const initializer = statement.declarationList.declarations[0]?.initializer?.getText() ?? '';
  return /^await\s+import\s*\(/.test(initializer) && initializer.includes(SDK_SCOPE);
}

function lastImport(tree: ts.SourceFile, form: ImportForm): ts.Statement | undefined {
  if (form === 'dynamic') return tree.statements.findLast(isLateSdkImport);
  const isImport = (statement: ts.Statement): boolean =>
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement) ||
    (form === 'require' && isRequire(statement));
  // Only the leading run of imports: one in the middle of a file stands there for a reason.
  let last: ts.Statement | undefined;
  for (const statement of tree.statements) {
    if (isImport(statement)) last = statement;
    else if (last !== undefined) break;
  }
  return last;
}

function isRequire(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  const initializer = statement.declarationList.declarations[0]?.initializer;
  return initializer !== undefined && /^(?:await\s+)?require\s*\(/.test(initializer.getText());
}

/** Behind a hashbang, the comments that head the file, and directives such as `'use client'`. */
function afterPrologue(tree: ts.SourceFile): number {
  let end = 0;
  for (const statement of tree.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression)) break;
    end = statement.end;
  }
  return end > 0 ? lineEnd(tree.text, end) : afterHeader(tree.text);
}

/**
 * A comment belongs to the file if an empty line comes behind it, if it says so, or if it stands right below a hashbang;
 * any other belongs to the code below it.
 */
function afterHeader(text: string): number {
  const hashbang = /^#![^\n]*\n/.exec(text)?.[0].length ?? 0;
  let end = hashbang;
  let isClosed = false;
  for (const comment of ts.getLeadingCommentRanges(text, 0) ?? []) {
    const next = lineEnd(text, comment.end);
    if (text.slice(comment.end, next).trim() !== '') break;
    const words = text.slice(comment.pos, comment.end);
    const isApart = EMPTY_LINE.test(text.slice(next));
    const isBelowHashbang = hashbang > 0 && end === lineStart(text, comment.pos) && !OF_NEXT_LINE.test(words);
    if (OF_FILE.test(words) || (!isClosed && (isApart || isBelowHashbang))) end = next;
    isClosed ||= isApart;
  }
  return end;
}

const EMPTY_LINE = /^[ \t]*\r?\n/;

/** Comments that count for the whole file; some of them only where they stand above all code. */
const OF_FILE =
  /^\/\/\/|^\/\*!|@ts-(?:no)?check\b|\b(?:es|ox)lint-(?:disable(?!-)|env\b)|^\/\*\s*globals?\s|\bbiome-ignore-all\b|\bignore file\b|@(?:jsx\w*|license|licence|preserve|copyright|file|fileoverview|packageDocumentation|vitest-environment|jest-environment)\b|\bcopyright\b|\bSPDX-/i;

/** Comments about the line below them, ours among them. */
const OF_NEXT_LINE = new RegExp(
  `^/\\*\\*|-next-line\\b|@ts-(?:expect-error|ignore)\\b|-ignore\\b|ignore next|${MARKER_TAG.replace(/[()]/g, '\\$&')}`,
);

function lineStart(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

function lineEnd(text: string, position: number): number {
  const next = text.indexOf('\n', position);
  return next === -1 ? text.length : next + 1;
}
