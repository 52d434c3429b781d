/** Plans a run: which groups are rewritten, which are marked, and the text of every file that changes. */
import type { ts } from 'ts-morph';
import { codemods } from '../../codemods/index.js';
import type { Codemod, FileEdit } from '../../codemods/codemod.js';
import type { ClientGroup } from '../analysis/client-group.js';
import { GROUP_NOUN } from '../analysis/group.js';
import { createFacts, importedGeneration, type Facts } from '../analysis/facts.js';
import type { Site } from '../analysis/site.js';
import { V2_CLIENT_PACKAGE } from '../protocol/index.js';
import { quoteArgument } from '../workspace/command-line.js';
import type { PackageInfo } from '../workspace/packages.js';
import { relativePosix, toPosix } from '../workspace/paths.js';
import { addImporters } from './candidates.js';
import { changeSets } from './change-sets.js';
import { composeEdits, type ComposedEdits } from './compose.js';
import { dependencyChanges, type DependencyChange } from './dependencies.js';
import { applyEdits, findOverlap } from './edits.js';
import { editsOf, findSites, planGroup, rolledBack, type GroupPlan } from './group-plan.js';
import type { FileChange } from './result.js';
import type { PlanInput } from './plan-input.js';
import { syntaxFaults, syntaxFaultsOf } from './syntax-check.js';
import { withUpgrade } from './upgrade-sets.js';

/** A finished plan. */
export interface Plan {
  readonly facts: Facts;
  readonly groups: readonly GroupPlan[];
  readonly edits: ComposedEdits;
  /** What comes into package.json files with the edits. */
  readonly dependencies: readonly DependencyChange[];
  /** Files that are written together or not at all. */
  readonly changeSets: readonly (readonly FileChange[])[];
  /** Paths of packages whose groups wait for the upgrade of the SDK. */
  readonly versionOnePackages: readonly string[];
  /** Files that do not parse. */
  readonly unparsable: readonly { readonly file: string; readonly line: number }[];
}

/** Makes the plan; reads nothing but files that the analysis asks for, writes nothing. */
export function makePlan(input: PlanInput): Plan {
  const facts = factsWithImporters(input);
  const broken = new Map<string, number>();
  for (const unit of facts.units) {
    const [fault] = input.texts.get(unit.file)?.telling === true ? syntaxFaultsOf(unit.tree) : [];
    if (fault !== undefined) broken.set(unit.file, fault.line);
  }
  const found = findSites(facts, codemods);
  const selected = (codemod: Codemod): boolean =>
    input.only === undefined || input.only.includes(codemod.name);
  const versionOne = new Set<string>();
  const groups = [...found].map(([group, sites]) =>
    planGroup(
      group,
      sites,
      facts,
      input.target,
      selected,
      refusalOf(
        sites.map(({ site }) => site),
        facts,
        input,
        broken,
        versionOne,
      ),
    ),
  );
  return {
    facts,
    ...settled(withoutOverlaps(groups), facts, input),
    versionOnePackages: [...versionOne].sort(),
    unparsable: [...broken].map(([file, line]) => ({ file, line })),
  };
}

/** The plan with other decisions about its groups. */
export function replan(plan: Plan, groups: readonly GroupPlan[], input: PlanInput): Plan {
  return { ...plan, ...settled(groups, plan.facts, input) };
}

/** The edits of the groups, without those of groups that would leave a file with new syntax errors. */
function settled(
  planned: readonly GroupPlan[],
  facts: Facts,
  input: PlanInput,
): Pick<Plan, 'groups' | 'edits' | 'dependencies' | 'changeSets'> {
  let groups = planned;
  for (;;) {
    const edits = composeEdits(groups, facts, input);
    const failed = brokenByEdits(edits, facts);
    if (failed.size === 0) {
      const dependencies = dependencyChanges(groups, input);
      const sets = changeSets(groups, edits, dependencies, facts, input);
      return { groups, edits, dependencies, changeSets: withUpgrade(sets, input.upgrade) };
    }
    groups = groups.map((plan) =>
      editsOf(plan).some((edit) => failed.has(edit.file))
        ? rolledBack(plan, 'the rewritten file would not parse any more; please report this to mcp-listen')
        : plan,
    );
  }
}

function factsWithImporters(input: PlanInput): Facts {
  const parsed = new Map<string, ts.SourceFile>();
  let facts = factsOf(input, parsed);
  // A client that leaves its file by an export is followed to where it is imported; twice at most.
  for (let round = 0; round < 2; round += 1) {
    const isUsed = (group: ClientGroup): boolean =>
      group.subscriptions.length > 0 || group.handlers.length > 0;
    // A client that is only made here matters if one is used whose making is out of sight.
    const anyIsOutOfSight = facts.clients.some((group) => group.creations.length === 0 && isUsed(group));
    const exporters = new Set(
      facts.clients
        .filter((group) => isUsed(group) || anyIsOutOfSight)
        .flatMap((group) => group.escapes.map((node) => node.getSourceFile().fileName)),
    );
    if (!addImporters(input.texts, input.files, exporters, input.imports)) break;
    facts = factsOf(input, parsed);
  }
  return facts;
}

