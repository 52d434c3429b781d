/** A run as a person reads it. */
import { printable } from '../codegen/printable.js';
import type { RunResult } from '../migration/result.js';
import type { Appearance } from './appearance.js';
import { migrateBlocks } from './migrate-text.js';
import { scanBlocks } from './scan-text.js';

/** The text of a run: blocks parted by empty lines, with a final newline. */
export function toText(result: RunResult, appearance: Appearance): string {
  const blocks =
    result.command === 'scan' ? scanBlocks(result, appearance) : migrateBlocks(result, appearance);
  return `${blocks.map((block) => block.map(printableLine).join('\n')).join('\n\n')}\n`;
}

/** Only the colours that we set ourselves are left as they are. */
function printableLine(line: string): string {
  return line
    .split(COLOUR)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');
}

// eslint-disable-next-line no-control-regex -- that is how a colour begins
const COLOUR = /(\u001b\[\d+m)/;
