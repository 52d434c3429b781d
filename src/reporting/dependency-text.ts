/** The dependencies that the rewritten code needs, as a person reads of them. */
import type { DependencyResult, RunResult } from '../migration/result.js';
import type { Appearance } from './appearance.js';
import { alignedRows } from './layout.js';
import type { Block } from './sections.js';
import { listed } from './wording.js';

/** One block for all packages; none where everything was listed already. */
export function dependencyBlocks(
  { dependencies = [] }: RunResult,
  isWritten: boolean,
  { colors, width }: Appearance,
): Block[] {
  if (dependencies.length === 0) return [];
  const rows = dependencies.flatMap((dependency) => [
    { cells: [dependency.manifest ?? dependency.package], sentence: sentenceOf(dependency, isWritten) },
    ...dependency.messages.map((sentence) => ({ cells: [''], sentence: colors.yellow(sentence) })),
  ]);
  return [['Dependencies of the rewritten code:', ...alignedRows(rows, '  ', width)]];
}

function sentenceOf({ manifest, added }: DependencyResult, isWritten: boolean): string {
  const names = listed(Object.entries(added).map(([name, range]) => `${name} ${range}`));
  if (manifest === null) return `no package.json of it could be changed: add ${names}`;
  return isWritten ? `${names} added` : `${names} would be added`;
}
