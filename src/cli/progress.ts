/** One line on a terminal that says what is happening. */
import type { Stage } from '../migration/options.js';

/** The part of a terminal's stream that is needed. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows stages, and takes the line away at the end. */
export interface Progress {
  readonly show: (stage: Stage) => void;
  readonly clear: () => void;
}

const WORDS: Readonly<Record<Stage, string>> = {
  listing: 'listing files',
  reading: 'reading files',
  upgrading: 'upgrading the SDK',
  analysing: 'analysing',
  editing: 'editing',
  verifying: 'checking types',
  writing: 'writing',
};

/** To the start of the line, and delete it. */
const CLEAR_LINE = '\r\x1B[2K';

/** Progress on a terminal; nothing at all elsewhere. */
export function progressOn(output: Output): Progress {
  if (output.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  return {
    show: (stage) => output.write(`${CLEAR_LINE}mcp-listen: ${WORDS[stage]} …`),
    clear: () => output.write(CLEAR_LINE),
  };
}
