/** Holds a plan against the types: a group whose rewriting gains an error stays as it was, with markers. */
import { relativePosix } from '../workspace/paths.js';
import type { Problem } from '../workspace/problem.js';
import { typecheckCommand } from '../workspace/typecheck-command.js';
import { createBlame } from './blame.js';
import { briefly } from './diagnostics.js';
import { movedPosition } from './edit-places.js';
import { uncommittedRefusals } from './apply-plan.js';
import { editsOf, rolledBack, type GroupPlan } from './group-plan.js';
import type { RunOptions } from './options.js';
import { replan, type Plan } from './plan.js';
import type { PlanInput } from './plan-input.js';
import type { PackageVerification } from './result.js';
import type { Texts } from './typed-project.js';
import { createTypeVerifier, type GainedFault, type PackageCheck } from './verify-types.js';

/** A plan that gains no type error that could be seen. */
export interface VerifiedPlan {
  readonly plan: Plan;
  readonly packages: readonly PackageVerification[];
  readonly problems: readonly Problem[];
}

/**
 * The plan as it can be carried out. What writes nothing needs no types: a scan, and what will be refused anyway; and
 * TypeScript is loaded only where something is rewritten.
 */
export async function verified(
  plan: Plan,
  input: PlanInput,
  options: RunOptions,
  repository: string | undefined,
): Promise<VerifiedPlan> {
  const rewritten = rewrittenFiles(plan);
  const unverified: VerifiedPlan = { plan, packages: [], problems: [] };
  if (options.command === 'scan' || rewritten.size === 0) return unverified;
  if (options.verify === false) return { ...unverified, packages: skipped(rewritten, input) };
  if ((await uncommittedRefusals(plan, options, repository)).length > 0) return unverified;
  options.onStage?.('verifying');
  return verifyPlan(plan, input, repository);
}

function skipped(files: ReadonlySet<string>, { packages }: PlanInput): PackageVerification[] {
  const owners = new Set([...files].map(packages.ownerOf));
  return [...owners].map((owner) => ({
    path: owner.path,
    typescript: undefined,
    files: 0,
    checked: false,
    note: '--no-verify',
    command: typecheckCommand(owner),
  }));
}

/** After so many checks all that can have caused an error are rolled back, rather than the likeliest alone. */
const PATIENCE = 4;

/**
 * Checks the plan, rolls back what gains an error, and checks what is left of it, until nothing is gained. Every round
 * but the last rolls back a group, so that it ends.
 */
function verifyPlan(plan: Plan, input: PlanInput, repository: string | undefined): VerifiedPlan {
  const verifier = createTypeVerifier({ ...input, repository });
  const packages = new Map<string, PackageCheck>();
  const problems = new Map<string, Problem>();
  let current = plan;
  for (let round = 0; ; round += 1) {
    const check = verifier.check(textsOf(current));
    // The first check is the one of all files; a package that was rolled back altogether has been checked, too.
    for (const one of check.packages) {
      const known = packages.get(one.owner.path);
      if (known === undefined || one.unchecked !== undefined) packages.set(one.owner.path, one);
    }
    for (const problem of check.problems) problems.set(`${problem.file}\0${problem.message}`, problem);
    const reasons = reasonsToRollBack(check.gained, current, input.root, round < PATIENCE);
    if (reasons.size === 0) {
      const left = check.gained.map((fault) => unexplained(fault, input.root));
      return {
        plan: current,
        packages: [...packages.values()].map(describe),
        problems: [...problems.values(), ...left],
      };
    }
    const groups = current.groups.map((group) => {
      const reason = reasons.get(group);
      return reason === undefined ? group : rolledBack(group, reason);
    });
    current = replan(current, groups, input);
  }
}

/**
 * The texts of a plan. Markers are no edits here, since no type depends on them; and what the upgrade of the SDK has
 * changed is so on both sides, since its errors are not ours.
 */
function textsOf(plan: Plan): Texts {
  const { facts, changeSets, edits } = plan;
  const rewritten = rewrittenFiles(plan);
  const analysed = new Map(facts.units.map(({ file, text }) => [file, text]));
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const change of changeSets.flat()) {
    const { file } = change;
    const base = analysed.get(file) ?? change.after;
    if (change.before !== undefined) before.set(file, base);
    after.set(file, change.before === undefined || rewritten.has(file) ? change.after : base);
  }
  return {
    edited: [...before.keys()].filter((file) => rewritten.has(file)),
    before,
    after,
    awaited: new Set(plan.dependencies.flatMap(({ result }) => Object.keys(result.added))),
    moved: (file, position) => movedPosition(edits.byFile.get(file) ?? [], position),
  };
}

function rewrittenFiles({ groups }: Plan): Set<string> {
  return new Set(groups.flatMap(editsOf).map((edit) => edit.file));
}

function reasonsToRollBack(
  gained: readonly GainedFault[],
  plan: Plan,
  root: string,
  onlyCulprits: boolean,
): Map<GroupPlan, string> {
  const blame = createBlame(plan);
  const reasons = new Map<GroupPlan, string>();
  for (const fault of gained) {
    for (const group of onlyCulprits ? blame.culprits(fault) : blame.suspects(fault)) {
      if (!reasons.has(group)) reasons.set(group, reasonFor(fault, root));
    }
  }
  return reasons;
}

/** Becomes the text of markers: no line, since the line is one of a text that was never written. */
function reasonFor(fault: GainedFault, root: string): string {
  return `left on the 2025 era: rewritten, ${relativePosix(root, fault.file)} would not type-check (${briefly(fault, root)})`;
}

function unexplained(fault: GainedFault, root: string): Problem {
  return {
    file: fault.file,
    message: `gains a type error that no edit explains (${briefly(fault, root)}): check it, and please report it to mcp-listen`,
  };
}

function describe({
  owner,
  typescript,
  files,
  unchecked,
  awaited,
  isTyped,
  config,
}: PackageCheck): PackageVerification {
  const isWhole = unchecked === undefined && awaited.length === 0;
  return {
    path: owner.path,
    typescript,
    files,
    checked: unchecked === undefined,
    note: unchecked ?? (awaited.length === 0 ? undefined : notInstalled(awaited)),
    command: isWhole || !isTyped ? undefined : typecheckCommand(owner, config),
  };
}

function notInstalled(names: readonly string[]): string {
  return `what comes from ${names.join(' and ')} is not checked until that is installed`;
}
