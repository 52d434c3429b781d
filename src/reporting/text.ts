/** A run as a person reads it. */
import type { RunResult } from '../migration/result.js';
import type { Appearance } from './appearance.js';
import { migrateBlocks } from './migrate-text.js';
import { scanBlocks } from './scan-text.js';

/** The text of a run: blocks parted by empty lines, with a final newline. */
export function toText(result: RunResult, appearance: Appearance): string {
  const blocks =
    result.command === 'scan' ? scanBlocks(result, appearance) : migrateBlocks(result, appearance);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
