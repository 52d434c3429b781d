/** The text of the managed change stream as it is copied into a package. */
import { readFileSync } from 'node:fs';
import type { ChangeStreamFile } from './change-stream-file.js';
import { asCommonJs } from './commonjs-copy.js';
import { asJavaScript } from './javascript-copy.js';

/** The source of the copies: `src/runtime/change-stream.ts`, shipped as it is. */
const SOURCE = new URL('../runtime/change-stream.ts', import.meta.url);

/** The text for one package, with the line ends of its neighbours. */
export function changeStreamText(
  copy: Pick<ChangeStreamFile, 'language' | 'module'>,
  eol: '\n' | '\r\n',
): string {
  const source = readFileSync(SOURCE, 'utf8');
  const text = inForm(source, copy);
  return eol === '\n' ? text : text.replaceAll('\n', eol);
}

function inForm(source: string, { language, module }: Pick<ChangeStreamFile, 'language' | 'module'>): string {
  if (language === 'javascript') return asJavaScript(source, module);
  return module === 'commonjs' ? asCommonJs(source) : source;
}
