/**
 * The command that adds a dependency, for the project's own package manager.
 */
import { quoteArgument } from './command-line.js';
import type { PackageManager } from './package-manager.js';

/** How the dependency is added. */
export interface InstallOptions {
  /** As a development dependency. */
  readonly dev?: boolean | undefined;
  /** Path of the package relative to its workspace, `.` for the root of one; left out where there is no workspace. */
  readonly workspacePath?: string | undefined;
}

/** To be run at the root of the workspace, or in the package where there is none. */
export function installCommand(
  packageManager: PackageManager,
  name: string,
  range: string,
  { dev = false, workspacePath }: InstallOptions = {},
): string {
  const words = COMMANDS[packageManager]({ dev, path: workspacePath }, `${name}@${range}`);
  return words.map(quoteArgument).join(' ');
}

type Command = (options: { dev: boolean; path: string | undefined }, specifier: string) => string[];

const COMMANDS: Readonly<Record<PackageManager, Command>> = {
  npm: ({ dev, path }, specifier) => [
    ...['npm', 'install'],
    ...(dev ? ['--save-dev'] : []),
    specifier,
    ...(isMember(path) ? ['--workspace', path] : []),
  ],
  pnpm: ({ dev, path }, specifier) => [
    'pnpm',
    ...(isMember(path) ? ['--filter', `./${path}`] : []),
    'add',
    ...(dev ? ['--save-dev'] : []),
    // pnpm refuses to add to a workspace's root unless told that it is meant.
    ...(path === '.' ? ['--workspace-root'] : []),
    specifier,
  ],
  yarn: ({ dev, path }, specifier) => [
    'yarn',
    ...(isMember(path) ? ['--cwd', path] : []),
    'add',
    ...(dev ? ['--dev'] : []),
    specifier,
  ],
  bun: ({ dev, path }, specifier) => [
    ...['bun', 'add'],
    ...(dev ? ['--dev'] : []),
    ...(isMember(path) ? ['--cwd', path] : []),
    specifier,
  ],
};

function isMember(path: string | undefined): path is string {
  return path !== undefined && path !== '.';
}
