/**
 * Compares types before and after the edits of a run, and says which errors are new.
 *
 * Checked are the edited files. Those that import one are checked when its declarations have changed, and those that
 * import them when that changes theirs, and so on: the rule by which `tsc --incremental` decides what to check again.
 * Where the declarations of a file are the same, nobody who imports it can tell that it was edited.
 */
import { readFileSync } from 'node:fs';
import type { PackageInfo, Packages } from '../workspace/packages.js';
import { isTypeScriptFile, toPosix } from '../workspace/paths.js';
import type { Problem } from '../workspace/problem.js';
import type { TypeFault } from './diagnostics.js';
import { createImporterFinder } from './importers.js';
import { createProjectFinder, type ProjectFinder } from './typed-projects.js';
import type { FileComparison, Texts, TypedProject } from './typed-project.js';

/** What is verified. */
export interface VerifierInput {
  readonly root: string;
  readonly repository: string | undefined;
  /** All source files of the workspace, with forward slashes. */
  readonly files: readonly string[];
  readonly packages: Packages;
}

/** A new error, and the edited files that it can come from when its own is not the one. */
export interface GainedFault extends TypeFault {
  readonly causes: readonly string[];
}

/** How a package was checked. */
export interface PackageCheck {
  readonly owner: PackageInfo;
  /** The version and whose it is; undefined where none was asked. */
  readonly typescript: string | undefined;
  /** How many files were compared. */
  readonly files: number;
  /** Why its types are not checked; undefined where they are. */
  readonly unchecked: string | undefined;
  /** The packages that the run adds and that are not installed yet: what comes from them is not checked. */
  readonly awaited: readonly string[];
  /** Whether types could be checked if that were not so. */
  readonly isTyped: boolean;
  /** The configuration of its first file. */
  readonly config: string | undefined;
}

/** What one comparison came to. */
export interface TypeCheck {
  readonly gained: readonly GainedFault[];
  readonly packages: readonly PackageCheck[];
  readonly problems: readonly Problem[];
}

/** Compares; keeps its programs from one comparison to the next, in which few texts differ. */
export interface TypeVerifier {
  check(texts: Texts): TypeCheck;
}

export function createTypeVerifier({ root, repository, files, packages }: VerifierInput): TypeVerifier {
  const projects = createProjectFinder(toPosix(repository ?? root));
  const importers = createImporterFinder(files, packages);
  return {
    check(texts) {
      const ledger = createLedger(packages, projects);
      const results = new Map<string, FileComparison>();
      const causes = new Map<string, Set<string>>();
      const compare = (some: readonly string[]): void => {
        const fresh = some.filter((file) => !results.has(file));
        for (const result of ledger.compare(fresh, texts)) results.set(result.file, result);
      };
      compare(texts.edited);
      const spread = new Set<string>();
      let wave = texts.edited.filter((file) => results.get(file)?.declarationChanged);
      while (wave.length > 0) {
        for (const file of wave) spread.add(file);
        const found = importers.importersOf(wave);
        for (const [file, targets] of found) {
          const known = causes.get(file) ?? new Set();
          causes.set(file, known);
          for (const target of targets)
            for (const cause of [target, ...(causes.get(target) ?? [])]) known.add(cause);
        }
        compare([...found.keys()]);
        wave = [...found].flatMap(([file, targets]) => {
          const result = results.get(file);
          if (result === undefined || spread.has(file)) return [];
          // `export * from './connection.js'` reads the same and hands on something else.
          const handsOn = targets.some((target) => importers.imports(result.declaration ?? '', file, target));
          return result.declarationChanged || handsOn ? [file] : [];
        });
      }
      const gained = [...results.values()].flatMap((result) =>
        ledger.isChecked(result.file) ? result.gained : [],
      );
      return {
        gained: gained.map((fault) => ({ ...fault, causes: [...(causes.get(fault.file) ?? [])] })),
        packages: ledger.packages(),
        problems: ledger.problems,
      };
    },
  };
}

