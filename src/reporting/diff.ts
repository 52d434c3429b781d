/** The changes of a run as a unified diff that `git apply` takes. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileChange } from '../migration/result.js';
import type { Colors } from './appearance.js';

/** Lines of context, as git shows them. */
const CONTEXT = 3;

/** The diff without colours, byte for byte: CRLF stays, a missing final newline is marked. */
export function unifiedDiff(changes: readonly FileChange[]): string {
  return changes.map(fileDiff).join('');
}

/** The same with colours, for a terminal. */
export function colouredDiff(changes: readonly FileChange[], colors: Colors): string {
  return changes.map((change) => coloured(fileDiff(change), colors)).join('');
}

function fileDiff({ path, before, after }: FileChange): string {
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  return createTwoFilesPatch(from, `b/${path}`, before ?? '', after, undefined, undefined, {
    context: CONTEXT,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** The first two lines name the file; a deleted line that starts with dashes looks the same further down. */
function coloured(diff: string, colors: Colors): string {
  const [from = '', to = '', ...lines] = diff.split('\n');
  return [colors.bold(from), colors.bold(to), ...lines.map((line) => colouredLine(line, colors))].join('\n');
}

function colouredLine(line: string, colors: Colors): string {
  if (line.startsWith('@@')) return colors.cyan(line);
  if (line.startsWith('+')) return colors.green(line);
  return line.startsWith('-') ? colors.red(line) : line;
}
