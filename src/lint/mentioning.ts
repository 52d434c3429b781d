/** Which files are worth parsing: those whose text has one of some words, in whatever case. */
import { readFileSync } from 'node:fs';

/** A file that cannot be read stays in: whoever parses it says what is wrong with it. */
export function filesMentioning(files: readonly string[], words: readonly string[]): string[] {
  return files.filter((file) => {
    const text = lowerCaseText(file);
    return text === undefined || words.some((word) => text.includes(word));
  });
}

function lowerCaseText(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1').toLowerCase();
  } catch {
    return undefined;
  }
}
