/** What a run is asked for. */
import type { Target } from '../codegen/negotiation.js';

/** What is happening: for a progress line on a terminal. */
export type Stage = 'listing' | 'reading' | 'upgrading' | 'analysing' | 'editing' | 'verifying' | 'writing';

/** The options of {@link run}. */
export interface RunOptions {
  readonly command: 'scan' | 'migrate';
  /** The folder that everything is relative to. */
  readonly root: string;
  /** Files and folders, absolute or relative to the root; everything below it where absent. */
  readonly paths?: readonly string[];
  /** Patterns as in `.gitignore`, relative to the root. */
  readonly ignore?: readonly string[];
  readonly target: Target;
  /** Plan and report, and write nothing. */
  readonly dryRun?: boolean;
  /** Change files that have uncommitted changes. */
  readonly force?: boolean;
  /** Compare types before and after, and leave what would gain an error; unless false. A scan never does. */
  readonly verify?: boolean;
  /** Let the official codemod bring packages on version 1 of the SDK to version 2 first. Nothing that a scan does. */
  readonly sdkUpgrade?: boolean;
  /** Names of codemods; all of them where absent. */
  readonly only?: readonly string[];
  readonly onStage?: (stage: Stage) => void;
}
