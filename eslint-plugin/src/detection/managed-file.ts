/** The file of the managed change stream, which `migrate` copies into a package: what it does is not its user's code. */
import { CHANGE_STREAM_FILE } from '../../../src/codegen/change-stream.js';

/** Whether a file is that one, under whichever extension. */
export function isManagedStreamFile(filename: string): boolean {
  return filename.split(/[\\/]/).at(-1)?.startsWith(`${CHANGE_STREAM_FILE}.`) === true;
}
