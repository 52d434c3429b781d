/**
 * The managed change stream for packages without TypeScript: the same code line by line, its types in JSDoc, so that
 * editors and `checkJs` know as much of it.
 */
import { ts } from 'ts-morph';
import type { Edit } from '../codegen/edit.js';
import { applyEdits } from './edits.js';

/** Turns the TypeScript source of the stream into JavaScript. */
export function asJavaScript(source: string, module: 'esm' | 'commonjs'): string {
  const tree = ts.createSourceFile('change-stream.ts', source, ts.ScriptTarget.ESNext, true);
  const edits: Edit[] = [];
  const edit = (start: number, end: number, text: string): void => {
    edits.push({ start, end, text, reason: 'types to JSDoc' });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return; // goes with what it annotates
    if (ts.isImportDeclaration(node)) {
      convertImport(node, module, edit);
      return;
    }
    if (ts.isInterfaceDeclaration(node)) {
      replaceWithDocs(node, interfaceDoc(node), edit);
      return;
    }
    if (ts.isTypeAliasDeclaration(node)) {
      replaceWithDocs(
        node,
        docBlock(descriptionOf(node), [`@typedef {${typeText(node.type)}} ${node.name.text}`]),
        edit,
      );
      return;
    }
    if (ts.isFunctionLike(node)) convertFunction(node, edit);
    else if (ts.isVariableDeclaration(node)) convertVariable(node, edit);
    else if (ts.isAsExpression(node)) convertAssertion(node, edit);
    else if (ts.isNewExpression(node) && node.typeArguments !== undefined) convertTypedNew(node, edit);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  if (module === 'commonjs') exportByAssignment(tree, edit);
  return applyEdits(source, edits);
}

type AddEdit = (start: number, end: number, text: string) => void;

function convertImport(node: ts.ImportDeclaration, module: 'esm' | 'commonjs', edit: AddEdit): void {
  const specifier = node.moduleSpecifier.getText();
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  if (clause === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return;
  const isTypeOnly = clause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const types = bindings.elements.filter((element) => isTypeOnly || element.isTypeOnly);
  const values = bindings.elements.filter((element) => !types.includes(element));
  const names = values.map((element) => element.name.text).join(', ');
  const lines = types.map(({ name }) => `/** @typedef {import(${specifier}).${name.text}} ${name.text} */`);
  if (values.length > 0) {
    lines.unshift(
      module === 'esm'
        ? `import { ${names} } from ${specifier};`
        : `const { ${names} } = require(${specifier});`,
    );
  }
  edit(node.getStart(), node.end, lines.join('\n'));
}

function interfaceDoc(node: ts.InterfaceDeclaration): string {
  const properties = node.members.map((member) => {
    const name = member.name?.getText() ?? '';
    const isOptional = (member as ts.PropertySignature).questionToken !== undefined;
    return `@property {${memberType(member)}} ${isOptional ? `[${name}]` : name} ${descriptionOf(member)}`.trimEnd();
  });
  return docBlock(descriptionOf(node), [`@typedef {object} ${node.name.text}`, ...properties]);
}

/** A comment on one line where there is room, else on several. */
function docBlock(description: string, tags: readonly string[]): string {
  const [tag] = tags;
  const short = `/** ${[description, tag].filter((part) => part !== '').join(' ')} */`;
  if (tags.length === 1 && short.length <= WIDTH && description === '') return short;
  const lines = [
    ...(description === '' ? [] : [...wrapped(description, ''), '']),
    ...tags.flatMap((line) => wrapped(line, '  ')),
  ];
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n');
}

const WIDTH = 110;

/** Breaks a line between words, never inside the braces of a type. */
function wrapped(text: string, continued: string): string[] {
  const parts = text.match(/\{(?:[^{}]|\{[^{}]*\})*\}|\S+/g) ?? [];
  const lines = [''];
  for (const part of parts) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? part : `${line} ${part}`;
    if (longer.length + 3 <= WIDTH || line.trim() === '') lines[lines.length - 1] = longer;
    else lines.push(continued + part);
  }
  return lines;
}

function memberType(member: ts.TypeElement): string {
  if (ts.isPropertySignature(member)) return member.type === undefined ? 'any' : typeText(member.type);
  if (!ts.isMethodSignature(member)) throw new Error('the change stream has a member of a new kind');
  const parameters = member.parameters.map((parameter) => parameter.getText()).join(', ');
  return collapse(`(${parameters}) => ${member.type?.getText() ?? 'void'}`);
}

/** Replaces a declaration together with its documentation, which becomes part of what replaces it. */
function replaceWithDocs(node: ts.Node, text: string, edit: AddEdit): void {
  const [first] = ts.getJSDocCommentsAndTags(node);
  edit(first?.getStart() ?? node.getStart(), node.end, text);
}

/** `uri: string; // what it is for` */
function lineCommentOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const [range] = ts.getTrailingCommentRanges(text, node.end) ?? [];
  return range === undefined ? '' : text.slice(range.pos + 2, range.end).trim();
}

