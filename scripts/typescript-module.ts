/**
 * How the built program loads TypeScript. Importing ts-morph statically costs twice the time: Node's loader compiles and
 * lexes the 13 MB of CommonJS below it for the names that they export, before it runs them.
 */
import { posix } from 'node:path';

/**
 * The module through which the built program has TypeScript. Of ts-morph it loads the compiler alone: the package that
 * holds it brings 3 MB more, and hands every name of it on through a getter.
 */
export const TYPESCRIPT_MODULE = {
  path: 'typescript.js',
  text: `/** The TypeScript that ts-morph brings along, loaded by require(): see scripts/typescript-module.ts. */
import { createRequire } from 'node:module';

const common = createRequire(createRequire(import.meta.url).resolve('ts-morph'));

function compilerAlone() {
  try {
    return common('@ts-morph/common/dist/typescript.js');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return common('@ts-morph/common').ts;
  }
}

export const ts = compilerAlone();
`,
} as const;

const IMPORT = /^import \{ ts \} from 'ts-morph';$/m;
const OTHER_USE = /\b(?:from|import)\s*\(?\s*['"]ts-morph['"]/;

/**
 * The text of a built module with TypeScript from {@link TYPESCRIPT_MODULE}.
 *
 * @param path of the module, relative to `dist`
 * @throws where ts-morph is imported in any other way
 */
export function importFromTypescriptModule(text: string, path: string): string {
  const module = posix.relative(posix.dirname(path), TYPESCRIPT_MODULE.path);
  const specifier = module.startsWith('.') ? module : `./${module}`;
  const result = text.replace(IMPORT, `import { ts } from '${specifier}';`);
  if (OTHER_USE.test(result)) {
    throw new Error(`dist/${path} imports ts-morph other than by "import { ts } from 'ts-morph';"`);
  }
  return result;
}
