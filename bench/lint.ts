/** What the rules cost within an ESLint run, by ESLint's own timing, beside typescript-eslint's in the same run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ESLint, type Linter } from 'eslint';
import mcpListen from 'eslint-plugin-mcp-listen';
import tseslint from 'typescript-eslint';
import { buildRepository } from './repository.js';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** Prints the shares; the files are generated below the folder. */
export async function benchRules(temporary: string): Promise<void> {
  const plain = join(temporary, 'lint-plain');
  const mcp = join(temporary, 'lint-mcp');
  for (const [folder, files, speaking] of [
    [plain, 1000, 0],
    [mcp, 100, 100],
  ] as const) {
    mkdirSync(folder);
    buildRepository(folder, { files, mcp: speaking, packages: 4 });
    const options = { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['packages'] }),
    );
  }
  console.log(
    '\nthe rules of eslint-plugin-mcp-listen (strict), in a run with those of typescript-eslint (recommended)',
  );
  for (const typed of [false, true]) {
    const how = typed ? 'with types' : 'without types';
    const without = await timesOf(plain, typed);
    print(`1,000 files without MCP, ${how}: share of the whole run`, without.own / without.total, 0.01);
    const withMcp = await timesOf(mcp, typed);
    print(`100 MCP files, ${how}: share of the time of parsing`, withMcp.own / withMcp.parse, 0.1);
    console.log(`  (typescript-eslint's rules there: ${share(withMcp.others / withMcp.parse)})`);
  }
  const [bare, loaded] = [loadTime(''), loadTime(`await import('eslint-plugin-mcp-listen');`)];
  const goal = loaded - bare < 50 ? 'met' : 'MISSED';
  console.log(
    `loading the plugin after ESLint: ${(loaded - bare).toFixed(0)} ms (goal: under 50 ms, ${goal})`,
  );
}

interface Times {
  readonly own: number;
  readonly others: number;
  readonly parse: number;
  readonly total: number;
}

async function timesOf(cwd: string, typed: boolean): Promise<Times> {
  const typedRules = typed ? tseslint.configs.recommendedTypeChecked : tseslint.configs.recommended;
  const config: Linter.Config[] = [
    ...(typedRules as Linter.Config[]),
    mcpListen.configs.strict,
    {
      files: ['**/*.{ts,tsx,mts,cts}'],
      languageOptions: {
        parser: tseslint.parser,
        parserOptions: typed ? { projectService: true, tsconfigRootDir: cwd } : {},
      },
    },
  ];
  const eslint = new ESLint({ cwd, overrideConfigFile: true, overrideConfig: config, stats: true });
  const results = await eslint.lintFiles(['packages']);
  let [own, others, parse, total] = [0, 0, 0, 0];
  for (const { stats } of results) {
    for (const pass of stats?.times.passes ?? []) {
      parse += pass.parse?.total ?? 0;
      total += pass.total;
      for (const [rule, time] of Object.entries(pass.rules ?? {})) {
        if (rule.startsWith('mcp-listen/')) own += time.total;
        else others += time.total;
      }
    }
  }
  return { own, others, parse, total };
}

/** Milliseconds from the start of Node until ESLint, and what is given, are loaded: the best of seven. */
function loadTime(more: string): number {
  const script = `await import('eslint'); ${more}`;
  const samples = Array.from({ length: 7 }, () => {
    const start = performance.now();
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: PROJECT });
    return performance.now() - start;
  });
  return Math.min(...samples);
}

function print(what: string, ratio: number, goal: number): void {
  console.log(`${what}: ${share(ratio)} (goal: under ${share(goal)}, ${ratio < goal ? 'met' : 'MISSED'})`);
}

function share(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}
