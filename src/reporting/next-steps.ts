/** The commands that come after a migration, in the words of the project's own tools. */
import { basename } from 'node:path';
import { MARKER_TAG } from '../codegen/marker.js';
import type { FileChange, RunResult } from '../migration/result.js';
import { SDK_CODEMOD_MARKER, V2_CLIENT_PACKAGE, V2_RANGE, V2_SERVER_PACKAGE } from '../protocol/index.js';
import { formatterCommand } from '../workspace/formatter.js';
import { installCommand } from '../workspace/install-command.js';
import type { PackageManager } from '../workspace/package-manager.js';
import type { PackageInfo } from '../workspace/packages.js';
import { isInside, relativePosix } from '../workspace/paths.js';
import { typecheckCommand } from '../workspace/typecheck-command.js';
import type { Appearance } from './appearance.js';
import type { Block } from './sections.js';

/** One step: what for, the command, and the folder to run it in. */
interface Step {
  readonly what: string;
  readonly command: string;
  readonly folder: string;
}

/** What to do next; nothing after a refusal, which says itself what to do. */
export function nextSteps(result: RunResult, appearance: Appearance): Block[] {
  if (result.refusals.length > 0 && result.changes.length === 0) return [];
  const steps = result.dryRun ? afterDryRun(result) : afterWriting(result);
  if (steps.length === 0) return [];
  const texts = new Set(steps.map((step) => stepText(step, appearance)));
  return [['Next:', ...[...texts].flatMap((text, index) => `  ${index + 1}. ${text}`.split('\n'))]];
}

function afterDryRun({ changes, root }: RunResult): Step[] {
  if (changes.length === 0) return [];
  return [{ what: 'write it: the same command without --dry-run', command: '', folder: root }];
}

function afterWriting(result: RunResult): Step[] {
  const { root, changes, markers, upgrades = [] } = result;
  const changed = ownersOfChanges(result);
  const steps: Step[] = [];
  for (const [owner, own] of changed) {
    steps.push(
      ...installStep(owner, result),
      ...typecheckStep(owner, result),
      ...formatStep(owner, own, result),
    );
  }
  if (markers.length > 0) {
    steps.push({
      what: `decide what the ${markers.length === 1 ? 'marker asks' : `${markers.length} markers ask`}`,
      command: `git grep -n "${MARKER_TAG}"`,
      folder: root,
    });
  }
  if (upgrades.some(({ left }) => left.length > 0)) {
    steps.push({
      what: 'decide what the official codemod has left',
      command: `git grep -n "${SDK_CODEMOD_MARKER}"`,
      folder: root,
    });
  }
  if (changes.length > 0)
    steps.push({
      what: 'review',
      // Without it the diff would leave out files that are new.
      command: changes.some(({ before }) => before === undefined)
        ? 'git add --intent-to-add . && git diff'
        : 'git diff',
      folder: root,
    });
  for (const owner of changed.keys()) steps.push(testStep(owner));
  return steps;
}

/** The changed files of each package: the one in the nearest folder above a file owns it. */
function ownersOfChanges({ owners, changes }: RunResult): Map<PackageInfo, FileChange[]> {
  const nearestFirst = [...owners].sort((a, b) => b.directory.length - a.directory.length);
  const found = new Map<PackageInfo, FileChange[]>();
  for (const change of changes) {
    const owner = nearestFirst.find(({ directory }) => isInside(directory, change.file));
    if (owner === undefined) continue;
    found.set(owner, [...(found.get(owner) ?? []), change]);
  }
  return found;
}

/**
 * The rewritten code of a client imports the client package: it has to be among the dependencies, and installed. After an upgrade
 * of the SDK the dependencies are in package.json already, and a package without a client needs none.
 */
function installStep(
  { sdk, installed, packageManager, path, directory, workspace }: PackageInfo,
  { upgrades = [], dependencies = [], sites }: RunResult,
): Step[] {
  const upgrade = upgrades.find((one) => one.package === path);
  const own = sites.filter((site) => site.package === path);
  const ofClients = own.filter(({ side }) => side === 'client');
  const isRewritten = ofClients.some(({ outcome }) => outcome === 'rewritten');
  const isNeeded = upgrade === undefined ? own.length === 0 || ofClients.length > 0 : isRewritten;
  if (sdk[V2_CLIENT_PACKAGE] === undefined && isNeeded) {
    const workspacePath = workspace === undefined ? undefined : relativePosix(workspace, directory);
    return [
      {
        what: `add the dependency of ${path}`,
        command: installCommand(packageManager, V2_CLIENT_PACKAGE, V2_RANGE, { workspacePath }),
        folder: workspace ?? directory,
      },
    ];
  }
  const isEdited =
    (upgrade !== undefined && upgrade.manifest !== null) || dependencies.some((one) => one.package === path);
  const isInstalled = [V2_CLIENT_PACKAGE, V2_SERVER_PACKAGE].every(
    (name) => installed[name] === true || sdk[name] === undefined,
  );
  if (isInstalled && !isEdited) return [];
  return [
    {
      what: 'install the dependencies',
      command: `${packageManager} install`,
      folder: workspace ?? directory,
    },
  ];
}

/** What the run could not check, or was told not to, and what the official codemod did, which it never checks. */
function typecheckStep(owner: PackageInfo, { verification, upgrades = [] }: RunResult): Step[] {
  const { path, directory } = owner;
  const isUpgraded = upgrades.some(
    (one) => one.package === path && one.files.some((file) => /\.[cm]?tsx?$/.test(file)),
  );
  const known = verification.packages.find((one) => one.path === path)?.command;
  const command = known ?? (isUpgraded ? typecheckCommand(owner) : undefined);
  return command === undefined ? [] : [{ what: 'check the types', command, folder: directory }];
}

function formatStep(
  owner: PackageInfo,
  changes: readonly FileChange[],
  { root, repository }: Pick<RunResult, 'root' | 'repository'>,
): Step[] {
  const sources = changes.map(({ file }) => file).filter((file) => basename(file) !== 'package.json');
  const command = formatterCommand(owner, sources, {
    root,
    repository: repository ?? boundaryOf(owner, root),
  });
  return command === undefined ? [] : [{ what: 'format', command, folder: root }];
}

/** How far up configuration may lie; never above the package when that is itself above the root. */
function boundaryOf({ workspace, directory }: PackageInfo, root: string): string {
  const folders = [workspace, root].filter((folder) => folder !== undefined);
  return folders.find((folder) => isInside(folder, directory)) ?? directory;
}

const TEST_COMMANDS: Readonly<Record<PackageManager, string>> = {
  npm: 'npm test',
  pnpm: 'pnpm test',
  yarn: 'yarn test',
  // `bun test` is bun's own runner, whatever the script says.
  bun: 'bun run test',
};

function testStep({ scripts, packageManager, directory }: PackageInfo): Step {
  return scripts['test'] === undefined
    ? { what: 'run your tests, against a server of each era', command: '', folder: directory }
    : { what: 'test', command: TEST_COMMANDS[packageManager], folder: directory };
}

/** Steps that read the same, such as one install for two packages of a workspace, are one. */
function stepText({ what, command, folder }: Step, { cwd, colors }: Appearance): string {
  if (command === '') return what;
  const where = folder === cwd ? '' : ` (in ${relativePosix(cwd, folder)})`;
  return `${what}${where}:\n     ${colors.cyan(command)}`;
}
