/** A client that was given a listen is told to negotiate the modern era; one that was not is left as it is. */
import { ts } from 'ts-morph';
import type { ClientGroup, Creation, Negotiation } from '../../src/analysis/client-group.js';
import { literalBehind } from '../../src/analysis/constants.js';
import { findOption } from '../../src/analysis/option-values.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { isPlainPath, peel } from '../../src/analysis/syntax.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';
import { negotiationMode, negotiationProperty } from '../../src/codegen/negotiation.js';
import { CLIENT_CLASS, CLIENT_OPTION, HEADER, SDK_SCOPE } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { clientSite, type ClientSite } from './client-site.js';
import { outcomeByGroup } from './group-outcome.js';
import { handlersToServe, handlesChanges } from './served-handlers.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for the constructor's options. */
export const eraOptIn: Codemod<ClientGroup> = {
  name: 'client/era-opt-in',
  removes: 'era',
  tokens: [SDK_SCOPE, CLIENT_CLASS],

  find(facts) {
    return facts.clients.flatMap((group) => [
      ...group.creations.map(({ node, era }) => ({ ...clientSite(node, 'ERA', group, facts), era })),
      ...group.negotiations.map(({ node }) => clientSite(node, 'ERA', group, facts)),
      ...group.legacyUses.map(({ node }) => clientSite(node, 'LEGACY_CALL', group, facts)),
    ]);
  },

  rewrite(site, facts, target) {
    if (site.shape === 'LEGACY_CALL') return keepLegacyUse(site);
    if (callsToRewrite(site.group).length === 0 && handlersToServe(site.group).length === 0) {
      return { kind: 'kept', reason: nothingToListenFor(site) };
    }
    const byGroup = outcomeByGroup(site, facts, target);
    if (byGroup?.kind === 'marked') return { kind: 'kept', reason: byGroup.reason ?? byGroup.text };
    if (byGroup?.kind === 'reported') return { kind: 'kept', reason: byGroup.reason };
    return byGroup ?? optIn(site, facts, target);
  },
};

