/** The pages: every codemod has one that names its outcomes, their code parses, their links lead somewhere. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { codemods } from '../codemods/index.js';
import { RULE_NAMES } from '../src/protocol/index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CODEMOD_PAGES = 'docs/codemods';

const names = codemods.map(({ name }) => name);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = globSync(
  ['*.md', 'docs/**/*.md', 'fixtures/*.md', 'eslint-plugin/*.md', 'eslint-plugin/docs/**/*.md'],
  { cwd: ROOT },
).sort();

/** The outcomes that the source of a codemod can give by itself, besides what its client's group decides. */
function outcomesOf(name: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isKind = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'kind';
    if (isKind && ts.isStringLiteral(node.initializer)) found.add(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('codemod.ts', read(`codemods/${name}.ts`), ts.ScriptTarget.Latest));
  return ['rewritten', 'marked', 'kept', 'reported'].filter((outcome) => found.has(outcome));
}

/** What stands between fences that are marked as TypeScript or JavaScript, with its line. */
function codeBlocks(text: string): { line: number; code: string }[] {
  return [...text.matchAll(/^```(?:ts|tsx|js|jsx|typescript|javascript)\n(.*?)^```$/gms)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1]!,
  }));
}

/** Syntax errors of a block, which may be taken from the inside of a class or of a function. */
function syntaxErrors(code: string): string[] {
  const errors = [code, `class Page {\n${code}\n}`, `async function page() {\n${code}\n}`].map(errorsOf);
  return errors.some((found) => found.length === 0) ? [] : errors[0]!;
}

function errorsOf(code: string): string[] {
  const { diagnostics } = ts.transpileModule(code, {
    fileName: 'page.tsx',
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  return (diagnostics ?? []).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The targets of links to files, without what stands behind `#`. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

describe('the pages of the codemods', () => {
  it('are one for each, and no others', () => {
    const found = globSync('**/*.md', { cwd: join(ROOT, CODEMOD_PAGES) }).map((path) =>
      path.replace(/\.md$/, ''),
    );
    expect(found.sort()).toEqual([...names].sort());
  });

  it.each(names)('%s is headed by its name and names its outcomes', (name) => {
    const text = read(`${CODEMOD_PAGES}/${name}.md`);
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    const outcomes = outcomesOf(name);
    expect(outcomes).not.toEqual([]);
    expect(outcomes.filter((outcome) => !new RegExp(`\\b${outcome}\\b`, 'i').test(text))).toEqual([]);
  });

  it.each(names)('%s is linked from the README', (name) => {
    expect(linksOf(read('README.md'))).toContain(`${CODEMOD_PAGES}/${name}.md`);
  });
});

describe.each(pages)('%s', (page) => {
  it('has code that parses', () => {
    const faults = codeBlocks(read(page)).flatMap(({ line, code }) =>
      syntaxErrors(code).map((message) => `${page}:${String(line)} ${message}`),
    );
    expect(faults).toEqual([]);
  });

  it('has links that lead to files', () => {
    const dead = linksOf(read(page)).filter((target) => {
      const path = join(ROOT, dirname(page), target);
      const isInside = !relative(ROOT, path).startsWith('..');
      return !(isInside && existsSync(path) && (statSync(path).isFile() || target.endsWith('/')));
    });
    expect(dead).toEqual([]);
  });
});

describe('the page of the claims', () => {
  const page = read('docs/claims.md');

  it('goes through all 29 claims and all 12 items of the checklist', () => {
    const section = (from: string, to: string): string => page.slice(page.indexOf(from), page.indexOf(to));
    const numbers = (text: string): number[] =>
      [...text.matchAll(/^\| (\d+)\.? /gm)].map((match) => Number(match[1]));
    const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
    expect(numbers(section('## The 29 claims', '## The guide'))).toEqual(upTo(29));
    expect(numbers(section('### Its checklist', '## Rules that serve'))).toEqual(upTo(12));
  });

  it('names every rule', () => {
    for (const rule of RULE_NAMES) expect(page).toContain(`/docs/rules/${rule}.md`);
  });

  it('names every client codemod', () => {
    for (const name of names) expect(page).toContain(`(codemods/${name}.md)`);
  });
});
