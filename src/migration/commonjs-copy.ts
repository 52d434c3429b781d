/**
 * The managed change stream for TypeScript that imports by `import … = require(…)`: under `verbatimModuleSyntax` a CommonJS
 * file may hold no ES import or export of a value.
 */
import { ts } from 'ts-morph';
import type { Edit } from '../codegen/edit.js';
import { applyEdits } from './edits.js';

/** Turns the imports and exports of the stream into those of a CommonJS file; all other code stays as it is. */
export function asCommonJs(source: string): string {
  const tree = ts.createSourceFile('change-stream.ts', source, ts.ScriptTarget.ESNext, true);
  const edits: Edit[] = [];
  const edit = (start: number, end: number, text: string): void => {
    edits.push({ start, end, text, reason: 'ES syntax to CommonJS' });
  };
  const imports = tree.statements.filter(ts.isImportDeclaration);
  const loading = imports.filter((node) => node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword);
  for (const [index, node] of loading.entries()) {
    if (index === 0)
      edit(node.getStart(), node.end, `import sdk = require(${node.moduleSpecifier.getText()});`);
    else edit(node.getStart(), node.end + 1, '');
  }
  const names = loading.flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    return bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.map((element) => element.getText())
      : [];
  });
  const last = imports.at(-1)?.end ?? 0;
  edit(last, last, `\n\nconst { ${names.join(', ')} } = sdk;`);
  const exported: string[] = [];
  for (const statement of tree.statements) {
    const [keyword] = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (keyword?.kind !== ts.SyntaxKind.ExportKeyword) continue;
    // Nothing may be exported beside `export =`, a type neither.
    edit(keyword.getStart(), keyword.end + 1, '');
    if (ts.isFunctionDeclaration(statement)) exported.push(statement.name?.text ?? '');
  }
  edit(tree.text.length, tree.text.length, `\nexport = { ${exported.join(', ')} };\n`);
  return applyEdits(source, edits);
}
