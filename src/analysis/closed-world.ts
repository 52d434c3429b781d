/**
 * A TypeScript program of the candidate files alone: no library, no `node_modules`, the SDK by our own declarations.
 *
 * The checker answers what a name is bound to and what type flows through the project's own declarations. It is asked
 * for single names and never checks a file as a whole, so that it costs milliseconds where a full program costs seconds.
 */
import { ts } from 'ts-morph';
import { MINI_LIBRARY, MINI_LIBRARY_FILE } from './mini-library.js';
import { SDK_DECLARATIONS, SDK_DECLARATIONS_FILE } from './sdk-declarations.js';

/** The program and what the analysis asks of it. */
export interface ClosedWorld {
  readonly checker: ts.TypeChecker;
  /** The candidate files, in the order of their paths. */
  readonly sourceFiles: readonly ts.SourceFile[];
  /** Whether the node belongs to our own declarations rather than to the user's code. */
  isOurs(node: ts.Node): boolean;
  /** What a class or interface of the SDK is to the checker, as the stand-in declares it. */
  sdkType(name: string): ts.Type | undefined;
  /** The package that a node's file belongs to. */
  packageOf(node: ts.Node): string;
  /** Whether the node is declared by the SDK's stand-in. */
  isSdk(node: ts.Node): boolean;
}

const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  types: [],
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  noEmit: true,
  experimentalDecorators: true,
};

/**
 * @param texts source text by absolute file with forward slashes
 * @param resolve the file a specifier means, among the keys of `texts`
 * @param parsed files parsed for an earlier world; those of this one are added
 * @param packages the package of each file
 */
export function createClosedWorld(
  texts: ReadonlyMap<string, string>,
  resolve: (specifier: string, from: string) => string | undefined,
  parsed = new Map<string, ts.SourceFile>(),
  packages: ReadonlyMap<string, string> = new Map(),
): ClosedWorld {
  const own = new Map([
    [MINI_LIBRARY_FILE, MINI_LIBRARY],
    [SDK_DECLARATIONS_FILE, SDK_DECLARATIONS],
  ]);
  const textOf = (file: string): string | undefined => own.get(file) ?? texts.get(file);
  const host: ts.CompilerHost = {
    fileExists: (file) => textOf(file) !== undefined,
    readFile: textOf,
    getSourceFile(file, options) {
      const text = textOf(file);
      if (text === undefined) return undefined;
      const known = parsed.get(file);
      if (known?.text === text) return known;
      // Only JavaScript carries types in its comments; elsewhere parsing them is a fifth of all parsing.
      const jsDocParsingMode = /\.[cm]?jsx?$/.test(file)
        ? ts.JSDocParsingMode.ParseForTypeInfo
        : ts.JSDocParsingMode.ParseNone;
      const how = typeof options === 'object' ? options : { languageVersion: options };
      const tree = ts.createSourceFile(file, text, { ...how, jsDocParsingMode }, true);
      parsed.set(file, tree);
      return tree;
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map((literal) => {
        const file = resolve(literal.text, from);
        return file === undefined
          ? { resolvedModule: undefined }
          : {
              resolvedModule: {
                resolvedFileName: file,
                extension: extensionOf(file),
                isExternalLibraryImport: false,
              },
            };
      }),
    getDefaultLibFileName: () => MINI_LIBRARY_FILE,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
    getDirectories: () => [],
    directoryExists: () => true,
  };
  const roots = [...own.keys(), ...[...texts.keys()].sort()];
  const program = ts.createProgram({ rootNames: roots, options: OPTIONS, host });
  const checker = program.getTypeChecker();
  const types = sdkTypes(checker, program.getSourceFile(SDK_DECLARATIONS_FILE));
  return {
    sdkType: (name) => types.get(name),
    packageOf: (node) => packages.get(node.getSourceFile().fileName) ?? '.',
    checker,
    sourceFiles: program.getSourceFiles().filter((file) => !own.has(file.fileName)),
    isOurs: (node) => own.has(node.getSourceFile().fileName),
    isSdk: (node) => node.getSourceFile().fileName === SDK_DECLARATIONS_FILE,
  };
}

function extensionOf(file: string): string {
  return /\.[cm]?[jt]sx?$/.exec(file)?.[0] ?? '.ts';
}

function sdkTypes(checker: ts.TypeChecker, sdk: ts.SourceFile | undefined): Map<string, ts.Type> {
  const types = new Map<string, ts.Type>();
  for (const statement of sdk?.statements ?? []) {
    const body = ts.isModuleDeclaration(statement) ? statement.body : undefined;
    if (body === undefined || !ts.isModuleBlock(body)) continue;
    for (const declared of body.statements) {
      const isType = ts.isClassDeclaration(declared) || ts.isInterfaceDeclaration(declared);
      if (isType && declared.name !== undefined)
        types.set(declared.name.text, checker.getTypeAtLocation(declared));
    }
  }
  return types;
}
