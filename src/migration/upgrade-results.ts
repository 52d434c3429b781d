/** The upgrade of the SDK as reports tell of it, apart from what the migration changes. */
import type { PackageInfo } from '../workspace/packages.js';
import { relativePosix } from '../workspace/paths.js';
import type { FileChange, UpgradeResult } from './result.js';
import type { SdkUpgrade } from './sdk-upgrade.js';
import { officialMarkers } from './upgraded-text.js';

/**
 * One result for each package that was upgraded, or that has comments of the official codemod left from earlier.
 *
 * @param changes what the run changes, by which the lines of the comments are told
 * @param unwritten files that could not be written
 */
export function upgradeResults(
  root: string,
  { upgraded, manifestEdits, texts, packages }: SdkUpgrade,
  changes: readonly FileChange[],
  unwritten: ReadonlySet<string>,
): UpgradeResult[] {
  const left = markersByPackage(root, texts, packages.ownerOf, changes);
  const results = upgraded.map(({ owner, files, manifest, messages }): UpgradeResult => {
    const edit = manifestEdits.find(({ file }) => file === manifest);
    const isEdited = edit?.isChanged === true && !unwritten.has(edit.file);
    const path = relativePosix(root, manifest);
    return {
      package: owner.path,
      files: files.filter((file) => !unwritten.has(file)).map((file) => relativePosix(root, file)),
      manifest: isEdited ? path : null,
      added: isEdited ? edit.added : {},
      removed: isEdited && edit.removed,
      left: left.get(owner.path) ?? [],
      messages: [
        ...messages,
        ...(edit?.messages ?? []).map((message) => ({ file: path, line: null, ...message })),
      ],
    };
  });
  const known = new Set(results.map((result) => result.package));
  const others = [...left].filter(([path]) => !known.has(path));
  return [
    ...results,
    ...others.map(([path, markers]) => ({ ...NOTHING_DONE, package: path, left: markers })),
  ].sort((a, b) => (a.package < b.package ? -1 : 1));
}

const NOTHING_DONE: Omit<UpgradeResult, 'package' | 'left'> = {
  files: [],
  manifest: null,
  added: {},
  removed: false,
  messages: [],
};

function markersByPackage(
  root: string,
  texts: SdkUpgrade['texts'],
  ownerOf: (file: string) => PackageInfo,
  changes: readonly FileChange[],
): Map<string, UpgradeResult['left'][number][]> {
  const after = new Map(changes.map((change) => [change.file, change.after]));
  const found = new Map<string, UpgradeResult['left'][number][]>();
  for (const [file, { text }] of texts) {
    const markers = officialMarkers(after.get(file) ?? text);
    if (markers.length === 0) continue;
    const { path } = ownerOf(file);
    const own = markers.map((marker) => ({ file: relativePosix(root, file), ...marker }));
    found.set(path, [...(found.get(path) ?? []), ...own]);
  }
  return found;
}