function keepLegacyUse(site: ClientSite): Outcome {
  const use = site.group.legacyUses.find((candidate) => candidate.node === site.node);
  return use?.era === 'legacy'
    ? { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' }
    : {
        kind: 'kept',
        reason: `${use?.label ?? 'it'} works on a 2025 connection alone and keeps its client there`,
      };
}

function nothingToListenFor({ node, group }: ClientSite): string {
  const place = [...group.creations, ...group.negotiations].find((candidate) => candidate.node === node);
  if (group.listens.length > 0) return `listens already (era: ${place?.era ?? 'unknown'})`;
  if (group.creations.some((creation) => creation.listChangedOption.length > 0)) {
    return 'its listChanged option opens its own stream where the era allows';
  }
  if (group.handlers.some((handler) => handler.notifications === undefined)) {
    return 'which notifications it handles cannot be read';
  }
  return group.handlers.some(handlesChanges)
    ? 'it handles updates, but subscribes to no URI'
    : 'it subscribes to nothing and handles no change notification';
}

function optIn(site: ClientSite, facts: Facts, target: Target): Outcome {
  const negotiation = site.group.negotiations.find((candidate) => candidate.node === site.node);
  if (negotiation !== undefined) return optInByCall(site, negotiation, facts, target);
  if (site.group.negotiations.length > 0)
    return { kind: 'kept', reason: 'setVersionNegotiation() decides its era' };
  const creation = site.group.creations.find((candidate) => candidate.node === site.node);
  if (creation === undefined) throw new Error('a site of another codemod');
  switch (creation.era) {
    case 'pin':
      return { kind: 'kept', reason: 'pinned already' };
    case 'auto':
      return target === 'dual'
        ? { kind: 'kept', reason: 'negotiates already' }
        : pinInOptions(site, creation, facts);
    case 'legacy':
      return { kind: 'kept', reason: 'it asks for the legacy era by itself' };
    case 'unknown':
      return {
        kind: 'marked',
        text: `these options are not written out here: add ${negotiationProperty(target, site.unit.style)} to them`,
        blocks: false,
      };
    default:
      return addNegotiation(site, creation, facts, target);
  }
}

/** `client.setVersionNegotiation({ mode: … })` decides, whatever the constructor was given. */
function optInByCall(site: ClientSite, negotiation: Negotiation, facts: Facts, target: Target): Outcome {
  if (negotiation.era === 'pin') return { kind: 'kept', reason: 'pinned already' };
  if (negotiation.era === 'auto' && target === 'dual') {
    return { kind: 'kept', reason: 'negotiates already' };
  }
  const [argument] = negotiation.node.arguments;
  const edit = argument === undefined ? undefined : pinEdit(argument, facts);
  if (negotiation.era === 'auto' && edit !== undefined) return rewritten([edit], site, facts, target);
  return {
    kind: 'marked',
    text: 'which era setVersionNegotiation() asks for cannot be read here: ask for the modern one',
    blocks: false,
  };
}

/** `versionNegotiation: { mode: 'auto' }` → `versionNegotiation: { mode: { pin: '2026-07-28' } }` */
function pinInOptions(site: ClientSite, creation: Creation, facts: Facts): Outcome {
  const { options } = creation;
  const literal = options === undefined ? undefined : literalBehind(options, facts.world.checker);
  const negotiation =
    literal === undefined
      ? undefined
      : findOption(literal, CLIENT_OPTION.versionNegotiation, facts.world.checker);
  // One that is spread in may be shared with clients that are to go on negotiating.
  const isOwn =
    typeof negotiation === 'object' &&
    negotiation.parent === literal &&
    literal.getSourceFile() === options?.getSourceFile();
  const edit =
    isOwn && ts.isPropertyAssignment(negotiation) ? pinEdit(negotiation.initializer, facts) : undefined;
  return edit === undefined
    ? { kind: 'marked', text: 'pin this client to the modern revision', blocks: false }
    : rewritten([edit], site, facts, 'modern');
}

/** Pins the mode of a `{ mode: … }` object. */
function pinEdit(value: ts.Expression, facts: Facts): FileEdit | undefined {
  const literal = literalBehind(value, facts.world.checker);
  const mode =
    literal?.getSourceFile() !== value.getSourceFile()
      ? undefined
      : findOption(literal, CLIENT_OPTION.mode, facts.world.checker);
  if (typeof mode !== 'object' || mode.parent !== literal || !ts.isPropertyAssignment(mode)) return undefined;
  const unit = facts.unitOf(mode);
  return {
    file: unit.file,
    start: mode.initializer.getStart(),
    end: mode.initializer.end,
    text: negotiationMode('modern', unit.style),
    reason: 'pinned to the modern revision',
  };
}

function addNegotiation(site: ClientSite, creation: Creation, facts: Facts, target: Target): Outcome {
  const { optionsCall, options } = creation;
  const property = negotiationProperty(target, site.unit.style);
  const marked: Outcome = { kind: 'marked', text: `give this client the option ${property}`, blocks: false };
  if (optionsCall === undefined || saysSomething(options, facts)) return marked;
  // Two clients of one subclass share its `super(…)`: the first of them carries the edit.
  const first = site.group.creations.find((other) => other.optionsCall === optionsCall);
  if (first !== creation) return rewritten([], site, facts, target);
  const edit =
    options === undefined ? argumentEdit(optionsCall, property, facts) : optionEdit(options, property, facts);
  return edit === undefined ? marked : rewritten([edit], site, facts, target);
}

/** `versionNegotiation: {}`: a second property of the name would be an error, or override what the first one says. */
function saysSomething(options: ts.Expression | undefined, facts: Facts): boolean {
  return (
    options !== undefined &&
    findOption(options, CLIENT_OPTION.versionNegotiation, facts.world.checker) !== 'absent'
  );
}

/** `new Client(info)` → `new Client(info, { … })` */
function argumentEdit(
  call: ts.NewExpression | ts.CallExpression,
  property: string,
  facts: Facts,
): FileEdit | undefined {
  const info = call.arguments?.[0];
  if (info === undefined || ts.isSpreadElement(info)) return undefined;
  const unit = facts.unitOf(call);
  const { text, style } = unit;
  const broken = text.slice(call.arguments?.pos ?? info.pos, info.getStart()).includes('\n');
  const separator = broken ? `${style.eol}${indentAt(text, info.getStart())}` : ' ';
  return insertion(unit, info.end, `,${separator}{ ${property} }`);
}

function optionEdit(options: ts.Expression, property: string, facts: Facts): FileEdit | undefined {
  const inner = peel(options);
  const unit = facts.unitOf(options);
  if (ts.isObjectLiteralExpression(inner)) return propertyEdit(inner, property, unit);
  if (ts.isSpreadElement(options) || !isPlainPath(inner)) return undefined;
  // Options in a constant, perhaps of several clients: spread, so that only this one opts in and literals stay literal.
  return {
    file: unit.file,
    start: options.getStart(),
    end: options.end,
    text: `{ ...${options.getText()}, ${property} }`,
    reason: 'opts in to the modern era',
  };
}

/** Adds a property to an object literal in the literal's own layout, below the comment of the last one. */
function propertyEdit(literal: ts.ObjectLiteralExpression, property: string, unit: SourceUnit): FileEdit {
  const { style, text } = unit;
  const last = literal.properties.at(-1);
  if (last === undefined) {
    const start = literal.getStart() + 1;
    const isEmpty = text.slice(start, literal.end - 1).trim() === '';
    return isEmpty
      ? { ...insertion(unit, start, ` ${property} `), end: literal.end - 1 }
      : insertion(unit, start, ` ${property}`);
  }
  const { hasTrailingComma } = literal.properties;
  const listEnd = hasTrailingComma ? literal.properties.end : last.end;
  const isBroken = text.slice(literal.getStart(), last.getStart()).includes('\n');
  if (!isBroken) return insertion(unit, listEnd, hasTrailingComma ? ` ${property},` : `, ${property}`);
  const comment = text.slice(listEnd, endOfLineComment(text, listEnd));
  const line = `${style.eol}${indentAt(text, last.getStart())}${property}`;
  return hasTrailingComma
    ? insertion(unit, listEnd + comment.length, `${line},`)
    : { ...insertion(unit, listEnd, `,${comment}${line}`), end: listEnd + comment.length };
}

function insertion(unit: SourceUnit, position: number, text: string): FileEdit {
  return { file: unit.file, start: position, end: position, text, reason: 'opts in to the modern era' };
}

function rewritten(edits: FileEdit[], site: ClientSite, facts: Facts, target: Target): Outcome {
  return {
    kind: 'rewritten',
    edits,
    reason: ['opts in to the modern era', ...consequences(site, facts, target)].join('; '),
  };
}

/** What the opt-in changes besides (T3, T43): said with it, since it shows in no diff. */
function consequences(site: ClientSite, facts: Facts, target: Target): string[] {
  const transports = new Set(site.group.connects.map((connect) => connect.transport));
  const said: string[] = [];
  if (transports.has('stdio') && target === 'dual') {
    said.push(
      'over stdio the server is started twice to find its era, and probe: { timeoutMs } bounds the wait for one that stays silent',
    );
  }
  if (runsInBrowser(site, facts) && (transports.has('http') || transports.has(undefined))) {
    said.push(
      `in a browser the server's CORS list must allow ${HEADER.protocolVersion} and ${HEADER.method}, else it silently stays on the 2025 era`,
    );
  }
  return said;
}

function runsInBrowser({ unit }: ClientSite, facts: Facts): boolean {
  return /\.[jt]sx$/.test(unit.file) || usesBrowserGlobal(unit.tree, facts.world.checker);
}

const BROWSER_GLOBALS = ['window', 'document', 'localStorage', 'sessionStorage'];

function usesBrowserGlobal(tree: ts.SourceFile, checker: ts.TypeChecker): boolean {
  if (!BROWSER_GLOBALS.some((name) => tree.text.includes(name))) return false;
  let found = false;
  const visit = (node: ts.Node): void => {
    const isAccess = ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression);
    if (isAccess && BROWSER_GLOBALS.includes(node.expression.text)) {
      found ||= checker.getSymbolAtLocation(node.expression) === undefined;
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
