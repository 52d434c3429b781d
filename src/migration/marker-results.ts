/** The markers that stand in the code as a run leaves it. */
import { findMarkers } from '../codegen/marker.js';
import { relativePosix } from '../workspace/paths.js';
import type { CandidateText } from './candidates.js';
import type { FileChange, MarkerResult } from './result.js';
import type { ReportedSite } from './site-results.js';

/** All markers of the candidate files, those of earlier runs included. */
export function markerResults(
  root: string,
  texts: ReadonlyMap<string, CandidateText>,
  changes: readonly FileChange[],
  reported: readonly ReportedSite[],
): MarkerResult[] {
  const after = new Map(changes.map((change) => [change.file, change.after]));
  const markers: MarkerResult[] = [];
  for (const [file, { text }] of texts) {
    const current = after.get(file) ?? text;
    const path = relativePosix(root, file);
    const ofFile = reported.filter(({ result }) => result.file === path);
    for (const found of findMarkers(current)) {
      const line = current.slice(0, found.position).split('\n').length;
      markers.push({ file: path, line, text: found.text, site: siteBelow(line, current, text, ofFile) });
    }
  }
  return markers.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** The site that a marker stands above: the first one that begins in the first line of code under it. */
function siteBelow(
  line: number,
  current: string,
  original: string,
  reported: readonly ReportedSite[],
): string | null {
  const lines = current.split('\n');
  let below = line;
  while (/^\s*(\/\/|$)/.test(lines[below] ?? 'code')) below += 1;
  const code = lines[below];
  const before = original.split('\n');
  const marked = reported.filter(({ result }) => result.outcome === 'marked');
  const sites = marked.length > 0 ? marked : reported;
  // A marked statement keeps its text, so that equal lines before and after are the same statement.
  const nth = lines.slice(0, below).filter((other) => other === code).length;
  const places = before.flatMap((other, index) => (other === code ? [index + 1] : []));
  const place = places[nth] ?? places.at(-1);
  return sites.find(({ result }) => result.line === place)?.result.id ?? null;
}
