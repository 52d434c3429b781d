/**
 * The command that checks a package's types, in the words of the project's own tools.
 */
import { quoteArgument } from './command-line.js';
import type { PackageManager } from './package-manager.js';
import type { PackageInfo } from './packages.js';
import { relativePosix } from './paths.js';

/**
 * To be run in the folder of the package.
 *
 * @param config absolute path of the configuration; left out where it is not known
 */
export function typecheckCommand(owner: PackageInfo, config?: string): string {
  const script = SCRIPTS.find((name) => owner.scripts[name] !== undefined);
  if (script !== undefined) return `${owner.packageManager} run ${script}`;
  const path = config === undefined ? 'tsconfig.json' : relativePosix(owner.directory, config);
  const project = path === 'tsconfig.json' ? '' : ` -p ${quoteArgument(path)}`;
  return `${compilerOf(owner)} --noEmit${project}`;
}

/** What people call the script that checks types. */
const SCRIPTS = ['typecheck', 'type-check', 'check-types', 'check:types', 'types:check', 'tsc'];

/** A compiler that nobody has declared is fetched by its package: the one called `tsc` is something else. */
function compilerOf({ packageManager, devDependencies, workspace }: PackageInfo): string {
  const isDeclared = devDependencies.includes('typescript') || workspace !== undefined;
  return (isDeclared ? DECLARED : FETCHED)[packageManager];
}

const DECLARED: Readonly<Record<PackageManager, string>> = {
  npm: 'npx tsc',
  pnpm: 'pnpm exec tsc',
  yarn: 'yarn tsc',
  bun: 'bunx tsc',
};

const FETCHED: Readonly<Record<PackageManager, string>> = {
  npm: 'npx -p typescript tsc',
  pnpm: 'pnpm --package=typescript dlx tsc',
  yarn: 'yarn dlx -p typescript tsc',
  bun: 'bunx -p typescript tsc',
};
