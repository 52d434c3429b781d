/** Builds the repositories that the benchmark runs on: the same seed gives the same bytes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a repository consists of. */
export interface RepositorySize {
  readonly files: number;
  /** How many of the files speak MCP. */
  readonly mcp: number;
  readonly packages: number;
}

/** What was built. */
export interface Repository {
  readonly folder: string;
  readonly size: RepositorySize;
  /** Of all source files. */
  readonly bytes: number;
}

const FIXTURES = fileURLToPath(new URL('../fixtures/client', import.meta.url));

/** Fills an empty folder and commits everything. MCP files are spread evenly, so that most packages have one. */
export function buildRepository(folder: string, size: RepositorySize): Repository {
  const shapes = size.mcp === 0 ? [] : readShapes();
  const random = randomFrom(7);
  const perPackage = Math.ceil(size.files / size.packages);
  const step = size.mcp === 0 ? Infinity : Math.floor(size.files / size.mcp);
  let bytes = 0;
  write(join(folder, 'package.json'), manifest('demo', { private: true, workspaces: ['packages/*'] }));
  for (let index = 0; index < size.packages; index += 1) {
    const name = `p${String(index)}`;
    write(join(folder, 'packages', name, 'package.json'), manifest(`@demo/${name}`, PACKAGE));
  }
  for (let index = 0; index < size.files; index += 1) {
    const shape = index % step === 0 ? shapes[(index / step) % shapes.length] : undefined;
    const { extension, text } = shape ?? { extension: '.ts', text: plainModule(index, random) };
    const owner = `p${String(Math.floor(index / perPackage))}`;
    const file = `file${String(index)}${extension}`;
    write(join(folder, 'packages', owner, 'src', `m${String(index % 7)}`, file), text);
    bytes += Buffer.byteLength(text);
  }
  commit(folder);
  return { folder, size, bytes };
}

const PACKAGE = {
  version: '1.0.0',
  type: 'module',
  dependencies: { '@modelcontextprotocol/client': '^2.4.0', '@modelcontextprotocol/server': '^2.4.0' },
};

interface Shape {
  readonly extension: string;
  readonly text: string;
}

/** The fixtures that are one TypeScript file in a package of version 2. */
function readShapes(): Shape[] {
  return readdirSync(FIXTURES)
    .sort()
    .filter((name) => !existsSync(join(FIXTURES, name, 'package.json')))
    .flatMap((name) => {
      const input = readdirSync(join(FIXTURES, name)).find((file) => /^input\.[cm]?tsx?$/.test(file));
      if (input === undefined) return [];
      return [{ extension: extname(input), text: readFileSync(join(FIXTURES, name, input), 'utf8') }];
    });
}

/** A linear congruential generator: whole numbers below a bound. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % bound;
  };
}

/** A module of some 7 kB as many repositories have: typed functions, comments, template strings. */
function plainModule(index: number, random: (bound: number) => number): string {
  const parts = Array.from(
    { length: 9 + random(14) },
    (_, part) => `/** Computes part ${part} of module ${index}. */
export async function part${part}(
  input: readonly number[],
  options: { limit?: number; label?: string } = {},
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [position, value] of input.entries()) {
    if (options.limit !== undefined && position >= options.limit) break;
    const key = \`\${options.label ?? 'part'}-\${value % ${random(97) + 2}}\`;
    counts.set(key, (counts.get(key) ?? 0) + value * ${random(13) + 1});
  }
  return counts;
}
`,
  );
  return [
    `import { join } from 'node:path';\nimport type { Readable } from 'node:stream';\n`,
    ...parts,
    `export const location${index} = join('a', 'b', '${index}');\nexport type Source${index} = Readable;\n`,
  ].join('\n');
}

function manifest(name: string, rest: object): string {
  return `${JSON.stringify({ name, ...rest }, null, 2)}\n`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Makes the folder a git repository in which everything is committed. */
export function commit(folder: string): void {
  const git = (...parameters: string[]) => execFileSync('git', ['-C', folder, ...parameters]);
  git('init', '--quiet');
  git('add', '--all');
  git(
    ...['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', '-c', 'commit.gpgsign=false'],
    ...['commit', '--quiet', '--no-verify', '--message', 'as generated'],
  );
}
