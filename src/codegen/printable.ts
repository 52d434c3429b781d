/** Text that may hold a path, which may hold anything, made fit for one line. */

// eslint-disable-next-line no-control-regex -- they are what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with its control characters and line ends escaped as in JavaScript: they would break a line or run a terminal. */
export function printable(text: string): string {
  return text.replace(
    CONTROL,
    (character) => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
