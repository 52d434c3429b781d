/** Lints a project with this plugin alone, without any configuration of ESLint in it. */
import type { ESLint } from 'eslint';
import { EVIDENCE_WORDS, type Preset } from '../protocol/index.js';
import { listFiles } from '../workspace/files.js';
import type { Note } from '../workspace/note.js';
import { loadPlugin } from './plugin.js';
import { BRING_ESLINT, findEslint } from './project-eslint.js';
import { filesMentioning } from './mentioning.js';
import { isTypeScriptFile } from '../workspace/paths.js';

/** What is linted, and how. */
export interface LintOptions {
  readonly root: string;
  /** Absolute paths; none: everything below the root. */
  readonly paths: readonly string[];
  readonly ignore?: readonly string[] | undefined;
  readonly preset: Preset;
  /** What the code base speaks; the rules' own default where it is left out. */
  readonly target?: 'dual' | 'modern' | undefined;
  readonly fix: boolean;
}

/** What came of it. */
export interface LintResult {
  readonly results: ESLint.LintResult[];
  readonly notes: readonly Note[];
  /** Number of source files that were looked at, and of those that mention MCP. */
  readonly files: { readonly listed: number; readonly candidates: number };
  /** ESLint's own formatters. */
  readonly loadFormatter: ESLint['loadFormatter'];
}

/** Lints; with `fix`, writes what the rules can mend. A text explains why nothing could be linted. */
export async function lint(options: LintOptions): Promise<LintResult | string> {
  const { root, paths, ignore, preset, target, fix } = options;
  const found = await findEslint(root);
  if ('missing' in found) return found.missing;
  const listing = await listFiles(root, { paths, ignore });
  const files = filesMentioning(listing.files, EVIDENCE_WORDS);
  const isUnreadable = found.parser === undefined && files.some(isTypeScriptFile);
  if (isUnreadable) return `no parser for TypeScript is installed here; this brings it: ${BRING_ESLINT}`;

  const plugin = await loadPlugin();
  const eslint = new found.ESLint({
    cwd: listing.root,
    overrideConfigFile: true,
    // The listed files are paths, not patterns: a Next route lies in folders such as `[slug]` and `(app)`.
    globInputPaths: false,
    fix,
    // What others have configured in comments is none of our business.
    overrideConfig: [
      { files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'] },
      {
        linterOptions: { reportUnusedDisableDirectives: 'off', reportUnusedInlineConfigs: 'off' },
        languageOptions: {
          ...(found.parser === undefined ? {} : { parser: found.parser }),
          parserOptions: { ecmaFeatures: { jsx: true } },
        },
        ...(target === undefined ? {} : { settings: { 'mcp-listen': { target } } }),
      },
      { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
      plugin.configs[preset],
    ],
  });
  const results = files.length === 0 ? [] : await eslint.lintFiles(files);
  const own = results.map(ofOurs);
  if (fix) await found.ESLint.outputFixes(own);
  return {
    results: own,
    notes: listing.notes,
    files: { listed: listing.files.length, candidates: files.length },
    loadFormatter: (name) => eslint.loadFormatter(name),
  };
}

/** The result without messages about rules of other plugins that a comment in the file configures. */
function ofOurs(result: ESLint.LintResult): ESLint.LintResult {
  const messages = result.messages.filter(
    ({ ruleId, fatal }) => fatal === true || ruleId?.startsWith('mcp-listen/') === true,
  );
  const count = (severity: number, fixable: boolean): number =>
    messages.filter((one) => one.severity === severity && (!fixable || one.fix !== undefined)).length;
  return {
    ...result,
    messages,
    errorCount: count(2, false),
    warningCount: count(1, false),
    fixableErrorCount: count(2, true),
    fixableWarningCount: count(1, true),
  };
}
