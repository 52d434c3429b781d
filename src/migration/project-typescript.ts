/** Which TypeScript checks a package: the project's own where it has the classic API, else the one bundled in ts-morph. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { installedVersion } from '../workspace/installed-version.js';

/** The classic API, of whichever version; its enums may be asked of this object alone. */
export type TypeScriptApi = typeof ts;

/** A TypeScript to check with. */
export interface TypeScript {
  readonly api: TypeScriptApi;
  /** For the report: `5.9.3 (of the project)`, `6.0.2 (bundled)`. */
  readonly label: string;
  readonly bundled: boolean;
  /** TypeScript's own declarations by file, where they are on no disk. */
  readonly libraries: ReadonlyMap<string, string> | undefined;
}

/** Its package is native code: there is no program to be created in this process. */
const FIRST_WITHOUT_API = 7;

/**
 * The TypeScript for the package in this folder.
 *
 * @throws whatever the project's own throws when it is loaded
 */
export function typeScriptFor(directory: string): TypeScript {
  const version = installedVersion(directory, 'typescript');
  if (version === undefined) return bundled('');
  const major = Number.parseInt(version, 10);
  const own = major < FIRST_WITHOUT_API ? loadFrom(directory) : undefined;
  if (own === undefined) return bundled(`: version ${version} of the project has no programming interface`);
  return { api: own, label: `${own.version} (of the project)`, bundled: false, libraries: undefined };
}

function loadFrom(directory: string): TypeScriptApi | undefined {
  const loaded: unknown = createRequire(join(directory, 'package.json'))('typescript');
  return isClassic(loaded) ? loaded : undefined;
}

function isClassic(loaded: unknown): loaded is TypeScriptApi {
  if (typeof loaded !== 'object' || loaded === null) return false;
  return 'createProgram' in loaded && 'getParsedCommandLineOfConfigFile' in loaded;
}

let libraries: ReadonlyMap<string, string> | undefined;

function bundled(why: string): TypeScript {
  libraries ??= bundledLibraries();
  return { api: ts, label: `${ts.version} (bundled${why})`, bundled: true, libraries };
}

/** Where the declarations of the bundled TypeScript are taken to be: no such folder exists. */
export const LIBRARY_FOLDER = '/mcp-listen/typescript/lib';

/** ts-morph keeps them as text in the package below it, which only ts-morph itself can name in every package manager. */
function bundledLibraries(): Map<string, string> {
  const ofThisFile = createRequire(import.meta.url);
  const ofTsMorph = createRequire(ofThisFile.resolve('ts-morph'));
  const common = ofTsMorph('@ts-morph/common') as {
    getLibFiles(): readonly { readonly fileName: string; readonly text: string }[];
  };
  return new Map(common.getLibFiles().map(({ fileName, text }) => [`${LIBRARY_FOLDER}/${fileName}`, text]));
}
