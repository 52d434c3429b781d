/** Sites as reports know them: places in numbers, outcomes in words, an id that survives moved lines. */
import { createHash } from 'node:crypto';
import type { ts } from 'ts-morph';
import type { Group } from '../analysis/group.js';
import type { Outcome } from '../../codemods/codemod.js';
import { shape } from '../protocol/index.js';
import { relativePosix } from '../workspace/paths.js';
import type { GroupPlan, PlannedSite } from './group-plan.js';
import type { SiteResult } from './result.js';

/** A planned site with its result, so that markers can name it. */
export interface ReportedSite {
  readonly planned: PlannedSite;
  readonly result: SiteResult;
}

/** The results of all plans, by file and place. */
export function siteResults(root: string, plans: readonly GroupPlan[]): ReportedSite[] {
  const ordinals = new Map<string, number>();
  const sorted = plans
    .flatMap((plan) => plan.sites.map((planned) => ({ planned, name: groupName(root, plan.group) })))
    .sort((a, b) => comparePlanned(a.planned, b.planned));
  return sorted.map(({ planned, name }) => {
    const { site, codemod, outcome } = planned;
    const text = site.node.getText(site.unit.tree);
    const key = [site.unit.package, site.unit.path, site.mechanism, text].join('\0');
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const start = placeOf(site.unit.tree, site.node.getStart(site.unit.tree));
    const end = placeOf(site.unit.tree, site.node.end);
    const result: SiteResult = {
      id: createHash('sha256')
        .update(`${key}\0${String(ordinal)}`)
        .digest('hex')
        .slice(0, 12),
      package: site.unit.package,
      file: site.unit.path,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      side: site.side,
      shape: site.shape,
      mechanism: site.mechanism,
      group: name,
      confidence: site.confidence,
      outcome: outcome.kind,
      reason: reasonOf(outcome),
      rule: shape(site.shape).rule ?? null,
      codemod: codemod.name,
      ...(site.era === undefined ? {} : { era: site.era }),
    };
    return { planned, result };
  });
}

/** `src/connection.ts#client` */
export function groupName(root: string, { home }: Group): string {
  return `${relativePosix(root, home.file)}#${home.name}`;
}

function reasonOf(outcome: Outcome): string {
  return outcome.kind === 'marked' ? (outcome.reason ?? outcome.text) : outcome.reason;
}

function placeOf(tree: ts.SourceFile, position: number): { line: number; column: number } {
  const { line, character } = tree.getLineAndCharacterOfPosition(position);
  return { line: line + 1, column: character + 1 };
}

function comparePlanned(a: PlannedSite, b: PlannedSite): number {
  const [one, other] = [a.site.unit.path, b.site.unit.path];
  if (one !== other) return one < other ? -1 : 1;
  return a.site.node.getStart() - b.site.node.getStart() || a.site.node.end - b.site.node.end;
}
