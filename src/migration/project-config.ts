/** The compiler options that a file is checked with: those of the tsconfig.json that includes it, as an editor finds them. */
import { dirname } from 'node:path/posix';
import type { ts } from 'ts-morph';
import { isInside, isTypeScriptFile } from '../workspace/paths.js';
import type { Problem } from '../workspace/problem.js';
import type { TypeScript } from './project-typescript.js';

/** What a file is checked with. */
export interface ProjectConfig {
  /** Absolute path with forward slashes; undefined where no configuration is near. */
  readonly file: string | undefined;
  readonly options: ts.CompilerOptions;
  /** All files that the configuration names. */
  readonly files: readonly string[];
}

/** A configuration that cannot be followed. */
export interface BrokenConfig {
  readonly problem: Problem;
}

/** Finds configurations; each is read once. */
export interface ConfigFinder {
  /**
   * The configuration of a file; undefined for JavaScript that nobody asks TypeScript to check.
   *
   * @param text the text of the file, for its `// @ts-check`
   */
  configOf(file: string, text: string): ProjectConfig | BrokenConfig | undefined;
}

/** @param boundary the folder above which no configuration is looked for */
export function createConfigFinder(typescript: TypeScript, boundary: string): ConfigFinder {
  const read = configReader(typescript);
  const inferred: ProjectConfig = { file: undefined, options: inferredOptions(typescript), files: [] };

  return {
    configOf(file, text) {
      const near = foldersUp(dirname(file), boundary).flatMap((folder) => read.in(folder) ?? []);
      for (const config of near) {
        const found = including(config, file, read.at);
        if (found !== undefined) return found;
      }
      // TypeScript that no configuration includes, such as tests: by the options of its neighbours.
      if (isTypeScriptFile(file)) {
        const [nearest] = near;
        return nearest === undefined ? inferred : ownOptions(nearest, read.at);
      }
      return asksForCheck(text) ? inferred : undefined;
    },
  };
}

/** Whether a JavaScript file wants to be checked, whatever its configuration says. */
export function asksForCheck(text: string): boolean {
  return /^\s*\/\/\s*@ts-check\b/m.test(text);
}

interface ReadConfig extends ProjectConfig {
  readonly file: string;
  readonly fileSet: ReadonlySet<string>;
  readonly references: readonly string[];
}

interface ConfigReader {
  /** The configuration of a folder, if it has one. */
  readonly in: (folder: string) => ReadConfig | BrokenConfig | undefined;
  readonly at: (file: string) => ReadConfig | BrokenConfig;
}

type At = ConfigReader['at'];

/** The configuration itself, or the one among its references, that includes the file; a broken one ends the search. */
function including(
  start: ReadConfig | BrokenConfig,
  file: string,
  at: At,
): ReadConfig | BrokenConfig | undefined {
  const seen = new Set<string>();
  const queue = [start];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if ('problem' in next || next.fileSet.has(file)) return next;
    for (const reference of next.references) {
      if (seen.has(reference)) continue;
      seen.add(reference);
      queue.push(at(reference));
    }
  }
  return undefined;
}

/** A configuration that only lists others says nothing about options: the first of those does. */
function ownOptions(config: ReadConfig | BrokenConfig, at: At): ReadConfig | BrokenConfig {
  if ('problem' in config || config.files.length > 0) return config;
  const [first] = config.references;
  return first === undefined ? config : at(first);
}

function foldersUp(folder: string, boundary: string): string[] {
  const above = dirname(folder);
  const isLast = folder === boundary || above === folder || !isInside(boundary, above);
  return isLast ? [folder] : [folder, ...foldersUp(above, boundary)];
}

/** What an editor also looks for, in its order. */
const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];

function configReader({ api, bundled }: TypeScript): ConfigReader {
  const known = new Map<string, ReadConfig | BrokenConfig>();
  const at: At = (file) => {
    const config = known.get(file) ?? readConfig(api, file, bundled);
    known.set(file, config);
    return config;
  };
  return {
    at,
    in(folder) {
      const name = CONFIG_NAMES.find((candidate) => api.sys.fileExists(`${folder}/${candidate}`));
      return name === undefined ? undefined : at(`${folder}/${name}`);
    },
  };
}

/**
 * What does not keep a configuration from being followed: it names no file (a solution, or files that are yet to come),
 * or has an option of another version of TypeScript.
 */
const HARMLESS = new Set([18002, 18003, 5023, 5025]);

function readConfig(api: TypeScript['api'], file: string, isBundled: boolean): ReadConfig | BrokenConfig {
  const faults: ts.Diagnostic[] = [];
  const host: ts.ParseConfigFileHost = {
    ...api.sys,
    getCurrentDirectory: () => dirname(file),
    onUnRecoverableConfigFileDiagnostic: (fault) => faults.push(fault),
  };
  const parsed = api.getParsedCommandLineOfConfigFile(file, {}, host);
  const fault = [...faults, ...(parsed?.errors ?? [])].find(({ code }) => !HARMLESS.has(code));
  if (parsed === undefined || fault !== undefined) {
    const reason = fault === undefined ? '' : ` (${describe(api, fault)})`;
    return {
      problem: {
        file,
        message: `cannot be followed${reason}, so types were not checked: repair it, or use --no-verify`,
      },
    };
  }
  return {
    file,
    options: isBundled ? withAllTypes(parsed.options) : parsed.options,
    files: parsed.fileNames,
    fileSet: new Set(parsed.fileNames),
    references: (parsed.projectReferences ?? []).map((reference) =>
      api.resolveProjectReferencePath(reference),
    ),
  };
}

function describe(api: TypeScript['api'], { code, messageText }: ts.Diagnostic): string {
  const [line = ''] = api.flattenDiagnosticMessageText(messageText, '\n').split('\n');
  return `TS${code}: ${line.replace(/\.$/, '')}`;
}

/**
 * Up to version 5, TypeScript took in all of `@types` unless told otherwise. Where the bundled one stands in for a
 * version that we do not know, a name too many is known rather than one too few.
 */
function withAllTypes(options: ts.CompilerOptions): ts.CompilerOptions {
  return options.types === undefined ? { ...options, types: ['*'] } : options;
}

/** Where there is no configuration: what an editor assumes. It takes imports with and without extension. */
function inferredOptions({ api, bundled }: TypeScript): ts.CompilerOptions {
  const options: ts.CompilerOptions = {
    target: api.ScriptTarget.ES2022,
    module: api.ModuleKind.ESNext,
    moduleResolution: api.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    allowJs: true,
    jsx: api.JsxEmit.Preserve,
    strictNullChecks: true,
    strictFunctionTypes: true,
    strict: false,
    skipLibCheck: true,
  };
  return bundled ? withAllTypes(options) : options;
}
