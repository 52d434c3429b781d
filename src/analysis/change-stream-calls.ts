/** Recognises calls of the managed stream that an earlier run has put into the code. */
import { ts } from 'ts-morph';
import { CHANGE_STREAM_FILE, CHANGE_STREAM_FUNCTION } from '../codegen/change-stream.js';
import { literalText } from './syntax.js';

/** Whether a call is `changeStream(client, …)`, by what the name was imported from. */
export function isChangeStreamCall(call: ts.CallExpression): boolean {
  if (!ts.isIdentifier(call.expression)) return false;
  return localNamesOf(call.getSourceFile()).has(call.expression.text);
}

/** The name that a file already has for the managed stream's factory, if any. */
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
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const element of bindings.elements) {
        if ((element.propertyName ?? element.name).text === CHANGE_STREAM_FUNCTION)
          names.add(element.name.text);
      }
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) collectRequired(declaration, names);
    }
  }
  cache.set(file, names);
  return names;
}

function collectRequired(declaration: ts.VariableDeclaration, names: Set<string>): void {
  const { initializer, name } = declaration;
  if (initializer === undefined || !ts.isCallExpression(initializer) || !ts.isObjectBindingPattern(name))
    return;
  if (!ts.isIdentifier(initializer.expression) || initializer.expression.text !== 'require') return;
  if (!isOurModule(initializer.arguments[0])) return;
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
