/** What a file imports, by whatever form. */
import { ts } from 'ts-morph';
import { peel } from '../../src/analysis/syntax.js';

/** One name that an import at the top of a file binds. */
export interface ImportBinding {
  readonly list: ImportStatement;
  readonly module: string;
  /** The exported name; `*` for the whole module. */
  readonly imported: string;
  readonly local: string;
  readonly isType: boolean;
  /** The element of a list, or the name of a default or namespace import. */
  readonly node: ImportElement | ts.Identifier;
}

/** An element of a list of imported names. */
export type ImportElement = ts.ImportSpecifier | ts.BindingElement;

/** A statement that imports one module. */
export interface ImportStatement {
  readonly statement: ts.Statement;
  readonly module: string;
  readonly form: 'import' | 'require' | 'equals';
  /** `import type …` */
  readonly isType: boolean;
  /** The list in braces; undefined where there is none. */
  readonly names: ts.NamedImports | ts.ObjectBindingPattern | undefined;
  readonly bindings: readonly ImportBinding[];
}

const known = new WeakMap<ts.SourceFile, readonly ImportStatement[]>();

/** The imports at the top level of a file. */
export function importsOf(tree: ts.SourceFile): readonly ImportStatement[] {
  const found = known.get(tree) ?? tree.statements.flatMap(readImport);
  known.set(tree, found);
  return found;
}

function readImport(statement: ts.Statement): ImportStatement[] {
  if (ts.isImportDeclaration(statement)) return readDeclaration(statement);
  if (ts.isImportEqualsDeclaration(statement)) return readEquals(statement);
  return ts.isVariableStatement(statement) ? readVariable(statement) : [];
}

function readDeclaration(statement: ts.ImportDeclaration): ImportStatement[] {
  const { importClause, moduleSpecifier } = statement;
  if (importClause === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const { name, namedBindings } = importClause;
  const isType = importClause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const names = namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings : undefined;
  const read: Omit<ImportStatement, 'bindings'> = {
    statement,
    module: moduleSpecifier.text,
    form: 'import',
    isType,
    names,
  };
  return [
    withBindings(read, [
      ...(name === undefined ? [] : [{ node: name, imported: 'default', local: name.text, isType }]),
      ...(namedBindings !== undefined && ts.isNamespaceImport(namedBindings)
        ? [{ node: namedBindings.name, imported: '*', local: namedBindings.name.text, isType }]
        : []),
      ...(names?.elements ?? []).map((node) => ({
        node,
        imported: (node.propertyName ?? node.name).text,
        local: node.name.text,
        isType: isType || node.isTypeOnly,
      })),
    ]),
  ];
}

function readEquals(statement: ts.ImportEqualsDeclaration): ImportStatement[] {
  const { moduleReference, name, isTypeOnly: isType } = statement;
  if (!ts.isExternalModuleReference(moduleReference)) return [];
  if (!ts.isStringLiteral(moduleReference.expression)) return [];
  const module = moduleReference.expression.text;
  return [
    withBindings({ statement, module, form: 'equals', isType, names: undefined }, [
      { node: name, imported: '*', local: name.text, isType },
    ]),
  ];
}

function readVariable(statement: ts.VariableStatement): ImportStatement[] {
  const [declaration, ...others] = statement.declarationList.declarations;
  const module = loadedModule(declaration?.initializer);
  if (declaration === undefined || others.length > 0 || module === undefined) return [];
  const { name } = declaration;
  const read = { statement, module, form: 'require', isType: false } as const;
  if (ts.isIdentifier(name)) {
    return [
      withBindings({ ...read, names: undefined }, [
        { node: name, imported: '*', local: name.text, isType: false },
      ]),
    ];
  }
  if (!ts.isObjectBindingPattern(name) || !name.elements.every(isPlain)) return [];
  return [
    withBindings(
      { ...read, names: name },
      name.elements.flatMap((node) => {
        const imported = node.propertyName ?? node.name;
        return ts.isIdentifier(imported) && ts.isIdentifier(node.name)
          ? [{ node, imported: imported.text, local: node.name.text, isType: false }]
          : [];
      }),
    ),
  ];
}

/** `name` or `name: local` */
function isPlain({ name, propertyName, dotDotDotToken, initializer }: ts.BindingElement): boolean {
  const isNamed = ts.isIdentifier(name) && (propertyName === undefined || ts.isIdentifier(propertyName));
  return isNamed && dotDotDotToken === undefined && initializer === undefined;
}

/** The module of `require('…')` and `await import('…')`. */
function loadedModule(initializer: ts.Expression | undefined): string | undefined {
  if (initializer === undefined) return undefined;
  const inner = peel(initializer);
  const call = ts.isAwaitExpression(inner) ? peel(inner.expression) : inner;
  if (!ts.isCallExpression(call)) return undefined;
  const [argument] = call.arguments;
  const isLoader = ts.isAwaitExpression(inner)
    ? call.expression.kind === ts.SyntaxKind.ImportKeyword
    : ts.isIdentifier(call.expression) && call.expression.text === 'require';
  return isLoader && argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
}

function withBindings(
  read: Omit<ImportStatement, 'bindings'>,
  bindings: readonly Omit<ImportBinding, 'list' | 'module'>[],
): ImportStatement {
  const list: ImportStatement & { bindings: ImportBinding[] } = { ...read, bindings: [] };
  for (const binding of bindings) list.bindings.push({ ...binding, list, module: read.module });
  return list;
}
