/** How a change reaches listen streams: by the handler where it can be seen, else by a bus that both sides import. */
import path from 'node:path';
import { ts } from 'ts-morph';
import { literalBehind } from '../../src/analysis/constants.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { propertyOf } from '../../src/analysis/syntax.js';
import { CHANGES_FILE, CHANGES_NAME, changesModule, publishEvent } from '../../src/codegen/changes-module.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { busProperty } from '../../src/codegen/mcp-handler.js';
import { notifyCall } from '../../src/codegen/publish.js';
import { SERVER_OPTION, type PublisherRow } from '../../src/protocol/index.js';
import type { CreatedFile, FileEdit } from '../codemod.js';
import { importFormOf } from '../import-places.js';
import { relativeSpecifier } from '../relative-specifier.js';
import { placeOfHandler, seesHandler, type HandlerPlace } from './handler-place.js';
import { newHandlerPlace } from './http-place.js';
import { importedName, type ImportNeed } from './imports.js';
import { publishingNodes } from './publishing-nodes.js';
import { symbolNamed } from '../../src/analysis/named-symbol.js';

/** What publishes one change. */
export interface Publishing {
  /** The call, without a semicolon: `mcpHandler.notify.toolsChanged()`. */
  readonly text: string;
  /** What has to be changed elsewhere for it; shared by all publishers of a server. */
  readonly edits: readonly FileEdit[];
  readonly imports: readonly ImportNeed[];
  readonly files: readonly CreatedFile[];
}

/** The way by which changes of one server reach listen streams. */
export interface Notifier {
  /** Whether sessions of 2025 go on needing what was emitted before, so that this stands beside it. */
  readonly besideLegacy: boolean;
  /**
   * @param uri the expression of the URI as written, for updates of a resource
   * @param at the place where it will stand
   */
  publish(row: Pick<PublisherRow, 'notify' | 'event'>, uri: string | undefined, at: ts.Node): Publishing;
}

const known = new WeakMap<ServerGroup, Map<Target, Notifier | undefined>>();

/**
 * The notifier of a server that one handler over HTTP serves, or will serve.
 *
 * @returns undefined where stdio serves it, too (T7), where several handlers do, and where the handler is out of reach
 */
export function notifierOf(group: ServerGroup, facts: Facts, target: Target): Notifier | undefined {
  const answers = known.get(group) ?? new Map<Target, Notifier | undefined>();
  known.set(group, answers);
  if (!answers.has(target)) answers.set(target, findNotifier(group, facts, target));
  return answers.get(target);
}

function findNotifier(group: ServerGroup, facts: Facts, target: Target): Notifier | undefined {
  const entries = group.entries.filter(({ kind }) => kind !== 'test');
  const served = entries.filter(({ kind }) => kind === 'http');
  const [handler, ...others] = served;
  if (entries.some(({ kind, transport }) => kind === 'stdio' || kind === 'unknown' || transport === 'stdio'))
    return undefined;
  const isBeside = entries.some(({ kind }) => kind === 'hand-wired');
  if (handler === undefined) return newNotifier(group, facts, target);
  return others.length > 0 ? undefined : notifierOfEntry(handler, group, isBeside, facts);
}

/** Of the handler that will be put in front of the old hosting, or in its place. */
function newNotifier(group: ServerGroup, facts: Facts, target: Target): Notifier | undefined {
  const place = newHandlerPlace(group, facts);
  if (place === undefined) return undefined;
  const bus = newBus(group, place.place, facts);
  return {
    besideLegacy: target === 'dual' && !place.stateless,
    publish: (row, uri, at) =>
      seesHandler(place.place, at, facts.world)
        ? throughHandler(place.place, row, uri)
        : throughBus(place.place, bus?.files ?? [], [], row, uri, at, facts),
  };
}

/** The bus that a new handler is given, if a publisher cannot see the handler. */
export interface NewBus {
  /** What the handler's file calls it. */
  readonly name: string;
  readonly imports: readonly ImportNeed[];
  readonly files: readonly CreatedFile[];
}

/** The bus of a handler that is to be made; undefined where every publisher can see the handler. */
export function newBus(group: ServerGroup, place: HandlerPlace, facts: Facts): NewBus | undefined {
  const isSeen = (node: ts.Node): boolean => seesHandler(place, node, facts.world);
  if (publishingNodes(facts, group).every(isSeen)) return undefined;
  const need = changesNeed(place, place.unit, facts);
  return { name: importedName(place.unit, need), imports: [need], files: changesFile(place, facts) };
}