/** Who was checked with what, and who was not. */
interface Ledger {
  /** The comparisons of the files whose packages can be checked. */
  compare(files: readonly string[], texts: Texts): FileComparison[];
  isChecked(file: string): boolean;
  packages(): PackageCheck[];
  readonly problems: readonly Problem[];
}

interface Entry {
  readonly owner: PackageInfo;
  typescript: string | undefined;
  readonly compared: Set<string>;
  unchecked: string | undefined;
  readonly awaitedNames: Set<string>;
  isTyped: boolean;
  config: string | undefined;
}

function createLedger(packages: Packages, projects: ProjectFinder): Ledger {
  const entries = new Map<string, Entry>();
  const problems: Problem[] = [];

  const entryOf = (file: string): Entry => {
    const owner = packages.ownerOf(file);
    const known = entries.get(owner.directory);
    if (known !== undefined) return known;
    const missing = Object.keys(owner.installed).find((name) => owner.installed[name] === false);
    const entry: Entry = {
      owner,
      typescript: undefined,
      compared: new Set(),
      unchecked: missing === undefined ? undefined : `${missing} is not installed`,
      awaitedNames: new Set(),
      isTyped: false,
      config: undefined,
    };
    entries.set(owner.directory, entry);
    return entry;
  };

  const fail = (entry: Entry, problem: Problem): void => {
    if (entry.unchecked !== undefined) return;
    entry.unchecked = 'see the errors';
    entry.isTyped = true;
    if (!problems.some(({ file, message }) => file === problem.file && message === problem.message))
      problems.push(problem);
  };

  const projectOf = (file: string, texts: Texts): TypedProject | undefined => {
    const entry = entryOf(file);
    if (isTypeScriptFile(file)) entry.isTyped = true;
    if (entry.unchecked !== undefined) return undefined;
    const found = projects.projectOf(entry.owner, file, texts.before.get(file) ?? textOnDisk(file));
    if (found === undefined) return undefined;
    if ('problem' in found) {
      fail(entry, found.problem);
      return undefined;
    }
    entry.typescript ??= found.typescript;
    entry.config ??= found.project.config.file;
    return found.project;
  };

  const note = (result: FileComparison): void => {
    const entry = entryOf(result.file);
    if (!result.isTyped) return;
    entry.isTyped = true;
    entry.compared.add(result.file);
    entry.unchecked ??= result.missing;
    for (const name of result.awaited) entry.awaitedNames.add(name);
  };

  return {
    problems,
    compare(files, texts) {
      const byProject = new Map<TypedProject, string[]>();
      for (const file of files) {
        const project = projectOf(file, texts);
        if (project !== undefined) byProject.set(project, [...(byProject.get(project) ?? []), file]);
      }
      return [...byProject].flatMap(([project, own]) => {
        try {
          const results = project.compare(own, texts);
          for (const result of results) note(result);
          return results;
        } catch (error) {
          for (const file of own) fail(entryOf(file), thrownBy(entryOf(file), error));
          return [];
        }
      });
    },
    isChecked: (file) => entryOf(file).unchecked === undefined,
    packages: () =>
      [...entries.values()].map((entry) => ({
        ...entry,
        awaited: [...entry.awaitedNames],
        files: entry.unchecked === undefined ? entry.compared.size : 0,
        unchecked: entry.unchecked ?? (entry.isTyped ? undefined : UNTYPED),
      })),
  };
}

const UNTYPED = 'JavaScript that nothing asks TypeScript to check (no checkJs, no // @ts-check)';

/** Of an importer; one that is gone by now is imported by nobody. */
function textOnDisk(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function thrownBy({ owner, typescript }: Entry, error: unknown): Problem {
  return {
    file: owner.directory,
    message: `TypeScript ${typescript ?? ''} failed (${firstLine(error)}), so types were not checked: check them yourself, or use --no-verify`,
  };
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}
