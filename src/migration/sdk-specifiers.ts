/** Which packages of the SDK a file needs, by every way to name a module. */
import { ts } from 'ts-morph';
import { SDK_SCOPE, V1_PACKAGE, V2_PACKAGES } from '../protocol/index.js';
import { fileKind } from '../workspace/source-files.js';

/**
 * The SDK packages that a file imports, exports from, requires, mocks or takes types from. A name that is only data
 * (`external: ['@modelcontextprotocol/sdk']`) is none. The first argument of any call counts: `require`, `import`,
 * `vi.mock`, `require.resolve` and what people call their own; a package too many is the safe mistake here.
 */
export function sdkPackagesIn(file: string, text: string): Set<string> {
  if (!text.includes(SDK_SCOPE)) return new Set();
  const specifiers =
    fileKind(file) === 'single-file-component'
      ? lexical(text, IN_COMPONENT)
      : [...specifiersOf(file, text), ...lexical(text, IN_COMMENT)];
  return new Set(specifiers.flatMap(packageOf));
}

const PACKAGES: readonly string[] = [V1_PACKAGE, ...V2_PACKAGES];

function packageOf(specifier: string): string[] {
  const name = specifier.split('/').slice(0, 2).join('/');
  return PACKAGES.includes(name) ? [name] : [];
}

function specifiersOf(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false);
  visit(tree);
  return [...found, ...tree.typeReferenceDirectives.map((directive) => directive.fileName)];
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isModuleDeclaration(node)) return node.name;
  return ts.isCallExpression(node) ? node.arguments[0] : undefined;
}

/** The script of a component, for which no tree is made. */
const IN_COMPONENT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])(@[^'"\n]+)\1/g;
/** Types in comments of JavaScript: `@type {import('…').Tool}`. */
const IN_COMMENT = /\bimport\(\s*(['"])(@[^'"\n]+)\1/g;

function lexical(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map((match) => match[2] ?? '');
}
