/** The name by which a file calls the managed stream's factory, and the import that brings it in. */
import { ts } from 'ts-morph';
import { changeStreamName } from '../../src/analysis/change-stream-calls.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { CHANGE_STREAM_FUNCTION } from '../../src/codegen/change-stream.js';
import { endOfLineComment } from '../../src/codegen/file-style.js';
import { importStatement, type ImportForm } from '../../src/codegen/import-statement.js';
import { freeName } from '../../src/codegen/names.js';
import { SDK_SCOPE } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';

/** The name in this file: the one it imports already, else a free one. */
export function streamName(unit: SourceUnit): string {
  return (
    changeStreamName(unit.tree) ??
    freeName([CHANGE_STREAM_FUNCTION, 'mcpChangeStream'], (name) =>
      new RegExp(`\\b${name}\\b`).test(unit.text),
    )
  );
}

/** Whether a file brings in other modules by `import`, by `require`, or the SDK by `await import` alone. */
export function importFormOf(unit: SourceUnit): ImportForm {
  if (loadsSdkLate(unit.tree)) return 'dynamic';
  if (/\.[cm]?tsx?$/.test(unit.file) || unit.file.endsWith('.mjs')) return 'import';
  const isModule = unit.tree.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) ||
      ts.isExportDeclaration(statement) ||
      ts.isExportAssignment(statement),
  );
  if (isModule || unit.file.endsWith('.jsx')) return 'import';
  const isCommonJs = /\brequire\s*\(|\bmodule\.exports\b|^\s*exports\.\w+\s*=/m.test(unit.text);
  return isCommonJs || unit.file.endsWith('.cjs') ? 'require' : 'import';
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
  const statement = importStatement(form, CHANGE_STREAM_FUNCTION, streamName(unit), specifier, unit.style);
  const { eol } = unit.style;
  const reason = 'the managed change stream';
  const last = lastImport(unit.tree, form);
  if (last !== undefined) {
    const end = endOfLineComment(unit.text, last.end);
    return { file: unit.file, start: end, end, text: eol + statement, reason };
  }
  const start = afterPrologue(unit.tree);
  return { file: unit.file, start, end: start, text: statement + eol + (start === 0 ? eol : ''), reason };
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
  if (end > 0) return lineEnd(tree.text, end);
  const hashbang = /^#![^\n]*\n/.exec(tree.text)?.[0].length ?? 0;
  // A comment with an empty line behind it belongs to the file, one without to the code below it.
  const header = /^(?:[ \t]*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/[ \t]*)\r?\n)+(?=[ \t]*\r?\n)/.exec(
    tree.text.slice(hashbang),
  );
  return hashbang + (header?.[0].length ?? 0);
}

function lineEnd(text: string, position: number): number {
  const next = text.indexOf('\n', position);
  return next === -1 ? text.length : next + 1;
}
