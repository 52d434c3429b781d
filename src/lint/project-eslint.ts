/** ESLint and a TypeScript parser: those of the linted project, else those that were brought beside this program. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ESLint, Linter } from 'eslint';

/** What linting is done with. */
export interface ProjectEslint {
  readonly ESLint: typeof ESLint;
  /** Version of ESLint. */
  readonly version: string;
  /** Reads TypeScript; undefined where none is installed. */
  readonly parser: Linter.Parser | undefined;
}

/** Why there is no linting. */
export interface MissingEslint {
  readonly missing: string;
}

const OLDEST = [9, 15] as const;

/** The line that brings what is missing. */
export const BRING_ESLINT =
  'npx -p mcp-listen -p eslint -p typescript@6 -p @typescript-eslint/parser mcp-listen lint';

/** Finds both. */
export async function findEslint(root: string): Promise<ProjectEslint | MissingEslint> {
  const bases = [join(root, 'package.json'), import.meta.url];
  const found = bases.flatMap((base) => locate(base, 'eslint') ?? []);
  const usable = found.find(({ version }) => isNewEnough(version));
  if (usable === undefined) {
    const [old] = found;
    const reason = old === undefined ? 'ESLint is not installed here' : `ESLint ${old.version} is too old`;
    return { missing: `${reason} (9.15 or newer is needed); this brings it: ${BRING_ESLINT}` };
  }
  const loaded = (await import(pathToFileURL(usable.entry).href)) as { ESLint: typeof ESLint };
  return { ESLint: loaded.ESLint, version: usable.version, parser: await findParser(bases) };
}

async function findParser(bases: readonly string[]): Promise<Linter.Parser | undefined> {
  for (const base of bases) {
    const own = locate(base, '@typescript-eslint/parser');
    if (own !== undefined) {
      const loaded = (await import(pathToFileURL(own.entry).href)) as {
        default?: Linter.Parser;
      } & Linter.Parser;
      return loaded.default ?? loaded;
    }
    // The package that most projects install instead brings the parser as its own dependency.
    const bundle = locate(base, 'typescript-eslint');
    if (bundle !== undefined) {
      const loaded = (await import(pathToFileURL(bundle.entry).href)) as {
        parser?: Linter.Parser;
        default?: { parser?: Linter.Parser };
      };
      return loaded.parser ?? loaded.default?.parser;
    }
  }
  return undefined;
}

interface Located {
  readonly entry: string;
  readonly version: string;
}

function locate(base: string, name: string): Located | undefined {
  const require = createRequire(base);
  try {
    const entry = require.resolve(name);
    return { entry, version: versionOf(entry, name) };
  } catch {
    return undefined; // not installed where this base looks
  }
}

/** The version of the package that a file belongs to: not every package exports its manifest. */
function versionOf(entry: string, name: string): string {
  for (let folder = dirname(entry); dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (manifest.name === name && manifest.version !== undefined) return manifest.version;
    } catch {
      // no manifest in this folder: the next one up
    }
  }
  return '0.0.0';
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
