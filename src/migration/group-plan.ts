/** Decides about whole groups: all of a client, or of a server, is rewritten, or none of it is. */
import { GROUP_NOUN, type Group } from '../analysis/group.js';
import type { Facts } from '../analysis/facts.js';
import { shortText } from '../analysis/short-text.js';
import type { Site } from '../analysis/site.js';
import type { Target } from '../codegen/negotiation.js';
import type { Codemod, FileEdit, Outcome } from '../../codemods/codemod.js';
import { isLeftBecause, leftBecause } from '../../codemods/obstacle.js';
import { withoutSwallowed } from './swallowed-edits.js';

/** A site with the codemod it belongs to and what becomes of it. */
export interface PlannedSite {
  readonly site: Site;
  readonly codemod: Codemod;
  readonly outcome: Outcome;
}

/** The sites of one group. */
export interface GroupPlan {
  readonly group: Group;
  readonly sites: readonly PlannedSite[];
}

/** All sites that the codemods find, by group, in the order of the groups. */
export function findSites(
  facts: Facts,
  codemods: readonly Codemod[],
): Map<Group, { site: Site; codemod: Codemod }[]> {
  const byGroup = new Map<Group, { site: Site; codemod: Codemod }[]>(
    [...facts.clients, ...facts.servers].map((group) => [group, []]),
  );
  for (const codemod of codemods) {
    for (const site of codemod.find(facts)) {
      byGroup.set(site.group, [...(byGroup.get(site.group) ?? []), { site, codemod }]);
    }
  }
  return byGroup;
}

/**
 * The plan of one group.
 *
 * @param selected whether a codemod was asked for; one that is left out may not be needed for the group to be whole
 * @param refusal why nothing of the group may be edited at all, if so
 */
export function planGroup(
  group: Group,
  found: readonly { site: Site; codemod: Codemod }[],
  facts: Facts,
  target: Target,
  selected: (codemod: Codemod) => boolean,
  refusal: string | undefined,
): GroupPlan {
  const sites = found.map(({ site, codemod }): PlannedSite => ({
    site,
    codemod,
    outcome: codemod.rewrite(site, facts, target),
  }));
  if (refusal !== undefined) return { group, sites: sites.map((planned) => withoutEdits(planned, refusal)) };
  const left = sites.find(({ codemod, outcome }) => changes(outcome) && !selected(codemod));
  if (left !== undefined) {
    const reason = `--only leaves out ${left.codemod.name}, without which this ${GROUP_NOUN[group.kind]} would be half migrated`;
    return { group, sites: stayingBehind(sites, reason).map((planned) => unselected(planned, selected)) };
  }
  const obstacle = obstacleIn(sites);
  return { group, sites: obstacle === undefined ? sites : stayingBehind(sites, obstacle) };
}

/** Why a group stays as it is: what is in the way of all of it, or the site that has to be decided first. */
function obstacleIn(sites: readonly PlannedSite[]): string | undefined {
  for (const { site, outcome } of sites) {
    if (outcome.kind !== 'marked' || !outcome.blocks) continue;
    if (isLeftBecause(outcome.text)) return outcome.text;
    const [code = ''] = (outcome.anchor ?? site.node).getText().split(/\r?\n/);
    return leftBecause(`decide first what is asked above ${shortText(code)} in ${site.unit.path}`);
  }
  return undefined;
}

/** The plan of a group whose edits turned out wrong: its original text, with markers. */
export function rolledBack(plan: GroupPlan, reason: string): GroupPlan {
  return { group: plan.group, sites: stayingBehind(plan.sites, reason) };
}

/** All edits of a plan, each once. */
export function editsOf({ group, sites }: GroupPlan): FileEdit[] {
  const edits = [
    ...new Set(sites.flatMap(({ outcome }) => (outcome.kind === 'rewritten' ? outcome.edits : []))),
  ];
  return group.kind === 'server' ? withoutSwallowed(edits) : edits;
}

/** What was to be rewritten is marked instead; the constructor, whose option is nothing by itself, is kept. */
function stayingBehind(sites: readonly PlannedSite[], text: string): PlannedSite[] {
  return sites.map((planned) => {
    const { outcome: intended } = planned;
    const isLeft = intended.kind === 'kept' && intended.onceRewritten === true;
    if (intended.kind !== 'rewritten' && !isLeft) return planned;
    const outcome: Outcome =
      isLeft || planned.site.mechanism === 'era'
        ? { kind: 'kept', reason: text }
        : { kind: 'marked', text, blocks: true };
    return { ...planned, outcome };
  });
}

function unselected(planned: PlannedSite, selected: (codemod: Codemod) => boolean): PlannedSite {
  if (selected(planned.codemod) || planned.outcome.kind !== 'marked') return planned;
  return { ...planned, outcome: { kind: 'reported', reason: `${planned.codemod.name} was not asked for` } };
}

function withoutEdits(planned: PlannedSite, reason: string): PlannedSite {
  const isEdit = planned.outcome.kind === 'rewritten' || planned.outcome.kind === 'marked';
  return isEdit ? { ...planned, outcome: { kind: 'reported', reason } } : planned;
}

function changes(outcome: Outcome): boolean {
  return outcome.kind === 'rewritten';
}
