/** What the streams of this process can show. */
import pc from 'picocolors';
import type { Appearance } from '../reporting/appearance.js';

/** The part of a stream that tells a terminal from a pipe. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How a text on this stream should look: plain and unwrapped in a pipe, so that every line can be searched. */
export function appearanceOf(output: Output, environment: NodeJS.ProcessEnv, cwd: string): Appearance {
  const isTerminal = output.isTTY === true;
  return {
    colors: pc.createColors(hasColours(isTerminal, environment)),
    width: isTerminal ? (output.columns ?? Infinity) : Infinity,
    cwd,
  };
}

/** picocolors' own guess also colours pipes, on CI and on Windows. */
function hasColours(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0';
  return isTerminal && environment['TERM'] !== 'dumb';
}
