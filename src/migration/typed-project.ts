/**
 * A project as TypeScript sees it, twice: before the edits and after them.
 *
 * Its programs hold the files under comparison, what those import, and the project's ambient declarations, not every
 * file of the project; and single files are checked, never a whole program. Both programs share the parsed files that
 * do not differ.
 */
import type { ts } from 'ts-morph';
import { V2_PACKAGES } from '../protocol/index.js';
import { scanForTokens } from '../workspace/prefilter.js';
import { faultsOf, gainedFaults, type TypeFault } from './diagnostics.js';
import { asksForCheck, type ProjectConfig } from './project-config.js';
import type { TypeScript } from './project-typescript.js';
import { createTypeView, type ParsedFiles, type TypeView } from './type-view.js';
import { isTypeScriptFile } from '../workspace/paths.js';

/** The texts of a comparison, by absolute file with forward slashes; what is in neither is as it is on disk. */
export interface Texts {
  /** The files whose types an edit can have changed. */
  readonly edited: readonly string[];
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /** Packages that the run adds and that may not be installed yet: that they cannot be found is no error. */
  readonly awaited: ReadonlySet<string>;
  /** Where a place of a file before is in the text after. */
  readonly moved: (file: string, position: number) => number;
}

/** One file, before and after. */
export interface FileComparison {
  readonly file: string;
  readonly gained: readonly TypeFault[];
  /** What is not installed that it needs: a package of the SDK, or types that the configuration asks for. */
  readonly missing: string | undefined;
  /** The packages that will be installed after the run, and whose types are therefore not known yet. */
  readonly awaited: readonly string[];
  /** Whether TypeScript checks more of it than its syntax. */
  readonly isTyped: boolean;
  /** What those who import it see of it; undefined where that cannot be said. */
  readonly declaration: string | undefined;
  readonly declarationChanged: boolean;
}

/** The two programs of one configuration. */
export interface TypedProject {
  readonly config: ProjectConfig;
  /** Compares the files, and what the edits have created and the files use. */
  compare(files: readonly string[], texts: Texts): FileComparison[];
  /** Lets go of the programs, which weigh 100 MB and more. What is known of texts that stay as they are is kept. */
  rest(): void;
}

/** A program before, one after, and which of the edited texts the latter has. */
interface Pair {
  readonly before: TypeView;
  readonly after: TypeView;
}

/**
 * @param directory where a project without configuration looks for its `@types`
 * @param parsed shared by all projects of one TypeScript
 */
export function createTypedProject(
  typescript: TypeScript,
  config: ProjectConfig,
  directory: string,
  parsed: ParsedFiles,
): TypedProject {
  const options = checkingOptions(config.options);
  const ambient = ambientFiles(config.files);
  const roots = new Set<string>();
  const results = new Map<string, FileComparison>();
  let seen = new Map<string, string | undefined>();
  let pair: Pair | undefined;

  const createPair = (texts: Texts): Pair => {
    const rootNames = [...ambient, ...roots];
    const view = (of: ReadonlyMap<string, string>, similar?: TypeView): TypeView =>
      createTypeView(typescript, { options, directory, rootNames, texts: of, parsed, similar });
    const before = view(texts.before, pair?.before);
    const after = view(texts.after, before);
    const edited = [...texts.after.keys()].filter((file) => after.program.getSourceFile(file) !== undefined);
    seen = new Map(edited.map((file) => [file, texts.after.get(file)]));
    return { before, after };
  };

  return {
    config,
    compare(files, texts) {
      if ([...seen].some(([file, text]) => texts.after.get(file) !== text)) {
        results.clear();
        pair = undefined;
      }
      const created = [...texts.after.keys()].filter((file) => !texts.before.has(file));
      const wanted = [...files, ...created];
      if (files.some((file) => !results.has(file))) {
        if (pair === undefined || files.some((file) => !roots.has(file))) {
          for (const file of files) roots.add(file);
          pair = createPair(texts);
        }
        for (const file of wanted) {
          if (results.has(file)) continue;
          const result = compareFile(file, typescript, config.options, pair, texts);
          if (result !== undefined) results.set(file, result);
        }
      }
      return wanted.flatMap((file) => results.get(file) ?? []);
    },
    rest() {
      pair = undefined;
    },
  };
}

function compareFile(
  file: string,
  { api }: TypeScript,
  options: ts.CompilerOptions,
  { before, after }: Pair,
  texts: Texts,
): FileComparison | undefined {
  const now = after.program.getSourceFile(file);
  const then = before.program.getSourceFile(file);
  if (now === undefined) return undefined;
  const declares = options.declaration === true || options.composite === true;
  const all = faultsOf(api, after.program, now, declares);
  const awaited = (fault: TypeFault): string[] =>
    unresolvedPackage(fault).filter((name) => texts.awaited.has(name));
  const faults = all.filter((fault) => awaited(fault).length === 0);
  // What is clean has gained nothing: the check of the text before is saved.
  const known =
    then === undefined || faults.length === 0 ? [] : faultsOf(api, before.program, then, declares);
  const declaration = after.declarationOf(now);
  return {
    file,
    gained: gainedFaults(known, faults, (position) => texts.moved(file, position)),
    missing: missingTypes(api, after.program) ?? faults.flatMap(unresolvedPackage).map(notFound)[0],
    awaited: [...new Set(all.flatMap(awaited))],
    isTyped: isTypeScriptFile(file) || options.checkJs === true || asksForCheck(now.text),
    declaration,
    declarationChanged:
      then === undefined || declaration === undefined || before.declarationOf(then) !== declaration,
  };
}

/** "Cannot find module …", "… Did you mean to set the moduleResolution option …", "Could not find a declaration file …". */
const NO_MODULE = new Set([2307, 2792, 7016]);

function unresolvedPackage({ code, message }: TypeFault): string[] {
  if (!NO_MODULE.has(code)) return [];
  const name = V2_PACKAGES.find((one) => message.includes(`'${one}'`) || message.includes(`'${one}/`));
  return name === undefined ? [] : [name];
}

function notFound(name: string): string {
  return `Cannot find module '${name}'`;
}

/** "Cannot find type definition file for 'node'". */
const NO_TYPE_PACKAGE = 2688;

function missingTypes(api: TypeScript['api'], program: ts.Program): string | undefined {
  const fault = program.getOptionsDiagnostics().find(({ code }) => code === NO_TYPE_PACKAGE);
  if (fault === undefined) return undefined;
  const [line = ''] = api.flattenDiagnosticMessageText(fault.messageText, '\n').split('\n');
  return line.replace(/\.$/, '');
}

/** The project's options without what asks for all of its files to be there. */
function checkingOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  return { ...options, composite: false, incremental: false };
}

/** Declarations that count without being imported: `.d.ts` files, and modules that add to the global scope. */
function ambientFiles(files: readonly string[]): string[] {
  const isDeclaration = (file: string): boolean => /\.d\.[cm]?ts$/.test(file);
  const others = files.filter((file) => !isDeclaration(file));
  const adding = scanForTokens(others, ['declare global', 'declare module']).candidates;
  return [...files.filter(isDeclaration), ...adding.map(({ file }) => file)];
}
