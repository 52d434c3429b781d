/** One program over texts of which some are not on disk, and what it says about single files; it writes nothing. */
import type { ts } from 'ts-morph';
import { LIBRARY_FOLDER, type TypeScript, type TypeScriptApi } from './project-typescript.js';

/** One program, and what it says about single files. */
export interface TypeView {
  readonly program: ts.Program;
  /** What those who import the file see of it; undefined where that cannot be said. */
  declarationOf(source: ts.SourceFile): string | undefined;
}

/** What a program is made of. */
export interface TypeViewInput {
  readonly options: ts.CompilerOptions;
  /** Where types are looked for that no configuration places. */
  readonly directory: string;
  readonly rootNames: readonly string[];
  /** By absolute file with forward slashes; all others are as they are on disk. */
  readonly texts: ReadonlyMap<string, string>;
  readonly parsed: ParsedFiles;
  /** Most of its imports lead to the same files. */
  readonly similar: TypeView | undefined;
}

export function createTypeView(typescript: TypeScript, input: TypeViewInput): TypeView {
  const { options, rootNames, similar } = input;
  const program = typescript.api.createProgram({
    rootNames,
    options,
    host: createHost(typescript, input),
    ...(similar === undefined ? {} : { oldProgram: similar.program }),
  });
  return { program, declarationOf: (source) => emitDeclaration(program, source) };
}

/**
 * The last argument is TypeScript's own, for its incremental builds: declarations without a check of the file and
 * whatever the options say, a tenth of the time. Where a version does not know it, they are not to be had.
 */
interface DeclarationEmitter {
  emit(
    source: ts.SourceFile,
    write: ts.WriteFileCallback,
    cancellation: undefined,
    onlyDeclarations: true,
    transformers: undefined,
    forced: true,
  ): unknown;
}

function emitDeclaration(program: DeclarationEmitter, source: ts.SourceFile): string | undefined {
  let emitted: string | undefined;
  program.emit(source, (_, text) => (emitted = text), undefined, true, undefined, true);
  return emitted;
}

/** Parsed files of one TypeScript. */
export interface ParsedFiles {
  get(key: string, parse: () => ts.SourceFile | undefined): ts.SourceFile | undefined;
}

export function createParsedFiles(): ParsedFiles {
  const parsed = new Map<string, ts.SourceFile | undefined>();
  return {
    get(key, parse) {
      if (!parsed.has(key)) parsed.set(key, parse());
      return parsed.get(key);
    },
  };
}

/**
 * What decides how a file is parsed and bound. For a declaration file no option does, so that TypeScript's own, those of
 * the SDK and all of `@types` are parsed once for all projects of a workspace.
 */
function parseKey(file: string, options: ts.CompilerOptions): string {
  if (/\.d\.(?:[^/]*\.)?[cm]?ts$/.test(file)) return '';
  return JSON.stringify(Object.entries(options).filter(([name]) => !PLACES.has(name)));
}

/** Options that say where things are; the first two hold a parsed file and its path. */
const PLACES = new Set([
  'configFile',
  'configFilePath',
  'baseUrl',
  'paths',
  'pathsBasePath',
  'rootDir',
  'types',
]);

/** Only JavaScript carries types in its comments. Versions before 5.3 have no choice. */
function jsDocParsing(api: TypeScriptApi): Pick<ts.CompilerHost, 'jsDocParsingMode'> {
  const { JSDocParsingMode: modes } = api as Partial<TypeScriptApi>;
  return modes === undefined ? {} : { jsDocParsingMode: modes.ParseForTypeErrors };
}

function createHost(
  { api, libraries }: TypeScript,
  { options, directory, texts, parsed }: TypeViewInput,
): ts.CompilerHost {
  const disk = api.createCompilerHost(options);
  const textOf = (file: string): string | undefined => texts.get(file) ?? libraries?.get(file);
  return {
    ...disk,
    getCurrentDirectory: () => directory,
    ...jsDocParsing(api),
    fileExists: (file) => textOf(file) !== undefined || disk.fileExists(file),
    readFile: (file) => textOf(file) ?? disk.readFile(file),
    getSourceFile(file, languageVersion) {
      const format = typeof languageVersion === 'object' ? languageVersion.impliedNodeFormat : undefined;
      const key = [file, String(format), parseKey(file, options), texts.get(file) ?? ''].join('\0');
      return parsed.get(key, () => {
        const text = textOf(file) ?? disk.readFile(file);
        return text === undefined ? undefined : api.createSourceFile(file, text, languageVersion);
      });
    },
    writeFile: () => undefined,
    ...(libraries === undefined
      ? {}
      : {
          getDefaultLibLocation: () => LIBRARY_FOLDER,
          getDefaultLibFileName: (of: ts.CompilerOptions) =>
            `${LIBRARY_FOLDER}/${api.getDefaultLibFileName(of)}`,
        }),
  };
}
