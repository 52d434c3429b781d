/** The managed change stream for packages without TypeScript: the same code, its types in JSDoc. */
import { ts } from 'ts-morph';

/** Turns the TypeScript source into JavaScript with JSDoc types. */
export function asJavaScript(source: string, module: 'esm' | 'commonjs'): string {
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: module === 'esm' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      removeComments: false,
    },
  }).outputText;
}
