/** What a file's check says, and what of it is new: compared by code and message, since places move with every edit. */
import type { ts } from 'ts-morph';
import type { TypeScriptApi } from './project-typescript.js';

/** A stretch of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A type or syntax error. */
export interface TypeFault {
  readonly file: string;
  readonly code: number;
  /** The whole message, with what TypeScript adds line by line. */
  readonly message: string;
  /** Where it is in the text that was checked. */
  readonly start: number;
  /** The nodes around that place, the narrowest first, without the file itself. */
  readonly enclosing: readonly Range[];
}

/** The errors of one file. Declarations count only where the project emits them. */
export function faultsOf(
  api: TypeScriptApi,
  program: ts.Program,
  source: ts.SourceFile,
  declarations: boolean,
): TypeFault[] {
  const diagnostics: readonly ts.Diagnostic[] = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
    ...(declarations ? program.getDeclarationDiagnostics(source) : []),
  ];
  return diagnostics
    .filter(({ category }) => category === api.DiagnosticCategory.Error)
    .map(({ code, messageText, start = 0 }) => ({
      file: source.fileName,
      code,
      message: api.flattenDiagnosticMessageText(messageText, '\n'),
      start,
      enclosing: enclosingRanges(api, source, start),
    }));
}

function enclosingRanges(api: TypeScriptApi, source: ts.SourceFile, position: number): Range[] {
  const ranges: Range[] = [];
  const visit = (node: ts.Node): void => {
    const start = node.getStart(source);
    if (position < start || position > node.end) return;
    ranges.unshift({ start, end: node.end });
    api.forEachChild(node, visit);
  };
  api.forEachChild(source, visit);
  return ranges;
}

/**
 * The errors of `after` that `before` does not have, counted.
 *
 * @param moved where a place of the text before is in the text after: tells a new error from an old one of the same words
 */
export function gainedFaults(
  before: readonly TypeFault[],
  after: readonly TypeFault[],
  moved: (position: number) => number,
): TypeFault[] {
  const old = new Map<string, number[]>();
  for (const fault of before) {
    const key = keyOf(fault);
    old.set(key, [...(old.get(key) ?? []), moved(fault.start)]);
  }
  const elsewhere = after.filter(
    (fault) => !takeFrom(old.get(keyOf(fault)), (place) => place === fault.start),
  );
  return elsewhere.filter((fault) => !takeFrom(old.get(keyOf(fault)), () => true));
}

function keyOf({ code, message }: TypeFault): string {
  return `${code} ${message}`;
}

/** Takes the first place that fits out of the list; whether there was one. */
function takeFrom(places: number[] | undefined, fits: (place: number) => boolean): boolean {
  const index = places?.findIndex(fits) ?? -1;
  if (index !== -1) places?.splice(index, 1);
  return index !== -1;
}

/** `TS2322: Type 'string' is not assignable to type 'number'`: the first sentence, without the paths of this machine. */
export function briefly({ code, message }: Pick<TypeFault, 'code' | 'message'>, root: string): string {
  const [line = ''] = message.split('\n');
  const [sentence = ''] = line
    .replaceAll(/(?:typeof )?import\("[^"]*"(?:, \{[^}]*\})?\)\.?/g, '')
    .replaceAll(`${root}/`, '')
    .replace(/\.$/, '')
    .split(/\. (?=[A-Z])/);
  return `TS${code}: ${sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1)}…` : sentence}`;
}

/** More than this makes a marker that nobody reads. */
const LONGEST = 140;
