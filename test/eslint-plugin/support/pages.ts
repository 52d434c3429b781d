// The pages of the rules, and the code samples on them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './parsers.js';

export interface Sample {
  readonly rule: string;
  readonly expected: 'incorrect' | 'correct';
  /** Line of the page on which the sample begins. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Options, settings, or the absence of them: JSON behind the language. */
  readonly setting: { options?: [object]; settings?: object };
}

export function pageOf(rule: string): string {
  return join(REPOSITORY, 'eslint-plugin/docs/rules', `${rule}.md`);
}

/** The headings of the second level, in their order. */
export function headingsOf(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
}

/** The samples below `## Incorrect` and `## Correct`. */
export function samplesOf(rule: string): Sample[] {
  const samples: Sample[] = [];
  let expected: Sample['expected'] | undefined;
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(pageOf(rule), 'utf8').split('\n').entries()) {
    if (open !== undefined) {
      if (line !== '```') {
        open.lines.push(line);
        continue;
      }
      const [language = '', ...rest] = open.info.split(' ');
      if (expected !== undefined) {
        samples.push({
          rule,
          expected,
          line: open.line,
          language,
          code: `${open.lines.join('\n')}\n`,
          setting: rest.length === 0 ? {} : (JSON.parse(rest.join(' ')) as Sample['setting']),
        });
      }
      open = undefined;
    } else if (line.startsWith('```')) {
      open = { line: index + 1, info: line.slice(3).trim(), lines: [] };
    } else if (line.startsWith('## ')) {
      expected = line === '## Incorrect' ? 'incorrect' : line === '## Correct' ? 'correct' : undefined;
    }
  }
  return samples;
}
