/** Recognises calls of the managed stream that an earlier run has put into the code. */
import { ts } from 'ts-morph';
import { CHANGE_STREAM_FILE, CHANGE_STREAM_FUNCTION } from '../codegen/change-stream.js';
import { literalText } from './syntax.js';

/** Whether a call is `changeStream(client, …)`, by what the name was imported from. */
export function isChangeStreamCall(call: ts.CallExpression): boolean {
  const callee = call.expression;
  const isNamed =
    ts.isIdentifier(callee) || (ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression));
  return isNamed && localNamesOf(call.getSourceFile()).has(callee.getText());
}

/** What a file already calls the managed stream's factory, if anything: `changeStream`, or `streams.changeStream`. */
export function changeStreamName(file: ts.SourceFile): string | undefined {
  return [...localNamesOf(file)][0];
}

const cache = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

function localNamesOf(file: ts.SourceFile): ReadonlySet<string> {
  const known = cache.get(file);
  if (known !== undefined) return known;
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) && isOurModule(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings;
      if (bindings !== undefined) collectImported(bindings, names);
    } else if (ts.isImportEqualsDeclaration(statement)) {
      const { moduleReference, name } = statement;
      if (ts.isExternalModuleReference(moduleReference) && isOurModule(moduleReference.expression))
        names.add(memberOf(name));
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) collectRequired(declaration, names);
    }
  }
  cache.set(file, names);
  return names;
}

function collectImported(bindings: ts.NamedImportBindings, names: Set<string>): void {
  if (ts.isNamespaceImport(bindings)) {
    names.add(memberOf(bindings.name));
    return;
  }
  for (const element of bindings.elements) {
    if ((element.propertyName ?? element.name).text === CHANGE_STREAM_FUNCTION) names.add(element.name.text);
  }
}

/** The factory as a member of the whole module. */
function memberOf(module: ts.Identifier): string {
  return `${module.text}.${CHANGE_STREAM_FUNCTION}`;
}

function collectRequired(declaration: ts.VariableDeclaration, names: Set<string>): void {
  const { initializer, name } = declaration;
  if (initializer === undefined || !ts.isCallExpression(initializer)) return;
  if (!ts.isIdentifier(initializer.expression) || initializer.expression.text !== 'require') return;
  if (!isOurModule(initializer.arguments[0])) return;
  if (ts.isIdentifier(name)) names.add(memberOf(name));
  if (!ts.isObjectBindingPattern(name)) return;
  for (const element of name.elements) {
    const imported = element.propertyName ?? element.name;
    if (
      ts.isIdentifier(imported) &&
      imported.text === CHANGE_STREAM_FUNCTION &&
      ts.isIdentifier(element.name)
    ) {
      names.add(element.name.text);
    }
  }
}

function isOurModule(specifier: ts.Node | undefined): boolean {
  const text = literalText(specifier);
  return text !== undefined && new RegExp(`(^|/)${CHANGE_STREAM_FILE}(\\.[cm]?[jt]s)?$`).test(text);
}
