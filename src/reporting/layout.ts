/** Lines in columns, and long sentences wrapped; nothing is ever cut off. */

/** One line: some short cells, then a sentence. */
export interface Row {
  readonly cells: readonly string[];
  readonly sentence: string;
  /** Colours a finished cell, by its column; widths are those of the text alone. */
  readonly paint?: (cell: string, column: number) => string;
}

/** A sentence narrower than this beside its cells reads worse than below them. */
const NARROWEST = 40;

/** Rows with their cells aligned, each followed by a dash and its sentence, wrapped to the width. */
export function alignedRows(rows: readonly Row[], indent: string, width: number): string[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    cells.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return rows.flatMap((row) => rowLines(row, widths, indent, width));
}

function rowLines(
  { cells, sentence, paint }: Row,
  widths: number[],
  indent: string,
  width: number,
): string[] {
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const cellsWidth = indent.length + padded.join('  ').length;
  const head = indent + padded.map((cell, column) => paint?.(cell, column) ?? cell).join('  ');
  const beside = width - cellsWidth - ' — '.length;
  if (sentence.length <= beside) return [`${head} — ${sentence}`];
  if (beside < NARROWEST) {
    const below = `${indent}    `;
    return [head.trimEnd(), ...wrapped(sentence, width - below.length).map((line) => below + line)];
  }
  const [first = '', ...others] = wrapped(sentence, beside);
  return [`${head} — ${first}`, ...others.map((line) => ' '.repeat(cellsWidth + ' — '.length) + line)];
}

/** Breaks a sentence at its spaces; a word that is too long, such as a path, keeps a line of its own. */
export function wrapped(sentence: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
