/** The wire codemods inside `scan` and `migrate`: the same decisions, brought to the nodes and groups of a run. */
import { createRequire } from 'node:module';
import type { JSCodeshift } from 'jscodeshift';
import { ts } from 'ts-morph';
import { importedGeneration, type Facts } from '../../src/analysis/facts.js';
import { plainGroup, type Group } from '../../src/analysis/group.js';
import type { Site } from '../../src/analysis/site.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { subscribeHandlersOf } from '../../src/analysis/subscribe-handlers.js';
import { contains } from '../../src/analysis/syntax.js';
import { METHOD, shape as rowOf } from '../../src/protocol/index.js';
import type { Codemod } from '../codemod.js';
import { listenAnswers } from './dispatches.js';
import { parsersFor, type ParserMaker } from './parsers.js';
import { isTest } from './server-evidence.js';
import type { Surroundings } from './surroundings.js';
import { readWireModule, type WireModule } from './wire-module.js';
import { mayConcern, type WireCore, type WireSite } from './wire-site.js';

/**
 * The codemods of a run. They look at one module together before they go on to the next: a tree weighs many times its
 * text, and is needed again only where there are sites.
 */
export function wireCodemods(cores: readonly WireCore[]): Codemod[] {
  const known = new WeakMap<readonly SourceUnit[], SitesByCore>();
  const sitesOf = (units: readonly SourceUnit[]): SitesByCore => {
    const sites = known.get(units) ?? findSites(units, cores);
    known.set(units, sites);
    return sites;
  };
  return cores.map((core) => wireCodemod(core, (units) => sitesOf(units).get(core) ?? []));
}

type SitesByCore = ReadonlyMap<WireCore, readonly FoundIn[]>;

interface FoundIn {
  readonly unit: SourceUnit;
  readonly sites: readonly WireSite[];
}

function findSites(units: readonly SourceUnit[], cores: readonly WireCore[]): SitesByCore {
  const found = new Map(cores.map((core): [WireCore, FoundIn[]] => [core, []]));
  for (const unit of units) {
    const concerned = cores.filter((core) => mayConcern(unit.text, core));
    const module = concerned.length === 0 ? undefined : wireModuleOf(unit);
    if (module === undefined) continue;
    let isNeeded = false;
    for (const core of concerned) {
      const sites = core.findIn(module, surroundingsOf(unit, units));
      found.get(core)?.push({ unit, sites });
      isNeeded ||= sites.length > 0;
    }
    if (!isNeeded) modules.delete(unit);
  }
  return found;
}

function wireCodemod(core: WireCore, sitesIn: (units: readonly SourceUnit[]) => readonly FoundIn[]): Codemod {
  const found = new WeakMap<Site, WireSite>();
  return {
    name: core.name,
    removes: core.removes,
    tokens: core.tokens,

    find(facts) {
      return sitesIn(facts.units).flatMap(({ unit, sites }) =>
        sites.flatMap((wireSite): Site[] => {
          const { shape, confidence } = wireSite;
          const node = nodeOf(unit.tree, wireSite);
          if (isRowOfServer(node, facts)) return [];
          const site: Site = {
            unit,
            node,
            side: 'wire',
            shape,
            mechanism: rowOf(shape).mechanism,
            group: groupOf(unit, wireSite, node),
            confidence,
          };
          found.set(site, wireSite);
          return [site];
        }),
      );
    },

    rewrite(site, _, target) {
      const outcome = found.get(site)?.outcome(target);
      if (outcome === undefined) throw new Error('a site of another codemod');
      const { file, tree } = site.unit;
      const anchor = found.get(site)?.anchor;
      if (outcome.kind === 'marked' && anchor !== undefined)
        return { ...outcome, anchor: nodeOf(tree, anchor) };
      if (outcome.kind !== 'rewritten') return outcome;
      return { ...outcome, edits: outcome.edits.map((edit) => ({ ...edit, file })) };
    },
  };
}

/** A row that is registered on a server of the SDK: the server's codemods decide about it. */
function isRowOfServer(node: ts.Node, facts: Facts): boolean {
  return facts.servers.some((group) =>
    subscribeHandlersOf(facts.world, group).some(
      ({ form, kinds }) =>
        form === 'table' && kinds.some((kind) => contains(node, kind) || contains(kind, node)),
    ),
  );
}

