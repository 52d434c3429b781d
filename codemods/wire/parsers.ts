/** Which of jscodeshift's parsers reads a file. */
import type { Parser } from './wire-module.js';

/** Makes a parser by its name. */
export type ParserMaker = (name: string, options?: unknown) => Parser;

/**
 * The parsers to try, in their order. The command line says `babel` where nobody has chosen a parser, and that one knows
 * no types: only another choice is a choice.
 */
export function parsersFor(
  path: string,
  make: ParserMaker,
  chosen?: string,
  configuration?: unknown,
): Parser[] {
  if (chosen !== undefined && chosen !== 'babel') return [make(chosen, configuration)];
  const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
  if (/^[cm]?ts$/.test(extension)) return [make('ts')];
  if (extension === 'tsx') return [make('tsx')];
  return [make('babel'), make('tsx')];
}