function descriptionOf(node: ts.Node): string {
  const [first] = ts.getJSDocCommentsAndTags(node);
  if (first === undefined || !ts.isJSDoc(first)) return ts.isTypeElement(node) ? lineCommentOf(node) : '';
  const lines = first
    .getText()
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .filter((line) => line !== '');
  return lines.join(' ');
}

/** A declared function gets tags above it; an arrow function gets its types beside the names. */
function convertFunction(node: ts.SignatureDeclaration, edit: AddEdit): void {
  const isDeclared = ts.isFunctionDeclaration(node);
  const tags: string[] = [];
  for (const parameter of node.parameters) {
    if (!ts.isParameter(parameter) || parameter.type === undefined) continue;
    const type = typeText(parameter.type);
    if (isDeclared && ts.isIdentifier(parameter.name)) {
      const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
      tags.push(`@param {${type}} ${isOptional ? `[${parameter.name.text}]` : parameter.name.text}`);
    } else {
      edit(parameter.getStart(), parameter.getStart(), `/** @type {${type}} */ `);
    }
    edit(parameter.name.end, parameter.type.end, '');
  }
  if (node.type !== undefined) {
    edit(node.getSourceFile().text.lastIndexOf(':', node.type.getStart()), node.type.end, '');
    tags.push(`@returns {${typeText(node.type)}}`);
  }
  if (tags.length > 0) addTags(node, tags, edit);
}

function addTags(node: ts.SignatureDeclaration, tags: readonly string[], edit: AddEdit): void {
  if (!ts.isFunctionDeclaration(node)) {
    edit(node.getStart(), node.getStart(), `/** ${tags.join(' ')} */ `);
    return;
  }
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const indent = indentOf(node);
  const block = docBlock(descriptionOf(node), tags).replaceAll('\n', `\n${indent}`);
  if (doc === undefined) edit(node.getStart(), node.getStart(), `${block}\n${indent}`);
  else edit(doc.getStart(), doc.end, block);
}

function convertVariable(node: ts.VariableDeclaration, edit: AddEdit): void {
  if (node.type === undefined) return;
  const statement = node.parent.parent;
  edit(statement.getStart(), statement.getStart(), `/** @type {${typeText(node.type)}} */ `);
  edit(node.name.end, node.type.end, '');
}

/** `value as T` */
function convertAssertion(node: ts.AsExpression, edit: AddEdit): void {
  edit(node.getStart(), node.getStart(), `/** @type {${typeText(node.type)}} */ (`);
  edit(node.expression.end, node.end, ')');
}

/** `new Set<string>()` */
function convertTypedNew(node: ts.NewExpression, edit: AddEdit): void {
  const types = (node.typeArguments ?? []).map(typeText).join(', ');
  edit(node.getStart(), node.getStart(), `/** @type {${node.expression.getText()}<${types}>} */ (`);
  edit(node.expression.end, (node.typeArguments?.end ?? node.expression.end) + 1, '');
  edit(node.end, node.end, ')');
}

function exportByAssignment(tree: ts.SourceFile, edit: AddEdit): void {
  const names: string[] = [];
  for (const statement of tree.statements) {
    if (!ts.isFunctionDeclaration(statement)) continue;
    const keyword = statement.modifiers?.find((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (keyword === undefined) continue;
    edit(keyword.getStart(), keyword.end + 1, '');
    names.push(statement.name?.text ?? '');
  }
  edit(tree.text.length, tree.text.length, `\nmodule.exports = { ${names.join(', ')} };\n`);
}

function typeText(type: ts.TypeNode): string {
  return collapse(type.getText());
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function indentOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const lineStart = text.lastIndexOf('\n', node.getStart()) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
}