const modules = new WeakMap<SourceUnit, { readonly module: WireModule | undefined }>();

let engine: { readonly j: JSCodeshift; readonly make: ParserMaker } | undefined;

/** Loaded when the first module has to be read: its parsers cost more than all of a scan that needs none. */
function loadEngine(): NonNullable<typeof engine> {
  const require = createRequire(import.meta.url);
  engine ??= {
    j: require('jscodeshift') as JSCodeshift,
    make: require('jscodeshift/src/getParser') as ParserMaker,
  };
  return engine;
}

/** The module of a unit, parsed once as long as it is needed; undefined where it does not parse. */
function wireModuleOf(unit: SourceUnit): WireModule | undefined {
  const known = modules.get(unit);
  if (known !== undefined) return known.module;
  const { j, make } = loadEngine();
  const module = readWireModule(unit.path, unit.text, j, parsersFor(unit.path, make));
  modules.set(unit, { module });
  return module;
}

/** What the package of a unit says about it. */
function surroundingsOf({ package: path }: SourceUnit, units: readonly SourceUnit[]): Surroundings {
  const byPackage = surroundings.get(units) ?? new Map<string, Surroundings>();
  surroundings.set(units, byPackage);
  const known = byPackage.get(path);
  if (known !== undefined) return known;
  const own = units.filter((unit) => unit.package === path);
  const found: Surroundings = {
    sdk: own.some((unit) => importedGeneration(unit) !== undefined),
    listen: listenIn(own),
  };
  byPackage.set(path, found);
  return found;
}

const surroundings = new WeakMap<readonly SourceUnit[], Map<string, Surroundings>>();

/** Where one of the units answers a listen. */
function listenIn(units: readonly SourceUnit[]): string | undefined {
  for (const unit of units) {
    if (!unit.text.includes(METHOD.subscriptionsListen)) continue;
    const module = wireModuleOf(unit);
    const [answer] = module === undefined || isTest(module) ? [] : listenAnswers(module);
    if (answer === undefined) continue;
    const { line } = unit.tree.getLineAndCharacterOfPosition(answer.literal.start);
    return `${unit.path}:${String(line + 1)}`;
  }
  return undefined;
}

/** The innermost node that holds a range: the site itself, where both trees cut the text alike. */
function nodeOf(tree: ts.SourceFile, { start, end }: Pick<WireSite, 'start' | 'end'>): ts.Node {
  let found: ts.Node = tree;
  const visit = (node: ts.Node): void => {
    if (node.getStart(tree) > start || node.end < end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const groups = new WeakMap<SourceUnit, Map<string, { readonly group: Group; readonly nodes: ts.Node[] }>>();

/** The group of a site, which sites of other codemods may belong to as well. */
function groupOf(unit: SourceUnit, { group: key }: WireSite, node: ts.Node): Group {
  const home = { file: unit.file, name: homeName(node) };
  if (key === undefined) return plainGroup('wire', home, [node]);
  const known = groups.get(unit) ?? new Map<string, { group: Group; nodes: ts.Node[] }>();
  groups.set(unit, known);
  const entry = known.get(key);
  if (entry !== undefined) {
    entry.nodes.push(node);
    return entry.group;
  }
  const nodes = [node];
  const group = plainGroup('wire', home, nodes);
  known.set(key, { group, nodes });
  return group;
}

/** What a place is known by: the class or function around it. */
function homeName(node: ts.Node): string {
  for (let at = node as ts.Node | undefined; at !== undefined; at = at.parent) {
    if (ts.isClassLike(at) && at.name !== undefined) return at.name.text;
    const isTop = !ts.isSourceFile(at) && ts.isSourceFile(at.parent);
    if (isTop && ts.isFunctionDeclaration(at) && at.name !== undefined) return at.name.text;
    if (isTop && ts.isVariableStatement(at)) {
      const [first] = at.declarationList.declarations;
      if (first !== undefined && ts.isIdentifier(first.name)) return first.name.text;
    }
  }
  return 'module';
}
