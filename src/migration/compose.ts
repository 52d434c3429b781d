/** Puts together what changes in every file: the edits of all groups, the imports they need, and the markers. */
import type { CreatedFile, FileEdit } from '../../codemods/codemod.js';
import { importEdit } from '../../codemods/client/stream-import.js';
import { relativeSpecifier } from '../../codemods/relative-specifier.js';
import { importEdits, type ImportNeed } from '../../codemods/server/imports.js';
import { unusedImports } from '../../codemods/server/unused-imports.js';
import type { Facts } from '../analysis/facts.js';
import type { SourceUnit } from '../analysis/source-unit.js';
import { shape } from '../protocol/index.js';
import { toPosix } from '../workspace/paths.js';
import { locateChangeStream, type ChangeStreamFile } from './change-stream-file.js';
import { blankLineEdits } from './blank-lines.js';
import { changeStreamText } from './change-stream-source.js';
import { withoutFrames } from './frames.js';
import { editsOf, type GroupPlan } from './group-plan.js';
import { markerEdits, staleMarkerEdits, type MarkerRequest } from './markers.js';
import type { PlanInput } from './plan-input.js';

/** The edits of a run by file, and the copies of the managed stream it needs. */
export interface ComposedEdits {
  /** Edits by file. */
  readonly byFile: Map<string, FileEdit[]>;
  /** The copies of the managed stream by package. */
  readonly copies: Map<string, { readonly copy: ChangeStreamFile; readonly text: string }>;
  /** The other files that the edits import, by path. */
  readonly created: ReadonlyMap<string, CreatedFile>;
  /** What a file will import that is still to be created. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
}

/** The edits of all groups, the imports they need, and the markers. */
export function composeEdits(groups: readonly GroupPlan[], facts: Facts, input: PlanInput): ComposedEdits {
  const byFile = new Map<string, FileEdit[]>();
  const add = (edit: FileEdit): void => {
    byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  };
  const markers: MarkerRequest[] = [];
  for (const plan of groups) {
    for (const { site, outcome } of plan.sites) {
      const text =
        outcome.kind === 'marked' ? outcome.text : outcome.kind === 'rewritten' ? outcome.marker : undefined;
      if (text === undefined) continue;
      const node = (outcome.kind === 'marked' ? outcome.anchor : undefined) ?? site.node;
      markers.push({
        unit: facts.unitOf(node),
        node,
        text,
        reference: shape(site.shape).rule ?? site.shape,
      });
    }
  }
  const rewritten = groups.flatMap((plan) =>
    plan.sites.flatMap(({ site, outcome }) => (outcome.kind === 'rewritten' ? [site] : [])),
  );
  for (const plan of groups) for (const edit of editsOf(plan)) add(edit);
  // A marker in code that another group takes away has nothing left to stand above.
  const isGone = ({ file, start }: FileEdit): boolean =>
    byFile.get(file)?.some((edit) => edit.start < start && start < edit.end) === true;
  for (const edit of [...staleMarkerEdits(rewritten, markers), ...markerEdits(markers)])
    if (!isGone(edit)) add(edit);
  for (const edit of importsOfServers(groups, facts)) add(edit);
  for (const edit of emptyLinesOfServers(groups, byFile, facts)) add(edit);
  const copies = new Map<string, { copy: ChangeStreamFile; text: string }>();
  const created = createdFiles(groups);
  const needs = neededFiles(groups);
  const streams = streamUsers(groups, facts);
  const byPackage = streams.size === 0 ? new Map<string, string[]>() : filesByPackage(input);
  for (const [path, users] of streams) {
    const owner = input.packages.ownerOf(users[0].file);
    const members = byPackage.get(path) ?? [];
    const copy = locateChangeStream(users, members, owner.moduleType);
    const siblings = facts.units.filter((unit) => unit.package === path);
    for (const unit of users) {
      const edit = importEdit(unit, relativeSpecifier(unit, copy.file, siblings));
      if (edit !== undefined) add(edit);
      if (!copy.exists) needs.set(unit.file, [...(needs.get(unit.file) ?? []), copy.file]);
    }
    if (!copy.exists) copies.set(path, { copy, text: changeStreamText(copy, users[0].style.eol) });
  }
  return { byFile: withoutFramesIn(byFile, facts), copies, created, needs };
}

/** One that several outcomes ask for is the same for all of them. */
function createdFiles(groups: readonly GroupPlan[]): Map<string, CreatedFile> {
  const created = new Map<string, CreatedFile>();
  for (const { sites } of groups) {
    for (const { outcome } of sites) {
      for (const file of outcome.kind === 'rewritten' ? (outcome.files ?? []) : [])
        created.set(file.file, file);
    }
  }
  return created;
}

/** All files that a group changes wait for those that it creates. */
function neededFiles(groups: readonly GroupPlan[]): Map<string, readonly string[]> {
  const needs = new Map<string, readonly string[]>();
  for (const plan of groups) {
    const own = [...createdFiles([plan]).keys()];
    if (own.length === 0) continue;
    for (const { file } of editsOf(plan)) needs.set(file, [...new Set([...(needs.get(file) ?? []), ...own])]);
  }
  return needs;
}

function withoutFramesIn(byFile: ReadonlyMap<string, FileEdit[]>, { units }: Facts): Map<string, FileEdit[]> {
  const texts = new Map(units.map(({ file, text }) => [file, text]));
  return new Map([...byFile].map(([file, edits]) => [file, withoutFrames(texts.get(file) ?? '', edits)]));
}

/** What the code of servers imports after their edits; the clients' edits leave no import without a use. */
function importsOfServers(groups: readonly GroupPlan[], facts: Facts): FileEdit[] {
  const needs = new Map<string, ImportNeed[]>();
  const edits = new Map<string, FileEdit[]>();
  for (const plan of groups.filter(({ group }) => group.kind === 'server')) {
    for (const edit of editsOf(plan)) edits.set(edit.file, [...(edits.get(edit.file) ?? []), edit]);
    for (const { outcome } of plan.sites) {
      for (const need of outcome.kind === 'rewritten' ? (outcome.imports ?? []) : [])
        needs.set(need.file, [...(needs.get(need.file) ?? []), need]);
    }
  }
  return facts.units
    .filter(({ file }) => edits.has(file) || needs.has(file))
    .flatMap((unit) =>
      importEdits(unit, needs.get(unit.file) ?? [], unusedImports(unit, edits.get(unit.file) ?? [])),
    );
}

/** What the edits of servers leave of the lines around what they take out. */
function emptyLinesOfServers(
  groups: readonly GroupPlan[],
  byFile: ReadonlyMap<string, readonly FileEdit[]>,
  facts: Facts,
): FileEdit[] {
  const servers = groups.filter(({ group }) => group.kind === 'server');
  const files = new Set(servers.flatMap((plan) => editsOf(plan).map(({ file }) => file)));
  return facts.units
    .filter(({ file }) => files.has(file))
    .flatMap(({ file, text }) => blankLineEdits(file, text, byFile.get(file) ?? []));
}

/** All source files by the package that owns them, with forward slashes. */
function filesByPackage({ files, packages }: PlanInput): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files.map(toPosix)) {
    const { path } = packages.ownerOf(file);
    const list = found.get(path);
    if (list === undefined) found.set(path, [file]);
    else list.push(file);
  }
  return found;
}

type Users = [SourceUnit, ...SourceUnit[]];

/** The files of each package in which edits use the managed stream, by path. */
function streamUsers(groups: readonly GroupPlan[], facts: Facts): Map<string, Users> {
  const files = new Set(
    groups.flatMap((plan) =>
      plan.sites.flatMap(({ outcome }) => (outcome.kind === 'rewritten' ? (outcome.streamFiles ?? []) : [])),
    ),
  );
  const users = new Map<string, Users>();
  for (const unit of facts.units) {
    if (!files.has(unit.file)) continue;
    const known = users.get(unit.package);
    users.set(unit.package, known === undefined ? [unit] : [...known, unit]);
  }
  return users;
}
