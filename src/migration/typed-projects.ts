/** The project that a file is checked in: its package's TypeScript, its configuration, one pair of programs for each. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import type { PackageInfo } from '../workspace/packages.js';
import { toPosix } from '../workspace/paths.js';
import type { Problem } from '../workspace/problem.js';
import { createConfigFinder, type ConfigFinder } from './project-config.js';
import { typeScriptFor, type TypeScript } from './project-typescript.js';
import { createParsedFiles, type ParsedFiles } from './type-view.js';
import { createTypedProject, type TypedProject } from './typed-project.js';

/** A project, and the TypeScript it is checked with. */
export interface FoundProject {
  readonly project: TypedProject;
  readonly typescript: string;
}

/** Finds projects; each is set up once. */
export interface ProjectFinder {
  /** Undefined for a file that TypeScript is not asked to check. */
  projectOf(
    owner: PackageInfo,
    file: string,
    text: string,
  ): FoundProject | { readonly problem: Problem } | undefined;
}

/** What belongs to one TypeScript. */
interface Workshop {
  readonly configs: ConfigFinder;
  readonly parsed: ParsedFiles;
  readonly projects: Map<string, TypedProject>;
}

/** @param boundary the folder above which no configuration is looked for, with forward slashes */
export function createProjectFinder(boundary: string): ProjectFinder {
  const workshops = new Map<TypeScript['api'], Workshop>();
  const choices = new Map<string, TypeScript | { readonly problem: Problem }>();
  let awake: TypedProject | undefined;

  const workshopOf = (typescript: TypeScript): Workshop => {
    const workshop = workshops.get(typescript.api) ?? {
      configs: createConfigFinder(typescript, boundary),
      parsed: createParsedFiles(),
      projects: new Map<string, TypedProject>(),
    };
    workshops.set(typescript.api, workshop);
    return workshop;
  };

  const oneAtATime = (project: TypedProject): TypedProject => ({
    ...project,
    compare(files, texts) {
      if (awake !== project) awake?.rest();
      awake = project;
      return project.compare(files, texts);
    },
  });

  return {
    projectOf(owner, file, text) {
      const typescript = choices.get(owner.directory) ?? choose(owner.directory);
      choices.set(owner.directory, typescript);
      if ('problem' in typescript) return typescript;
      const { configs, parsed, projects } = workshopOf(typescript);
      const config = configs.configOf(file, text);
      if (config === undefined || 'problem' in config) return config;
      const directory = toPosix(owner.directory);
      // Without configuration, packages with the same types to be found are alike.
      const key = config.file ?? typeFoldersAbove(directory).join();
      const project =
        projects.get(key) ?? oneAtATime(createTypedProject(typescript, config, directory, parsed));
      projects.set(key, project);
      return { project, typescript: typescript.label };
    },
  };
}

function choose(directory: string): TypeScript | { readonly problem: Problem } {
  try {
    return typeScriptFor(directory);
  } catch (error) {
    return { problem: { file: directory, message: unloadable(error) } };
  }
}

function typeFoldersAbove(directory: string): string[] {
  const above = dirname(directory);
  const folder = `${directory}/node_modules/@types`;
  return [...(existsSync(folder) ? [folder] : []), ...(above === directory ? [] : typeFoldersAbove(above))];
}

function unloadable(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `its TypeScript cannot be loaded (${line}), so types were not checked: install it again, or use --no-verify`;
}
