/** Adding the plugin to a flat configuration of ESLint: two insertions, or nothing at all. */
import { ts } from 'ts-morph';
import { indentAt, readFileStyle, quoted, type FileStyle } from '../codegen/file-style.js';
import { freeName } from '../codegen/names.js';
import type { Preset } from '../protocol/index.js';

/** The package that is added. */
export const PLUGIN_PACKAGE = 'eslint-plugin-mcp-listen';

/** What becomes of a configuration. */
export type ConfigEdit =
  | { readonly kind: 'edited'; readonly text: string }
  /** The plugin is there already. */
  | { readonly kind: 'present' }
  /** The form is none that is known; nothing is changed. */
  | { readonly kind: 'unknown' };

/** Calls whose arguments, or whose one list, are the configuration. */
const WRAPPERS = new Set(['defineConfig', 'config']);

/** @param file decides how the text is read, and whether it imports or requires */
export function addPlugin(file: string, text: string, preset: Preset): ConfigEdit {
  if (text.includes(PLUGIN_PACKAGE)) return { kind: 'present' };
  const tree = parse(file, text);
  if (faultsOf(file, text) > 0) return { kind: 'unknown' };
  const elements = configElements(tree);
  if (elements === undefined) return { kind: 'unknown' };
  const style = readFileStyle(text);
  const name = freeName(['mcpListen', 'mcpListenPlugin'], (one) => new RegExp(`\\b${one}\\b`).test(text));
  const insertions = [
    importInsertion(tree, name, style),
    elementInsertion(tree, elements, `${name}.configs.${preset}`, style),
  ];
  const edited = insertions
    .sort((a, b) => b.position - a.position)
    .reduce((so, { position, added }) => so.slice(0, position) + added + so.slice(position), text);
  return faultsOf(file, edited) > 0 ? { kind: 'unknown' } : { kind: 'edited', text: edited };
}

interface Insertion {
  readonly position: number;
  readonly added: string;
}

/** A list of configurations: that of an array, or of a call's arguments. */
interface ConfigElements {
  readonly nodes: ts.NodeArray<ts.Expression>;
  /** Position of the closing bracket. */
  readonly end: number;
}

function configElements(tree: ts.SourceFile): ConfigElements | undefined {
  const exported = exportedExpression(tree);
  return exported === undefined ? undefined : elementsOf(tree, exported);
}

function exportedExpression(tree: ts.SourceFile): ts.Expression | undefined {
  for (const statement of tree.statements) {
    if (ts.isExportAssignment(statement)) return statement.expression;
    const assignment = ts.isExpressionStatement(statement) ? statement.expression : undefined;
    if (
      assignment !== undefined &&
      ts.isBinaryExpression(assignment) &&
      assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      assignment.left.getText(tree) === 'module.exports'
    )
      return assignment.right;
  }
  return undefined;
}

function elementsOf(tree: ts.SourceFile, expression: ts.Expression): ConfigElements | undefined {
  const inner = bare(expression);
  if (ts.isArrayLiteralExpression(inner)) return { nodes: inner.elements, end: inner.getEnd() - 1 };
  if (ts.isIdentifier(inner)) {
    const value = constantNamed(tree, inner.text);
    return value === undefined ? undefined : elementsOf(tree, value);
  }
  if (!ts.isCallExpression(inner) || !isWrapper(inner.expression)) return undefined;
  const [first, ...others] = inner.arguments;
  if (first !== undefined && others.length === 0 && !ts.isObjectLiteralExpression(bare(first))) {
    const list = bare(first);
    if (ts.isArrayLiteralExpression(list)) return elementsOf(tree, list);
  }
  return { nodes: inner.arguments, end: inner.getEnd() - 1 };
}

/** Without parentheses, `as` and `satisfies`. */
function bare(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression)
    ? bare(expression.expression)
    : expression;
}

/** `defineConfig(…)`, `tseslint.config(…)` */
function isWrapper(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && WRAPPERS.has(name.text);
}

function constantNamed(tree: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: declared, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(declared) && declared.text === name) return initializer;
  }
  return undefined;
}

/** Behind the last element, in the layout of the list. */
function elementInsertion(
  tree: ts.SourceFile,
  { nodes, end }: ConfigElements,
  added: string,
  { eol, indent }: FileStyle,
): Insertion {
  const { text } = tree;
  const last = nodes.at(-1);
  if (last === undefined) return { position: end, added };
  const isMultiline = text.slice(last.getEnd(), end).includes('\n');
  if (!isMultiline) {
    return nodes.hasTrailingComma
      ? { position: end, added: ` ${added},` }
      : { position: last.getEnd(), added: `, ${added}` };
  }
  const own = indentAt(text, last.getStart(tree)) || indent;
  if (!nodes.hasTrailingComma) return { position: last.getEnd(), added: `,${eol}${own}${added}` };
  const comma = text.indexOf(',', last.getEnd()) + 1;
  const comment = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(comma))?.[0] ?? '';
  return { position: comma + comment.length, added: `${eol}${own}${added},` };
}

/** Behind the last import or require at the top, else before the first statement. */
function importInsertion(tree: ts.SourceFile, name: string, style: FileStyle): Insertion {
  const loads = tree.statements.filter(
    (statement) => ts.isImportDeclaration(statement) || isRequire(statement),
  );
  const last = loads.at(-1);
  const from = quoted(PLUGIN_PACKAGE, style);
  const isCommonJs = last === undefined ? tree.text.includes('module.exports') : isRequire(last);
  const statement = isCommonJs
    ? `const ${name} = require(${from})${style.semicolon}`
    : `import ${name} from ${from}${style.semicolon}`;
  if (last !== undefined) return { position: last.getEnd(), added: style.eol + statement };
  const position = tree.statements[0]?.getStart(tree) ?? 0;
  return { position, added: `${statement}${style.eol}${style.eol}` };
}

function isRequire(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  const [declaration] = statement.declarationList.declarations;
  const loaded = declaration?.initializer;
  return (
    loaded !== undefined &&
    ts.isCallExpression(loaded) &&
    ts.isIdentifier(loaded.expression) &&
    loaded.expression.text === 'require'
  );
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function faultsOf(file: string, text: string): number {
  return ts.transpileModule(text, { fileName: file, reportDiagnostics: true }).diagnostics?.length ?? 0;
}
