/** The lines of a report that stand for sites. */
import type { SiteOutcome, SiteResult } from '../migration/result.js';
import { SHAPES } from '../protocol/index.js';
import type { Colors } from './appearance.js';
import type { Row } from './layout.js';

const OUTCOME_COLOUR: Readonly<Record<SiteOutcome, keyof Colors>> = {
  rewritten: 'green',
  marked: 'yellow',
  kept: 'dim',
  reported: 'cyan',
};

/** `file:line:column  shape  mechanism  outcome — reason`; a confidence below certain stands beside the outcome. */
export function siteRow(site: SiteResult, colors: Colors): Row {
  const doubt = site.confidence === 'certain' ? '' : ` (${site.confidence})`;
  return {
    cells: [`${site.file}:${site.line}:${site.column}`, site.shape, site.mechanism, site.outcome + doubt],
    sentence: site.reason,
    paint: (cell, column) => (column === 3 ? colors[OUTCOME_COLOUR[site.outcome]](cell) : cell),
  };
}

/** What the ids of the shapes stand for, each once, in the order of the catalogue. */
export function shapeLegend(sites: readonly SiteResult[]): Row[] {
  const used = new Set(sites.map((site) => site.shape));
  return SHAPES.filter(({ id }) => used.has(id)).map(({ id, title }) => ({ cells: [id], sentence: title }));
}
