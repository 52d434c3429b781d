/** How a file is written: what new code in it has to look like. */

/** A file's own style, read off its text. */
export interface FileStyle {
  readonly quote: "'" | '"';
  /** Whether statements end with a semicolon. */
  readonly semicolon: ';' | '';
  readonly eol: '\n' | '\r\n';
  /** One level of indentation. */
  readonly indent: string;
}

/** Reads the style off a text; where it says nothing: single quotes, semicolons, the system-neutral `\n`, two spaces. */
export function readFileStyle(text: string): FileStyle {
  return {
    quote: readQuote(text),
    semicolon: readSemicolon(text),
    eol: readEol(text),
    indent: readIndent(text),
  };
}

/** By module specifiers first: they are the strings that a formatter settles and that new code adds to. */
function readQuote(text: string): FileStyle['quote'] {
  const specifiers = text.match(/\b(?:from|require\(|import\(?)\s*(['"])/g) ?? [];
  const double = specifiers.filter((specifier) => specifier.endsWith('"')).length;
  if (specifiers.length > 0) return double * 2 > specifiers.length ? '"' : "'";
  return count(text, '"') > count(text, "'") ? '"' : "'";
}

function readSemicolon(text: string): FileStyle['semicolon'] {
  const ended = text.match(/;[ \t]*\r?$/gm)?.length ?? 0;
  // Lines that end a statement and could have had a semicolon: those that close a call or a string at the line's end.
  const bare = text.match(/^(?!\s*(?:\/\/|\*)).*['")\]\w][ \t]*\r?$/gm)?.length ?? 0;
  return ended === 0 && bare > 0 ? '' : ';';
}

function readEol(text: string): FileStyle['eol'] {
  const windows = count(text, '\r\n');
  return windows * 2 > count(text, '\n') ? '\r\n' : '\n';
}

function readIndent(text: string): string {
  if (/^\t/m.test(text) && !/^ {2,}\S/m.test(text)) return '\t';
  const steps = new Map<number, number>();
  let previous = 0;
  let tabs = 0;
  let spaces = 0;
  for (const [, lead] of text.matchAll(/^([ \t]*)[^\s*]/gm)) {
    if (lead === undefined) continue;
    if (lead.startsWith('\t')) tabs += 1;
    else if (lead.length > 0) spaces += 1;
    const step = lead.length - previous;
    if (!lead.includes('\t') && step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    previous = lead.length;
  }
  if (tabs > spaces) return '\t';
  const [best] = [...steps].sort((a, b) => b[1] - a[1]);
  return ' '.repeat(best?.[0] ?? 2);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The white space that a line starts with, for a position on it. */
export function indentAt(text: string, position: number): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, position))?.[0] ?? '';
}

/** A string literal in the file's quotes. */
export function quoted(value: string, style: FileStyle): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll(style.quote, `\\${style.quote}`)
    .replaceAll('\n', '\\n');
  return style.quote + escaped + style.quote;
}

/** The end of a comment that closes the line a piece of code ends on, so that what is added stays off the two. */
export function endOfLineComment(text: string, end: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*(?=\r?\n))/.exec(text.slice(end));
  return rest === null ? end : end + rest[0].trimEnd().length;
}