function factsOf({ texts, root, packages, imports }: PlanInput, parsed: Map<string, ts.SourceFile>): Facts {
  const inputs = [...texts].map(([file, { text }]) => ({
    file: toPosix(file),
    path: relativePosix(root, file),
    package: packages.ownerOf(file).path,
    text,
  }));
  const known = new Set(inputs.map((one) => one.file));
  return createFacts(
    inputs,
    (specifier, from) => imports.resolve(specifier, from, (file) => known.has(file)),
    parsed,
  );
}

/** Why nothing of a group may be edited at all. */
function refusalOf(
  sites: readonly Site[],
  facts: Facts,
  { texts, packages, upgrade }: PlanInput,
  broken: ReadonlyMap<string, number>,
  versionOne: Set<string>,
): string | undefined {
  const group = sites[0]?.group;
  const units = [
    ...new Set([
      ...sites.map((site) => site.unit),
      ...(group === undefined ? [] : group.nodes.map((node) => facts.unitOf(node))),
    ]),
  ];
  const owners = new Set(units.map((unit) => packages.ownerOf(unit.file)));
  // What is written without the SDK does not wait for its upgrade; a transport that takes tokens is the SDK's.
  const isRaw = group?.kind === 'wire' && sites.every(({ shape }) => shape !== 'E2');
  const imported = new Set(units.map(importedGeneration));
  const isVersionOne =
    !isRaw &&
    (imported.has('v1') || (!imported.has('v2') && [...owners].some((owner) => owner.generation === 'v1')));
  const failed = isRaw ? undefined : [...owners].find((owner) => upgrade?.failed.has(owner.path));
  if (failed !== undefined) return upgrade?.remaining.get(failed.path);
  const remaining =
    upgrade && ([...owners].flatMap((owner) => upgrade.remaining.get(owner.path) ?? [])[0] ?? UNUSED);
  if (isVersionOne && remaining === undefined) {
    for (const owner of owners) versionOne.add(owner.path);
    const [path = '.'] = [...owners].map((owner) => owner.path);
    return `its package is on version 1 of the SDK: npx mcp-listen migrate ${quoteArgument(path)} --sdk-upgrade upgrades it first`;
  }
  const unparsable = units.find((unit) => broken.has(unit.file));
  if (unparsable !== undefined)
    return `${unparsable.path} does not parse (line ${String(broken.get(unparsable.file))})`;
  const generated = units.find((unit) => texts.get(unit.file)?.generated === true);
  if (generated !== undefined) return `${generated.path} says that it is generated: change its generator`;
  const bare = sites
    .filter(({ mechanism }) => mechanism === 'resource-subscribe' || mechanism === 'list-changed')
    .map(({ unit }) => packages.ownerOf(unit.file))
    .find((owner) => isWithoutSdk(owner, facts));
  if (bare !== undefined)
    return `${bare.path} does not depend on ${V2_CLIENT_PACKAGE}, which the change stream imports: add it there and run again`;
  return isVersionOne ? remaining : undefined;
}

/** A package that is handed a client by another one of its workspace, and knows the SDK by that alone. */
function isWithoutSdk({ path, generation }: PackageInfo, { units }: Facts): boolean {
  return (
    generation === 'none' &&
    !units.some((unit) => unit.package === path && importedGeneration(unit) !== undefined)
  );
}

/** With the upgrade of the SDK asked for, and nothing in the package for it to begin with. */
const UNUSED =
  'its package depends on version 1 of the SDK without importing it: replace that dependency by hand';

/** Two groups that want the same characters: the later one stays behind. */
function withoutOverlaps(groups: readonly GroupPlan[]): GroupPlan[] {
  const accepted = new Map<string, FileEdit[]>();
  return groups.map((plan) => {
    const edits = editsOf(plan);
    const clash = edits.some(
      (edit) =>
        findOverlap([
          ...(accepted.get(edit.file) ?? []),
          ...edits.filter((other) => other.file === edit.file),
        ]) !== undefined,
    );
    if (clash)
      return rolledBack(
        plan,
        `its edits overlap with each other, or with those of another ${GROUP_NOUN[plan.group.kind]}`,
      );
    for (const edit of edits) accepted.set(edit.file, [...(accepted.get(edit.file) ?? []), edit]);
    return plan;
  });
}

function brokenByEdits({ byFile }: ComposedEdits, facts: Facts): Set<string> {
  const failed = new Set<string>();
  for (const unit of facts.units) {
    const edits = byFile.get(unit.file);
    if (edits === undefined) continue;
    const before = syntaxFaultsOf(unit.tree).length;
    if (syntaxFaults(unit.file, applyEdits(unit.text, edits)).length > before) failed.add(unit.file);
  }
  return failed;
}