/** Of a handler that is there already. */
function notifierOfEntry(
  { call }: ServerEntry,
  group: ServerGroup,
  besideLegacy: boolean,
  facts: Facts,
): Notifier | undefined {
  const place = placeOfHandler(call, facts);
  const nodes = publishingNodes(facts, group);
  if (place !== undefined && nodes.every((node) => seesHandler(place, node, facts.world)))
    return { besideLegacy, publish: (row, uri) => throughHandler(place, row, uri) };
  const given = giveBus(call, place, facts);
  if (given === undefined) return undefined;
  return {
    besideLegacy,
    publish: (row, uri, at) =>
      place !== undefined && seesHandler(place, at, facts.world)
        ? throughHandler(place, row, uri)
        : throughBus(given.place, given.files, given.edits, row, uri, at, facts, given.imports),
  };
}

interface GivenBus {
  readonly place: Pick<HandlerPlace, 'unit'>;
  readonly edits: readonly FileEdit[];
  readonly imports: readonly ImportNeed[];
  readonly files: readonly CreatedFile[];
}

/** `createMcpHandler(factory)` becomes `createMcpHandler(factory, { bus: changes })`. */
function giveBus(
  call: ts.CallExpression,
  place: HandlerPlace | undefined,
  facts: Facts,
): GivenBus | undefined {
  const unit = facts.unitOf(call);
  const home = place ?? { unit };
  const need = changesNeed(home, unit, facts);
  const bus = busProperty(importedName(unit, need));
  const [factory, options] = call.arguments;
  const files = changesFile(home, facts);
  const reason = 'the bus that publishers elsewhere use';
  if (factory === undefined) return undefined;
  if (options === undefined) {
    const edit = { file: unit.file, start: factory.end, end: factory.end, text: `, { ${bus} }`, reason };
    return { place: home, edits: [edit], imports: [need], files };
  }
  const literal = ts.isObjectLiteralExpression(options) ? options : undefined;
  if (literal === undefined) {
    return hasOurBus(options, facts) ? { place: home, edits: [], imports: [], files: [] } : undefined;
  }
  if (propertyOf(literal, SERVER_OPTION.bus) !== undefined)
    return hasOurBus(options, facts) ? { place: home, edits: [], imports: [], files: [] } : undefined;
  if (literal.properties.some((one) => ts.isSpreadAssignment(one))) return undefined;
  const last = literal.properties.at(-1);
  const start = last?.end ?? literal.getStart() + 1;
  const text = last === undefined ? ` ${bus} ` : `, ${bus}`;
  return {
    place: home,
    edits: [{ file: unit.file, start, end: start, text, reason }],
    imports: [need],
    files,
  };
}

/** Whether the bus is the one of an earlier run. */
function hasOurBus(options: ts.Expression, { world }: Facts): boolean {
  const literal = literalBehind(options, world.checker);
  const property = literal === undefined ? undefined : propertyOf(literal, SERVER_OPTION.bus);
  if (property === undefined || !ts.isPropertyAssignment(property)) return false;
  const declaration = symbolNamed(property.initializer, world.checker)?.declarations?.[0];
  return declaration?.getSourceFile().fileName.includes(`/${CHANGES_FILE}.`) === true;
}

function throughHandler(
  { name }: Pick<HandlerPlace, 'name'>,
  row: Pick<PublisherRow, 'notify'>,
  uri: string | undefined,
): Publishing {
  return { text: notifyCall(name, row, uri), edits: [], imports: [], files: [] };
}

function throughBus(
  home: Pick<HandlerPlace, 'unit'>,
  files: readonly CreatedFile[],
  edits: readonly FileEdit[],
  row: Pick<PublisherRow, 'event'>,
  uri: string | undefined,
  at: ts.Node,
  facts: Facts,
  imports: readonly ImportNeed[] = [],
): Publishing {
  const unit = facts.unitOf(at);
  const need = changesNeed(home, unit, facts);
  return {
    text: publishEvent(importedName(unit, need), row.event, uri, unit.style),
    edits,
    imports: [...imports, need],
    files,
  };
}

/** The import by which a file uses the bus. */
function changesNeed(home: Pick<HandlerPlace, 'unit'>, unit: SourceUnit, facts: Facts): ImportNeed {
  const siblings = facts.units.filter((one) => one.package === unit.package);
  const module = relativeSpecifier(unit, changesPath(home), siblings);
  return { file: unit.file, module, name: CHANGES_NAME };
}

/** Beside the file of the handler, of its kind. */
function changesPath({ unit }: Pick<HandlerPlace, 'unit'>): string {
  const kind = /\.([cm]?[jt]s)x?$/.exec(unit.file)?.[1] ?? 'ts';
  return path.posix.join(path.posix.dirname(unit.file), `${CHANGES_FILE}.${kind}`);
}

function changesFile(home: Pick<HandlerPlace, 'unit'>, { units }: Facts): CreatedFile[] {
  const file = changesPath(home);
  if (units.some((unit) => unit.file === file)) return [];
  return [{ file, text: changesModule(importFormOf(home.unit), home.unit.style) }];
}
