/** How a report looks where it is read. */
import type pc from 'picocolors';

/** The colours that reports use; those of `createColors(false)` leave the text as it is. */
export type Colors = Pick<
  ReturnType<typeof pc.createColors>,
  'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
>;

/** Where a text is read. */
export interface Appearance {
  readonly colors: Colors;
  /** Columns of the terminal; `Infinity` where lines are not wrapped, as in a pipe. */
  readonly width: number;
  /** The folder in which the reader types commands. */
  readonly cwd: string;
}
