/** Where a new import goes in a file, and in which form. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../src/analysis/source-unit.js';
import { endOfLineComment } from '../src/codegen/file-style.js';
import type { ImportForm } from '../src/codegen/import-statement.js';
import { MARKER_TAG } from '../src/codegen/marker.js';
import { SDK_SCOPE } from '../src/protocol/index.js';
import type { FileEdit } from './codemod.js';

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
 * The edit that puts a new import in its place: behind the last import that passes, else behind the last one.
 *
 * @param statement its text, without a line end
 */
export function newImport(
  unit: SourceUnit,
  statement: string,
  reason: string,
  joins: (candidate: ts.Statement) => boolean = () => true,
): FileEdit {
  const { eol } = unit.style;
  const imports = leadingImports(unit.tree, importFormOf(unit));
  const last = imports.findLast(joins) ?? imports.at(-1);
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

/** The imports that a new one joins: the leading run, since one in the middle of a file stands there for a reason. */
function leadingImports(tree: ts.SourceFile, form: ImportForm): ts.Statement[] {
  if (form === 'dynamic') return tree.statements.filter(isLateSdkImport);
  const isImport = (statement: ts.Statement): boolean =>
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement) ||
    (form === 'require' && isRequire(statement));
  const first = tree.statements.findIndex(isImport);
  if (first === -1) return [];
  const rest = tree.statements.slice(first);
  const end = rest.findIndex((statement) => !isImport(statement));
  return end === -1 ? rest : rest.slice(0, end);
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
