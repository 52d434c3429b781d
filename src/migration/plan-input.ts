/** What a plan is made from. */
import type { Target } from '../codegen/negotiation.js';
import type { Packages } from '../workspace/packages.js';
import type { CandidateText, ImportReading } from './candidates.js';
import type { SdkUpgrade } from './sdk-upgrade.js';

/** The texts of a run, and what was asked for. */
export interface PlanInput {
  readonly root: string;
  readonly target: Target;
  readonly only: readonly string[] | undefined;
  readonly texts: Map<string, CandidateText>;
  /** All source files of the workspace. */
  readonly files: readonly string[];
  readonly packages: Packages;
  readonly imports: ImportReading;
  /** What was done about version 1 of the SDK before; undefined where nobody asked for it. */
  readonly upgrade?: Pick<SdkUpgrade, 'sets' | 'manifests' | 'remaining' | 'failed'> | undefined;
}
