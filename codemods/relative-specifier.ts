/** How a file spells the path to a file of ours. */
import path from 'node:path';
import type { SourceUnit } from '../src/analysis/source-unit.js';
import { CHANGE_STREAM_FILE } from '../src/codegen/change-stream.js';
import { CHANGES_FILE } from '../src/codegen/changes-module.js';

/** The specifier by which a file imports another one, spelt as the file spells its other imports. */
export function relativeSpecifier(unit: SourceUnit, target: string, siblings: readonly SourceUnit[]): string {
  const relative = path.posix.relative(path.posix.dirname(unit.file), target);
  const dotted = relative.startsWith('.') ? relative : `./${relative}`;
  const extension = path.posix.extname(dotted);
  const stem = dotted.slice(0, dotted.length - extension.length);
  const spelling =
    spellingOf(unit) ?? siblings.map(spellingOf).find((found) => found !== undefined) ?? 'emitted';
  const mayBeBare = extension === '.ts' || extension === '.js';
  if (spelling === 'bare' && mayBeBare) return stem;
  return spelling === 'source' ? dotted : stem + extension.replace('t', 'j');
}

type Spelling = 'emitted' | 'source' | 'bare';

/** How a file spells the extension of its relative imports; undefined when it has none. */
function spellingOf(unit: SourceUnit): Spelling | undefined {
  for (const match of unit.text.matchAll(
    /(?:\bfrom\s*|\brequire\(\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]*)\1/g,
  )) {
    const specifier = match[2] ?? '';
    if (isOurs(specifier)) continue;
    if (/\.[cm]?tsx?$/.test(specifier)) return 'source';
    if (/\.[cm]?jsx?$/.test(specifier)) return 'emitted';
    if (!/\.(json|css|scss|svg|png)$/.test(specifier)) return 'bare';
  }
  return undefined;
}

/** What an earlier run has put there was spelt by us. */
function isOurs(specifier: string): boolean {
  return specifier.includes(CHANGE_STREAM_FILE) || specifier.includes(CHANGES_FILE);
}
